#!/usr/bin/env bash
# hypothesis.sh DIR NAME PATCH BASE COMPILER...: compiles what a patch of the engine
# changes, on a copy of the sources, into DIR/objects/NAME; the patch's header is kept
# there as `text`. BASE holds the objects of the engine as it is.
set -euo pipefail
dir=$1 name=$2 patch=$3 base=$4
shift 4
own=$dir/objects/$name

rm -rf "$own"
files=$(tests/mutants/apply.sh "$own/copy" "$patch" "$base")
[ -n "$files" ] || { echo "$patch: it changes no file" >&2; exit 1; }
for file in $files; do
    object=$own/${file%.c}.o
    mkdir -p "${object%/*}"
    # A patch may leave something unused, which is of no interest.
    "$@" -w -I"$own/copy/engine/include" -c "$own/copy/$file" -o "$object"
    if [ "$file" = tests/mutants/driver.c ]; then
        # The caller's prefills are called in the place of the engine's.
        mkdir -p "$own/engine/src"
        objcopy --weaken-symbol=ndl_prefill_conv --weaken-symbol=ndl_prefill_engram \
            "$base/engine/src/state_conv.o" "$own/engine/src/state_conv.o"
    fi
done

{ echo "Name: $name" && sed '/^--- a\//,$d' "$patch"; } >"$own/text"
rm -rf "$own/copy"
