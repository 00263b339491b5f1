#!/usr/bin/env bats
# Headers of mutants: what is in order passes, and everything else is named. In a copy of
# what the check reads.
load bats/helper

setup() {
    cd "$BATS_TEST_DIRNAME/.." || return
    tree=$BATS_TEST_TMPDIR
    mkdir -p "$tree/engine" "$tree/tests" "$tree/spec"
    cp -R engine/src "$tree/engine"
    cp -R tests/mutants "$tree/tests"
    cp spec/[0-9]*.md "$tree/spec"
    cd "$tree" || return
    narrow=tests/mutants/window-one-narrow.patch
}

check() {
    python3 -B tests/mutants/header.py "$@"
}

# objects EDIT TEXT: with that edit of the patch, the check says so.
objects() {
    sed -i "$1" "$narrow"
    run -1 check
    says "$2"
}

@test "the mutants are in order" {
    run -0 check
    [ -z "$output" ]
}

@test "a field that is none, is there twice, or is missing" {
    objects 's/^Look:/Looks:/' "$narrow:4: no field of a header: Looks: the first position of a local layer"
    says "$narrow:1: Look is missing"
    objects 's/^Looks:/Kind: window\nLook:/' "$narrow:4: a second Kind"
    objects '/^Kind:/d' "$narrow:1: Kind is missing"
}

@test "a first line that is no sentence, and none between it and the fields" {
    objects '1s/\.$//' "$narrow:1: the first line is not a sentence"
    objects '2d' "$narrow:2: an empty line is between the sentence and the fields"
}

@test "a kind, a claim, a target and a goal that do not exist" {
    objects 's/^Kind: .*/Kind: windows/' "$narrow:1: no kind of tests/mutants/kinds: windows"
    # In two parts: whoever looks for claims would find one that is not there.
    local none=SPAN_; none+=099
    objects "s/^Claims: .*/Claims: SPAN_001 $none/" "$narrow:1: no claim of the chapters: $none"
    objects 's/^Goal: .*/Goal: SPAN_001_exact/' "$narrow:1: a goal is 'function: label', not 'SPAN_001_exact'"
    objects 's/^Target: .*/Target: port/' "$narrow:1: Target is engine or driver, not port"
}

@test "neither a goal nor a reason, and both" {
    objects '/^Goal:/d' "$narrow:1: either a Goal or 'Unseen by proof' says what proofs make of it"
    objects 's/^Claims:/Goal: ndl_span_of: SPAN_001_exact\nUnseen by proof: none.\nClaims:/' \
        "$narrow:1: either a Goal or 'Unseen by proof' says what proofs make of it"
}

@test "a patch of the driver that changes the engine, or owes a proof" {
    objects 's/^Target: .*/Target: driver/' "$narrow:1: a patch of the driver has nothing to do in engine/src/span.c"
    says "$narrow:1: proofs are of the engine: a patch of the driver owes no goal"
}

@test "a patch that does not apply exactly" {
    sed -i 's|/\* pos + 1 - window, said so|/* pos + 1 - window, put so|' engine/src/span.c
    run -1 check
    says "$narrow:1: the lines it changes are others now: "
}

@test "a kind without a patch, and a name that is none" {
    echo 'nothing  no mistake at all' >>tests/mutants/kinds
    mv "$narrow" tests/mutants/Window_narrow.patch
    run -1 check
    says 'tests/mutants/kinds: no patch is of the kind nothing'
    says 'tests/mutants/Window_narrow.patch:1: a name is words of small letters with hyphens between them'
}
