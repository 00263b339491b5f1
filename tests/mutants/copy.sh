#!/usr/bin/env bash
# copy.sh DIR PATCH BUILD COMPILER...: a copy of the engine's sources in DIR with a
# patch on it, built into DIR/libndl.a. What the patch does not reach is taken from
# BUILD, the engine as it is; COMPILER... compiles a file, whose
# warnings are of no interest. A patch of driver.c puts the
# caller's prefills in the place of the engine's; so does driver.c itself as a patch.
set -euo pipefail
dir=$1 patch=$2 build=$3
shift 3

rm -rf "$dir/engine" "$dir/tests" "$dir/libndl.a" "$dir/new.a"
mkdir -p "$dir/engine" "$dir/tests/mutants"
cp -R engine/src engine/logic engine/include "$dir/engine"
cp tests/mutants/driver.c "$dir/tests/mutants"
cp "$build/libndl.a" "$dir/new.a"

changed=()
case $patch in
*.patch)
    # Exactly there or not at all: a bug that lands elsewhere is another bug.
    if ! patch -s -p1 --fuzz=0 --no-backup-if-mismatch -d "$dir" <"$patch"; then
        echo "$patch: the lines it changes are others now; make the patch anew" >&2
        exit 1
    fi
    mapfile -t changed < <(sed -n 's|^+++ b/\([^[:space:]]*\).*|\1|p' "$patch" | sort -u)
    ;;
*.c) changed=("$patch") ;;
esac

objects=()
for file in "${changed[@]}"; do
    case $file in
    *.h) # All that include it, as the compiler wrote down.
        while read -r made; do
            objects+=("engine/src/${made#"$build"/engine/src/}")
        done < <(grep -lF " $file" "$build"/engine/src/*.d "$build"/engine/src/trusted/*.d | sed 's/\.d$/.c/')
        ;;
    *) objects+=("$file") ;;
    esac
done
while read -r file; do
    [ -n "$file" ] || continue
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
done < <(printf '%s\n' "${objects[@]}" | sort -u)
mv "$dir/new.a" "$dir/libndl.a"
