#!/usr/bin/env bats
# ndl check: recordings agree, what differs is found and located, statuses add up.
load bats/helper

@test "every recording agrees with the engine and with the reference" {
    run -0 "$NDL" check "$conformance"/*.jsonl "$conformance"/scripts/*.jsonl
    says 'total: agrees:'
    says ' 0 differ;'
    run -0 "$NDL" check --reference "$conformance"/*.jsonl "$conformance"/scripts/*.jsonl
    says 'total: agrees:'
}

@test "engine and reference agree bit for bit, attention too" {
    for f in "$conformance"/*.jsonl "$conformance"/scripts/*.jsonl; do
        "$NDL" run --quiet "$f" | "$NDL" check --quiet --exact --reference -
    done
}

@test "TRACE_006 one changed bit of each kind of output is found and located" {
    "$NDL" gen --prefill 5 --steps 6 --precision int8 | "$NDL" run - >./int8
    "$NDL" gen --prefill 5 --steps 6 | "$NDL" run - >f32
    lines "$header" '{"op":"write_kv","layer":1,"pos":5,"k":[1,2],"v":[3]}' '{"op":"slots","layer":1}' \
        '{"op":"attend_sequence","seq":3,"num_heads":2,"num_kv_heads":1,"qk_head_dim":1,"v_head_dim":2,"window":2,"q":[1,2,3,4,5,6],"k":[1,2,3],"v":[1,2,3,4,5,6]}'
    "$NDL" run t >sequence
    run -0 python3 "$BATS_TEST_DIRNAME/bats/tamper.py" "$NDL" int8 f32 sequence \
        "$conformance"/{kernels-1,tiny-prefill-int8-1,shipped-2layers-f32-1}.jsonl \
        "$conformance"/scripts/quant-special.jsonl
    says '35 kinds of outputs'
}

@test "a mismatch is reported with its place, both values, their distance and the rule" {
    session '{"op":"write_kv","layer":0,"pos":0,"k":[1,2],"v":[3],"slots":2}' \
        '{"op":"write_kv","layer":0,"pos":5,"k":[0.5,-1],"v":[3],"slots":4}' \
        '{"op":"kv","layer":0,"slots":4,"k":[1,2,0.50000006,-1,0,0,0,0],"v":[3,3,0,0]}'
    run -1 "$NDL" check t
    same 't:4: operation 3, kv: "k" differs in 1 of 8 elements
    where     layer 0, slot 1, position 5, head 0, channel 0, element 2
    recorded  0.50000006  3f000001
    engine    0.5  3f000000
    distance  1 ulp
    rule      KV_004, spec/02-keys-and-values.md
t: differs: 5 outputs compared, 0 operations without, 1 differs
total: differs: 1 file (1 differs), 5 outputs compared, 0 operations without, 1 differs' "$output"
    run -1 "$NDL" check --reference t
    says '    reference 0.5  3f000000'
}

@test "integers, lists and truth values are shown as they are" {
    session '{"op":"span","layer":0,"pos":9,"lo":5,"hi":9}' \
        '{"op":"push_token","token":7,"history":[8]}' \
        '{"op":"push_token","token":7,"history":[7]}' \
        '{"op":"is_saturated","saturated":true}'
    run -1 "$NDL" check t
    says 't:2: operation 1, span: "lo" differs
    where     layer 0, position 9
    recorded  5
    engine    8
    rule      SPAN_001, spec/03-spans.md'
    says '    where     position 0
    recorded  8
    engine    7
    rule      TOK_001, spec/05-engram-history.md'
    says 't:4: operation 3, push_token: "history" differs
    where     position 0
    recorded  1 element
    engine    2 elements; those that both have agree'
    says '    recorded  true
    engine    false
    rule      KV_011, spec/02-keys-and-values.md'
}

@test "a hash that differs shows the vector and how to record in full" {
    session '{"op":"conv_step","layer":1,"which":"q","taps":[1,1,1,1,2,2,2,2,3,3,3,3],"raw":[1,2,3,0.1],"out":"fnv1a64:0123456789abcdef"}'
    run -1 "$NDL" check t
    says '    where     layer 1, which q, position 0
    recorded  0123456789abcdef'
    says '    engine    4 elements: 1 2 3 0.1
    in full   to see which element differs, record "out" in full:'
    lines "$kernels" '{"op":"fake_quant","bits":8,"x":[127,1,2,3,4,5,6,7,8,9,10],"out":"fnv1a64:0123456789abcdef"}'
    run -1 "$NDL" check t
    says '    engine    11 elements: 127 1 2 3 4 5 ... 9 10'
}

@test "TRACE_005 the FNV-1a hash is the one of the format" {
    # Of 1, nan (as 7fc00000) and -0, worked out byte by byte.
    hash=$(python3 -c '
h = 0xcbf29ce484222325
for b in bytes.fromhex("0000803f" "0000c07f" "00000080"):
    h = (h ^ b) * 0x100000001b3 % 2**64
print("%016x" % h)')
    lines "$kernels" '{"op":"causal_depthwise_conv","seq":1,"dim":3,"n_taps":0,"taps":[],"buf":"f32:AACAPwEAwP8AAACA","out":"fnv1a64:'"$hash"'"}'
    run -0 "$NDL" check t
}

@test "TRACE_006 any NaN is any NaN, and the sign of a zero counts" {
    kernel() {
        lines "$kernels" '{"op":"causal_depthwise_conv","seq":1,"dim":1,"n_taps":0,"taps":[],"buf":'"$1"',"out":'"$2}"
        run "-$3" "$NDL" check t
    }
    kernel '"f32:AQDA/w=="' '["nan"]' 0
    kernel '["nan"]' '["inf"]' 1
    kernel '["inf"]' '["-inf"]' 1
    kernel '[0]' '[-0.0]' 1
    says 'distance  1 ulp'
    kernel '[-0]' '[-0.0]' 0
    kernel '[-1e-45]' '[1e-45]' 1
    says 'distance  3 ulp'
}

@test "TRACE_003 decimals become the nearest binary32 directly, ties to even" {
    # decimal, and the bits of the binary32
    python3 - <<'END' >t
import base64
half = "7.00649232162408535461864791644958065640130970938257885878534141944895541342930300743319094181060791015625e-46"
cases = [
    ("1.000000059604644775390625", "3f800000"),
    ("1.000000059604644775390625000000000000000000000001", "3f800001"),
    ("1.000000178813934326171875", "3f800002"),
    ("1.0000001788139343261718749999999999999999999999", "3f800001"),
    (half, "00000000"),
    (half.replace("5e", "6e"), "00000001"),
    ("3.4028235e38", "7f7fffff"),
    ("3.40282356779733661637539395458142568447e38", "7f7fffff"),
    ("-0.0", "80000000"),
    ("-1e-999", "80000000"),
    ("1E+2", "42c80000"),
    ("0.1", "3dcccccd"),
    ("16777217", "4b800000"),
    ("16777219", "4b800002"),
]
print('{"needle_trace":1}')
for decimal, bits in cases:
    out = base64.b64encode(bytes.fromhex(bits)[::-1]).decode()
    print('{"op":"causal_depthwise_conv","seq":1,"dim":1,"n_taps":0,"taps":[],"buf":[%s],"out":"f32:%s"}' % (decimal, out))
END
    run -0 "$NDL" check t
    says '14 outputs compared'
}

attend='{"op":"attend_step","layer":0,"pos":0,"q":[1,2,3,4],"out":'
@test "TRACE_007 attention is compared within 1e-5 of the root mean square, what is not finite in place" {
    attended() { # attended V OUT STATUS: one position, so that the output is its value
        session '{"op":"write_kv","layer":0,"pos":0,"k":[0,0],"v":['"$1"']}' "$attend$2}"
        run "-$3" "$NDL" check t
    }
    attended 100 '[100,100.0009]' 0
    says 'attention at worst 9e-06 of the root mean square'
    attended 100 '[100,100.0012]' 1
    says '    farthest  1.2e-05 of the root mean square, 1e-05 is allowed
    rule      ATT_001, spec/07-attention.md'
    attended '"inf"' '["inf","inf"]' 0
    attended '"inf"' '["inf",3e38]' 1
    attended '"inf"' '["inf","-inf"]' 1
    attended '"nan"' '["nan","nan"]' 0
    attended 100 '["nan",100]' 1
    attended 0 '[0,-0.0]' 0
    attended 0 '[0,1e-45]' 1
    session '{"op":"write_kv","layer":0,"pos":0,"k":[0,0],"v":[100]}' "${attend}[100,100.0009]}"
    run -1 "$NDL" check --exact t
    says 'distance  118 ulp'
}

@test "a tolerance is named where only it makes things agree" {
    lines "$kernels" '{"op":"causal_depthwise_conv","seq":1,"dim":2,"n_taps":0,"taps":[],"buf":[1,1],"out":[1,1.0001]}'
    run -1 "$NDL" check --tolerance 1e-3 t
    says 't:2: operation 1, causal_depthwise_conv: "out" is within 0.001, not equal in 1 of 2 elements'
    says '1 within a tolerance and not equal'
    run -0 "$NDL" check --tolerance 1e-3 --accept-tolerance t
    says 'is within 0.001, not equal'
    run -0 "$NDL" check --tolerance causal_depthwise_conv=1e-3 --accept-tolerance t
    run -1 "$NDL" check --tolerance fake_quant=1e-3 --accept-tolerance t
    run -1 "$NDL" check --tolerance 1e-5 --accept-tolerance t
    # A tolerance below the default is one, too.
    session '{"op":"write_kv","layer":0,"pos":0,"k":[0,0],"v":[100]}' "${attend}[100,100.0009]}"
    run -1 "$NDL" check --tolerance attend_step=1e-6 t
    run -1 "$NDL" check --tolerance 0 t
    run -0 "$NDL" check --tolerance attend_step=1e-6 --tolerance attend_step=1e-4 t
    run -2 "$NDL" check --tolerance slots=1 t
    says '"slots" is no operation with floats in its output'
    for wrong in x -1 nan inf 1x '' kv=; do
        run -2 "$NDL" check --tolerance "$wrong" t
        says 'is no tolerance'
    done
}

@test "TRACE_008 refusals are compared where they are recorded" {
    session '{"op":"slots","layer":2,"status":"layer_out_of_range"}' \
        '{"op":"slots","layer":0,"slots":2,"status":"ok"}' \
        '{"op":"set_pos","pos":18446744073709551615,"status":"position_out_of_range"}' \
        '{"op":"write_kv","layer":0,"pos":0,"k":[1],"v":[1],"status":"wrong_length"}'
    run -0 "$NDL" check t
    says '5 outputs compared'
    run -0 "$NDL" check --reference t
    session '{"op":"slots","layer":0,"slots":2,"status":"layer_out_of_range"}'
    run -1 "$NDL" check t
    says '    recorded  "layer_out_of_range"
    engine    "ok"
    rule      SES_001, spec/08-session.md'
    session '{"op":"slots","layer":2,"slots":2,"status":"layer_out_of_range"}'
    run -1 "$NDL" check t
    says 'refuses the call: there is no such layer'
}

@test "a failing allocation is a refusal that changes nothing, and the reference passes over it" {
    session '{"op":"fault","alloc":1,"poison":165}' \
        '{"op":"write_kv","layer":0,"pos":3,"k":[1,2],"v":[3],"status":"out_of_memory"}' \
        '{"op":"kv","layer":0,"slots":2,"k":[0,0,0,0],"v":[0,0]}' \
        '{"op":"write_kv","layer":0,"pos":3,"k":[1,2],"v":[3],"slots":4}' \
        '{"op":"kv","layer":0,"slots":4,"k":[0,0,0,0,0,0,1,2],"v":[0,0,0,3]}' \
        '{"op":"fault","alloc":1}' \
        '{"op":"snapshot","name":"a","status":"out_of_memory"}' \
        '{"op":"fault","alloc":2}' \
        '{"op":"open","session":"b","status":"out_of_memory"}' \
        '{"op":"open","session":"b"}'
    run -0 "$NDL" check t
    says '10 outputs compared'
    run -0 "$NDL" check --reference t
    says '7 outputs compared'
    session '{"op":"fault","alloc":1}' '{"op":"write_kv","layer":0,"pos":3,"k":[1,2],"v":[3]}'
    run --separate-stderr -2 "$NDL" check t
    same 't:3: write_kv is refused as out_of_memory: memory cannot be had' "$stderr"
}

@test "TRACE_013 sessions, snapshots and resets keep apart" {
    session '{"op":"write_kv","layer":0,"pos":0,"k":[1,2],"v":[3]}' \
        '{"op":"open","session":"b"}' \
        '{"op":"write_kv","session":"b","layer":0,"pos":0,"k":[5,6],"v":[7]}' \
        '{"op":"snapshot","name":"s"}' \
        '{"op":"write_kv","layer":0,"pos":0,"k":[8,8],"v":[8]}' \
        '{"op":"kv","layer":0,"slots":2,"k":[8,8,0,0],"v":[8,0]}' \
        '{"op":"kv","session":"b","layer":0,"slots":2,"k":[5,6,0,0],"v":[7,0]}' \
        '{"op":"restore","session":"b","name":"s"}' \
        '{"op":"kv","session":"b","layer":0,"slots":2,"k":[1,2,0,0],"v":[3,0]}' \
        '{"op":"write_kv","session":"b","layer":0,"pos":1,"k":[9,9],"v":[9]}' \
        '{"op":"restore","name":"s"}' \
        '{"op":"kv","layer":0,"slots":2,"k":[1,2,0,0],"v":[3,0]}' \
        '{"op":"snapshot","session":"b","name":"s"}' \
        '{"op":"reset"}' \
        '{"op":"kv","session":"main","layer":0,"slots":2,"k":[0,0,0,0],"v":[0,0]}' \
        '{"op":"restore","name":"s"}' \
        '{"op":"kv","layer":0,"slots":2,"k":[1,2,9,9],"v":[3,9]}'
    run -0 "$NDL" check t
    run -0 "$NDL" check --reference t
    session '{"op":"open","session":"b"}' '{"op":"slots","session":"b","layer":0,"slots":3}'
    run -1 "$NDL" check t
    says 'where     session "b", layer 0'
}

@test "a tensor is kept, is not changed by a call in place, and may be declared again" {
    session '{"op":"tensor","name":"a","data":[1,2]}' \
        '{"op":"conv_step","layer":0,"which":"k","taps":[3,3,0,0,0,0],"raw":"@a","out":[3,6]}' \
        '{"op":"conv_step","layer":0,"which":"k","taps":[0,0,1,1,0,0],"raw":"@a","out":[0,0]}' \
        '{"op":"write_kv","layer":0,"pos":0,"k":"@a","v":[1]}' \
        '{"op":"kv","layer":0,"k":[1,2,0,0]}' \
        '{"op":"tensor","name":"a","data":[7,8,9]}' \
        '{"op":"fake_quant","bits":8,"x":"@a","out":"@a"}'
    run -1 "$NDL" check t
    says 't:8: operation 7, fake_quant'
    says '1 differs'
}

@test "TRACE_009 what is several files ends as the worst of them" {
    lines "$kernels" '{"op":"fake_quant","bits":8,"x":[1],"out":[1]}' && mv t agrees
    lines "$kernels" '{"op":"fake_quant","bits":8,"x":[1],"out":[2]}' && mv t differs
    lines "$kernels" '{"op":"fake_quant","bits":8,"x":[1]}' && mv t nothing
    lines '{}' && mv t error
    run -0 "$NDL" check agrees agrees
    run -3 "$NDL" check agrees nothing agrees
    run -1 "$NDL" check nothing differs agrees
    run -2 "$NDL" check nothing error differs agrees
    says 'total: error: 4 files (1 error) (1 differs) (1 nothing compared), 2 outputs compared, 1 operation without, 1 differs'
}

@test "--max-mismatches shows so many and counts the rest, --quiet says what is wrong only" {
    line='{"op":"fake_quant","bits":8,"x":[1],"out":[2]}'
    lines "$kernels" "$line" "$line" "$line"
    run -1 "$NDL" check --max-mismatches 2 t
    same 2 "$(grep -c 'differs$' <<<"$output")"
    says 't: 2 of the 3 that differ are shown (--max-mismatches)'
    says 't: differs: 3 outputs compared, 0 operations without, 3 differ'
    run -1 "$NDL" check --max-mismatches 0 t
    same 0 "$(grep -c 'recorded' <<<"$output")"
    run -1 "$NDL" check --quiet --max-mismatches 1 "$conformance/kernels-1.jsonl" t
    says 't:2: operation 1'
    [[ "$output" != *kernels-1* ]]
    run -0 "$NDL" check --quiet "$conformance/kernels-1.jsonl"
    same '' "$output"
}

@test "TRACE_001 gzip, pipes and standard input are read alike" {
    f=$conformance/tiny-step-int8-1.jsonl
    gzip -c "$f" >t.jsonl.gz
    cp t.jsonl.gz plain-name
    # shellcheck disable=SC2094 # both are read
    run -0 "$NDL" check t.jsonl.gz plain-name - <t.jsonl.gz
    same 3 "$(grep -c ': agrees: 701 outputs' <<<"$output")"
    says '<stdin>: agrees'
    run -0 bash -c "cat '$f' | '$NDL' check -"
    run -0 bash -c "cat '$f' | dd bs=1 2>/dev/null | head -c 2000000 | '$NDL' check -"
    run -0 "$NDL" check <(cat t.jsonl.gz)
    # Members of gzip data may follow one another.
    { head -n 100 "$f" | gzip; tail -n +101 "$f" | gzip; } >two.gz
    run -0 "$NDL" check two.gz
    says 'two.gz: agrees: 701 outputs'
    # Zeros may fill a block after the last of them.
    { cat two.gz; head -c 700000 /dev/zero; } >padded.gz
    run -0 "$NDL" check padded.gz
    says 'padded.gz: agrees: 701 outputs'
}

@test "TRACE_001 blank lines and carriage returns are passed over, and counted as lines" {
    printf '\n \t\r\n%s\r\n\r\n\n{"op":"slots","layer":0,"slots":3}\r\n' "$header" >t
    run -1 "$NDL" check t
    says 't:6: operation 1, slots: "slots" differs'
}

@test "escapes in strings mean what they mean" {
    session '{"op":"tensor","name":"\u0061\/","data":"f32:AAC\u0041Pw=="}' \
        '{"\u006fp":"fake_quant","bits":8,"x":"@a/","out":["\u006ean"]}' \
        '{"op":"fake_quant","bits":8,"x":"\u0040a/","out":[1]}'
    run -1 "$NDL" check t
    says '2 outputs compared'
    says ' 1 differs'
}

@test "--json is one document with stable members" {
    lines "$kernels" '{"op":"fake_quant","bits":8,"x":[1,"nan"],"out":[2,"nan"],"oups":1}' \
        '{"op":"fake_quant","bits":8,"x":[1],"out":"fnv1a64:0123456789abcdef"}'
    cp t ä
    lines '{}'
    run --separate-stderr -2 "$NDL" check --json ä t "$conformance/tiny-step-f32-1.jsonl"
    same '' "$stderr"
    jq -e '.ndl and .against == "engine" and .exit == 2 and (.files | length) == 3' <<<"$output"
    jq -e '.files[0] | .file == "ä" and .status == "differs" and .exit == 1 and .operations == 2
           and .compared == 2 and .without == 0 and .differing == 2 and .within == 0 and .usage == 0
           and .unknown == 1 and .attention == null' <<<"$output"
    jq -e '.files[0].findings | map(.kind) == ["warning", "mismatch", "mismatch"]' <<<"$output"
    jq -e '.files[0].findings[1] | .line == 2 and .operation == 1 and .op == "fake_quant"
           and .output == "out" and .how == "element" and .element == 0 and .elements == 2
           and .recorded_elements == 2 and .differing == 1 and .recorded == {decimal: "2", bits: "40000000"}
           and .replayed == {decimal: "1", bits: "3f800000"} and .ulp == 8388608
           and .claim == "QNT_007" and .chapter == "spec/06-int8.md"' <<<"$output"
    jq -e '.files[0].findings[2] | .how == "hash" and .recorded.bits == "0123456789abcdef"
           and .vector == ["1"]' <<<"$output"
    jq -e '.files[1] | .status == "error" and .findings[0].kind == "error" and .findings[0].line == 1
           and (.findings[0].message | startswith("this is no header"))' <<<"$output"
    jq -e '.files[2] | .attention.worst < 1e-6 and .attention.line > 0' <<<"$output"
    jq -e '.total | .files == 3 and .agree == 1 and .differ == 1 and .error == 1 and .nothing == 0' <<<"$output"
    # A path that is no UTF-8 does not break the document.
    cp t $'b\xff'
    run -2 "$NDL" check --json $'b\xff' missing
    jq -e '.files[0].findings[0].line == 1 and .files[1].findings[0].line == null' <<<"$output"
}
