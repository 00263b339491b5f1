#!/usr/bin/env bats
# The recorders: what ndl_record.h and ndl_record.py write is what `ndl check`
# reads. The toy port, a decode state that shares nothing with the engine, agrees
# with it; with a known mistake of ports in it, it is refused where that shows.
# NDL is the path of the command, CC and CXX are the compilers.

bats_require_minimum_version 1.5.0

warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    # shellcheck disable=SC2086 # CC may hold options
    ${CC:-cc} -std=c99 -O2 -ffp-contract=off "${warnings[@]}" -Wstrict-prototypes \
        -Wmissing-prototypes -Iengine/record tests/port/toy_port.c tests/port/toy_state.c -lm \
        -o "$BATS_FILE_TMPDIR/toy_port"
}

setup() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    NDL=$(realpath "${NDL:-build/ndl}")
    toy=$BATS_FILE_TMPDIR/toy_port
    trace=$BATS_TEST_TMPDIR/trace.jsonl
    export PYTHONPATH=engine/record
}

# encode STANDARD COMPILER...: what encode.c prints.
encode() {
    local standard=$1
    shift
    "$@" "-std=$standard" "${warnings[@]}" -Iengine/record tests/port/encode.c \
        -o "$BATS_TEST_TMPDIR/encode"
    "$BATS_TEST_TMPDIR/encode"
}

# refused OP BUG OPTION...: with the mistake BUG the first difference is in an OP.
refused() {
    local op=$1 bug=$2
    shift 2
    "$toy" "$@" --bug "$bug" "$trace"
    run -1 "$NDL" check --max-mismatches 1 "$trace"
    [[ ${lines[0]} == "$trace:"*": operation "*", $op: "* ]]
}

@test "ndl_record.h compiles as C99, C11, C++11 and C++17 and writes the same" {
    # shellcheck disable=SC2086
    {
        encode c99 ${CC:-cc} >"$BATS_TEST_TMPDIR/c99"
        encode c11 ${CC:-cc} | cmp - "$BATS_TEST_TMPDIR/c99"
        encode c++11 ${CXX:-c++} -x c++ | cmp - "$BATS_TEST_TMPDIR/c99"
        encode c++17 ${CXX:-c++} -x c++ | cmp - "$BATS_TEST_TMPDIR/c99"
        echo '#include "ndl_record.h"' | ${CC:-cc} -std=c99 "${warnings[@]}" -ffreestanding \
            -DNDL_REC_NO_STDIO -Iengine/record -x c -c - -o "$BATS_TEST_TMPDIR/freestanding.o"
    }
    [ "$(wc -l <engine/record/ndl_record.h)" -le 150 ]
}

@test "both recorders encode values as base64, FNV-1a and JSON are defined" {
    # shellcheck disable=SC2086
    encode c99 ${CC:-cc} >"$BATS_TEST_TMPDIR/c99"
    python3 -B tests/port/test_record.py "$BATS_TEST_TMPDIR/c99"
}

@test "a big-endian machine writes the same bytes" {
    command -v s390x-linux-gnu-gcc qemu-s390x >/dev/null || skip "no s390x compiler and qemu"
    encode c99 "${CC:-cc}" >"$BATS_TEST_TMPDIR/c99"
    s390x-linux-gnu-gcc -std=c99 -static -Iengine/record tests/port/encode.c \
        -o "$BATS_TEST_TMPDIR/s390x"
    qemu-s390x "$BATS_TEST_TMPDIR/s390x" | cmp - "$BATS_TEST_TMPDIR/c99"
}

@test "the toy port agrees with the engine and with the reference" {
    for options in "" --int8 --digests "--int8 --digests"; do
        # shellcheck disable=SC2086
        "$toy" $options "$trace"
        "$NDL" check --strict --quiet "$trace"
        "$NDL" check --strict --quiet --reference "$trace"
    done
}

@test "the toy port's recording has every operation that the guide's table has" {
    "$toy" "$trace"
    for op in tensor seed_tokens push_token engram_indices prefill_conv prefill_engram conv_step \
        engram_conv_step tail write_kv span attend_step set_pos advance is_saturated bytes lost \
        slots kv; do
        grep -q "^{\"op\":\"$op\"" "$trace"
    done
}

@test "a recording goes through a pipe" {
    "$toy" - | "$NDL" check --quiet -
}

@test "a full disk is reported at the end" {
    [ -w /dev/full ] || skip "no /dev/full"
    run -1 "$toy" /dev/full
    [[ $output == "toy_port: the recording is not complete" ]]
}

@test "a tail seeded after the convolution is refused at the tail" {
    refused tail tail-after-conv
    refused tail tail-after-conv --int8 --digests
}

@test "a window one wider is refused at the span" {
    refused span window-one-wider
}

@test "a slot taken before the ring grows is refused where attention reads it" {
    refused attend_step slot-before-growth
    refused attend_step slot-before-growth --int8
    [[ ${lines[1]} == *"layer 0, position 2,"* ]]
}

@test "the scale of another head is refused in the second group of heads" {
    refused attend_step scale-of-head-0 --int8
    [[ ${lines[1]} == *"position 0, head 2, channel 0,"* ]]
}

@test "the toy port in Python agrees, compressed or not, in full or as hashes" {
    python3 -B tests/port/toy_port.py "$trace"
    "$NDL" check --strict --quiet "$trace"
    python3 -B tests/port/toy_port.py "$trace.gz"
    gzip -dc "$trace.gz" | cmp - "$trace"
    "$NDL" check --strict --quiet "$trace.gz"
    python3 -B tests/port/toy_port.py --digests "$trace"
    grep -q fnv1a64: "$trace"
    "$NDL" check --strict --quiet "$trace"
}

@test "what docs/recording.md shows is what its commands print" {
    python3 -B tests/port/console.py docs/recording.md "$NDL"
}
