#!/usr/bin/env bash
# replay.sh SECONDS OUT FOLDER...: every target on its corpus, FOLDER/TARGET, the smallest
# inputs first and for so many seconds a target (0: all of them), and the command on
# recordings of small sessions, with the checks; then how many clauses that was.
set -euo pipefail
most=$1 out=$2
shift 2

# The translation gives back not all of its numbers.
export ASAN_OPTIONS=detect_leaks=0
failed=0
for program in "$out"/fuzz-*; do
    target=${program##*/fuzz-}
    mapfile -t files < <(for folder; do
        [ ! -d "$folder/$target" ] || find "$folder/$target" -type f -printf '%s %p\n'
    done | sort -n | cut -d ' ' -f 2-)
    if [ ${#files[@]} -eq 0 ]; then
        echo "$target: its corpus is empty" >&2
        failed=1
        continue
    fi
    SECONDS=0 done=0
    while [ "$done" -lt ${#files[@]} ] && { [ "$most" -eq 0 ] || [ "$SECONDS" -lt "$most" ]; }; do
        "$program" "${files[@]:done:4}" >"$out/said" 2>&1 || {
            echo "$target fails on one of ${files[*]:done:4}:" >&2
            head -n 20 "$out/said" >&2
            failed=1
        }
        done=$((done + 4))
    done
    echo "$target: $((done < ${#files[@]} ? done : ${#files[@]})) of ${#files[@]} inputs"
done
SECONDS=0 checked=0
for file in tests/conformance/tiny-*.jsonl; do
    [ "$most" -eq 0 ] || [ "$SECONDS" -lt "$most" ] || break
    "$out/ndl" check --quiet "$file" >"$out/said" 2>&1 || {
        echo "$file fails:" >&2
        head -n 20 "$out/said" >&2
        failed=1
    }
    checked=$((checked + 1))
done
[ "$checked" -gt 0 ] || failed=1
jq -r --arg recordings "$checked" '
    def counts: to_entries | map(select(.value > 0) | "\(.value) \(.key)") | join(", ");
    "\($recordings) recordings; \(.functions) functions have \(.checks) checks",
    (to_entries[] | select(.value | type == "object") |
     "\(.key): checked: \(.value.checked | counts); not: \(.value["not"] | counts)"),
    "of the clauses that should be checked the translator left out \(.ignored)"' "$out/clauses.json"
exit "$failed"
