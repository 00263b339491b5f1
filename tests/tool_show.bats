# ndl show: what it says of a session, one operation in full, and wrong use.

@test "show: geometry, operations by kind, positions and spans" {
    run "$NDL" show tests/conformance/tiny-prefill-int8-1.jsonl
    [ "$status" -eq 0 ]
    [[ $output == *'4 layers, 2 query heads, 1 kv heads'* ]]
    [[ $output == *'window 4, global layers 3'* ]]
    [ "$(grep -cE '^  write_kv +92$' <<<"$output")" -eq 1 ]
    [[ $output == *'positions 0 to 23'* ]]
    [ "$(grep -cE '^ +0  window 4 +4 slots  \.{19}####  19 to 22$' <<<"$output")" -eq 1 ]
    [ "$(grep -cE '^ +3  global +32 slots  #{23}  0 to 22$' <<<"$output")" -eq 1 ]
    [ "$(grep -cE '^ +[0-9]+ +[0-9]+ +[0-9]+  [a-z_]+ ' <<<"$output")" -eq 20 ]
    all=$("$NDL" show --all tests/conformance/tiny-prefill-int8-1.jsonl)
    [ "$(grep -cE '^ +[0-9]+ +[0-9]+ +[0-9]+  [a-z_]+ ' <<<"$all")" -eq 437 ]
}

@test "show: operations counted by kind are those of the file" {
    f=tests/conformance/random-f32-006-1.jsonl
    want=$(jq -r '.op // empty' $f | sort | uniq -c | awk '{ print $2, $1 }')
    said=$("$NDL" show $f | sed -n '/ operations$/,/^$/p' | awk 'NF == 2 && $2 != "operations" { print $1, $2 }' | sort)
    [ "$said" = "$want" ]
}

@test "show: one operation in full, as it is recorded, right or wrong" {
    run "$NDL" show --op 7 tests/conformance/scripts/conv-phases.jsonl
    [ "$status" -eq 0 ]
    [[ $output == 'operation 7, line 8, position 3: conv_step'* ]]
    [[ $output == *'-> out  1:'*'234'* ]]
    sed 's/"out":\[234\]/"out":[432]/' tests/conformance/scripts/conv-phases.jsonl >"$BATS_TEST_TMPDIR/wrong.jsonl"
    run "$NDL" show --op 7 "$BATS_TEST_TMPDIR/wrong.jsonl"
    [[ $output == *'432'* ]]
    run "$NDL" show --op 2 tests/conformance/tiny-step-f32-1.jsonl
    [ "$(grep -oE -- '-?[0-9]+\.[0-9]+' <<<"$output" | wc -l)" -eq 12 ]
}

@test "show: what follows the operation in question is not looked at" {
    f=$BATS_TEST_TMPDIR/broken.jsonl
    printf '%s\n' '{"needle_trace":1}' '{"op":"tensor","name":"x","data":[1,2]}' \
        '{"op":"fake_quant","bits":8,"x":"@x"}' 'no JSON' >"$f"
    run "$NDL" show --op 2 "$f"
    [ "$status" -eq 0 ]
    [[ $output == *'  x  "@x" 2:'* ]]
    run "$NDL" show --op 3 "$f"
    [ "$status" -eq 2 ]
    [[ $output == "$f:4: not JSON"* ]]
}

@test "show: what check warns of is said, and does not end it" {
    f=$BATS_TEST_TMPDIR/warned.jsonl
    "$NDL" gen --preset tiny --steps 2 | sed '1s/"source"/"sourse"/' >"$f"
    printf '%s\n' '{"op":"advance"}' '{"op":"advance","extra":1}' >>"$f"
    run "$NDL" show "$f"
    [ "$status" -eq 0 ]
    [[ $output == *"$f"':1: warning: unknown member "sourse" of the header is ignored'* ]]
    [[ $output == *': usage: '* ]]
    [[ $output == *'unknown member "extra" of advance is ignored'* ]]
    [[ $output == *'positions 0 to '* ]]
    run "$NDL" show --op 1 "$f"
    [ "$status" -eq 0 ]
    [[ $output != *'warning: '* ]]
}

@test "show: kernels alone, a script without outputs, a pipe" {
    run "$NDL" show tests/conformance/kernels-1.jsonl
    [ "$status" -eq 0 ]
    [[ $output != *spans* ]]
    "$NDL" gen --preset tiny --steps 4 | "$NDL" show - | grep -q 'spans of the positions written last'
}

@test "show: the position that a session ends at, and spans since its reset" {
    {
        head -n 1 tests/conformance/scripts/ring-hint-1.jsonl
        echo '{"op":"write_kv","layer":0,"pos":50,"k":[1],"v":[1]}'
        echo '{"op":"snapshot","name":"far"}'
        echo '{"op":"reset"}'
        echo '{"op":"write_kv","layer":0,"pos":0,"k":[1],"v":[1]}'
        echo '{"op":"advance"}'
    } >"$BATS_TEST_TMPDIR/reset.jsonl"
    run "$NDL" show "$BATS_TEST_TMPDIR/reset.jsonl"
    [ "$status" -eq 0 ]
    [[ $output == *'positions 0 to 1'* ]]
    [ "$(grep -cE '^ +0  window 4 +1 slots  #  0 to 0$' <<<"$output")" -eq 1 ]
    echo '{"op":"restore","name":"far"}' >>"$BATS_TEST_TMPDIR/reset.jsonl"
    run "$NDL" show "$BATS_TEST_TMPDIR/reset.jsonl"
    [ "$status" -eq 0 ]
    [[ $output != *spans* ]]
}

@test "show: int8 codes are signed, four values are shown of more" {
    run "$NDL" show tests/conformance/scripts/int8-scale-per-head.jsonl
    [[ $output == *'k [127 64 -127 0 ... 8]'* ]]
}

@test "show: wrong files and wrong use end with 2" {
    run "$NDL" show --op 9999 tests/conformance/kernels-1.jsonl
    [ "$status" -eq 2 ]
    [[ $output == *'there is no operation 9999'* ]]
    printf '{"needle_trace":2}\n' >"$BATS_TEST_TMPDIR/two.jsonl"
    run "$NDL" show "$BATS_TEST_TMPDIR/two.jsonl"
    [ "$status" -eq 2 ]
    [[ $output == *'two.jsonl:1: '* ]]
    for args in '--op 0 x' '--op x y' '' 'a b' '--bogus'; do
        # shellcheck disable=SC2086 # words of a command line
        run "$NDL" show $args
        [ "$status" -eq 2 ]
    done
    run "$NDL" show --help
    [ "$status" -eq 0 ]
}
