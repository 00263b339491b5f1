#!/usr/bin/env bash
# negatives.sh BUILD: runs the targets that `make fuzz-negatives` built with a bug in
# the engine, as fuzz/negatives lists them. Each must end with the target's own
# message, within its number of executions, from an empty corpus.
set -euo pipefail
build=$1 failed=0

printf '%-16s %-28s %10s  %s\n' target bug executions found
while read -r target patch most; do
    [[ $target != '#'* && -n $target ]] || continue
    log=$build/planted/$patch/target-$target.log
    status=0
    "$build/planted/$patch/target-$target" -runs="$most" -seed=1 -max_len=1024 -timeout=25 \
        -artifact_prefix="$build/planted/$patch/" >"$log" 2>&1 || status=$?
    did=$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -n 1)
    if [ $status -ne 0 ] && grep -qE '^(SES|KV|SPAN|CONV|ENG|TOK|QNT|ATT|GEO|TRACE|prefill|quantising|[a-z ]+:).*' "$log" &&
        grep -q 'ERROR: libFuzzer: deadly signal' "$log"; then
        printf '%-16s %-28s %10s  %s\n' "$target" "$patch" "${did:-0}" \
            "$(grep -m1 -E '^[A-Za-z_0-9 ]+: ' "$log" | grep -v '^INFO' | sed 's/.*: //' | cut -c1-60)"
    else
        printf '%-16s %-28s %10s  %s\n' "$target" "$patch" "$most" 'NOT FOUND'
        failed=1
    fi
done <fuzz/negatives
exit $failed
