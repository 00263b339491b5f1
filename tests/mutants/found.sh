#!/usr/bin/env bash
# found.sh DIR [PATCH]: the tool or the tests in DIR, linked with the engine that PATCH
# spoiled, must report it: recordings, or else lock-step, or else any test. A patch whose
# header says "Recordings: ..." explains why none of them shows it; of any other one must.
# Without a patch all must pass, or else they would find mistakes
# in anything.
set -euo pipefail
dir=$1 patch=${2-}
name=$(basename "$dir")
rm -f "$dir"/lockstep-??????

fail() {
    printf 'mutant %s: %s\n' "$name" "$1" >&2
    tail -n 20 "$dir/$2.log" >&2
    exit 1
}

status_of() { # LOG COMMAND...
    local log=$1
    shift
    status=0
    timeout 120 "$@" >"$dir/$log.log" 2>&1 || status=$?
}

status_of check "$dir/ndl" check --quiet tests/conformance/*.jsonl tests/conformance/scripts/*.jsonl
recordings=$status
if [ -z "$patch" ]; then
    [ "$recordings" -eq 0 ] || fail 'recordings find what nobody planted' check
elif [ "$recordings" -eq 0 ]; then
    grep -q '^Recordings:' "$patch" || fail 'no recording finds it' check
elif grep -q '^Recordings:' "$patch"; then
    fail 'a recording finds it, although its header argues that none can' check
elif [ "$recordings" -ne 1 ]; then
    fail "check exits with $recordings" check
fi
status_of lockstep env -u NDL_SEED NDL_CASES=8000 TMPDIR="$dir" "$dir/ndl-tests" \
    --filter 'lockstep/share_1'
lockstep=$status
if [ -z "$patch" ]; then
    [ "$lockstep" -eq 0 ] || fail 'lock-step finds what nobody planted' lockstep
    exit 0
fi

by=() said=
[ "$recordings" -eq 0 ] || by+=(recordings)
if [ "$lockstep" -ne 0 ]; then
    by+=(lock-step)
    # A difference in words and a script, not a crash; and what the reference makes of
    # that script is what the tool finds the engine at fault with, if traces can show it:
    # attention in them has a tolerance.
    sed -n '/^{/p' "$dir/lockstep.log" >"$dir/script.jsonl"
    status_of run "$dir/ndl" run --reference "$dir/script.jsonl" -o "$dir/trace.jsonl"
    [ $status -eq 0 ] || fail 'lock-step leaves no script that the reference can run' run
    status_of again "$dir/ndl" check --quiet "$dir/trace.jsonl"
    [ $status -eq 1 ] || { [ $status -eq 0 ] && grep -qE '^(Recordings:|Claims:.*ATT_)' "$patch"; } ||
        fail "its script is checked with status $status" again
    said=$(sed -n 's/^NDL_SEED=[^:]*: \(.*\); shrunk:$/\1/p' "$dir/lockstep.log" | head -n 1)
else
    status_of tests env -u NDL_SEED NDL_CASES=2000 "$dir/ndl-tests" --fail-fast
    [ $status -ne 0 ] || fail 'nothing finds it' tests
    by+=(tests)
fi
printf '%-28s %-22s %s\n' "$name" "$(IFS=,; echo "${by[*]}")" "$said"
