#!/usr/bin/env bash
# negatives.sh BUILD: runs the targets that `make fuzz-negatives` built with a bug in
# the engine, as fuzz/negatives lists them. Each must end with the target's own
# message, within its number of executions, from an empty corpus. One that ends
# otherwise (a sanitizer's report, no memory, a hang) shows how.
set -euo pipefail
build=$1 failed=0

printf '%-16s %-28s %10s %8s  %s\n' target bug executions seconds found
while read -r target patch most; do
    [[ $target != '#'* && -n $target ]] || continue
    log=$build/planted/$patch/target-$target.log
    status=0 began=$SECONDS
    "$build/planted/$patch/target-$target" -runs="$most" -seed=1 -max_len=1024 -timeout=25 \
        -artifact_prefix="$build/planted/$patch/" >"$log" 2>&1 || status=$?
    did=$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -n 1)
    if [ $status -eq 0 ]; then
        found='NOT FOUND'
    elif grep -aq ' in target_report ' "$log"; then
        found=$(awk '!/^INFO/ && /^[A-Za-z_0-9 ]+: / { sub(/.*: /, ""); print substr($0, 1, 60); exit }' "$log")
    else
        found="ENDED OTHERWISE, with status $status"
    fi
    printf '%-16s %-28s %10s %8s  %s\n' "$target" "$patch" "${did:-0}" $((SECONDS - began)) "$found"
    if [[ $found == 'NOT FOUND' || $found == 'ENDED OTHERWISE'* ]]; then
        tail -n 60 "$log" | sed 's/^/    /'
        failed=1
    fi
done <fuzz/negatives
exit $failed
