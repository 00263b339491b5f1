#!/usr/bin/env bash
# apply.sh DIR PATCH OBJECTS: a copy of the engine's sources, and of the driver, in DIR
# with a patch on it, exactly or not at all: a mistake that lands elsewhere is another
# mistake. Prints the C files that must be compiled, a line each: those that it changes,
# and those that include a header that it changes, as the lists of what the objects in
# OBJECTS were made of say. A C file for PATCH is compiled as it is.
set -euo pipefail
dir=$1 patch=$2 objects=$3

mkdir -p "$dir/engine" "$dir/tests/mutants"
cp -R engine/src engine/logic engine/include "$dir/engine"
cp tests/mutants/driver.c "$dir/tests/mutants"
if [[ $patch = *.c ]]; then
    echo "$patch"
    exit
fi
[[ $patch = *.patch ]] || exit 0
if ! said=$(patch -s -p1 --fuzz=0 --no-backup-if-mismatch -d "$dir" <"$patch" 2>&1); then
    printf '%s\n' "$said" >&2
    echo "$patch: the lines it changes are others now; make the patch anew" >&2
    exit 1
fi
sed -n 's|^+++ b/\([^[:space:]]*\).*|\1|p' "$patch" | while read -r file; do
    if [[ $file != *.h ]]; then
        echo "$file"
        continue
    fi
    grep -rlE --include='*.d' "(^|[ /])$file( |:|\$)" "$objects/engine/src" |
        sed -e "s|^$objects/||" -e 's|\.d$|.c|'
done | sort -u
