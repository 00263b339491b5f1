#!/usr/bin/env bash
# copy.sh DIR PATCH ARCHIVE COMPILER...: a copy of the engine's sources in DIR
# with a patch on it, built into DIR/libndl.a. What the patch does not touch is
# taken from ARCHIVE, the engine as it is; COMPILER... compiles a file.
set -euo pipefail
dir=$1 patch=$2 archive=$3
shift 3

rm -rf "$dir/engine" "$dir/libndl.a"
mkdir -p "$dir/engine"
cp -R engine/src engine/logic engine/include "$dir/engine"
cp "$archive" "$dir/new.a"
if [ -s "$patch" ]; then
    # Exactly there or not at all: a bug that lands elsewhere is another bug.
    if ! patch -s -p1 --fuzz=0 --no-backup-if-mismatch -d "$dir" <"$patch"; then
        echo "$patch: the lines it changes are others now; make the patch anew" >&2
        exit 1
    fi
    sed -n 's|^+++ b/\(.*\.c\)$|\1|p' "$patch" | while read -r file; do
        object=$dir/$(basename "$file" .c).o
        "$@" -I"$dir/engine/include" -c "$dir/$file" -o "$object"
        ar r "$dir/new.a" "$object"
    done
fi
mv "$dir/new.a" "$dir/libndl.a"
