#!/usr/bin/env bash
# format.sh: every C file is as clang-format lays it out. The version is fixed,
# since each lays out some things otherwise.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/lint/files.sh

said=$(c_files | xargs clang-format-14 --dry-run 2>&1)
[ -z "$said" ] || {
    grep -E '^[^ ].*: (warning|error): ' <<<"$said" | sed 's/:[0-9]*: warning: code should be .*/: clang-format-14 lays this out otherwise/' | sort -u
    exit 1
}
