#!/usr/bin/env bash
# engine.sh: engine.query matches nothing in the engine. Headers are read with
# the files that include them.
set -euo pipefail
cd "$(dirname "$0")/../.."

query=tests/lint/engine.query
out=$(clang-query-14 -f <(echo 'set output diag'; cat "$query") engine/src/*.c engine/src/trusted/*.c -- \
    -std=c11 -Iengine/include 2>&1 || true)
found=$(sed -nE "s|^$PWD/||; s/:[0-9]+: note: \"(.*)\" binds here$/: \1/p" <<<"$out" | sort -u)
asked=$(grep -c '^match ' "$query")
answered=$(grep -cE '^[0-9]+ match(es)?\.$' <<<"$out" || true)
if [ "$asked" -ne "$answered" ] || grep -q 'error' <<<"$out"; then
    echo "$out"
    echo "engine.sh: $asked patterns, of which $answered could be looked for"
    exit 1
fi
[ -z "$found" ] || { echo "$found"; exit 1; }
