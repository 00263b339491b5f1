#!/usr/bin/env bash
# tidy.sh BUILD [FILE...]: clang-tidy finds nothing in these files, or in any that
# is compiled. What it found nothing in is not read again before it, a header, the
# checks or the flags change. BUILD holds the compilation database.
set -euo pipefail
build=$(realpath "$1")
shift
cd "$(dirname "$0")/../.."
. tests/lint/files.sh

# Each check that is turned off has its reason beside it.
mapfile -t configs < <(tree_files | grep -E '(^|/)\.clang-tidy$')
for config in "${configs[@]}"; do
    off=$(sed -nE 's/^ *-([a-z][a-zA-Z0-9.*-]*),?$/\1/p' "$config" | sort)
    reasons=$(sed -nE 's/^#  ([a-z][a-zA-Z0-9.*-]*): .*/\1/p' "$config" | sort)
    if ! diff <(echo "$off") <(echo "$reasons"); then
        echo "$config: turned off without a reason (<), or a reason for what is not turned off (>)"
        exit 1
    fi
done

database=$build/compile_commands.json
[ $# -gt 0 ] || mapfile -t -O 1 files < <(jq -r '.[].file' "$database")
[ $# -eq 0 ] || files=("$@")
# What all files depend on: the headers, those taken out of the chapters too.
common=$({ cat "${configs[@]}" "$database"; c_files | grep '\.h$' | xargs cat; cat "$build"/spec/*.h; } | sha256sum)

tidy() { # tidy FILE: what is found is kept beside a stamp of what it was found in
    local result=$build/tidy/${1//\//,} key
    key=$({ echo "$common"; cat "$1"; } | sha256sum)
    [ "$(cat "$result.key" 2>/dev/null)" != "$key" ] || return 0
    clang-tidy-14 --quiet --warnings-as-errors='*' -p "$build" "$1" >"$result" 2>"$result.log" && {
        echo "$key" >"$result.key"
        return 0
    }
    # Nothing said: clang-tidy itself failed.
    [ -s "$result" ] || cat "$result.log"
    cat "$result"
}
export -f tidy
export build common

mkdir -p "$build/tidy"
# shellcheck disable=SC2016 # the inner shell reads $1
said=$(printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 1 bash -c 'tidy "$1"' -)
[ -z "$said" ] || {
    # A header is read with each file that includes it.
    awk '/: (warning|error): / { shown = !seen[$0]++ } shown' <<<"${said//"$PWD/"/}"
    exit 1
}
