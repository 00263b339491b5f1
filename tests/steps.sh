# steps.sh, sourced: runs named steps one after the other, keeps each one's
# output in a log, and prints a table. On a terminal the step under way is shown.
#
#   step NAME COMMAND...   run it; remember result and time
#   steps_end              print the table; the status is 0 if all passed
#
# STEPS_LOG is the folder of the logs.
#
# shellcheck shell=bash
steps_names=() steps_result=() steps_time=() steps_said=()

step() {
    local name=$1 log status=0 start
    shift
    mkdir -p "$STEPS_LOG"
    log=$STEPS_LOG/${name//[^a-zA-Z0-9=_-]/-}.log
    [ -t 2 ] && printf '\r\033[K%s ...' "$name" >&2
    start=$(date +%s.%N)
    "$@" >"$log" 2>&1 || status=$?
    [ -t 2 ] && printf '\r\033[K' >&2
    steps_names+=("$name")
    steps_time+=("$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')")
    # The last line that a tool printed is its own summary.
    steps_said+=("$(tail -n 1 "$log" | sed 's/\x1b\[[0-9;]*m//g' | cut -c 1-80)")
    if [ $status -eq 0 ]; then
        steps_result+=(passed)
    else
        steps_result+=(FAILED)
        printf -- '--- %s failed (status %d), the end of its log %s:\n' "$name" $status "$log"
        tail -n 40 "$log"
        printf -- '---\n'
    fi
}

steps_end() {
    local i failed=0
    printf '\n%-30s %-7s %8s  %s\n' step result seconds 'its last line'
    for i in "${!steps_names[@]}"; do
        printf '%-30s %-7s %8s  %s\n' "${steps_names[i]}" "${steps_result[i]}" "${steps_time[i]}" "${steps_said[i]}"
        [ "${steps_result[i]}" = passed ] || failed=$((failed + 1))
    done
    printf '\n%d passed, %d failed\n' $((${#steps_names[@]} - failed)) $failed
    [ $failed -eq 0 ]
}
