#!/usr/bin/env bash
# run.sh BUILD: everything that counts for coverage, with the programs of BUILD, each
# of which leaves what it reached where LLVM_PROFILE_FILE says.
set -euo pipefail
build=$1

"$build/ndl-tests" --quiet || { echo "coverage: tests fail" >&2; exit 1; }
"$build/ndl" check --quiet tests/conformance/*.jsonl tests/conformance/scripts/*.jsonl corpus/vectors/*.jsonl
# A program that leaves a file when it ends fails where a test leaves no room for one;
# `make test` judges these tests, here they only run.
NDL=$build/ndl bats --formatter tap tests/tool_*.bats tests/save.bats tests/fuzz.bats >"$build/bats.log" ||
    sed -n 's/^not ok [0-9]* /coverage: only here this fails: /p' "$build/bats.log" >&2
