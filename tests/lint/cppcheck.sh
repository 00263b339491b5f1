#!/usr/bin/env bash
# cppcheck.sh BUILD [FILE]: cppcheck finds nothing in what is compiled, or in what
# of it matches FILE, but for what cppcheck.supp names. BUILD holds the database.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/../.."

mkdir -p "$build/cppcheck"
cppcheck --project="$build/compile_commands.json" ${2:+"--file-filter=*$2"} \
    --cppcheck-build-dir="$build/cppcheck" --suppressions-list=tests/lint/cppcheck.supp \
    --relative-paths="$PWD" --enable=warning,style,performance,portability --error-exitcode=1 --quiet -j "$(nproc)" \
    --template='{file}:{line}: {severity}: {message} [{id}]'
