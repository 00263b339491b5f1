#!/usr/bin/env bats
# The programs of proofs/exhaust: a sample of what they compare in full, and that each
# finds a mistake in what it compares. BUILD holds them.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_DIRNAME/.." || return
    build=$(dirname "${NDL:-build/ndl}")
}

# spoilt PROGRAM FILE SED-SCRIPT: the program over an engine with a mistake in a file.
spoilt() {
    cp -r engine proofs "$BATS_TEST_TMPDIR" && cd "$BATS_TEST_TMPDIR" || return
    cp "$2" before && sed -i "$3" "$2"
    run ! cmp -s "$2" before
    gcc -std=c11 -O2 -ffp-contract=off -fno-builtin -DNDL_NO_CLONES -Iengine/include -Iengine/src \
        "proofs/exhaust/$1.c" engine/src/*.c engine/src/trusted/*.c -lmpfr -lm -lpthread -o spoilt
    run -1 ./spoilt 4099 2
    [[ ${lines[-1]} =~ ^$1:\ [0-9]+\ compared,\ [1-9][0-9]*\ differing$ ]]
}

@test "ATT_002: exponentials of a sample, alone and in a row" {
    run -0 "$build/exhaust-expf" 4099 2
    [ "${lines[-1]}" = 'expf: 2095618 compared, 0 differing' ]
}

@test "a polynomial with a coefficient that is off" {
    spoilt expf engine/src/trusted/expf.c 's/0x1.55555555505fbp-3/0x1.55555555505fbp-4/'
}

@test "a row of exponentials whose end is not taken" {
    spoilt expf engine/src/trusted/expf.c 's/n - i < BLOCK ? n - i : BLOCK/n - i < BLOCK ? 0 : BLOCK/'
}

@test "rounding of a sample, both ways" {
    run -0 "$build/exhaust-round" 4099 2
    [[ ${lines[-1]} =~ ^round:\ [0-9]{7}\ compared,\ 0\ differing$ ]]
}

@test "halves that go the other way" {
    spoilt round engine/src/trusted/round.h 's/0x1.fffffep-2f/0x1p-2f/'
}

@test "a zero that loses its sign" {
    spoilt round engine/src/trusted/round.h 's/whole | (none & where)/whole/'
}

@test "QNT_002: scales and codes of a sample, in both profiles" {
    run -0 "$build/exhaust-quant" 4099 2
    [[ ${lines[-1]} =~ ^quant:\ [0-9]{7}\ compared,\ 0\ differing$ ]]
}

@test "a quotient by the reciprocal in the profile that divides" {
    spoilt quant engine/src/quant.c 's/ndl_div(x, scale)/ndl_mul(x, inv)/'
}

@test "QNT_007: special inputs of a sample, in both profiles" {
    run -0 "$build/exhaust-special" 4099 2
    [[ ${lines[-1]} =~ ^special:\ [0-9]{7}\ compared,\ 0\ differing$ ]]
}

@test "a NaN that is taken for the largest magnitude" {
    spoilt special engine/src/trusted/bits.h 's/bits <= 0x7f800000/bits <= 0x7fffffff/'
}

@test "additions of zeros to a sample" {
    run -0 "$build/exhaust-zeros" 4099 2
    [[ ${lines[-1]} =~ ^zeros:\ [0-9]{7}\ compared,\ 0\ differing$ ]]
}

@test "an addition that drops a zero's other summand" {
    spoilt zeros engine/src/leaf.h 's/return a + b;/return a == 0.0f ? a : a + b;/'
}
