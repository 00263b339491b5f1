#!/usr/bin/env bats
# The engine under the address and undefined-behaviour sanitizers, in lock-step
# with the reference: geometries, payloads and operations of every class, refused
# calls and failing allocations among them. NDL is the command of a build that is
# not sanitized itself; its objects are the test's other half.

bats_require_minimum_version 1.5.0

instrument() { # instrument SOURCE OBJECT
    gcc -std=c11 -O1 -g -ffp-contract=off -fexcess-precision=fast \
        -fsanitize=address,undefined -fno-sanitize-recover=all \
        -Iengine/include -Iengine/src -c "$1" -o "$2"
}

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return
    for file in engine/src/*.c engine/src/trusted/*.c; do
        instrument "$file" "$BATS_FILE_TMPDIR/$(basename "$file" .c).o"
    done
}

setup() {
    cd "$BATS_TEST_DIRNAME/.." || return
    build=$(dirname "${NDL:-build/ndl}")
    if grep -q -e -fsanitize "$build/flags"; then
        skip 'all of this build is sanitized'
    fi
}

# Sessions of every class (the test wants to see each) with the instrumented engine.
lockstep() {
    local source shared=()
    # By their sources: a build that is older than a file's removal still has its object.
    for source in tests/*.c fuzz/*.c; do
        [[ ${source##*/} =~ ^(unit|prop|main|target|mutate)_ ]] || shared+=("$build/${source%.c}.o")
    done
    gcc -fsanitize=address,undefined "$build/tests/prop_lockstep.o" "${shared[@]}" \
        "$BATS_FILE_TMPDIR"/*.o "$build/libref.a" \
        -lcriterion -lmpfr -lgmp -lm -lpthread -o "$BATS_TEST_TMPDIR/lockstep"
    TMPDIR=$BATS_TEST_TMPDIR NDL_CASES=16000 "$BATS_TEST_TMPDIR/lockstep" --filter 'lockstep/share_1'
}

@test "SAFE_001 sessions of every class meet no undefined behaviour in the engine" {
    lockstep
}

@test "an overflow and a read beyond an array do not pass for defined" {
    span=$BATS_TEST_TMPDIR/span.c
    for harm in 'volatile int top = 2147483647; top += 1;' \
        'volatile size_t at = 2; volatile char two[2] = {0}; slots += (size_t)two[at];'; do
        sed "/^ndl_span ndl_span_of/,/^{/s/^{/{ $harm/" engine/src/span.c >"$span"
        run ! cmp -s engine/src/span.c "$span"
        instrument "$span" "$BATS_FILE_TMPDIR/span.o"
        run lockstep
        [ "$status" -ne 0 ]
        [[ $output == *span.c*'runtime error'* || $output == *AddressSanitizer*span.c* ]]
    done
    instrument engine/src/span.c "$BATS_FILE_TMPDIR/span.o"
}
