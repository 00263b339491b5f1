#!/usr/bin/env bats
# What `make install` leaves is what a stranger builds against: the example of
# ndl(3), in C and in C++, found through pkg-config, shared and static. And the
# tarball: the same bytes twice, and it builds and checks recordings by itself.
# CC and CXX are the compilers. What `make test` has built is installed from there, and
# anything else built here, away from what runs this.

bats_require_minimum_version 1.5.0
load bats/pages

setup_file() {
    export build=$BATS_FILE_TMPDIR/build stage=$BATS_FILE_TMPDIR/stage prefix=/usr
    [ "${NDL-}${SAN-}${OPT-}${CFLAGS-}" != build/ndl ] || build=build
    # What make hands down belongs to the run that these tests are part of.
    unset MAKEFLAGS MFLAGS MAKELEVEL B SAN ENGINE OPT DESTDIR PREFIX LIBDIR CFLAGS LDFLAGS
    export CC=${CC:-gcc} CXX=${CXX:-g++}
    cd "$BATS_TEST_DIRNAME/.." || return
    install_to "$stage"
}

setup() {
    cd "$BATS_TEST_DIRNAME/.." || return
    top=$PWD
    header=$top/engine/include/ndl.h
    page=$top/docs/man/ndl.3
    version=$(sed -n 's/^#define NDL_VERSION "\(.*\)"/\1/p' "$header")
    lib=$stage$prefix/lib/multi
    # A staged tree, as a packager has it: nothing of the machine's is found.
    export PKG_CONFIG_LIBDIR=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$stage LD_LIBRARY_PATH=$lib
    export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
}

install_to() { # install_to FOLDER [install|uninstall]
    make -s -j2 "B=$build" "CC=$CC" "PREFIX=$prefix" "LIBDIR=$prefix/lib/multi" "DESTDIR=$1" "${2:-install}"
}

# builds shared|static STANDARD COMPILER: the example, without a warning, and it runs.
builds() {
    local file=example.c flags
    cd "$BATS_TEST_TMPDIR" || return
    [[ $2 != c++* ]] || file=example.cc
    block "$page" 1 >$file
    case $1 in
    shared) read -ra flags < <(pkg-config --cflags --libs ndl) ;;
    static) read -ra flags < <(pkg-config --static --cflags --libs ndl) && flags+=(-static) ;;
    esac
    # shellcheck disable=SC2086 # a compiler may be a command and options
    $3 "-std=$2" -Wall -Wextra -Wpedantic -Werror -ffp-contract=off $file "${flags[@]}" -o example
    [ "$(./example)" = '1 12 123 234' ]
}

# What a compiler finds declared in the header, to hold against what is exported.
declared() {
    gcc -E -P "$header" | tr -s ' \n' ' ' | grep -oE '\bndl_[a-z0-9_]+ ?\(' | tr -d ' (' | sort -u
}

# exported FILE [NM-OPTION]: what others can link to.
exported() {
    nm --defined-only --extern-only "${@:2}" "$1" | awk 'NF == 3 && $2 != "A" { print $3 }' |
        sed 's/@.*//' | sort
}

@test "the example builds in C and in C++, shared" {
    builds shared c11 "$CC"
    readelf -d "$BATS_TEST_TMPDIR/example" | grep -q "NEEDED.*\[libndl\.so\.${version%.*}\]"
    builds shared c++11 "$CXX"
    builds shared c++20 "$CXX"
}

@test "the example builds in C and in C++, static" {
    builds static c11 "$CC"
    builds static c++11 "$CXX"
    run ! grep NEEDED <(readelf -d "$BATS_TEST_TMPDIR/example")
}

@test "the transcript of ndl(3) prints what the page shows" {
    cd "$BATS_TEST_TMPDIR" || return
    # shellcheck disable=SC2086,SC2317 # the transcript calls it
    cc() { $CC "$@"; }
    block "$page" 1 >example.c
    transcripts "$page" >shown
    [ -s shown ]
    diff shown <(played <shown)
}

@test "both libraries export the functions of ndl.h and nothing else" {
    declared >"$BATS_TEST_TMPDIR/declared"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/declared")" -gt 50 ]
    diff "$BATS_TEST_TMPDIR/declared" <(exported "$lib/libndl.so" --dynamic)
    diff "$BATS_TEST_TMPDIR/declared" <(exported "$lib/libndl.a")
}

@test "the shared library needs of the system memory and no more" {
    needed=$(nm --dynamic --undefined-only "$lib/libndl.so" | awk '$1 == "U" { print $2 }' | sed 's/@.*//')
    grep -qx malloc <<<"$needed"
    run ! grep -vxE 'malloc|free|memcpy|memmove|memset' <<<"$needed"
}

@test "soname and links" {
    readelf -d "$lib/libndl.so.$version" | grep -q "SONAME.*\[libndl\.so\.${version%.*}\]"
    [ "$(readlink "$lib/libndl.so")" = "libndl.so.${version%.*}" ]
    [ "$(readlink "$lib/libndl.so.${version%.*}")" = "libndl.so.$version" ]
}

@test "the command with the installed libraries in it gives the recorded bits" {
    recordings=(tests/conformance/*-1.jsonl)
    [ "${#recordings[@]}" -gt 1 ]
    "$stage$prefix/bin/ndl" check --quiet "${recordings[@]}"
    for library in "$lib/libndl.so" "$lib/libndl.a"; do
        gcc "$build"/engine/tool/*.o "$library" "$build/libref.a" -lyajl -lz -lm -o "$BATS_TEST_TMPDIR/ndl"
        "$BATS_TEST_TMPDIR/ndl" check --quiet "${recordings[@]}"
    done
}

@test "ndl.pc and the command have the header's version" {
    [ "$(pkg-config --modversion ndl)" = "$version" ]
    [ "$("$stage$prefix/bin/ndl" --version)" = "ndl $version" ]
    # Moved with its prefix, it still finds its folders.
    [ "$(PKG_CONFIG_SYSROOT_DIR='' pkg-config --define-variable=prefix=/else --variable=includedir ndl)" = /else/include ]
    for flag in -ffp-contract=off -fexcess-precision=fast -msse2 -mfpmath=sse -ffast-math; do
        grep -q -- "^#.*$flag" "$lib/pkgconfig/ndl.pc"
    done
}

@test "pages and recorders are installed" {
    cmp docs/man/ndl-check.1 "$stage$prefix/share/man/man1/ndl-check.1"
    cmp docs/man/ndl.3 "$stage$prefix/share/man/man3/ndl.3"
    cmp engine/record/ndl_record.h "$stage$prefix/include/ndl_record.h"
    cmp engine/record/ndl_record.py "$stage$prefix/share/ndl/ndl_record.py"
}

@test "uninstall removes what install put there, and nothing else" {
    other="$BATS_TEST_TMPDIR/another place"
    mkdir -p "$other$prefix/bin" "$other$prefix/share/man/man1"
    touch "$other$prefix/bin/mine" "$other$prefix/share/man/man1/mine.1"
    install_to "$other"
    diff <(cd "$stage" && find . -printf '%P %m %l\n' | sort) \
        <(cd "$other" && find . ! -name 'mine*' -printf '%P %m %l\n' | sort)
    install_to "$other" uninstall
    diff <(printf '%s\n' bin/mine share/man/man1/mine.1) <(cd "$other$prefix" && find . ! -type d -printf '%P\n' | sort)
    [ ! -e "$other$prefix/share/ndl" ]
}

@test "what is not for use is not installed" {
    for wrong in SAN=asan ENGINE=other.a 'PREFIX=/a b' PREFIX=; do
        run -2 make -s "B=$BATS_TEST_TMPDIR/build" "DESTDIR=$BATS_TEST_TMPDIR/stage" "$wrong" install
        [[ $output == *'install: '* ]]
    done
    [ ! -e "$BATS_TEST_TMPDIR/stage" ]
}

@test "the tarball has the same bytes from another clone, and builds and checks by itself" {
    if [ "$(git rev-parse --show-prefix 2>/dev/null || echo none)" != '' ]; then
        run -2 make -s "B=$BATS_TEST_TMPDIR" dist
        [[ $output == *'only a git clone'* ]]
        skip 'this is the tarball, or a part of something else'
    fi
    cd "$BATS_TEST_TMPDIR" || return
    git clone -q "$top" clone
    make -s -C "$top" "B=$PWD/here" dist
    (umask 077 && cd clone && TZ=Asia/Tokyo LC_ALL=C make -s B=there dist)
    cmp "here/ndl-$version.tar.gz" "clone/there/ndl-$version.tar.gz"
    tar -xzf "here/ndl-$version.tar.gz"
    cd "ndl-$version" || return
    diff <(git -C "$top" ls-tree -r --name-only HEAD | LC_ALL=C sort) <(find . -type f -printf '%P\n' | LC_ALL=C sort)
    make -s -j2 "CC=$CC" core build/hypotheses/half-to-even.so
    build/ndl check --quiet tests/conformance/tiny-*.jsonl
    run -2 make -s dist
    [[ $output == *'only a git clone'* ]]
}
