#!/usr/bin/env bats
# The bench measures only what computes the same, says so otherwise, and its check of
# vectorised loops can fail.
load bats/helper

setup() {
    cd "$BATS_TEST_DIRNAME/.." || return
    build=$(dirname "${NDL:-build/ndl}")
    bench=$build/bench
    engine=$(echo "$build"/install/libndl.so.*.*.*)
    others=(--engine "installed=$engine" --limits "default=$bench/limits-default.so")
    libraries=("${others[@]}" --baseline "gcc=$bench/baseline-gcc.so")
}

@test "engine and baseline compute the same" {
    run --separate-stderr -0 "$bench/main" "${libraries[@]}" --agree
    same '' "$output$stderr"
}

# planted SED-SCRIPT WHAT: the baseline with this mistake in it is refused for WHAT.
planted() {
    sed -E "$1" tests/bench/baseline.c >"$BATS_TEST_TMPDIR/baseline.c"
    ! cmp -s tests/bench/baseline.c "$BATS_TEST_TMPDIR/baseline.c"
    gcc -std=c11 -O1 -ffp-contract=off -fPIC -shared -Iengine/include -Itests/bench \
        -o "$BATS_TEST_TMPDIR/planted.so" "$BATS_TEST_TMPDIR/baseline.c" tests/bench/baseline_session.c -lm
    run --separate-stderr -1 "$bench/main" "${others[@]}" --baseline "planted=$BATS_TEST_TMPDIR/planted.so"
    says "bench: planted: $2"
    says 'bench: installed and planted differ; nothing was measured'
}

@test "a baseline that computes something else is not measured" {
    planted 's/acc \^= acc >> 15;//' 'other indices'
    planted 's/shift\(tail, s->rows, dim, raw\);//' 'other convolutions'
    planted 's/(absmax) \/ 127\.0f/\1 * (1.0f \/ 127.0f)/' 'other scales'
    planted 's/roundf\(/rintf(/' 'other codes'
    planted 's/expf\(scratch\[i\] - max\)/1.0f/' 'attention is off by'
    planted 's/pos % r->slots, heads/(pos + 1) % r->slots, heads/' 'other keys'
}

@test "what is measured is written as JSON, with ratios" {
    run --separate-stderr -0 "$bench/main" "${libraries[@]}" --quick --rounds 1 --evict 1
    same '' "$stderr"
    jq -e '[.steps[] | .position == 2048 and .attended == 24580 and .ratios.installed.step.median > 0
            and .times.read.step.median > 0] == [true, true]' <<<"$output"
    # Of a layer, keys and values of 448 floats or codes a position; scales; taps and tails.
    jq -e '(.steps | map(.bytes)) == [24580 * 896 + 20 * 5 * 800 * 4 + 5 * 13 * 768 * 4,
                                      24580 * (224 + 16) + 20 * 5 * 800 * 4 + 5 * 13 * 768 * 4]' <<<"$output"
}

@test "a wrong command line" {
    run -0 "$bench/main" --help
    says 'usage: bench'
    while read -r said; do
        read -ra arguments
        run -2 "$bench/main" "${libraries[@]}" "${arguments[@]}"
        says "$said"
    done <<'END'
bench: no number that can be used: "0"
--rounds 0
bench: no number that can be used: "102"
--rounds 102
bench: no number that can be used: "x"
--evict x
bench: no NAME=FILE: "x"
--engine x
nowhere.so
--baseline x=nowhere.so
bench: what is "more"
more
unrecognized option '--nothing'
--nothing
END
    run -2 "$bench/main" "${libraries[@]}" --engine "port=$bench/baseline-gcc.so"
    says 'bench: no whole engine: "port"'
    run -2 "$bench/main" "${others[@]}"
    says 'each of these is needed'
    run -2 tests/bench/bench.sh --nothing build
    run -2 tests/bench/bench.sh --long x build --engine x=y
}

@test "gcc vectorises the loops of the list" {
    run -0 tests/bench/loops.sh "$BATS_TEST_TMPDIR/loops" tests/bench/vectorised.txt gcc
    says 'their loops vectorised by: gcc'
}

@test "loops that no compiler vectorises are named" {
    list=$BATS_TEST_TMPDIR/list
    loops() { tests/bench/loops.sh "$BATS_TEST_TMPDIR/loops" "$list" gcc; }
    echo 'engine/src/status.c ndl_status_name' >"$list"
    run -1 loops
    says 'gcc vectorises no loop of ndl_status_name'
    echo 'engine/src/status.c ndl_status_number' >"$list"
    run -1 loops
    says 'engine/src/status.c defines no ndl_status_number'
    echo 'engine/src/nowhere.c x' >"$list"
    run -1 loops
    says 'there is no engine/src/nowhere.c'
    echo 'engine/src/status.c ndl_status_name engine/src/status.c gc' >"$list"
    run -1 loops
    says 'there is no compiler gc'
    echo '# nothing' >"$list"
    run -1 loops
    says 'names no loop'
}
