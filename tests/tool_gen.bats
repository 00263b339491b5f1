#!/usr/bin/env bats
# ndl gen: the same arguments give the same bytes everywhere, and good sessions.
load bats/helper

@test "the same arguments give the bytes they have always given" {
    while read -r digest arguments; do
        # shellcheck disable=SC2086 # several arguments
        same "$digest  ndl gen $arguments" "$("$NDL" gen $arguments | sha256sum | cut -d ' ' -f 1)  ndl gen $arguments"
    done <"$BATS_TEST_DIRNAME/bats/gen.sha256"
}

@test "made sessions agree between engine and reference, bit for bit" {
    for payload in normal ties half odd254 zero negzero subnormal subscale large fltmax inf nan mixed normal,nan; do
        for precision in f32 int8; do
            "$NDL" gen --payload $payload --precision $precision --numerics upstream --prefill 6 --steps 6 |
                "$NDL" run - | "$NDL" check --strict --quiet --exact --reference -
        done
    done
}

@test "every preset is the geometry that it is said to be" {
    config() { "$NDL" gen --steps 0 "$@" | head -n 1 | jq -c .config; }
    same "$(head -n 1 "$conformance/tiny-step-f32-1.jsonl" | jq -c .config)" "$(config --preset tiny)"
    # The recorded one has the shipped widths on the layers of rung 2.
    same "$(head -n 1 "$conformance/shipped-2layers-f32-1.jsonl" | jq -c .config)" "$(config --preset rung-2)"
    jq -e '.num_layers == 20 and .global_layers == [4,9,14,19] and .engram.sites == [3,7,11,15,19]' <<<"$(config --preset shipped)"
    jq -e '.num_layers == 13 and .global_layers == [3,6,9,12] and .engram.sites == [5,7,12]' <<<"$(config --preset rung-13)"
    for n in {2..19}; do "$NDL" gen --steps 0 --preset "rung-$n" | head -n 1; done >rungs
    jq -se 'map(.config) | length == 18 and ([.[].num_layers] == [range(2; 20)]) and
            all(.global_layers[-1] == .num_layers - 1 and .engram.sites[-1] < .num_layers)' rungs
}

@test "a geometry comes from a trace, from a config on any number of lines, from a model" {
    "$NDL" gen >tiny
    "$NDL" gen --geometry "$conformance/tiny-step-f32-1.jsonl" | cmp - tiny
    head -n 1 tiny | jq .config >config
    [ "$(wc -l <config)" -gt 20 ]
    "$NDL" gen --geometry config | cmp - tiny
    jq -c . config >one-line
    "$NDL" gen --geometry one-line | cmp - tiny
    jq '{config: .}' config >wrapped
    "$NDL" gen --geometry wrapped | cmp - tiny
    "$NDL" gen --geometry - <config | cmp - tiny
    python3 - >model.cact <<'END'
import struct, sys
fields = [0x05E12A84, 0, 0, 0, 8, 8192, 8192, 8, 2, 1, 4, 4, 4, 64, 0, 0, 4, 1 << 3, 0, 3, 16, 4, 2, 4, 3, 0,
          2, 2, 3, 0, 0, 1, 1] + [0] * 15
sys.stdout.buffer.write(struct.pack("<48If", *fields, 10000.0) + b"the rest of the model")
END
    "$NDL" gen --cact model.cact --precision f32 | cmp - tiny
    # The model says int8, which holds unless the command line says otherwise.
    "$NDL" gen --cact model.cact | head -n 1 | jq -e '.precision == "int8"'
}

@test "a wrong geometry is refused with the file's name" {
    refused() { # refused MESSAGE OPTION FILE
        run --separate-stderr -2 "$NDL" gen "$2" "$3"
        same "$3: $1" "$stderr"
    }
    refused 'No such file or directory' --geometry missing
    refused 'No such file or directory' --cact missing
    : >empty
    refused 'the file is empty' --geometry empty
    mkdir directory
    refused 'cannot be read: Is a directory' --geometry directory
    printf '\037\213 cut short' >cut.gz
    refused 'the gzip data are damaged: unknown compression method' --geometry cut.gz
    printf '\357\273\277{}' >bom
    refused 'begins with a byte order mark, which is no part of JSON' --geometry bom
    refused 'not_a_cact_header: these bytes are not the header of a .cact model' --cact empty
    echo '{"vocab_size":1}' >t
    refused 'config has no "engram"' --geometry t
    echo '{' >t
    refused 'the line ends before its object does' --geometry t
    printf '{\n"vocab_size":\n x}' >t
    refused 'not JSON at byte 18: lexical error: invalid char in json text.' --geometry t
    echo '{"config":7}' >t
    refused '"config" must be an object' --geometry t
    echo "${config/\"num_heads\":2/\"num_heads\":0}" >t
    refused '"config" is refused: num_heads_zero: num_heads is 0' --geometry t
}

@test "wrong arguments are refused" {
    refused() { # refused MESSAGE ARGUMENT...
        local message=$1
        shift
        run --separate-stderr -2 "$NDL" gen "$@"
        same '' "$output"
        same "ndl gen: $message" "${stderr_lines[0]}"
    }
    refused 'there is no preset "rung-1": shipped, tiny, rung-2 to rung-19' --preset rung-1
    refused 'there is no preset "rung-20": shipped, tiny, rung-2 to rung-19' --preset rung-20
    refused 'there is no preset "rung-": shipped, tiny, rung-2 to rung-19' --preset rung-
    refused '"f16" is neither f32 nor int8' --precision f16
    refused '"x" is neither needle-core nor upstream' --numerics x
    refused '"x" is no class of values' --payload normal,x
    refused '"" is no class of values' --payload normal,
    refused '"-1" is no seed: a number below 2^64' --seed -1
    refused '"18446744073709551616" is no seed: a number below 2^64' --seed 18446744073709551616
    refused '"x" is no number for --steps: 0 to 2147483647' --steps x
    refused '"1e3" is no number for --prefill: 0 to 2147483647' --prefill 1e3
    refused 'one of --preset, --geometry and --cact is enough' --preset tiny --geometry x
    refused '"x" is not wanted here' x
    refused '--layers and --compact go with --boundaries alone' --layers 2
    refused '--layers and --compact go with --boundaries alone' --compact
    refused '--boundaries draws its session; only --layers, --compact, --seed and --output go with it' --boundaries 2 --hint 1
    refused 'a session has 1 to 64 layers, not 0' --boundaries 2 --layers 0
    refused 'a session has 1 to 64 layers, not 65' --boundaries 2 --layers 65
    refused 'a line would be longer than the 64 MiB that a trace allows: a shorter --prefill or a smaller geometry is needed' --preset shipped --prefill 100000
}

@test "a prefill, steps, and a look at everything are what is made" {
    "$NDL" gen --prefill 3 --steps 2 >t
    jq -se 'map(.op // "header") | (map(select(. == "prefill_conv")) | length) == 12
            and (map(select(. == "write_kv")) | length) == 20 and (map(select(. == "advance")) | length) == 2
            and (map(select(. == "kv")) | length) == 4 and (map(select(. == "tail")) | length) == 13' t
    jq -se 'map(select(.op == "prefill_conv")) | all(.n == 3 and (.raw | startswith("f32:")))' t
    # It has no outputs.
    run -3 "$NDL" check t
}

@test "a session at the boundaries has the layers that were asked for" {
    for layers in 1 7 64; do
        "$NDL" gen --boundaries 4 --layers $layers >t
        head -n 1 t | jq -e --argjson n $layers '.config.num_layers == $n'
        "$NDL" run --quiet t | "$NDL" check --quiet --reference -
    done
}

@test "a compact session has rows in base64, and taps that were named before" {
    for seed in 2 3 6; do
        "$NDL" gen --boundaries 20 --layers 4 --compact --seed $seed >t
        jq -se 'map(select(.op == "write_kv")) | length > 0 and all(.k | startswith("f32:"))' t
        jq -se '(map(select(.op == "tensor").name)) as $named | map(select(.layer or .site) | .taps // empty)
                | length > 0 and all(.[1:] as $n | $named | index($n))' t
        "$NDL" run --quiet t | "$NDL" check --quiet --reference -
    done
}

@test "seeds and classes make different sessions" {
    a=$("$NDL" gen | md5sum) b=$("$NDL" gen --seed 2 | md5sum) c=$("$NDL" gen --payload ties | md5sum)
    [ "$a" != "$b" ] && [ "$a" != "$c" ] && [ "$b" != "$c" ]
}
