# What the tests of the command have in common. NDL is the path of the command.
bats_require_minimum_version 1.5.0

# A header for small sessions, and one for kernels alone.
config='{"vocab_size":10,"d_model":2,"num_heads":2,"num_kv_heads":1,"num_layers":2,"qk_head_dim":2,"v_head_dim":1,"max_seq_len":8,"sliding_window":4,"global_layers":[1],"qkv_conv_taps":3,"engram":{"orders":[2],"heads":1,"slots":16,"sub_dim":1,"sites":[0],"conv_taps":2,"conv_dilation":2,"seed_heads":0}}'
header='{"needle_trace":1,"precision":"f32","hint":2,"config":'$config'}'
kernels='{"needle_trace":1}'

setup() {
    NDL=$(realpath "${NDL:-build/ndl}")
    root=$(realpath "$BATS_TEST_DIRNAME/..")
    conformance=$root/tests/conformance
    cd "$BATS_TEST_TMPDIR"
}

# lines LINE... writes them to the file t.
lines() {
    printf '%s\n' "$@" >t
}

# session LINE... writes a trace of the small session to the file t.
session() {
    lines "$header" "$@"
}

# same EXPECTED ACTUAL
same() {
    [ "$1" = "$2" ] || {
        printf 'expected: %s\nactual:   %s\n' "$1" "$2"
        return 1
    }
}

# says TEXT: the last `run` printed it somewhere.
says() {
    [[ "$output${stderr-}" == *"$1"* ]] || {
        printf 'not said: %s\nbut:\n%s\n%s\n' "$1" "$output" "${stderr-}"
        return 1
    }
}

# wrong: reads pairs of lines, one of a trace and the message about it, and checks
# each after the header $1.
wrong() {
    local line message bad=0
    while IFS= read -r line && IFS= read -r message; do
        lines "$1" "$line"
        run --separate-stderr "$NDL" check t
        if [ "$status" -ne 2 ] || [ "$stderr" != "t:2: $message" ]; then
            printf 'line:     %s\nexpected: t:2: %s\nactual:   %s (status %d)\n' "$line" "$message" "$stderr" "$status"
            bad=1
        fi
    done
    return $bad
}
