#!/usr/bin/env bash
# hypothesis.sh DIR NAME PATCH BASE COMPILER...: compiles what a patch of the engine
# changes, on a copy of the sources, into DIR/objects/NAME; the patch's header is kept
# there as `text`. BASE holds the objects of the engine as it is, each with a list of
# what it includes: a patch of a header changes all that include it.
set -euo pipefail
dir=$1 name=$2 patch=$3 base=$4
shift 4
own=$dir/objects/$name

rm -rf "$own"
mkdir -p "$own/copy/engine" "$own/copy/tests/mutants"
cp -R engine/src engine/logic engine/include "$own/copy/engine"
cp tests/mutants/driver.c "$own/copy/tests/mutants"
# Exactly there or not at all: a mistake that lands elsewhere is another mistake.
if ! patch -s -p1 --fuzz=0 --no-backup-if-mismatch -d "$own/copy" <"$patch" >"$own/log" 2>&1; then
    cat "$own/log" >&2
    echo "$patch: the lines it changes are others now; make the patch anew" >&2
    exit 1
fi

compiled=()
while read -r file; do
    case $file in
    engine/src/*.c) compiled+=("$file") ;;
    engine/src/*.h)
        while read -r list; do
            object=${list#"$base"/}
            compiled+=("${object%.d}.c")
        done < <(grep -rlE --include='*.d' "(^|[ /])$file( |:|\$)" "$base")
        ;;
    tests/mutants/driver.c)
        # The caller's prefills are called in the place of the engine's.
        compiled+=("$file")
        mkdir -p "$own/engine/src"
        objcopy --weaken-symbol=ndl_prefill_conv --weaken-symbol=ndl_prefill_engram \
            "$base/engine/src/state_conv.o" "$own/engine/src/state_conv.o"
        ;;
    *)
        echo "$patch: $file is neither of engine/src nor the driver" >&2
        exit 1
        ;;
    esac
done < <(sed -n 's|^+++ b/\([^[:space:]]*\).*|\1|p' "$patch")
[ ${#compiled[@]} -gt 0 ] || { echo "$patch: it changes no file" >&2; exit 1; }
for file in $(printf '%s\n' "${compiled[@]}" | sort -u); do
    object=$own/${file%.c}.o
    mkdir -p "${object%/*}"
    # A patch may leave something unused, which is of no interest.
    "$@" -w -I"$own/copy/engine/include" -c "$own/copy/$file" -o "$object"
done

{ echo "Name: $name" && sed '/^--- a\//,$d' "$patch"; } >"$own/text"
rm -rf "$own/copy" "$own/log"
