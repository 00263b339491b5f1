#!/usr/bin/env bash
# shell.sh: shellcheck finds nothing in any script, whatever its name ends with.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/lint/files.sh

{
    tree_files sh bats
    # So many files are several calls of grep; one that finds nothing is no failure.
    tree_files | xargs grep -lE -m 1 '^#!.*[/ ](ba|da)?sh$' || [ $? -eq 123 ]
} | grep -v '^tests/ledger/tree/' | sort -u | xargs shellcheck --external-sources --source-path=.
