#!/usr/bin/env bash
# build.sh: every target into $OUT as OSS-Fuzz has them: NAME, NAME_seed_corpus.zip,
# NAME.options, NAME.dict. It is called in the project's folder with $CC, $CXX,
# $CFLAGS, $CXXFLAGS, $LIB_FUZZING_ENGINE, $SRC, $WORK and $OUT.

set -eu

# Compiler flags come from outside; the machine that fuzzes has no libraries of ours.
b=$WORK/ndl
names=()
for file in fuzz/target_*.c; do
    name=${file#fuzz/target_}
    names+=("${name%.c}")
done
make -j"$(nproc)" B="$b" CC="$CC" CFLAGS="$CFLAGS -DNDL_NO_CLONES" FUZZ_LD="$CXX $CXXFLAGS" \
    FUZZ_LIBS='-l:libyajl_s.a -l:libz.a -lm' LIB_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" \
    "${names[@]/#/$b/target-}"

for name in "${names[@]}"; do
    cp "$b/target-$name" "$OUT/$name"
    printf '[libfuzzer]\nmax_len = 4096\ntimeout = 25\n' >"$OUT/$name.options"
    if [ -f "fuzz/$name.dict" ]; then
        cp "fuzz/$name.dict" "$OUT/$name.dict"
        printf 'dict = %s.dict\n' "$name" >>"$OUT/$name.options"
    fi
    seeds=()
    for folder in corpus/seeds corpus/found; do
        if [ -d "$folder/$name" ]; then
            seeds+=("$folder/$name")
        fi
    done
    # A corpus is a list of files without folders.
    if [ ${#seeds[@]} -gt 0 ]; then
        rm -f "$OUT/${name}_seed_corpus.zip"
        find "${seeds[@]}" -type f -print0 | LC_ALL=C sort -z | xargs -0 zip -q -j "$OUT/${name}_seed_corpus.zip"
    fi
done
