#!/usr/bin/env bash
# negatives.sh BUILD libfuzzer|afl: runs the targets that `make fuzz-negatives` built
# with a bug in the engine, as fuzz/negatives lists them. Each must end with the
# target's own message, within its number of executions, from the corpus that is named
# there. libFuzzer spends them on five seeds: how long a fuzzer takes has a long tail,
# which starting again cuts off. AFL++ has one seed and ten times as many executions,
# of which it spends the first on getting to know its inputs: a byte, and 64 zeros,
# where no corpus is named.
# A run that ends otherwise (a sanitizer's report, no memory, a hang) shows how.
set -euo pipefail
build=$1 fuzzer=$2 failed=0
readonly SEEDS=5
export AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_NO_UI=1 AFL_BENCH_UNTIL_CRASH=1 \
    AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1

# What the target said when it found a difference; nothing, if it did not.
message() {
    awk '!/^INFO/ && /^[A-Za-z_0-9 ]+: / { sub(/.*: /, ""); print substr($0, 1, 60); exit }' "$1"
}

ended_otherwise() {
    echo "$1, $2, seed $3: it ends otherwise, with status $4:"
    tail -n 60 "$5" | sed 's/^/    /'
}

# Both set total, the executions, and found, what the target said.
with_libfuzzer() { # with_libfuzzer DIR TARGET PATCH MOST SEEDS
    local corpus=() seed log status did
    # Finds would be written into the first folder.
    [ "$5" != seeds ] || { mkdir -p "$1/corpus" && corpus=("$1/corpus" "corpus/seeds/$2"); }
    for ((seed = 1; seed <= SEEDS; seed++)); do
        log=$1/target-$2.$seed.log status=0
        "$1/target-$2" -runs=$(($4 / SEEDS)) -seed="$seed" -max_len=1024 -timeout=25 \
            -artifact_prefix="$1/" "${corpus[@]}" >"$log" 2>&1 || status=$?
        did=$(sed -n 's/^#\([0-9]*\).*/\1/p' "$log" | tail -n 1)
        total=$((total + ${did:-0}))
        ! grep -aq ' in target_report ' "$log" || found=$(message "$log")
        [ -z "$found" ] || return 0
        [ $status -eq 0 ] || ended_otherwise "$2" "$3" "$seed" "$status" "$log"
    done
}

with_afl() {
    local out=$1/afl-$2 begin=$1/begin log=$1/target-$2.log status=0 crash mutator=''
    rm -rf "$out" "$begin" && mkdir -p "$begin"
    printf 0 >"$begin/byte" && head -c 64 /dev/zero >"$begin/zeros"
    # AFL++'s driver has an input of its own before all others, and AFL++ does not go on
    # where that one fails.
    { "$1/target-$2" <"$begin/byte" >"$log" 2>&1; } 2>/dev/null ||
        { found=$(message "$log") && total=1; }
    [ -z "$found" ] || return 0
    [ "$5" != seeds ] || begin=corpus/seeds/$2
    grep -q '"ops.h"' "fuzz/target_$2.c" && mutator=$PWD/build/mutate_afl.so
    AFL_CUSTOM_MUTATOR_LIBRARY=$mutator afl-fuzz -i "$begin" -o "$out" -m none -t 5000+ -G 1024 -s 1 \
        -E $(($4 * 10)) -- "$1/target-$2" >"$log" 2>&1 || status=$?
    total=$(sed -n 's/^execs_done *: //p' "$out/default/fuzzer_stats" 2>/dev/null || true)
    for crash in "$out"/default/crashes/id:*; do
        [ -f "$crash" ] || break
        { "$1/target-$2" "$crash" || status=$?; } >"$log" 2>&1
        found=$(message "$log")
        [ -z "$found" ] || break
    done
    [ $status -eq 0 ] || [ -n "$found" ] || ended_otherwise "$2" "$3" 1 "$status" "$log"
}

printf '%-16s %-28s %10s %8s  %s\n' target bug executions seconds found
while read -r target patch most seeds <&3; do
    [[ $target != '#'* && -n $target ]] || continue
    total=0 found='' began=$SECONDS
    run=("$build/mutants/$patch" "$target" "$patch" "$most" "${seeds:-none}")
    case $fuzzer in
    libfuzzer) with_libfuzzer "${run[@]}" ;;
    afl) with_afl "${run[@]}" ;;
    esac
    printf '%-16s %-28s %10s %8s  %s\n' "$target" "$patch" "${total:-0}" $((SECONDS - began)) "${found:-NOT FOUND}"
    [ -n "$found" ] || failed=1
done 3<fuzz/negatives
exit $failed
