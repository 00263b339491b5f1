#!/usr/bin/env bats
# Wrong input of every kind: `file:line: message`, status 2, nothing else.
load bats/helper

@test "TRACE_001 wrong JSON is refused at its byte" {
    wrong "$header" <<'END'
{"op":"bytes"
the line ends before its object does
{"op":"slots","layer":0,}
not JSON at byte 25: parse error: invalid object key (must be a string)
{"op":"bytes"}{"op":"bytes"}
a line must be one object, and nothing after it
{"op":"bytes"} x
not JSON at byte 16: lexical error: invalid char in json text.
{"op":"slots","layer":01}
not JSON at byte 23: parse error: after key and value, inside map, I expect ',' or '}'
{"op":"slots","layer":NaN}
not JSON at byte 23: lexical error: invalid char in json text.
{"op":"byt
not JSON at byte 10: lexical error: invalid character inside string.
{"op" "bytes"}
not JSON at byte 13: parse error: object key and value must be separated by a colon (':')
[1]
a line must be one object
"x"
a line must be one object
7
a line must be one object
null
a line must be one object
{"op":"bytes","op":"bytes"}
"op" stands here twice
{"op":"slots","layer":0,"layer":0}
"layer" stands here twice
END
}

@test "TRACE_010 a wrong or unknown operation is refused by its name" {
    wrong "$header" <<'END'
{"layer":0}
the line has no "op"
{"op":7}
"op" must be a string, not the number "7"
{"op":"slot","layer":0}
unknown operation "slot"
{"op":"by\u0000tes"}
unknown operation "by\x00tes"
{"op":"\u001b[31mred"}
unknown operation "\x1b[31mred"
{"op":"slots"}
slots needs "layer"
{"op":"write_kv","layer":0,"pos":0,"k":[1,2]}
write_kv needs "v"
{"op":"tail"}
tail needs "layer" and "which", or "site" alone
{"op":"tail","layer":0,"which":"q","site":0}
tail needs "layer" and "which", or "site" alone
{"op":"fault"}
fault needs "alloc" or "poison"
{"op":"fault","poison":256}
"poison" is 256: a byte is up to 255
END
}

@test "TRACE_011 a wrong integer is refused with its member" {
    wrong "$header" <<'END'
{"op":"slots","layer":"0"}
"layer" must be an unsigned integer, not the string "0"
{"op":"slots","layer":-1}
"layer" must be an unsigned integer, not the number "-1"
{"op":"slots","layer":-0}
"layer" must be an unsigned integer, not the number "-0"
{"op":"slots","layer":1.5}
"layer" must be an unsigned integer, not the number "1.5"
{"op":"slots","layer":1.0}
"layer" must be an unsigned integer, not the number "1.0"
{"op":"slots","layer":1e0}
"layer" must be an unsigned integer, not the number "1e0"
{"op":"slots","layer":99999999999999999999}
"layer" is "99999999999999999999": the largest is 18446744073709551615
{"op":"slots","layer":null}
"layer" must be an unsigned integer, not null
{"op":"slots","layer":true}
"layer" must be an unsigned integer, not true
{"op":"slots","layer":[0]}
"layer" must be an unsigned integer, not an array
{"op":"slots","layer":{"a":0}}
"layer" must be an unsigned integer, not an object
{"op":"push_token","token":4294967296}
"token" is "4294967296": the largest is 4294967295
{"op":"seed_tokens","tokens":[1,-1]}
"tokens"[1] must be an unsigned integer, not "-1"
{"op":"seed_tokens","tokens":[1,4294967296]}
"tokens"[1] is "4294967296": the largest is 4294967295
{"op":"seed_tokens","tokens":7}
"tokens" must be an array, not the number "7"
{"op":"conv_step","layer":0,"which":"x","taps":[],"raw":[]}
"which" must be "q", "k" or "v", not "x"
{"op":"conv_step","layer":0,"which":0,"taps":[],"raw":[]}
"which" must be a string, not the number "0"
END
}

@test "TRACE_003 TRACE_004 a wrong array is refused with its member and element" {
    wrong "$header" <<'END'
{"op":"write_kv","layer":0,"pos":0,"k":"f32:AAAA","v":[1]}
"k": 3 bytes of base64 are no whole number of floats
{"op":"write_kv","layer":0,"pos":0,"k":"f32:AAAAA","v":[1]}
"k": bad base64: 5 characters, which is not a multiple of 4
{"op":"write_kv","layer":0,"pos":0,"k":"f32:AA!A","v":[1]}
"k": bad base64: "!" at character 3
{"op":"write_kv","layer":0,"pos":0,"k":"f32:AA==AAAA","v":[1]}
"k": bad base64: "=" at character 3
{"op":"write_kv","layer":0,"pos":0,"k":"f32:====","v":[1]}
"k": bad base64: "=" at character 1
{"op":"write_kv","layer":0,"pos":0,"k":"f32:AAAAAB==","v":[1]}
"k": bad base64: the bits under the padding are not zero
{"op":"write_kv","layer":0,"pos":0,"k":"f32:AAA AAA=","v":[1]}
"k": bad base64: " " at character 4
{"op":"write_kv","layer":0,"pos":0,"k":"@x","v":[1]}
"k": no tensor "x" was declared before this line
{"op":"write_kv","layer":0,"pos":0,"k":"x","v":[1]}
"k" must be a float array ("f32:...", "@tensor" or a JSON array), not the string "x"
{"op":"write_kv","layer":0,"pos":0,"k":"fnv1a64:0123456789abcdef","v":[1]}
"k" must be a float array ("f32:...", "@tensor" or a JSON array), not the string "fnv1a64:0123456789abcdef"
{"op":"write_kv","layer":0,"pos":0,"k":null,"v":[1]}
"k" must be a float array ("f32:...", "@tensor" or a JSON array), not null
{"op":"write_kv","layer":0,"pos":0,"k":[1,"x"],"v":[1]}
"k"[1] must be a number, "nan", "inf" or "-inf"
{"op":"write_kv","layer":0,"pos":0,"k":[1,null],"v":[1]}
"k"[1] must be a number, "nan", "inf" or "-inf"
{"op":"write_kv","layer":0,"pos":0,"k":[1,[2]],"v":[1]}
"k"[1] must be a number, "nan", "inf" or "-inf"
{"op":"write_kv","layer":0,"pos":0,"k":[1,3.4028236e38],"v":[1]}
"k"[1] is "3.4028236e38": beyond FLT_MAX
{"op":"write_kv","layer":0,"pos":0,"k":[-1e999,1],"v":[1]}
"k"[0] is "-1e999": beyond FLT_MAX
{"op":"quantize_rows","head_dim":1,"x":[1],"q":[128]}
"q"[0] is "128": it must be an integer from -128 to 127
{"op":"quantize_rows","head_dim":1,"x":[1],"q":[-129]}
"q"[0] is "-129": it must be an integer from -128 to 127
{"op":"quantize_rows","head_dim":1,"x":[1],"q":[1.5]}
"q"[0] is "1.5": it must be an integer from -128 to 127
{"op":"quantize_rows","head_dim":1,"x":[1],"q":["1"]}
"q"[0] must be an integer
{"op":"quantize_rows","head_dim":1,"x":[1],"q":"f32:AAAA"}
"q" must be an int8 array ("i8:..." or a JSON array), not the string "f32:AAAA"
END
}

@test "TRACE_008 a call that is refused and not recorded so is an error that names the reason" {
    wrong "$header" <<'END'
{"op":"slots","layer":2}
slots is refused as layer_out_of_range: "layer" is 2: there is no such layer
{"op":"write_kv","layer":18446744073709551615,"pos":0,"k":[1,2],"v":[1]}
write_kv is refused as layer_out_of_range: "layer" is 18446744073709551615: there is no such layer
{"op":"write_kv","layer":0,"pos":18446744073709551615,"k":[1,2],"v":[1]}
write_kv is refused as position_out_of_range: "pos" is 18446744073709551615: the position is SIZE_MAX, or would become it
{"op":"write_kv","layer":0,"pos":0,"k":"f32:AAAAAA==","v":[1]}
write_kv is refused as wrong_length: "k" has 1 element, not 2
{"op":"write_kv","layer":0,"pos":0,"k":[1,2],"v":[]}
write_kv is refused as wrong_length: "v" has 0 elements, not 1
{"op":"conv_step","layer":0,"which":"k","taps":[1],"raw":[1,2]}
conv_step is refused as wrong_length: "taps" has 1 element, not 6
{"op":"conv_step","layer":0,"which":"q","taps":[],"raw":[1]}
conv_step is refused as wrong_length: "taps" has 0 elements, not 12
{"op":"prefill_conv","layer":0,"which":"k","n":2,"taps":[1,2,3,4,5,6],"raw":[1,2]}
prefill_conv is refused as wrong_length: "raw" has 2 elements, not 4
{"op":"prefill_conv","layer":0,"which":"k","n":9223372036854775808,"taps":[1,2,3,4,5,6],"raw":[]}
prefill_conv is refused as wrong_length: "raw" has 0 elements, not 18446744073709551615
{"op":"seed_conv_tail","layer":0,"which":"v","raw":[1]}
seed_conv_tail is refused as wrong_length: "raw" has 1 element, not 2
{"op":"engram_conv_step","site":1,"taps":[1,2,3,4],"raw":[1,2]}
engram_conv_step is refused as site_out_of_range: "site" is 1: there is no such engram site
{"op":"seed_engram_tail","site":0,"raw":[1]}
seed_engram_tail is refused as wrong_length: "raw" has 1 element, not 4
{"op":"tail","site":7}
tail is refused as site_out_of_range: "site" is 7: there is no such engram site
{"op":"attend_step","layer":0,"pos":0,"q":[1]}
attend_step is refused as wrong_length: "q" has 1 element, not 4
{"op":"attend_step","layer":7,"pos":0,"q":[1,2,3,4]}
attend_step is refused as layer_out_of_range: "layer" is 7: there is no such layer
{"op":"span","layer":0,"pos":18446744073709551615}
span is refused as position_out_of_range: "pos" is 18446744073709551615: the position is SIZE_MAX, or would become it
{"op":"fake_quant","bits":17,"x":[1]}
fake_quant is refused as bits_out_of_range: "bits" is 17: bits is not in 2..16
{"op":"fake_quant","bits":18446744073709551615,"x":[1]}
fake_quant is refused as bits_out_of_range: "bits" is 18446744073709551615: bits is not in 2..16
{"op":"quantize_rows","head_dim":2,"x":[1,2,3]}
quantize_rows is refused as wrong_length: "x" has 3 elements, not 2
{"op":"causal_depthwise_conv","seq":2,"dim":1,"n_taps":1,"taps":[1],"buf":[1]}
causal_depthwise_conv is refused as wrong_length: "buf" has 1 element, not 2
{"op":"value_conv","seq":1,"d_model":1,"conv_taps":2,"conv_dilation":1,"max_order":1,"taps":[1],"buf":[1]}
value_conv is refused as wrong_length: "taps" has 1 element, not 2
{"op":"attend_sequence","seq":1,"num_heads":3,"num_kv_heads":2,"qk_head_dim":1,"v_head_dim":1,"window":0,"q":[1],"k":[1],"v":[1]}
attend_sequence is refused as heads_not_multiple: "num_heads" is 3: num_heads is not a multiple of num_kv_heads
{"op":"attend_sequence","seq":1,"num_heads":1,"num_kv_heads":0,"qk_head_dim":1,"v_head_dim":1,"window":0,"q":[1],"k":[1],"v":[1]}
attend_sequence is refused as num_kv_heads_zero: "num_kv_heads" is 0: num_kv_heads is 0
{"op":"attend_sequence","seq":2,"num_heads":1,"num_kv_heads":1,"qk_head_dim":1,"v_head_dim":1,"window":0,"q":[1,2],"k":[1],"v":[1,2]}
attend_sequence is refused as wrong_length: "k" has 1 element, not 2
{"op":"attend_sequence","seq":1,"num_heads":1,"num_kv_heads":1,"qk_head_dim":1,"v_head_dim":1,"window":0,"q":[1],"k":[1],"v":[1],"k_scale":[1]}
attend_sequence needs "k_scale" and "v_scale", or neither
END
}

@test "TRACE_005 TRACE_007 a recorded output that cannot be read is an error" {
    wrong "$header" <<'END'
{"op":"slots","layer":0,"slots":null}
"slots" must be an unsigned integer, not null
{"op":"slots","layer":0,"slots":-2}
"slots" must be an unsigned integer, not the number "-2"
{"op":"push_token","token":1,"history":1}
"history" must be an array, not the number "1"
{"op":"push_token","token":1,"history":[4294967296]}
"history"[0] is "4294967296": the largest is 4294967295
{"op":"is_saturated","saturated":0}
"saturated" must be true or false, not the number "0"
{"op":"bytes","status":1}
"status" must be a string, not the number "1"
{"op":"fake_quant","bits":8,"x":[1],"out":"fnv1a64:0123"}
"out" is "fnv1a64:0123": a hash is "fnv1a64:" and 16 hex digits
{"op":"fake_quant","bits":8,"x":[1],"out":"fnv1a64:0123456789abcdeg"}
"out" is "fnv1a64:0123456789abcdeg": a hash is "fnv1a64:" and 16 hex digits
{"op":"fake_quant","bits":8,"x":[1],"out":"f32:AA=="}
"out": 1 bytes of base64 are no whole number of floats
{"op":"attend_step","layer":0,"pos":0,"q":[1,2,3,4],"out":"fnv1a64:0123456789abcdef"}
the "out" of attend_step may not be a hash: it is compared within a tolerance
{"op":"kv","layer":0,"k_scale":[1]}
"k_scale" is no output of kv in an f32 session
END
}

@test "TRACE_013 sessions, snapshots and tensors that are not there are named" {
    wrong "$header" <<'END'
{"op":"bytes","session":"b"}
there is no session "b": "open" makes one
{"op":"bytes","session":1}
"session" must be a string, not the number "1"
{"op":"restore","name":"a"}
there is no snapshot "a"
{"op":"restore","name":7}
"name" must be a string, not the number "7"
{"op":"open"}
open needs "session", the name of the new session
{"op":"open","session":"main"}
the session "main" is open already
END
}

@test "TRACE_002 a wrong header is refused at line 1" {
    wrong_header() {
        lines "$1"
        run --separate-stderr -2 "$NDL" check t
        same "t:1: $2" "$stderr"
    }
    with() { # with NAME VALUE: the header with another value
        jq -c --argjson value "$2" ".$1 = \$value" <<<"$header"
    }
    without() {
        jq -c "del(.$1)" <<<"$header"
    }
    wrong_header '{"op":"bytes"}' 'this is no header: the first line of a trace has "needle_trace":1'
    wrong_header '{"needle_trace":2}' '"needle_trace" is "2": version 1 is the one known here'
    wrong_header '{"needle_trace":1.0}' '"needle_trace" is "1.0": version 1 is the one known here'
    wrong_header '{"needle_trace":"1"}' '"needle_trace" is "1": version 1 is the one known here'
    wrong_header '{"needle_trace":1,"precision":"f16"}' '"precision" must be "f32" or "int8", not "f16"'
    wrong_header '{"needle_trace":1,"numerics":"rust"}' '"numerics" must be "needle-core" or "upstream", not "rust"'
    wrong_header '{"needle_trace":1,"hint":-1}' '"hint" must be an unsigned integer, not the number "-1"'
    wrong_header '{"needle_trace":1,"source":1}' '"source" must be a string, not the number "1"'
    wrong_header '{"needle_trace":1,"claims":["KV_001",1]}' '"claims"[1] must be a string'
    wrong_header '{"needle_trace":1,"config":1}' '"config" must be an object'
    wrong_header '{"needle_trace":1,"config":{}}' 'config has no "engram"'
    wrong_header "$(without config.d_model)" 'config has no "d_model"'
    wrong_header "$(without config.engram.slots)" 'engram has no "slots"'
    wrong_header "$(with config.engram 7)" '"engram" must be an object'
    wrong_header "$(with config.num_heads 0)" '"config" is refused: num_heads_zero: num_heads is 0'
    wrong_header "$(with config.num_layers 0)" '"config" is refused: num_layers_zero: num_layers is 0'
    wrong_header "$(with config.num_heads 1.5)" '"num_heads" must be an unsigned integer, not the number "1.5"'
    wrong_header "$(with config.num_layers 65)" '"num_layers" is 65: more than 64 layers'
    wrong_header "$(with config.global_layers '[2]')" '"global_layers"[0] is 2: a global layer is not one of the layers'
    wrong_header "$(with config.global_layers '["x"]')" '"global_layers"[0] must be an unsigned integer'
    wrong_header "$(with config.global_layers 1)" '"global_layers" must be an array, not the number "1"'
    wrong_header "$(with config.engram.orders '[2,2,2,2,2]')" '"orders" has 5 items: more than 4 engram orders'
    wrong_header "$(with config.engram.orders '[0]')" '"config" is refused: order_zero: an engram order is 0'
    wrong_header "$(with config.engram.sites '[0,0]')" '"config" is refused: site_twice: two engram sites name the same layer'
    wrong_header "$(with config.engram.sites '[2]')" '"config" is refused: site_layer_out_of_range: an engram site names a layer there is not'
    wrong_header "${header/\"max_seq_len\":8/\"max_seq_len\":18446744073709551615}" '"config" is refused: size_overflow: the sizes of this geometry do not fit this machine'
    wrong_header '' 'the file is empty: a trace begins with its header'
}

@test "a session needs a config, a precision and a hint" {
    wrong '{"needle_trace":1}' <<<'{"op":"bytes"}
a session is needed here, and the header has no "config"'
    wrong "${header/\"precision\":\"f32\",/}" <<<'{"op":"bytes"}
a session is needed here, and the header has no "precision"'
    wrong "${header/\"hint\":2,/}" <<<'{"op":"bytes"}
a session is needed here, and the header has no "hint"'
    # A trace of kernels needs none of them.
    lines "$kernels" '{"op":"fake_quant","bits":8,"x":[1],"out":[1]}'
    run -0 "$NDL" check t
}

@test "TRACE_002 a second header is refused" {
    wrong "$header" <<END
$header
a second header: "needle_trace" may stand on the first line only
END
}

@test "TRACE_001 what is not UTF-8 is refused at its byte" {
    check() { # check BYTES MESSAGE
        { printf '%s\n' "$kernels"; printf '%b' "$1"; } >t
        run --separate-stderr -2 "$NDL" check t
        same "t:2: $2" "$stderr"
    }
    check '{"op":"\x80"}' 'not UTF-8 at byte 8'
    check '{"op":"\xc0\xaf"}' 'not UTF-8 at byte 8'           # overlong
    check '{"op":"\xe0\x80\xaf"}' 'not UTF-8 at byte 8'       # overlong
    check '{"op":"\xed\xa0\x80"}' 'not UTF-8 at byte 8'       # a surrogate
    check '{"op":"\xf4\x90\x80\x80"}' 'not UTF-8 at byte 8'   # past 10FFFF
    check '{"op":"0123456789\xc3(","a":1}' 'not UTF-8 at byte 18'
    check '{"op":"\xc3' 'not UTF-8 at byte 8'                 # cut short
    check '{"op":"\xc3\xa9"}' 'unknown operation "\xc3\xa9"'  # and this is well-formed
}

@test "TRACE_001 lines too long, too deep or too full are refused" {
    { echo "$kernels"; printf '{"op":"tensor","name":"a","data":"f32:'; head -c 67108864 /dev/zero | tr '\0' A; } >t
    run --separate-stderr -2 "$NDL" check t
    same 't:2: the line is longer than 64 MiB' "$stderr"

    # Exactly 64 MiB are read, one byte more is not, the line's end not counted.
    line='{"op":"fake_quant","bits":8,"x":[1],"out":[1]}'
    { echo "$kernels"; printf '%s' "$line"; head -c $((67108864 - ${#line})) /dev/zero | tr '\0' ' '; echo; } >t
    run -0 "$NDL" check t
    { echo "$kernels"; printf '%s' "$line"; head -c $((67108865 - ${#line})) /dev/zero | tr '\0' ' '; echo; } >t
    run --separate-stderr -2 "$NDL" check t
    same 't:2: the line is longer than 64 MiB' "$stderr"

    wrong "$kernels" <<END
{"op":"tensor","x":$(printf '[%.0s' {1..40})$(printf ']%.0s' {1..40})}
nested more than 32 deep
{"op":"tensor"$(printf ',"a%d":0' {1..300})}
more than 256 members on a line
END
}

@test "TRACE_001 files that are no traces are refused, and the others still checked" {
    printf '' >empty
    printf 'BM\x01\x02\xff\xfe' >binary
    head -c 300 "$conformance/tiny-step-f32-1.jsonl" >./cut
    printf '\xef\xbb\xbf%s\n' "$kernels" >bom
    run --separate-stderr -2 "$NDL" check empty missing . binary cut bom \
        "$conformance/scripts/conv-two-channels.jsonl"
    same "empty: the file is empty: a trace begins with its header
missing: No such file or directory
.: cannot be read: Is a directory
binary:1: not UTF-8 at byte 5
cut:1: not JSON at byte 300: lexical error: invalid character inside string.
bom:1: begins with a byte order mark, which is no part of JSON" "$stderr"
    says 'conv-two-channels.jsonl: agrees: 8 outputs compared'
    says 'total: error: 7 files (6 error), 8 outputs compared'
}

@test "TRACE_001 damaged gzip data are refused" {
    gzip -c "$conformance/tiny-step-f32-1.jsonl" >good.gz
    head -c 4000 good.gz >cut.gz
    { cat good.gz; echo more; } >more.gz
    { head -c 3000 good.gz; printf '\xff'; tail -c +3002 good.gz; } >flip.gz
    head -c 2 good.gz >magic.gz
    { cat good.gz; head -c 700000 /dev/zero; echo more; } >padded.gz
    for f in cut more flip magic padded; do
        run --separate-stderr -2 "$NDL" check $f.gz
        [[ "$stderr" =~ ^$f.gz:[0-9]+:\ the\ gzip\ data\  ]]
    done
    run --separate-stderr -2 "$NDL" check cut.gz
    [[ "$stderr" == *'end too early: the file is cut short' ]]
}

@test "TRACE_001 a last line that is cut is refused, one that only lacks its end is not" {
    session '{"op":"bytes"}' '{"op":"slots","layer":0,"slots":2}'
    truncate -s -1 t
    run -0 "$NDL" check t
    truncate -s -1 t
    run --separate-stderr -2 "$NDL" check t
    same 't:3: the line ends before its object does' "$stderr"
}

@test "TRACE_010 an unknown member is warned about once a name, and ignored" {
    session '{"op":"slots","layer":0,"slot":2,"slots":2}' \
        '{"op":"slots","layer":0,"slot":{"deep":[null,{"er":1}]},"slots":2}' \
        '{"op":"bytes","slots":2}'
    run --separate-stderr -0 "$NDL" check t
    same 't:2: warning: unknown member "slot" of slots is ignored
t:4: warning: unknown member "slots" of bytes is ignored' "$stderr"
    run -1 "$NDL" check --strict t
    lines '{"needle_trace":1,"sauce":"x","config":'"${config/\"d_model\"/\"d\":1,\"d_model\"}"'}' \
        '{"op":"fake_quant","bits":8,"x":[1],"out":[1]}'
    run --separate-stderr -0 "$NDL" check t
    same 't:1: warning: unknown member "d" of the config is ignored
t:1: warning: unknown member "sauce" of the header is ignored' "$stderr"
}

@test "a script with any of this leaves no trace behind" {
    session '{"op":"bytes"}' '{"op":"slots","layer":2}'
    echo before >out
    run --separate-stderr -2 "$NDL" run t -o out
    same 't:3: slots is refused as layer_out_of_range: "layer" is 2: there is no such layer' "$stderr"
    same before "$(cat out)"
    same out "$(echo out*)"
}
