#!/usr/bin/env bash
# check.sh DIR [BUILD.SH]: calls build.sh as OSS-Fuzz does, in DIR, and checks what it
# leaves: every target, running on its seeds, its seeds, its options and its dictionary.
set -euo pipefail
dir=$1
build=${2:-fuzz/oss-fuzz/build.sh}
mkdir -p "$dir"
dir=$(realpath "$dir")
rm -rf "$dir/out"
mkdir -p "$dir/out" "$dir/work"

sanitizer='-fsanitize=address -fsanitize-address-use-after-scope'
common="-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION $sanitizer -fsanitize=fuzzer-no-link"
# Its own: nothing of a make that runs this.
env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS \
    CC=clang-19 CXX=clang++-19 CFLAGS="$common" CXXFLAGS="$common" LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
    SANITIZER=address FUZZING_ENGINE=libfuzzer ARCHITECTURE=x86_64 \
    SRC="$(dirname "$PWD")" WORK="$dir/work" OUT="$dir/out" bash -eu "$build" >"$dir/log" 2>&1 || {
    tail -n 20 "$dir/log" >&2
    echo 'oss-fuzz: build.sh fails' >&2
    exit 1
}

failed=0
wrong() {
    echo "oss-fuzz: $*" >&2
    failed=1
}
targets=0
for file in fuzz/target_*.c; do
    name=${file#fuzz/target_}
    name=${name%.c}
    out=$dir/out/$name
    targets=$((targets + 1))
    if [ ! -x "$out" ]; then
        wrong "$name: there is no target"
        continue
    fi
    # Nothing may be asked of the machine that fuzzes but what each has.
    missing=$(ldd "$out" | grep -vE 'linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|gcc_s|resolv|stdc\+\+)\.so' || true)
    [ -z "$missing" ] || wrong "$name: it needs$missing"
    [ -s "$out.options" ] || wrong "$name: there are no options"
    rm -rf "$dir/seeds"
    mkdir "$dir/seeds"
    if [ ! -s "${out}_seed_corpus.zip" ]; then
        wrong "$name: there is no seed corpus"
    elif ! python3 -m zipfile -e "${out}_seed_corpus.zip" "$dir/seeds" >"$dir/log" 2>&1; then
        wrong "$name: its seed corpus is no archive"
    fi
    "$out" -runs=1 -artifact_prefix="$dir/" "$dir/seeds" >"$dir/log" 2>&1 || wrong "$name: it fails: $(tail -n 3 "$dir/log")"
done
for file in fuzz/*.dict; do
    name=$(basename "$file" .dict)
    [ -f "fuzz/target_$name.c" ] || wrong "$file: there is no such target"
    cmp -s "$file" "$dir/out/$name.dict" || wrong "$name: its dictionary is not there"
    grep -q "^dict = $name.dict$" "$dir/out/$name.options" || wrong "$name: its options name no dictionary"
done
[ "$failed" -ne 0 ] || echo "oss-fuzz: $targets targets, each with seeds and options, run"
exit "$failed"
