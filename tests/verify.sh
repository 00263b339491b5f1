#!/usr/bin/env bash
# verify.sh BUILD ENGINE: the main job. The command is built by now; replay every
# recording with the engine and with the reference, run the tests, fuzz for a minute,
# print a table.
set -euo pipefail
build=$1 engine=$2
# shellcheck disable=SC2034 # steps.sh reads it
STEPS_LOG=$build/verify
. tests/steps.sh

recordings=(tests/conformance/*.jsonl tests/conformance/scripts/*.jsonl)
step 'who includes whom' tests/lint/rooms.sh
step 'recordings, engine' "$build/ndl" check "${recordings[@]}"
step 'recordings, reference' "$build/ndl" check --reference "${recordings[@]}"
step 'tests' make --no-print-directory -j2 B="$build" ENGINE="$engine" test
if [ "$engine" = "$build/libndl.a" ]; then
    step 'a minute of fuzzing' make --no-print-directory -j2 B="$build" fuzz
fi
steps_end
