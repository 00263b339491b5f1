#!/usr/bin/env bash
# copy.sh DIR PATCH BUILD COMPILER...: the engine with a patch on it as DIR/libndl.a.
# What the patch does not reach is taken from BUILD, the engine as it is; COMPILER...
# compiles a file, whose warnings are of no interest. A patch of driver.c puts the
# caller's prefills in the place of the engine's; so does driver.c itself as a patch.
set -euo pipefail
dir=$1 patch=$2 build=$3
shift 3

rm -rf "$dir/engine" "$dir/tests" "$dir/libndl.a" "$dir/new.a"
files=$(tests/mutants/apply.sh "$dir" "$patch" "$build")
cp "$build/libndl.a" "$dir/new.a"
for file in $files; do
    object=$dir/$(basename "$file" .c).o
    "$@" -w -I"$dir/engine/include" -c "$dir/$file" -o "$object"
    if [ "$file" = tests/mutants/driver.c ]; then
        # One object of both, or a linker would take the first that it comes across.
        ar p "$dir/new.a" state_conv.o >"$dir/theirs.o"
        objcopy --weaken-symbol=ndl_prefill_conv --weaken-symbol=ndl_prefill_engram "$dir/theirs.o"
        ld -r "$dir/theirs.o" "$object" -o "$dir/state_conv.o"
        object=$dir/state_conv.o
    fi
    ar r "$dir/new.a" "$object"
done
mv "$dir/new.a" "$dir/libndl.a"
