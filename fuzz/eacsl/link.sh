#!/usr/bin/env bash
# link.sh OUT BUILD TARGET...: OUT/fuzz-TARGET and OUT/ndl, of the objects of BUILD and
# the engine of OUT, with every call of the engine from outside going to its checks.
set -euo pipefail
out=$1 build=$2
shift 2

rm -rf "$out/objects"
mkdir -p "$out/objects"
for object in "$build"/fuzz/*.o "$build"/engine/tool/*.o; do
    name=$(basename "$(dirname "$object")")-$(basename "$object")
    objcopy --redefine-syms="$out/calls" "$object" "$out/objects/$name"
done
tool=() shared=()
for object in "$out"/objects/*.o; do
    case ${object##*/} in
    tool-main.o) ;; # the programs have the tool's main under another name
    tool-*) tool+=("$object") ;;
    fuzz-target_* | fuzz-main_* | fuzz-mutate_*) ;;
    *) shared+=("$object") ;;
    esac
done
libraries=("$out/libndl.a" "$build/libref.a" "$out/libndl.a" -lyajl -lz -lgmp -lm)
for target; do
    gcc -fsanitize=address,undefined "$out/objects/fuzz-target_$target.o" "$out/objects/fuzz-main_replay.o" \
        "${shared[@]}" "${tool[@]}" "${libraries[@]}" -o "$out/fuzz-$target"
done
gcc -fsanitize=address,undefined "${tool[@]}" "$out/objects/tool-main.o" \
    "${libraries[@]}" -o "$out/ndl"
