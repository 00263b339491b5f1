#!/usr/bin/env bats
# ndl diagnose: known mistakes are named from traces, and what is not known is not.
load bats/helper

# wrong NAME OPTION...: the file t is what a port with that mistake records.
wrong() {
    local name=$1
    shift
    "$NDL" gen "$@" | "$NDL" run --mistake "$name" - -o t
    run "$NDL" check --quiet t
    [ "$status" -eq 1 ]
}

names() {
    "$NDL" diagnose --list --json | jq -r '.hypotheses[].name'
}

@test "a mistake is named, with its sentence, its evidence, its claim and what to look at" {
    wrong history-one-short --steps 4
    run --separate-stderr -0 "$NDL" diagnose t
    same '' "$stderr"
    says 't: explained by history-one-short: all 165 outputs are as it gives them'
    says 'mistake     The token history'
    says 'look at     '
    says 'breaks      TOK_001'
    says 'seen first  line 75: operation 74, push_token: "history"'
    says 'where       position 2, entry 0'
    says 'rule        TOK_001, spec/05-engram-history.md'
    says 'the history holds the last 2 tokens, not'
    recorded=$(sed -n 's/^    recorded *//p' <<<"$output")
    right=$(sed -n 's/^    right *//p' <<<"$output")
    gives=$(sed -n 's/^    hypothesis *\(.*\)  (history-one-short)/\1/p' <<<"$output")
    same "$recorded" "$gives"
    [ "$recorded" != "$right" ]
}

@test "each hypothesis has all that a diagnosis says of it, and a patch of its name" {
    "$NDL" diagnose --list --json >list
    jq -e '.hypotheses | length > 0' list
    jq -e '[.hypotheses[] | .name, .sentence, .kind, .claims, .look] | all(. != null and . != "")' list
    diff <(names) <(cd "$root/tests/mutants" && printf '%s\n' *.patch | sed 's/\.patch$//' | LC_ALL=C sort)
    run -0 "$NDL" diagnose --list
    same "$(names | wc -l) hypotheses" "$(tail -n 1 <<<"$output" | grep -o '^[0-9]* hypotheses')"
}

@test "every mistake that a session shows is among those that explain it" {
    # Every fifth of them; sessions until it shows in one.
    for name in $(names | awk 'NR % 5 == 1'); do
        for seed in 5 9 14; do
            "$NDL" gen --boundaries 24 --seed "$seed" -o script
            "$NDL" run --quiet --mistake "$name" script -o t 2>/dev/null || continue
            run "$NDL" check --quiet t
            [ "$status" -eq 1 ] || continue
            run -0 "$NDL" diagnose --quiet --json t
            jq -e --arg name "$name" '.files[0].exact | any(.name == $name)' <<<"$output"
            echo "$name" >>named
            break
        done
    done
    # Most of them: else this has tested nothing.
    [ $((10 * $(wc -l <named))) -gt "$(names | wc -l)" ]
}

@test "who gives attention bit for bit explains a trace before those within its tolerance" {
    wrong queries-scaled-first --boundaries 10 --layers 5 --compact --seed 6251929887060541870
    run -0 "$NDL" diagnose --quiet t
    says 't: explained by queries-scaled-first: '
    says "within attention's tolerance, but not bit for bit: fused-in-scores"
    run -0 "$NDL" diagnose --quiet --json t
    jq -e '.files[0] | (.exact | map([.name, .within_tolerance])) == [["queries-scaled-first", 0]]
           and (.nearer[0] | .name == "fused-in-scores" and .within_tolerance > 0 and .fails == null)' <<<"$output"
    # A port with another exponential gives no mistake's bits: the tolerance decides.
    python3 -c '
import base64, json, sys
for line in sys.stdin:
    call = json.loads(line)
    if call.get("op") == "attend_step":
        out = bytearray(base64.b64decode(call["out"].removeprefix("f32:")))
        out[0] ^= 1
        call["out"] = "f32:" + base64.b64encode(out).decode()
    print(json.dumps(call))' <t >other
    run -0 "$NDL" diagnose --quiet --json other
    same 'fused-in-scores queries-scaled-first' "$(jq -r '.files[0].exact | map(.name) | join(" ")' <<<"$output")"
}

@test "a trace without a mistake has status 4" {
    run --separate-stderr -4 "$NDL" diagnose "$conformance/tiny-step-int8-1.jsonl"
    same '' "$stderr"
    says 'tiny-step-int8-1.jsonl: no mistake: all 701 outputs are as they should be'
    run -4 "$NDL" diagnose --json "$conformance/tiny-step-int8-1.jsonl"
    same 4 "$(jq .files[0].exit <<<"$output")"
}

@test "what no mistake explains is said so, and its smallest prefix becomes a script" {
    "$NDL" gen --steps 4 | "$NDL" run - | sed 's/"lo":0,"hi":1/"lo":1,"hi":1/' >t
    run --separate-stderr -1 "$NDL" diagnose --shrink small t
    says 't: not explained by any hypothesis: 4 of 165 outputs differ'
    says 'the smallest prefix that shows the difference is lines 1 to 52, as a script in small'
    same 52 "$(wc -l <small)"
    # A script: nothing is recorded in it. Its outputs are those of the whole.
    run "$NDL" check --quiet small
    [ "$status" -eq 3 ]
    cmp <("$NDL" run small) <("$NDL" gen --steps 4 | "$NDL" run - | head -n 52)
    # Without the option the place is said all the same.
    run -1 "$NDL" diagnose t
    says 'is lines 1 to 52; --shrink FILE writes it as a script'
    says 'no hypothesis agrees more often than the engine does: 161 of 165'
}

@test "a hash is matched by hypotheses, and says nothing of itself" {
    "$NDL" gen --prefill 6 --steps 3 | "$NDL" run --hash --mistake tail-newest-first - -o t || true
    "$NDL" gen --prefill 6 --steps 3 | "$NDL" run --hash --mistake caller-seeds-convolved-rows - -o t
    run -0 "$NDL" diagnose t
    says 'explained by caller-seeds-convolved-rows'
    [[ "$output" != *'what the values say'* ]]
    [[ "$output" =~ recorded\ +[0-9a-f]{16} ]]
}

@test "an unreadable trace is said with its line, and has status 2" {
    session '{"op":"push_token","token":1,"history":[1]}' 'nonsense'
    run --separate-stderr -2 "$NDL" diagnose t
    same '' "$output"
    [[ "$stderr" == t:3:\ * ]]
    run --separate-stderr -2 "$NDL" diagnose --json t
    same 3 "$(jq .files[0].line <<<"$output")"
    session '{"op":"push_token","token":1}'
    run --separate-stderr -2 "$NDL" diagnose t
    same 't: it records no output, so there is nothing to explain' "$stderr"
    run --separate-stderr -2 "$NDL" diagnose there-is-none
    same 'there-is-none: No such file or directory' "$stderr"
}

@test "several traces have one status, and are explained together" {
    wrong history-one-short --steps 4
    mv t one
    wrong history-one-short --steps 5 --seed 2
    run -0 "$NDL" diagnose one t "$conformance/tiny-step-int8-1.jsonl"
    says 'together: history-one-short explains every trace that has a mistake'
    wrong hash-oldest-first --steps 4
    run -0 "$NDL" diagnose one t
    says 'together: no hypothesis explains every trace that has a mistake'
    run -2 "$NDL" diagnose one there-is-none
}

@test "a hypothesis that crashes, or does not end, is no more than its own verdict" {
    mkdir bad
    cat >bad.c <<'END'
#include "ndl.h"
extern const char ndl_hypothesis[];
const char ndl_hypothesis[] = "Name: bad\nIt does not behave.\n\nKind: none\n";
END
    # All calls of ndl.h, each of which misbehaves.
    sed -nE 's/^[a-z][a-z0-9_ ]*[ *](ndl_[a-z0-9_]+)\(.*/\1/p' "$root/engine/include/ndl.h" |
        sed 's/.*/int &(void); int &(void) { MISBEHAVE }/' >calls
    sed -i '/include/d' bad.c
    cat calls >>bad.c
    wrong history-one-short --steps 4
    for how in '*(volatile int *)0 = 1; return 0;' 'for (;;) ;' 'return 7;'; do
        gcc -w -shared -fPIC -DMISBEHAVE="$how" bad.c -o bad/bad.so
        run -1 "$NDL" diagnose --hypotheses bad t
        says 'not explained'
    done
}

@test "pairs are tried when one mistake is not enough" {
    mkdir both
    if [ ! -d "$root/build/hypotheses/objects" ]; then skip 'the objects are not here'; fi
    cp "$(dirname "$NDL")"/hypotheses/h*.so both/
    "$root/engine/tool/hypothesis_pairs.sh" "$(dirname "$NDL")/hypotheses" both history-one-short \
        hash-oldest-first >said
    run -0 "$NDL" diagnose --list --hypotheses both
    [[ "${lines[-1]}" == *' 1 pairs of them, in both' ]]
    "$NDL" gen --steps 4 | "$NDL" run --hypotheses both --mistake hash-oldest-first+history-one-short - -o t
    run -0 "$NDL" diagnose --hypotheses both t
    says 'explained by hash-oldest-first+history-one-short'
    says 'breaks      TOK_001'
    says 'breaks      TOK_004'
    run -1 "$NDL" diagnose t
}

@test "colours are for terminals, and for those who want them" {
    wrong history-one-short --steps 4
    command="'$NDL' diagnose t"
    run -0 env -u NO_COLOR TERM=xterm script -qec "$command" /dev/null
    says $'\033[32mexplained'
    run -0 env NO_COLOR=1 TERM=xterm script -qec "$command" /dev/null
    [[ "$output" != *$'\033[3'* ]]
    run -0 "$NDL" diagnose t
    [[ "$output" != *$'\033'* ]]
}

@test "a wrong command line says what is wrong" {
    run --separate-stderr -2 "$NDL" diagnose
    says 'no trace is named'
    run --separate-stderr -2 "$NDL" diagnose --list t
    says '--list takes no trace'
    run --separate-stderr -2 "$NDL" diagnose --nearer many t
    says '"many" is no number of hypotheses'
    run --separate-stderr -2 "$NDL" diagnose --shrink s - <<<''
    says 'one trace, in a file'
    run --separate-stderr -2 "$NDL" diagnose --hypotheses nowhere t
    says "the hypotheses' folder nowhere: No such file or directory"
    mkdir empty
    run --separate-stderr -2 "$NDL" diagnose --hypotheses empty t
    says 'the folder empty holds no hypotheses'
    echo text >empty/a.so
    run --separate-stderr -2 "$NDL" diagnose --hypotheses empty t
    says 'a.so'
    run --separate-stderr -2 "$NDL" run --mistake none t
    says 'there is no hypothesis "none"'
}
