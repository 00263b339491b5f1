#!/usr/bin/env bats
# ndl discriminate: a script on which two hypotheses give something else.
load bats/helper

@test "the script tells them apart: each explains its own trace, and not the other's" {
    for pair in 'window-one-wide right' 'caller-drops-the-last-row seed-of-first-rows' \
        'history-one-short hash-oldest-first'; do
        read -r a b <<<"$pair"
        run --separate-stderr -0 "$NDL" discriminate "$a" "$b" -o which
        same '' "$output"
        [[ "$stderr" == line\ $(wc -l <which),\ * ]]
        "$NDL" run --mistake "$a" which -o x
        "$NDL" run --mistake "$b" which -o y
        # Where it says, and nowhere before.
        cmp <(head -n -1 x) <(head -n -1 y)
        run cmp x y
        [ "$status" -eq 1 ]
        # One of them may be right here; the other is explained by its own name alone.
        explained=0
        for own in "x $a $b" "y $b $a"; do
            read -r trace name other <<<"$own"
            run "$NDL" diagnose --quiet --json "$trace"
            [ "$status" -ne 4 ] || continue
            [ "$status" -eq 0 ]
            jq -e --arg a "$name" --arg b "$other" \
                '.files[0].exact | map(.name) | any(. == $a) and all(. != $b)' <<<"$output"
            explained=$((explained + 1))
        done
        [ "$explained" -gt 0 ]
    done
}

@test "no line of the script can be left out" {
    "$NDL" discriminate --quiet history-one-short hash-oldest-first -o which
    length=$(wc -l <which)
    [ "$length" -gt 2 ]
    for ((i = 2; i <= length; i++)); do
        sed "${i}d" which >less
        "$NDL" run --quiet --mistake history-one-short less -o x
        "$NDL" run --quiet --mistake hash-oldest-first less -o y
        cmp x y
    done
}

@test "what the sessions do not tell apart is the same as far as they go" {
    run --separate-stderr -1 "$NDL" discriminate cact-mask-of-32-layers right
    same '' "$output"
    [[ "$stderr" =~ ^cact-mask-of-32-layers\ and\ right\ are\ the\ same\ in\ all\ of\ [0-9]+\ small\ sessions$ ]]
}

@test "programs get the same" {
    "$NDL" discriminate --quiet span-past-the-ring right >which
    run --separate-stderr -0 "$NDL" discriminate --json span-past-the-ring right
    same '' "$stderr"
    same true "$(jq .apart <<<"$output")"
    same "$(cat which)" "$(jq -r '.script[]' <<<"$output")"
    same span "$(jq -r .op <<<"$output")"
}

@test "a wrong command line says what is wrong" {
    run --separate-stderr -2 "$NDL" discriminate right
    says 'two hypotheses are told apart; 1 is named'
    run --separate-stderr -2 "$NDL" discriminate right right
    says 'both are right'
    run --separate-stderr -2 "$NDL" discriminate right wrong
    says 'there is no hypothesis "wrong" in '
    run --separate-stderr -2 "$NDL" discriminate window-one-wide right -o no/where
    says 'no/where: cannot be written: No such file or directory'
}
