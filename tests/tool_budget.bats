# ndl budget: the figures of the shipped geometry, its forms, and wrong use.

@test "KV_007 budget: bytes of a new session of the shipped geometry" {
    run "$NDL" budget --json
    [ "$status" -eq 0 ]
    said=$(jq -c '[.sessions[] | select(.hint == 512 or .hint == 8192) | .steps[0].bytes]' <<<"$output")
    [ "$said" = '[9441280,2723840,44306432,12062720]' ]
}

@test "budget: a row a position, and layers when asked" {
    run "$NDL" budget --geometry tiny --hints 2 --positions 0,3,10 --layers
    [ "$status" -eq 0 ]
    [[ $output == *"hint 2, int8"* ]]
    [ "$(grep -cE '^ +(0|3|10) ' <<<"$output")" -ge 6 ]
    [ "$(grep -cE '^ +3 +none +16 +640$' <<<"$output")" -eq 1 ]
}

@test "budget: the geometry of a trace, and a model's header" {
    run "$NDL" budget --geometry tests/conformance/tiny-step-f32-1.jsonl --json
    [ "$status" -eq 0 ]
    a=$(jq -c .sessions <<<"$output")
    run "$NDL" budget --geometry tiny --json
    [ "$a" = "$(jq -c .sessions <<<"$output")" ]
    printf '\x84\x2a\xe1\x05' >"$BATS_TEST_TMPDIR/short.cact"
    run "$NDL" budget --geometry "$BATS_TEST_TMPDIR/short.cact"
    [ "$status" -eq 2 ]
    [[ $output == *"short.cact: "* ]]
}

@test "budget: the same as a replayed session says" {
    script=$BATS_TEST_TMPDIR/script.jsonl
    "$NDL" gen --preset rung-2 --steps 5 --hint 2 >"$script"
    echo '{"op":"bytes"}' >>"$script"
    said=$("$NDL" run --quiet "$script" | tail -n 1 | jq .bytes)
    [ "$said" = "$("$NDL" budget --geometry rung-2 --hints 2 --positions 5 --json |
        jq '.sessions[] | select(.precision == "f32") | .steps[0].bytes')" ]
}

@test "budget: wrong use is said and ends with 2" {
    for args in '--hints x' '--positions 1,,2' '--positions -1' '--geometry' '--geometry no-such-file' 'tiny' '--bogus'; do
        # shellcheck disable=SC2086 # words of a command line
        run "$NDL" budget $args
        [ "$status" -eq 2 ]
        [ -n "$output" ]
    done
    run "$NDL" budget --help
    [ "$status" -eq 0 ]
}
