#!/usr/bin/env bash
# commands.sh: reads what `make -n` would run and writes the compilation database
# that clang-tidy and cppcheck take. C files that make does not name, such as
# those that a test builds by itself, get plain flags.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/lint/files.sh

# A macro that is a string is quoted once: cppcheck does not take '"text"' for one.
commands=$(grep -E '^clang-14 .* -c ' | sed -E "s/'\"([^' ]*)\"'/\\\\\"\1\\\\\"/g" | sort -u)
named=$(sed -E 's/.* -c ([^ ]*).*/\1/' <<<"$commands")
flags=$(head -n 1 <<<"$commands" | grep -oE -- '-W[^ ]+' | tr '\n' ' ')
{
    echo "$commands"
    c_files | grep '\.c$' | grep -vxF "$named" | while read -r file; do
        echo "clang-14 -std=c11 $flags-D_POSIX_C_SOURCE=200809L -Iengine/include -Iengine/src -Iengine/record -c $file"
    done
} | jq -R --arg directory "$PWD" \
    '{directory: $directory, command: ., file: capture(" -c (?<file>[^ ]+)").file}' | jq -s .
