#!/usr/bin/env bats
# ndl kit: traces that the engine passes and of which each mistake fails one.
load bats/helper

# The hypotheses NAME... alone, in the folder some.
some() {
    mkdir some
    for name in "$@"; do
        cp "$("$NDL" diagnose --list --json | jq -r .folder)/$name.so" some/
    done
}

@test "the engine passes the kit, and each mistake fails it where the manifest says" {
    names='clone-without-tails half-to-even history-one-short slot-before-growing'
    # shellcheck disable=SC2086 # words
    some $names cact-mask-of-32-layers
    run --separate-stderr -0 "$NDL" kit --hypotheses some kit
    same '' "$stderr"
    says 'each of 4 mistakes fails'
    says 'not told from the engine by any session that was looked at: cact-mask-of-32-layers'
    "$NDL" check --quiet kit/*.jsonl
    "$NDL" check --quiet --reference kit/*.jsonl
    manifest=kit/manifest.json
    same 'cact-mask-of-32-layers' "$(jq -r '.not_told_from_the_engine[]' $manifest)"
    # Each is what one trace is for.
    diff <(tr ' ' '\n' <<<"$names") <(jq -r '.traces[].for[]' $manifest | sort)
    diff <(cd kit && printf '%s\n' *.jsonl) <(jq -r '.traces[].file' $manifest)
    for name in $names; do
        for trace in kit/*.jsonl; do
            "$NDL" run --quiet --mistake "$name" "$trace" -o t
            fails=$(jq --arg f "${trace#kit/}" --arg n "$name" \
                '.traces[] | select(.file == $f).fails | any(. == $n)' $manifest)
            run "$NDL" check --quiet t
            same "$fails" "$([ "$status" -eq 1 ] && echo true || echo false)"
        done
        grep -q "^- \`$name\`: " kit/README.md
    done
    # What a mistake's header claims is what its trace is marked with.
    run -0 jq -r '.claims[]' <(head -n 1 kit/kit-01.jsonl)
    same "$(jq -r '.traces[0].claims[]' $manifest)" "$output"
}

@test "a kit is written into a folder of its own" {
    mkdir full
    touch full/mine
    run --separate-stderr -2 "$NDL" kit full
    same 'full: is not empty: a kit is written into a folder of its own' "$stderr"
    run --separate-stderr -2 "$NDL" kit no/where
    same 'no/where: cannot be made: No such file or directory' "$stderr"
    run --separate-stderr -2 "$NDL" kit
    says 'where to?'
    run --separate-stderr -2 "$NDL" kit a b
    says 'one folder at a time'
    [ ! -e a ]
}
