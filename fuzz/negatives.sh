#!/usr/bin/env bash
# negatives.sh BUILD: runs the targets that `make fuzz-negatives` built with a bug in
# the engine, as fuzz/negatives lists them. Each must end with the target's own
# message, within its number of executions, from the corpus that is named
# there. They are spent on five seeds: how long a fuzzer takes has a long tail, which
# starting again cuts off.
# A run that ends otherwise (a sanitizer's report, no memory, a hang) shows how.
set -euo pipefail
build=$1 failed=0
readonly SEEDS=5

# What the target said when it found a difference; nothing, if it did not.
found_in() {
    grep -aq ' in target_report ' "$1" || return 0
    awk '!/^INFO/ && /^[A-Za-z_0-9 ]+: / { sub(/.*: /, ""); print substr($0, 1, 60); exit }' "$1"
}

printf '%-16s %-28s %10s %8s  %s\n' target bug executions seconds found
while read -r target patch most seeds; do
    [[ $target != '#'* && -n $target ]] || continue
    dir=$build/mutants/$patch total=0 found='' began=$SECONDS corpus=()
    # Finds would be written into the first folder.
    [ "$seeds" != seeds ] || { mkdir -p "$dir/corpus" && corpus=("$dir/corpus" "corpus/seeds/$target"); }
    for ((seed = 1; seed <= SEEDS; seed++)); do
        log=$dir/target-$target.$seed.log status=0
        "$dir/target-$target" -runs=$((most / SEEDS)) -seed=$seed -max_len=1024 -timeout=25 \
            -artifact_prefix="$dir/" "${corpus[@]}" >"$log" 2>&1 || status=$?
        did=$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -n 1)
        total=$((total + ${did:-0}))
        found=$(found_in "$log")
        [ -z "$found" ] || break
        [ $status -eq 0 ] || {
            echo "$target, $patch, seed $seed: it ends otherwise, with status $status:"
            tail -n 60 "$log" | sed 's/^/    /'
        }
    done
    printf '%-16s %-28s %10s %8s  %s\n' "$target" "$patch" $total $((SECONDS - began)) "${found:-NOT FOUND}"
    [ -n "$found" ] || failed=1
done <fuzz/negatives
exit $failed
