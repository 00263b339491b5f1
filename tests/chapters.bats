#!/usr/bin/env bats
# Chapter 9 shows only what is so: each trace in it is replayed, by the engine and
# by the reference, and fills in to itself, byte for byte.

setup() {
    NDL=$(realpath "${NDL:-build/ndl}")
    cd "$BATS_TEST_TMPDIR" || return 1
    awk '/^```json$/ { file = ++n ".jsonl"; next }
         /^```/ { file = "" }
         file { print > file }' "$BATS_TEST_DIRNAME/../spec/09-traces.md"
}

@test "TRACE_014 the examples of the chapter fill in to themselves and agree" {
    local example found=0
    for example in *.jsonl; do
        "$NDL" check --exact --strict "$example"
        "$NDL" check --exact --reference "$example"
        "$NDL" run --decimal "$example" | cmp - "$example"
        found=$((found + 1))
    done
    [ "$found" -eq 2 ]
}
