#!/usr/bin/env bats
# ndl run: outputs filled in, inputs as they were, a trace of ours runs to itself.
load bats/helper

@test "TRACE_014 a trace runs to itself, in full, as hashes and in decimal" {
    for f in "$conformance"/*.jsonl "$conformance"/scripts/*.jsonl; do
        "$NDL" run --quiet "$f" >once
        "$NDL" run --quiet once | cmp - once
    done
    for f in "$conformance"/{kernels-1,tiny-*}.jsonl "$conformance"/scripts/*.jsonl; do
        for how in --hash --decimal; do
            "$NDL" run --quiet $how "$f" >once
            "$NDL" run --quiet $how once | cmp - once
            "$NDL" check --quiet once
        done
    done
}

@test "engine and reference write the same bytes" {
    for f in "$conformance"/*.jsonl "$conformance"/scripts/*.jsonl; do
        cmp <("$NDL" run --quiet "$f") <("$NDL" run --quiet --reference "$f")
    done
}

@test "a script without its outputs runs to the trace it came from" {
    # Decimal and base64 mean the same, so what attention is compared by stays.
    jq -c 'if .op == "write_kv" then del(.slots) elif .op == "conv_step" or .op == "engram_conv_step"
           then del(.out) elif .op == "kv" then del(.k, .v, .slots) elif .op == "span" then del(.lo, .hi)
           elif .op == "advance" then del(.pos) else . end' "$conformance/tiny-step-f32-1.jsonl" >script
    "$NDL" run script | "$NDL" check --quiet --strict -
    "$NDL" run "$conformance/tiny-step-f32-1.jsonl" >whole
    "$NDL" run script | cmp - whole
}

@test "inputs stay as they are, outputs come after them in a fixed order" {
    printf '%s\r\n' '{ "needle_trace" : 1 , "precision":"f32", "hint":2,"config":'"$config"',  "more": [1, {"a" : 2}] } ' \
        '' \
        '  { "k" : [1.0, 2e0] ,"op": "write_kv", "slots":77, "layer" :0,"pos":0,"v":["\u006ean"],"x y":{ "a" :[ ]} }  ' \
        '{"op":"span", "hi": "?", "layer":0,"lo":0,"pos":4}' \
        '{"which":"k","op":"tail","layer":0,"rows":[]}' >t
    "$NDL" run --quiet t >out
    # No carriage return is left at the end of a line, and no blank line.
    same '{ "needle_trace" : 1 , "precision":"f32", "hint":2,"config":'"$config"',  "more": [1, {"a" : 2}] }
{"k" : [1.0, 2e0],"op": "write_kv","layer" :0,"pos":0,"v":["\u006ean"],"x y":{ "a" :[ ]},"slots":2}
{"op":"span","layer":0,"pos":4,"lo":3,"hi":4}
{"which":"k","op":"tail","layer":0,"rows":"f32:AAAAAAAAAAAAAAAAAAAAAA=="}' "$(cat out)"
}

@test "--decimal writes the shortest decimal that reads back" {
    lines "$kernels" '{"op":"causal_depthwise_conv","seq":1,"dim":12,"n_taps":0,"taps":[],"buf":[0.1,10,123456789,1e10,-0.0,1e-45,"nan","-inf",3.4028235e38,0.33333334,16777216,1.5e-7]}' \
        '{"op":"quantize_rows","head_dim":2,"x":[1,-1]}'
    run -0 "$NDL" run --decimal t
    says '"out":[0.1,10,123456792,1e+10,-0.0,1e-45,"nan","-inf",3.4028235e+38,0.33333334,16777216,1.5e-07]}'
    says '"q":[127,-127],"scale":[0.007874016]}'
}

@test "--hash writes hashes of all floats but attention's" {
    "$NDL" gen --precision int8 --steps 2 | "$NDL" run --hash - >out
    jq -se 'all(.[]; .op == "attend_step" or ([.out, .rows, .k_scale, .v_scale] | map(strings) | all(startswith("fnv1a64:"))))' out
    jq -se 'map(select(.op == "attend_step").out) | length == 8 and all(startswith("f32:"))' out
    jq -se 'map(select(.op == "kv").k) | length == 4 and all(startswith("i8:"))' out
    "$NDL" check --quiet out
}

@test "a refusal is an error, or recorded where there is a status" {
    session '{"op":"slots","layer":2,"slots":1,"status":"?"}' '{"op":"slots","layer":0,"status":""}' \
        '{"op":"push_token","token":1,"status":"layer_out_of_range"}'
    "$NDL" run t >out
    same '{"op":"slots","layer":2,"status":"layer_out_of_range"}
{"op":"slots","layer":0,"slots":2,"status":"ok"}
{"op":"push_token","token":1,"history":[1],"status":"ok"}' "$(tail -n +2 out)"
    "$NDL" run out | cmp - out
    "$NDL" check --quiet out
}

@test "-o replaces the file as a whole, through a link, with its rights" {
    session '{"op":"slots","layer":0}'
    mkdir d
    echo old >d/real
    chmod 640 d/real
    ln -s d/real link
    run -0 "$NDL" run t -o link
    [ -L link ]
    same 640 "$(stat -c %a d/real)"
    says ''
    run -0 "$NDL" check d/real
    run -0 "$NDL" run d/real --output d/real
    run -0 "$NDL" check d/real
    (umask 027; "$NDL" run t -o new)
    same 640 "$(stat -c %a new)"
    run -0 "$NDL" run t -o -
    says '"slots":2'
    # What is no plain file is written to, and not replaced.
    run -0 "$NDL" run t -o /dev/null
    [ -c /dev/null ]
    same 'd link new t' "$(echo [dlnt]*)"
}

@test "-o through a link that leads nowhere yet makes what it names" {
    session '{"op":"slots","layer":0}'
    mkdir d e
    ln -s ../e/far d/near
    ln -s d/near link
    run -0 "$NDL" run t -o link
    [ -L link ] && [ -L d/near ]
    run -0 "$NDL" check e/far
    same 'd/near e/far' "$(echo d/* e/*)"
    ln -s missing/file lost
    run --separate-stderr -2 "$NDL" run t -o lost
    same 'lost: cannot be written: No such file or directory' "$stderr"
    [ -L lost ]
    ln -s round loop
    ln -s loop round
    run --separate-stderr -2 "$NDL" run t -o loop
    same 'loop: cannot be written: Too many levels of symbolic links' "$stderr"
    [ -L loop ]
    for command in "run t" gen; do
        # shellcheck disable=SC2086 # words of a command line
        run --separate-stderr -2 "$NDL" $command -o ''
        says 'the option "--output" needs a file'
    done
    same 'd e link loop lost round t' "$(echo [!s]*)"
}

@test "-o /dev/stdout goes on where standard output is" {
    session '{"op":"slots","layer":0}'
    echo before >log
    "$NDL" run t -o /dev/stdout >>log
    same before "$(head -n 1 log)"
    tail -n +2 log >out
    run -0 "$NDL" check out
}

@test "scripts come from pipes and compressed" {
    session '{"op":"slots","layer":0}'
    "$NDL" run t >out
    "$NDL" run - <t | cmp - out
    gzip t
    "$NDL" run t.gz | cmp - out
}

@test "warnings are said beside the trace, and not with --quiet" {
    session '{"op":"slots","layer":0,"slot":1}'
    run --separate-stderr -0 "$NDL" run t
    same 't:2: warning: unknown member "slot" of slots is ignored' "$stderr"
    run --separate-stderr -0 "$NDL" run --quiet t
    same '' "$stderr"
}
