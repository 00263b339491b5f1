#!/usr/bin/env bats
# The fuzzers' programs, corpus and gates, without a fuzzer: what they hold in every
# run of the tests. BUILD is where NDL is.

bats_require_minimum_version 1.5.0

setup_file() {
    export BUILD=${NDL%/*}
}

setup() {
    cd "$BATS_TEST_DIRNAME/.." || return
}

# The operations of a trace, without outputs: what an input can say.
operations() {
    jq -c 'select(.op as $o | ["push_token", "seed_tokens", "conv_step", "prefill_conv",
        "seed_conv_tail", "engram_conv_step", "prefill_engram", "seed_engram_tail", "write_kv",
        "span", "attend_step", "set_pos", "advance", "reset", "open", "snapshot", "restore"]
        | index($o))' "$1"
}

@test "a script comes back from its bytes, and they from it" {
    for script in tests/conformance/scripts/*.jsonl; do
        head -n 1 "$script" | grep -q '"config":{' || continue
        "$BUILD/fuzz-from" "$script" "$BATS_TEST_TMPDIR/one"
        "$BUILD/fuzz-show" "$BATS_TEST_TMPDIR/one" >"$BATS_TEST_TMPDIR/shown"
        "$BUILD/fuzz-from" "$BATS_TEST_TMPDIR/shown" "$BATS_TEST_TMPDIR/two"
        cmp "$BATS_TEST_TMPDIR/one" "$BATS_TEST_TMPDIR/two"
    done
}

@test "what an input shows has the outputs that were recorded" {
    for script in ring-hint-3 conv-phases engram-dilation-3 conv-two-channels; do
        trace=tests/conformance/scripts/$script.jsonl
        "$BUILD/fuzz-from" "$trace" "$BATS_TEST_TMPDIR/in"
        "$BUILD/fuzz-show" "$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/shown"
        operations "$trace" >"$BATS_TEST_TMPDIR/recorded"
        n=$(wc -l <"$BATS_TEST_TMPDIR/recorded")
        [ "$n" -gt 5 ]
        # The script's own lines, each with the outputs of the recorded one.
        { head -n 1 "$trace"
            paste -d '\n' <(tail -n +2 "$BATS_TEST_TMPDIR/shown" | head -n "$n") \
                "$BATS_TEST_TMPDIR/recorded" |
                jq -cs 'range(0; length; 2) as $i | .[$i] + (.[$i + 1] |
                    with_entries(select(.key == ("out", "lo", "hi"))))'
        } >"$BATS_TEST_TMPDIR/joined"
        [ "$(wc -l <"$BATS_TEST_TMPDIR/joined")" -eq $((n + 1)) ]
        run -0 "$NDL" check "$BATS_TEST_TMPDIR/joined"
    done
}

@test "what the grammar cannot say is refused with the line" {
    cat >"$BATS_TEST_TMPDIR/t" <<'EOT'
{"needle_trace":1,"precision":"f32"}
EOT
    run -2 "$BUILD/fuzz-from" "$BATS_TEST_TMPDIR/t" "$BATS_TEST_TMPDIR/out"
    [[ $output == *":1: the grammar cannot say this: a trace without a geometry"* ]]
    [ ! -e "$BATS_TEST_TMPDIR/out" ]
}

@test "every input of the corpus passes its target" {
    [ -n "$(ls corpus/seeds)" ]
    for source in fuzz/target_*.c; do
        target=${source#fuzz/target_} target=${target%.c}
        [ -x "$BUILD/fuzz-$target" ] || continue # another engine has no internals
        mapfile -t inputs < <(find corpus/*/"$target" -type f)
        run -0 "$BUILD/fuzz-$target" "${inputs[@]}"
        [[ $output == *" inputs" ]]
    done
}

@test "the sessions of the corpus reach every class" {
    "$BUILD/fuzz-session" -c corpus/seeds/session/* >"$BATS_TEST_TMPDIR/classes"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/classes")" -gt 60 ]
    run ! grep -P '^0\t' "$BATS_TEST_TMPDIR/classes"
}

# --------------------------------------------------------------------- gates

# Programs that say what a fuzzer would: 100 edges, 1000 inputs and 10 rounds a second.
stub() {
    mkdir -p "$BATS_TEST_TMPDIR"/{fuzzer,plain,results}
    cat >"$BATS_TEST_TMPDIR/fuzzer/target-$1" <<'EOT'
#!/usr/bin/env sh
echo '#5	INITED cov: 100 ft: 200 corp: 1/1b exec/s: 0 rss: 1Mb' >&2
echo 'stat::number_of_executed_units: 5' >&2
exit ${STUB_FAILS:-0}
EOT
    cat >"$BATS_TEST_TMPDIR/plain/fuzz-$1" <<'EOT'
#!/usr/bin/env sh
case $1 in -c) printf '%s\twindow 0\n' "${STUB_CLASS:-3}" ;; *) echo '1000 10' ;; esac
EOT
    chmod +x "$BATS_TEST_TMPDIR"/*/*-"$1"
}

# gates TARGET EDGES RATIO: what run.py says in a tree of its own with such a gate.
gates() {
    local tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree/fuzz" "$tree/corpus/seeds/$1"
    touch "$tree/fuzz/target_$1.c"
    [ -n "${NO_SEED:-}" ] || touch "$tree/corpus/seeds/$1/a"
    echo "{\"$1\": {\"edges\": $2, \"ratios\": {\"${KIND-none}\": $3, \"its neighbour\": ${NEIGHBOUR-1000}}}}" >"$tree/fuzz/gates.json"
    stub "$1"
    (cd "$tree" && python3 -B "$BATS_TEST_DIRNAME/../fuzz/run.py" --fuzzer "$BATS_TEST_TMPDIR/fuzzer" \
        --plain "$BATS_TEST_TMPDIR/plain" --results "$BATS_TEST_TMPDIR/results")
}

@test "a run as it was recorded passes, and is reported" {
    run -0 gates quant 100 100
    grep -q '"target": "target_quant", "inputs": 6, "failed": 0' "$BATS_TEST_TMPDIR/results/quant.json"
    run -0 gates quant 105 140 # 95 % and 71 %
}

@test "fewer edges than 95 % fail" {
    run -1 gates quant 106 100
    [[ $output == *"100 edges, 95% of 106 are needed"* ]]
    grep -q '"failed": 1' "$BATS_TEST_TMPDIR/results/quant.json"
}

@test "less than 70 % of the speed fails" {
    run -1 gates quant 100 145
    [[ $output == *"69% of the speed that was recorded"* ]]
}

@test "a processor is held to the ratio of its own kind, one without to the lowest" {
    kind=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
    family=$(sed -n 's/^cpu family[[:space:]]*: //p' /proc/cpuinfo | head -n 1)
    KIND=${kind:-$(uname -m)}${family:+ family $family} NEIGHBOUR=1 run -1 gates quant 100 145
    NEIGHBOUR=1 run -0 gates quant 100 145
}

@test "an empty corpus fails" {
    NO_SEED=1 run -1 gates quant 100 100
    [[ $output == *"its corpus is empty"* ]]
}

@test "a class that no session reaches fails" {
    STUB_CLASS=0 run -1 gates session 100 100
    [[ $output == *"never produced: window 0"* ]]
    run -0 gates session 100 100
}

@test "a crash fails" {
    STUB_FAILS=77 run -1 gates quant 100 100
    [[ $output == *"it fails"* ]]
}

@test "a target without a gate fails" {
    mkdir -p "$BATS_TEST_TMPDIR/tree/fuzz"
    run -0 gates quant 100 100
    echo '{}' >"$BATS_TEST_TMPDIR/tree/fuzz/gates.json"
    cd "$BATS_TEST_TMPDIR/tree"
    run -1 python3 -B "$BATS_TEST_DIRNAME/../fuzz/run.py" --fuzzer "$BATS_TEST_TMPDIR/fuzzer" \
        --plain "$BATS_TEST_TMPDIR/plain" --results "$BATS_TEST_TMPDIR/results"
    [[ $output == *"has no line for it"* ]]
}
