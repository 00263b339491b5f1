#!/usr/bin/env bash
# lint.sh BUILD CHECK...: runs checks one after the other and prints a table; what
# a check said is shown if it failed, and kept in BUILD either way.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1
shift
# shellcheck disable=SC2034 # steps.sh reads it
STEPS_LOG=$build
. tests/steps.sh

for check; do
    case $check in
    format) step 'laid out by clang-format' tests/lint/format.sh ;;
    tidy) step clang-tidy tests/lint/tidy.sh "$build" ;;
    cppcheck) step cppcheck tests/lint/cppcheck.sh "$build" ;;
    shell) step shellcheck tests/lint/shell.sh ;;
    rooms) step 'who includes whom' tests/lint/rooms.sh ;;
    engine) step 'floats in leaves alone' tests/lint/engine.sh ;;
    paths) step 'no absolute paths' tests/lint/paths.sh ;;
    docstrings) step 'docstrings of ndl.h' python3 -B tests/lint/docstrings.py ;;
    man) step 'manual pages' tests/lint/man.sh ;;
    self) step 'each check can fail' env "LINT=$build" bats --jobs "$(nproc)" tests/lint ;;
    *)
        echo "lint: there is no check '$check'" >&2
        exit 2
        ;;
    esac
done
steps_end
