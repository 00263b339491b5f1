#!/usr/bin/env bats
# A campaign runs, stops, goes on and reports; a bug planted in the engine is found,
# shrunk and written as a script with the claim it breaks.
load ../../tests/bats/helper

setup_file() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    # Its own: nothing of a make that runs the tests.
    unset MAKEFLAGS MAKELEVEL MFLAGS
    local built=build/fuzz-libfuzzer
    make -s fuzz-build-libfuzzer "FUZZ_GOAL=$built/target-span_internal $built/target-session \
        $built/mutants/window-one-narrow/libndl.a"
    make -s build/fuzz-show build/fuzz-shrink build/mutants/window-one-narrow/libndl.a build/fuzz-session

    # The session target with the planted engine: as a fuzzer, and plain, to shrink with.
    export planted=$BATS_FILE_TMPDIR/planted plain=$BATS_FILE_TMPDIR/plain
    mkdir "$planted" "$plain"
    local ours theirs
    mapfile -t ours < <(shared "$built")
    mapfile -t theirs < <(shared build)
    clang-19 -fsanitize=fuzzer,address,undefined "$built/fuzz/target_session.o" "${ours[@]}" \
        "$built/fuzz/mutate_libfuzzer.o" "$built/fuzz/libtool.a" "$built/mutants/window-one-narrow/libndl.a" \
        "$built/libref.a" -lyajl -lz -lm -o "$planted/target-session"
    gcc build/fuzz/{target_session,main_replay}.o "${theirs[@]}" build/fuzz/libtool.a \
        build/mutants/window-one-narrow/libndl.a build/libref.a -lyajl -lz -lm -o "$plain/fuzz-session"
    ln -s "$PWD"/build/fuzz-{show,shrink} "$plain"
}

# shared BUILD: the objects that all targets have.
shared() {
    local object
    for object in "$1"/fuzz/*.o; do
        [[ ${object##*/} =~ ^(target_|main_|mutate_|ndl_main) ]] || echo "$object"
    done
}

setup() {
    cd "$BATS_TEST_DIRNAME/../.." || return
    NDL=${NDL:-build/ndl}
    out=$BATS_TEST_TMPDIR/out
}

# campaign DIR TIME ARGUMENT...: with the targets of a folder, on one core. It takes the
# place of its shell, so that signals reach it.
campaign() {
    exec python3 -B fuzz/campaign --cores 1 --time "$2" --out "$out" --build "libfuzzer=$1" \
        --plain "${plain:?}" "${@:3}"
}

@test "a campaign stops, goes on where it was, and reports" {
    campaign build/fuzz-libfuzzer 9s span_internal >"$BATS_TEST_TMPDIR/log" &
    sleep 4
    kill -TERM $!
    wait $!
    grep 'campaign: stopped after 0:00:0[1-9] of 0:00:09; the same command goes on' "$BATS_TEST_TMPDIR/log"
    # Nothing that it began is left running, and nothing of it is lost.
    run -1 pgrep -f "$out"
    first=$(jq '.fuzzers["span_internal/libfuzzer"].executions' "$out/state.json")
    [ "$first" -gt 0 ]
    jq -e '.elapsed > 0 and .elapsed < 9' "$out/state.json"
    run -0 campaign build/fuzz-libfuzzer 9s span_internal
    says 'campaign: 0 finds; '
    jq -e --argjson first "$first" '.elapsed == 9 and
        .fuzzers["span_internal/libfuzzer"].executions > $first' "$out/state.json"
    # What is over is over; corpora and plots are there.
    run -0 campaign build/fuzz-libfuzzer 9s span_internal
    [ "$(find "$out/span_internal/minimised" -type f | wc -l)" -gt 10 ]
    [ "$(grep -o '<img alt="[^"]*" src="data:image/svg+xml;base64,' "$out/report.html" | wc -l)" -eq 4 ]
    run ! grep -e '<script' -e 'src="http' -e 'href=' "$out/report.html"
}

@test "what a fuzzer leaves behind in a session of its own ends with it" {
    mkdir "$BATS_TEST_TMPDIR/fake"
    printf '#!/usr/bin/env bash\nsetsid sleep 31.4159 &\nexec sleep 60\n' >"$BATS_TEST_TMPDIR/fake/target-span_internal"
    chmod +x "$BATS_TEST_TMPDIR/fake/target-span_internal"
    campaign "$BATS_TEST_TMPDIR/fake" 60s span_internal >"$BATS_TEST_TMPDIR/log" &
    for _ in {1..50}; do
        sleep 0.1
        ! pgrep -fx 'sleep 31.4159' || break
    done
    pgrep -fx 'sleep 31.4159'
    kill -TERM $!
    wait $!
    grep 'campaign: stopped' "$BATS_TEST_TMPDIR/log"
    run -1 pgrep -fx 'sleep 31.4159'
}

@test "a planted bug is found, shrunk and written as a script" {
    # Chance may want more than a few seconds; the same campaign goes on with more.
    for time in 6s 12s 24s 48s; do
        run campaign "$planted" $time session
        [ "$status" -ne 1 ] || break
    done
    [ "$status" -eq 1 ]
    [[ ${lines[-1]} = 'campaign: '[1-9]' find'* ]]
    script=$(find "$out/session/finds" -name '*.jsonl' | sort | head -n 1)
    [ -s "$script" ] && [ -s "${script%.jsonl}.bin" ] && [ -s "${script%.jsonl}.txt" ]
    # A window that is one too narrow is seen without a step, and nearly all calls are looks.
    looks='"(needle_trace|op":"(is_saturated|bytes|save|kv|lost|span|tail|slots|history|index|engram_index|engram_tail))"'
    [ "$(grep -cvE "$looks" "$script")" -le 3 ]
    grep -q 'engine and reference differ: span' "${script%.jsonl}.txt"
    [[ ${script##*/} = SPAN_001-1.jsonl ]]
    grep -q 'Claims: SPAN_001\.' "$out/report.html"
    run ! "$plain/fuzz-session" "${script%.jsonl}.bin"
    # The engine as it is passes it, and the command reads the script.
    build/fuzz-session "${script%.jsonl}.bin"
    "$NDL" run "$script" >"$BATS_TEST_TMPDIR/filled"
}

@test "a disk without room ends a campaign with a message" {
    full() {
        ulimit -f 1
        campaign build/fuzz-libfuzzer 4s span_internal
    }
    run -2 full
    says 'no room is left'
    says 'make room and give the same command again'
}

@test "wrong arguments" {
    while read -r said; do
        read -ra arguments
        run -2 campaign build/fuzz-libfuzzer "${arguments[@]}"
        says "$said"
    done <<'END'
no time of a second or more, such as 30s, 10m, 8h: "soon"
soon span_internal
no time of a second or more, such as 30s, 10m, 8h: "0.5s"
0.5s span_internal
there is no target nothing; the targets are attend,
5s nothing
no number of cores: "0"
5s --cores 0
END
    run -2 campaign build/nowhere 5s span_internal
    says 'nothing is built that could run'
}
