#!/usr/bin/env bats
# The ledger on a small tree that keeps all its rules (tests/ledger/tree): each
# test breaks one and wants to be told. NDL is the command, for the vector.
#
# shellcheck disable=SC2154  # stderr and stderr_lines are set by run
# shellcheck disable=SC2016  # backquotes are part of the messages

bats_require_minimum_version 1.5.0

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return
    NDL=$(realpath "${NDL:-build/ndl}")
    export NDL
    tree=$BATS_FILE_TMPDIR/tree
    cp -r tests/ledger/tree "$tree"
    run_tests
    ledger write
}

setup() {
    cd "$BATS_TEST_DIRNAME/.." || return
    tree=$BATS_TEST_TMPDIR/tree
    cp -a "$BATS_FILE_TMPDIR/tree" "$tree" # with their times: the lock is the newest
}

ledger() {
    python3 -B spec/ledger -C "$tree" --results runs --ndl "$NDL" "$@"
}

# What a run of the small tree's tests leaves; Criterion and bats wrote these reports.
run_tests() {
    ledger begin test
    cp tests/ledger/run/* "$tree/runs/test/"
}

# refuses COMMAND... -- LINE...: the command fails and says these lines, then how many.
refuses() {
    local command=()
    while [ "$1" != -- ]; do command+=("$1"); shift; done
    shift
    run --separate-stderr ledger "${command[@]}"
    [ "$status" -eq 1 ]
    diff <(printf '%s\n' "$@") <(sed '$d' <<<"$stderr")
    [[ ${stderr_lines[-1]} =~ ^ledger:\ .*:\ $#\ objections?$ ]]
}

objects() { # objects LINE...: so does the check
    refuses check -- "$@"
}

# breaks FILE: the check says that the file cannot be read, and no more.
breaks() {
    run --separate-stderr ledger check
    [ "$status" -eq 1 ]
    [ ${#stderr_lines[@]} -eq 1 ]
    [[ $stderr == "ledger: "*"$1: "* ]]
}

edit() { # edit FILE SED-SCRIPT: it must change something
    cp "$tree/$1" "$BATS_TEST_TMPDIR/before"
    sed -i "$2" "$tree/$1"
    ! cmp -s "$tree/$1" "$BATS_TEST_TMPDIR/before"
}

locked() { # locked JQ-FILTER: what the lock holds
    jq -r "$1" "$tree/spec/claims.lock"
}

old_status='docs/STATUS.md is out of date: run `make ledger`'
none='without evidence: it has no test and no vector'

@test "a tree that keeps the rules passes, with and without what was built" {
    ledger check
    rm -r "$tree/runs"
    ledger check
}

@test "the lock and STATUS.md are as expected, from nothing and again" {
    for _ in 1 2; do
        diff tests/ledger/claims.lock "$tree/spec/claims.lock"
        diff tests/ledger/STATUS.md "$tree/docs/STATUS.md"
        ledger write
    done
}

@test "the reports are what Criterion and bats write" {
    gcc "$tree/tests/unit_ring.c" -lcriterion -o "$BATS_TEST_TMPDIR/ring"
    "$BATS_TEST_TMPDIR/ring" --json="$BATS_TEST_TMPDIR/criterion.json"
    names='[.test_suites[].tests[] | {name, status}] | sort'
    diff <(jq "$names" tests/ledger/run/criterion.json) <(jq "$names" "$BATS_TEST_TMPDIR/criterion.json")

    env -i PATH="${PATH#*/bats-core:}" bats --report-formatter junit -o "$BATS_TEST_TMPDIR" "$tree/tests"
    for _ in {1..50}; do # bats does not wait for its formatter
        grep -q '</testsuites>' "$BATS_TEST_TMPDIR/report.xml" && break
        sleep 0.1
    done
    diff <(grep -o 'classname="[^"]*" name="[^"]*"' tests/ledger/run/report.xml) \
        <(grep -o 'classname="[^"]*" name="[^"]*"' "$BATS_TEST_TMPDIR/report.xml")
}

@test "somebody else's engine leaves no evidence for ours" {
    unset MAKEFLAGS MFLAGS MAKELEVEL ENGINE
    touch "$BATS_TEST_TMPDIR/other.a"
    make -n B="$BATS_TEST_TMPDIR/b" test | grep -q 'ndl-tests --json='
    run ! grep -E -- '--json=|ledger begin' \
        <(make -n B="$BATS_TEST_TMPDIR/b" ENGINE="$BATS_TEST_TMPDIR/other.a" test)
}

# Claims.

@test "a claim without evidence" {
    printf '\n**KV_004.** Nobody tries this.\n' >>"$tree/spec/01-rings.md"
    ledger write
    objects "spec/01-rings.md:23: KV_004: $none"
}

@test "a claim that stands twice" {
    printf '\n**KV_003.** Growing keeps every row.\n' >>"$tree/spec/02-hashes.md"
    objects 'spec/02-hashes.md:6: KV_003 stands at spec/01-rings.md:21 already'
}

@test "a claim that goes on in a list, out of the hash's reach" {
    edit spec/02-hashes.md 's/The hash of nothing is zero\./The hash is zero for:\n\n- nothing/'
    ledger accept TOK_001
    run_tests
    ledger write
    objects 'spec/02-hashes.md:3: TOK_001: its paragraph is a sentence and ends with a full stop'
}

@test "a claim with an id that is none" {
    printf '\n**KV_04.** A row reads back.\n' >>"$tree/spec/01-rings.md"
    objects 'spec/01-rings.md:23: a claim opens with two to eight capitals, _ and three digits, as in **KV_003.**, and its sentence follows' \
        'spec/01-rings.md:23: KV_04 is no id: those have three digits'
}

# Ids that nobody declared.

@test "an undeclared id in a contract, a header's comment, a chapter, a guide" {
    edit engine/src/ring.h 's/ensures KV_001: below/ensures KV_077: below/'
    objects 'engine/src/ring.h:4: nobody declared KV_077' \
        'spec/01-rings.md:14: KV_001: evidence vanished: proof ndl_ring_slot: KV_001_below' "$old_status"
    edit engine/src/ring.h 's/KV_077/KV_001/; s/Claims: KV_001/Claims: KV_078/'
    objects 'engine/src/ring.h:1: nobody declared KV_078'
    edit engine/src/ring.h 's/KV_078/KV_001/'
    printf '\nAs TOK_099 and TOK_099 say.\n' >>"$tree/spec/01-rings.md"
    objects 'spec/01-rings.md:23 and 1 more: nobody declared TOK_099'
    edit spec/01-rings.md 's/TOK_099/TOK_001/g'
    echo 'See KV_078.' >"$tree/docs/guide.md"
    objects 'docs/guide.md:1: nobody declared KV_078'
}

@test "an undeclared id in the name of a test" {
    printf 'Test(ring, ABC_001_is_another_family)\n{\n}\n' >>"$tree/tests/unit_ring.c"
    printf '@test "KV_001 KV_044 together" {\n}\n' >>"$tree/tests/command.bats"
    objects 'tests/unit_ring.c:33: nobody declared ABC_001' \
        'tests/command.bats:8: nobody declared KV_044' "$old_status"
}

@test "an undeclared id in a fuzz assertion" {
    edit fuzz/ring.c 's/"KV_001 /"KV_055 /'
    objects 'fuzz/ring.c:4: nobody declared KV_055' "$old_status"
}

@test "an undeclared id in the header of a vector" {
    edit corpus/vectors/zeros.jsonl 's/\["QNT_001"\]/["QNT_001","QNT_002"]/'
    ledger write
    objects 'corpus/vectors/zeros.jsonl:1: nobody declared QNT_002'
}

@test "an undeclared id in the header of a mutant" {
    edit tests/mutants/grow-late.patch 's/KV_001/KV_001, KV_021/'
    printf 'claims: KV_022\n--- a/x\n+++ b/x\n+claims: KV_023\n' >"$tree/tests/mutants/bug.patch"
    objects 'tests/mutants/grow-late.patch:2: nobody declared KV_021' \
        'tests/mutants/bug.patch:1: nobody declared KV_022'
}

@test "a word that is nearly an id" {
    printf 'Test(ring, KV_01_slot)\n{\n}\nTest(ring, KV_0003_rows)\n{\n}\n' >>"$tree/tests/unit_ring.c"
    objects 'tests/unit_ring.c:33: KV_01 is no id: those have three digits' \
        'tests/unit_ring.c:36: KV_0003 is no id: those have three digits'
}

# What counts as evidence.

@test "a test's name alone is no evidence before it passed in a run" {
    printf '\n**KV_004.** A row reads back.\n' >>"$tree/spec/01-rings.md"
    printf 'Test(ring, KV_004_reads_back)\n{\n}\n' >>"$tree/tests/unit_ring.c"
    ledger write
    objects "spec/01-rings.md:23: KV_004: $none that passed in a recorded run (test stated)"
    grep -q 'KV_004.* 1 not run ' "$tree/docs/STATUS.md"
}

@test "a test that names several claims is evidence for each" {
    edit tests/unit_ring.c 's/KV_002_grows/KV_001_to_003_and_088_grow/'
    objects 'tests/unit_ring.c:17: nobody declared KV_088' \
        'spec/01-rings.md:17: KV_002: evidence vanished: test ring.KV_002_grows' "$old_status"
    edit tests/unit_ring.c 's/KV_001_to_003_and_088_grow/KV_001_to_002_and_KV_003_grow/'
    run_tests
    sed -i 's/KV_002_grows/KV_001_to_002_and_KV_003_grow/' "$tree/runs/test/criterion.json"
    ledger write
    ledger check
    [ "$(locked '.[].evidence.test' | grep -c ring.KV_001_to_002_and_KV_003_grow)" -eq 3 ]
}

@test "a run speaks for the sentences that it was made under" {
    printf '\n**KV_004.** A row reads back.\n' >>"$tree/spec/01-rings.md"
    printf 'Test(ring, KV_004_reads_back)\n{\n}\n' >>"$tree/tests/unit_ring.c"
    sed -i 's/says_nothing_of_a_claim/KV_004_reads_back/' "$tree/runs/test/criterion.json"
    ledger write
    objects "spec/01-rings.md:23: KV_004: $none that passed in a recorded run (test stated)"
    run_tests
    sed -i 's/says_nothing_of_a_claim/KV_004_reads_back/' "$tree/runs/test/criterion.json"
    ledger write
    ledger check
}

@test "a test that was skipped is no evidence" {
    printf '\n**KV_004.** A row reads back.\n' >>"$tree/spec/01-rings.md"
    edit tests/command.bats 's/prints its usage/KV_004 reads back/'
    run_tests
    sed -i 's|"prints its usage" time="0.009" />|"KV_004 reads back"><skipped>no</skipped></testcase>|' \
        "$tree/runs/test/report.xml"
    grep -q 'KV_004 reads back' "$tree/runs/test/report.xml"
    ledger write
    objects "spec/01-rings.md:23: KV_004: $none that passed in a recorded run (test stated)"
}

@test "of a parameterised test every parameter must pass" {
    run_tests
    jq '(.test_suites[0].tests | map(.name == "KV_002_grows") | index(true)) as $i |
        .test_suites[0].tests[$i].status = "FAILED"' tests/ledger/run/criterion.json \
        >"$tree/runs/test/criterion.json"
    refuses write -- 'KV_002: test ring.KV_002_grows failed'
}

@test "a failed run records nothing, and the check sees it while it is the newest" {
    cp "$tree/spec/claims.lock" "$BATS_TEST_TMPDIR/lock"
    run_tests
    sed -i '/TOK_001/s|/>|><failure>no</failure></testcase>|' "$tree/runs/test/report.xml"
    refuses write -- 'TOK_001: test command.bats: TOK_001 the hash of nothing failed'
    cmp "$tree/spec/claims.lock" "$BATS_TEST_TMPDIR/lock"
    objects 'spec/02-hashes.md:3: TOK_001: recorded as passed, failed since: test command.bats: TOK_001 the hash of nothing'
    touch "$tree/spec/claims.lock"
    ledger check
}

@test "a contract whose proof did not run is no evidence" {
    printf '\n**KV_004.** A row reads back.\n' >>"$tree/spec/01-rings.md"
    printf '/*@ ensures KV_004: same: \\result == 0; */\nint ndl_same(void);\n' >>"$tree/engine/src/ring.h"
    edit spec/exceptions.json 's/\["test", "vector"\]/["test", "vector", "proof"]/'
    ledger write
    objects "spec/01-rings.md:23: KV_004: $none and no proof that passed in a recorded run (proof stated)"
    grep -q 'KV_004.*stated, unproved' "$tree/docs/STATUS.md"
}

@test "a clause is not proved while its function has an open goal" {
    [ "$(locked .KV_002.evidence.proof)" = null ]
    sed -i 's/null/"Z3"/' "$tree/proofs/results/ring.json"
    ledger write
    [ "$(locked '.KV_002.evidence.proof[]')" = 'ndl_ring_want: KV_002_fits' ]
    ledger check
}

@test "goals of a unit that did not finish, or contradicts itself, prove nothing" {
    sed -i 's/"smoke_failed": \[\]/"smoke_failed": ["ndl_ring_slot_requires"]/' "$tree/proofs/results/ring.json"
    vanished=('spec/01-rings.md:14: KV_001: evidence vanished: proof ndl_ring_slot: KV_001_below is not in the committed results'
        'spec/01-rings.md:21: KV_003: evidence vanished: proof lemma KV_003_kept is not in the committed results')
    objects "${vanished[@]}" "$old_status"
    sed 's/"finished": true/"finished": false/' tests/ledger/tree/proofs/results/ring.json \
        >"$tree/proofs/results/ring.json"
    objects "${vanished[@]}" "$old_status"
}

@test "which of two provers was faster does not show" {
    sed -i 's/"Z3"/"CVC5"/' "$tree/proofs/results/ring.json"
    ledger check
}

@test "an axiom that nobody argues for" {
    edit proofs/trusted.json 's/md_def/md_defined/'
    objects 'proofs/trusted.json: proofs rest on the axiom md_def, which it does not argue' "$old_status"
}

@test "a vector that the command does not agree with" {
    edit corpus/vectors/zeros.jsonl 's/"out":\[0,0\]/"out":[0,1]/'
    name=zeros@$(sha256sum <"$tree/corpus/vectors/zeros.jsonl" | cut -c 1-12)
    refuses write -- "QNT_001: vector $name failed"
}

@test "vectors have ids of their own" {
    cp "$tree/corpus/vectors/zeros.jsonl" "$tree/corpus/vectors/again.jsonl"
    objects 'corpus/vectors/zeros.jsonl:1: there are two vectors with the id zeros'
    edit corpus/vectors/again.jsonl 's/"id":"zeros",//'
    objects 'corpus/vectors/again.jsonl:1: not the header of a vector: a vector that names claims has an id of its own'
    edit corpus/vectors/again.jsonl '1s/$/,/'
    run --separate-stderr ledger check
    [[ ${stderr_lines[0]} == 'corpus/vectors/again.jsonl:1: not the header of a vector: '* ]]
    rm "$tree/corpus/vectors/again.jsonl"
    edit corpus/vectors/zeros.jsonl 's/\["QNT_001"\]/["QNT_001","zeros"]/'
    ledger write
    objects "corpus/vectors/zeros.jsonl:1: 'zeros' is no id of a claim"
}

@test "two tests of one name" {
    printf 'Test(ring, KV_002_grows)\n{\n}\n' >>"$tree/tests/unit_ring.c"
    objects 'tests/unit_ring.c:33: there are two tests named ring.KV_002_grows'
}

@test "a fuzzer's run counts once it saw inputs and none failed" {
    ledger begin fuzz
    echo '{"target": "ring", "inputs": 0, "failed": 0}' >"$tree/runs/fuzz/ring.json"
    refuses write -- 'KV_001: fuzz ring failed'
    echo '{"target": "ring", "inputs": 8, "failed": 0}' >"$tree/runs/fuzz/ring.json"
    ledger write
    [ "$(locked '.KV_001.evidence.fuzz[]')" = ring ]
    rm "$tree/fuzz/ring.c"
    objects 'spec/01-rings.md:14: KV_001: evidence vanished: fuzz ring' "$old_status"
}

# What was recorded and is no more.

@test "a test that vanished; one of several may be renamed, with a run" {
    edit tests/unit_ring.c 's/KV_002_grows/KV_002_grows_enough/'
    objects 'spec/01-rings.md:17: KV_002: evidence vanished: test ring.KV_002_grows' "$old_status"
    run_tests
    sed -i 's/KV_002_grows/KV_002_grows_enough/' "$tree/runs/test/criterion.json"
    ledger write
    ledger check
    locked '.KV_002.evidence.test[]' | grep -qx ring.KV_002_grows_enough
    [ "$(locked '.KV_002.evidence.test[]' | grep -cx ring.KV_002_grows)" -eq 0 ]
}

@test "the last evidence of a kind does not leave the lock by itself" {
    edit tests/command.bats 's/TOK_001 the hash of nothing/hashes nothing/'
    ledger write
    objects 'spec/02-hashes.md:3: TOK_001: evidence vanished: test command.bats: TOK_001 the hash of nothing'
}

@test "a vector that vanished, or is another under the old id" {
    edit corpus/vectors/zeros.jsonl 's/"out":\[0,0\]/"out":[0.0,0]/'
    objects "spec/02-hashes.md:4: QNT_001: evidence vanished: vector $(locked '.QNT_001.evidence.vector[]')" "$old_status"
    ledger write
    ledger check
    rm "$tree/corpus/vectors/zeros.jsonl"
    objects "spec/02-hashes.md:4: QNT_001: evidence vanished: vector $(locked '.QNT_001.evidence.vector[]')" "$old_status"
}

@test "a proof that vanished: its clause, or its result" {
    edit engine/src/ring.h 's/ensures KV_001: below/ensures below/'
    objects 'spec/01-rings.md:14: KV_001: evidence vanished: proof ndl_ring_slot: KV_001_below' "$old_status"
    edit engine/src/ring.h 's/ensures below/ensures KV_001: below/'
    sed -i 's/"Z3"/null/' "$tree/proofs/results/ring.json"
    objects 'spec/01-rings.md:14: KV_001: evidence vanished: proof ndl_ring_slot: KV_001_below is not in the committed results' "$old_status"
    ledger write
    objects 'spec/01-rings.md:14: KV_001: evidence vanished: proof ndl_ring_slot: KV_001_below is not in the committed results'
}

@test "run-time errors of every function, whether its goals are proved, open, or in no unit" {
    row() { # row CELL: what the page says of the claim
        ledger write
        run -0 grep -F '[KV_002]' "$tree/docs/STATUS.md"
        [[ $output == *"| $1 |"* ]]
    }
    mkdir "$tree/proofs/units"
    echo '{"claims": ["KV_002"]}' >"$tree/proofs/units/ring.json"
    row 'stated, unproved'
    sed -i 's/null/"Z3"/' "$tree/proofs/results/ring.json"
    row '2 goals: Qed 1, Z3 or cvc5 1; assuming md_def, off_def'
    printf 'int ndl_unseen(void)\n{\n    return 0;\n}\n' >"$tree/engine/src/unseen.c"
    row '2 of 3 clauses, 2 goals: Qed 1, Z3 or cvc5 1; assuming md_def, off_def'
    echo '{' >"$tree/proofs/units/ring.json"
    run -1 ledger check
    [[ $output == *'proofs/units/ring.json:1: not a unit of proofs: '* ]]
    [[ $output == *'KV_002: evidence vanished: proof ndl_ring_want: run-time errors'* ]]
}

@test "exhaustion counts if it is of this code, of everything, and nothing differed" {
    edit engine/src/ring.c '1i /* The same code. */'
    ledger check
    lacks='spec/01-rings.md:14: KV_001: evidence vanished: exhaust slots is not in the committed results'
    edit engine/src/ring.c 's/pos + 1/pos + 2/'
    objects "$lacks"
    cp "$BATS_TEST_TMPDIR/before" "$tree/engine/src/ring.c"
    edit proofs/exhaust/slots.c 's/return 0/return 1/'
    objects "$lacks"
    cp "$BATS_TEST_TMPDIR/before" "$tree/proofs/exhaust/slots.c"
    edit proofs/results/exhaust/slots.json 's/"differing": 0/"differing": 1/'
    objects "$lacks"
    rm "$tree/proofs/results/exhaust/slots.json"
    objects "$lacks" "$old_status"
}

@test "an axiom that a program compares, without a record of it" {
    edit proofs/exhaust/slots.c 's/^ \* Claims: .*/&\n * Axioms: md_def other_def/'
    ledger check
    edit engine/src/ring.c 's/pos + 1/pos + 2/'
    objects 'proofs/exhaust/slots.c: proofs rest on the axiom md_def, and no record compares it, as the code is now, for every input' \
        'spec/01-rings.md:14: KV_001: evidence vanished: exhaust slots is not in the committed results'
}

@test "a mutant that lives again" {
    edit tests/mutants/results.jsonl 's/\["test", "proof"\]/[]/'
    objects 'spec/01-rings.md:14: KV_001: evidence vanished: mutant mutants/slot-one-off is not in the committed results' \
        'spec/01-rings.md:21: KV_003: evidence vanished: mutant mutants/slot-one-off is not in the committed results'
}

@test "a mutant counts as killed once something found it" {
    printf 'Rows swap.\n\nClaims: KV_002\n\n--- a/x\n+++ b/x\n' >"$tree/tests/mutants/swap.patch"
    ledger write
    grep -q 'KV_002.* 0 of 1 |$' "$tree/docs/STATUS.md"
    echo '{"mutant": "mutants/swap", "killed_by": ["lock-step"]}' >>"$tree/tests/mutants/results.jsonl"
    ledger write
    grep -q 'KV_002.* 1 of 1 |$' "$tree/docs/STATUS.md"
}

# Sentences that change.

@test "a sentence that changed, but not where its line breaks" {
    edit spec/01-rings.md 's/^is below/is\n  below/'
    ledger check
    edit spec/01-rings.md 's/  below/never above/'
    text='spec/01-rings.md:14: KV_001: the sentence changed; if that is meant, `make ledger-accept CLAIM=KV_001`, then run its evidence again'
    objects "$text" "$old_status"
    ledger write
    objects "$text"
}

@test "accepting a sentence makes its evidence stale until it was run again" {
    edit spec/01-rings.md 's/keeps every row/keeps each row/'
    ledger accept KV_003
    stale='spec/01-rings.md:21: KV_003: stale: its'
    since='evidence was not run since the sentence was accepted'
    objects "$stale proof $since" "$stale test $since" "$stale mutant $since" "$old_status"

    # The old runs are under the old sentence.
    ledger write
    objects "$stale proof $since" "$stale test $since" "$stale mutant $since"
    grep -q '^| .KV_003.*, stale | – | 1, stale | – | – | 1 of 1, stale |$' "$tree/docs/STATUS.md"

    run_tests
    ledger write
    objects "$stale proof $since" "$stale mutant $since"

    # Proofs and mutants leave committed results: what counts is their being written anew.
    ledger begin proof
    ledger begin mutant
    ledger write
    objects "$stale proof $since" "$stale mutant $since"
    touch "$tree/proofs/results/ring.json" "$tree/tests/mutants/results.jsonl"
    ledger write
    ledger check
    [ "$(locked .KV_003.stale)" = null ]
}

@test "accepting what is no change" {
    refuses accept KV_003 -- 'KV_003: its sentence is the recorded one, there is nothing to accept'
    refuses accept KV_004 -- 'KV_004: nothing of it is recorded yet; `make ledger` takes a new claim'
}

@test "a claim that is given up" {
    edit spec/02-hashes.md '/TOK_001/d'
    edit tests/command.bats 's/TOK_001 //'
    text='spec/claims.lock: TOK_001 has no sentence any more; to drop it, `make ledger-accept CLAIM=TOK_001`'
    objects "$text" "$old_status"
    ledger write
    objects "$text"
    ledger accept TOK_001
    ledger check
}

@test "STATUS.md that is missing or not as written" {
    edit docs/STATUS.md 's/Tested/Well tested/'
    objects "$old_status"
    rm "$tree/docs/STATUS.md"
    objects "$old_status"
}

# Exceptions.

exception() { # exception CLAIM KIND REASON
    jq --arg c "$1" --arg k "$2" --arg r "$3" \
        '.exceptions += [{claim: $c, lacks: $k, reason: $r}]' \
        tests/ledger/tree/spec/exceptions.json >"$tree/spec/exceptions.json"
}

@test "exceptions name a claim, a kind and a reason, once, and not everywhere" {
    why='There is nothing to prove here.'
    exception QNT_009 proof "$why"
    objects 'exceptions.json: exception 2: nobody declared QNT_009'
    exception QNT_001 '' "$why"
    objects "exceptions.json: exception 2: '' is no kind of evidence"
    exception QNT_001 luck "$why"
    objects "exceptions.json: exception 2: 'luck' is no kind of evidence"
    exception QNT_001 fuzz 'no need'
    objects 'exceptions.json: exception 2: QNT_001 lacks fuzz without a reason'
    exception KV_001 proof "$why"
    objects 'exceptions.json: exception 2: KV admits no exception for proof'
    exception QNT_001 proof "$why"
    objects 'exceptions.json: exception 2: QNT_001 lacks proof twice'
    exception 'QNT_001 TOK_001' 'exhaust proof' "$why"
    objects 'exceptions.json: exception 2: QNT_001 lacks proof twice' \
        'exceptions.json: exception 2: TOK admits no exception for proof' "$old_status"
    exception QNT_001 vector "$why"
    objects 'spec/02-hashes.md:4: QNT_001: excused for lacking vector, which it does not lack' "$old_status"
}

@test "when proofs are required too, a claim has one or is excused" {
    edit spec/exceptions.json 's/"vector"\]\]/"vector"], ["proof"]]/'
    objects 'spec/01-rings.md:17: KV_002: without evidence: it has no proof that passed in a recorded run (proof stated)' \
        'spec/02-hashes.md:3: TOK_001: without evidence: it has no proof'
    edit spec/exceptions.json 's/\["proof"\]\]/["prof"]]/'
    breaks spec/exceptions.json
    edit spec/exceptions.json 's/"required": .*/"required": [],/'
    breaks spec/exceptions.json
}

# Files that are not what they should be.

@test "what cannot be read is named" {
    echo '{"test_suites": [{}]}' >"$tree/runs/test/criterion.json"
    breaks runs/test/criterion.json
    run_tests
    head -c 200 tests/ledger/run/report.xml >"$tree/runs/test/report.xml"
    breaks runs/test/report.xml
    run_tests
    cp "$tree/spec/claims.lock" "$BATS_TEST_TMPDIR/lock"
    echo '<<<<<<< ours' >>"$tree/spec/claims.lock"
    breaks spec/claims.lock
    cp "$BATS_TEST_TMPDIR/lock" "$tree/spec/claims.lock"
    echo '{}' >"$tree/proofs/results/ring.json"
    breaks proofs/results/ring.json
    cp tests/ledger/tree/proofs/results/ring.json "$tree/proofs/results/"
    echo '{}' >"$tree/spec/exceptions.json"
    breaks spec/exceptions.json
}
