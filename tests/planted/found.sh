#!/usr/bin/env bash
# found.sh DIR [PATCH]: the tool and the lock-step test in DIR, linked with the
# engine that PATCH spoiled, must both report it. A patch whose header says
# "Recordings: ..." explains why no recording can show the bug; then none may.
# Without a patch both must pass, or else they would find bugs in anything.
set -euo pipefail
dir=$1 patch=${2-}
name=$(basename "$dir")
rm -f "$dir/result.json" "$dir"/lockstep-??????

fail() {
    printf 'planted bug %s: %s\n' "$name" "$1" >&2
    tail -n 20 "$dir/$2.log" >&2
    exit 1
}

expect() {
    local log=$1 want=$2 status=0
    shift 2
    "$@" >"$dir/$log.log" 2>&1 || status=$?
    [ $status -eq "$want" ] || fail "$log exits with $status, not $want" "$log"
}

recordings=1 lockstep=1
if [ -z "$patch" ]; then
    recordings=0 lockstep=0
elif grep -q '^Recordings:' "$patch"; then
    recordings=0
fi
expect check $recordings "$dir/ndl" check --quiet \
    tests/conformance/*.jsonl tests/conformance/scripts/*.jsonl
expect lockstep $lockstep env -u NDL_SEED NDL_CASES=8000 TMPDIR="$dir" "$dir/ndl-tests" \
    --filter 'lockstep/share_1'
[ -n "$patch" ] || exit 0

# A difference in words and a script, not a crash; and what the reference makes
# of that script is what the tool finds the engine at fault with.
sed -n '/^{/p' "$dir/lockstep.log" >"$dir/script.jsonl"
expect run 0 "$dir/ndl" run --reference "$dir/script.jsonl" -o "$dir/trace.jsonl"
expect again 1 "$dir/ndl" check --quiet "$dir/trace.jsonl"
if [ $recordings -eq 1 ]; then by='"recordings", "lock-step"'; else by='"lock-step"'; fi
printf '{"mutant": "planted/%s", "killed_by": [%s]}\n' "$name" "$by" >"$dir/result.json"
printf '%-24s %-22s %s\n' "$name" "$([ $recordings -eq 0 ] || printf 'recordings, ')lock-step" \
    "$(sed -n 's/^NDL_SEED=[^:]*: \(.*\); shrunk:$/\1/p' "$dir/lockstep.log" | head -n 1)"
