#!/usr/bin/env bash
# rooms.sh: who may include whom. An #include is resolved as the compiler would
# and must then be a file that the room may see; anything else is printed.
#
#   engine/src, engine/logic   themselves and ndl.h
#   spec/*.md                  the reference's own headers and ndl.h
#   engine/record              nothing
#   engine/tool                itself, ndl.h, ref.h
#   proofs                     itself, engine/src, engine/logic, ndl.h
#   tests, fuzz                each other, the tool's headers, the recorder, ndl.h, ref.h;
#                              *_internal.c also engine/src
#   tests/crossarch            itself and ndl.h
#   tests/port                 itself and the recorder: a port has nothing of ours
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/lint/files.sh

declare -A is_file is_header
while read -r file; do
    is_file[$file]=1
    [[ $file != *.h ]] || is_header[${file##*/}]=1
done < <(tree_files h acsl c)
# The reference's files exist only once they are taken out of the chapters.
while read -r name; do
    is_file[ref/$name]=1
    is_header[$name]=1
done < <(sed -n 's/^```c \([a-z_]*\.h\)$/\1/p' spec/[0-9]*.md | sort -u)

# resolve FILE NAME: sets found to the file that NAME means in FILE, or to nothing.
resolve() {
    local place path part
    local -a parts
    for place in "${1%/*}" engine/include ref engine/src engine/tool engine/record tests fuzz; do
        parts=()
        IFS=/ read -ra path <<<"$place/$2"
        for part in "${path[@]}"; do
            case $part in
            .) ;;
            ..) unset 'parts[-1]' ;;
            *) parts+=("$part") ;;
            esac
        done
        found=$(IFS=/; echo "${parts[*]}")
        [ -z "${is_file[$found]:-}" ] || return 0
    done
    found=
}

bad=0
while IFS=: read -r file line name; do
    quote=${name:0:1} name=${name:1}
    # A system header, unless it has the name of one of ours.
    [ "$quote" = '"' ] || [ -n "${is_header[${name##*/}]:-}" ] || continue
    case $file in
    engine/src/* | engine/logic/*) room='the engine' sees='engine/src/*|engine/logic/*|engine/include/ndl.h' ;;
    engine/include/* | engine/record/*) room='a header for others' sees='' ;;
    engine/tool/*) room='the tool' sees='engine/tool/*|engine/include/ndl.h|ref/ref.h' ;;
    spec/*.md) room='the reference' sees='ref/*|engine/include/ndl.h' ;;
    proofs/*) room='a proof' sees='proofs/*|engine/src/*|engine/logic/*|engine/include/ndl.h' ;;
    tests/crossarch/*) room='crossarch' sees='tests/crossarch/*|engine/include/ndl.h' ;;
    tests/port/*) room='a port' sees='tests/port/*|engine/record/*' ;;
    tests/ledger/*) continue ;;
    *_internal.c) room='an internal test' sees='tests/*|fuzz/*|engine/tool/*|engine/record/*|engine/include/ndl.h|ref/ref.h|engine/src/*' ;;
    *) room='a test' sees='tests/*|fuzz/*|engine/tool/*|engine/record/*|engine/include/ndl.h|ref/ref.h' ;;
    esac
    resolve "$file" "$name"
    if [ -z "$found" ]; then
        echo "$file:$line: there is no \"$name\""
        bad=1
    elif [[ $found != @($sees) ]]; then
        echo "$file:$line: $room may not include \"$name\""
        bad=1
    fi
done < <({ tree_files c h acsl; echo spec/[0-9]*.md | tr ' ' '\n'; } |
    xargs grep -HnoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][^">]+' |
    sed -E 's/:[[:space:]]*#[[:space:]]*include[[:space:]]*/:/')
[ $bad -eq 0 ]
