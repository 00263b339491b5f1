#!/usr/bin/env bash
# row.sh DIR MACHINE/COMPILER/LEVEL[/VARIANT]: a row of the table. Builds the
# engine and the player with the Makefile's own flags, static, runs them under
# an emulator, and compares what they print with the committed digests. The row
# goes to standard output and to DIR/rows; the status is always 0, so that the
# other rows get their turn.
set -uo pipefail
dir=$1 row=$2
IFS=/ read -r machine compiler level variant <<<"$row"
name=${row//\//-}
build=$dir/rows/$name
mkdir -p "$build"

case $(uname -m) in
aarch64) host=arm64 ;;
armv7l) host=armv7 ;;
*) host=$(uname -m) ;;
esac

# GNU ld 2.40 crashes on what clang 19 writes for a debugger on riscv64. A row is
# the instructions that it names, and not what the loader would choose.
flags=(-g0 -DNDL_NO_CLONES) run=("qemu-$machine")
case $machine in
x86_64) triple=x86_64-linux-gnu ;;
i386) triple=i686-linux-gnu flags+=(-msse2 -mfpmath=sse) ;;
arm64) triple=aarch64-linux-gnu run=(qemu-aarch64) ;;
armv7) triple=arm-linux-gnueabihf flags+=(-march=armv7-a+fp) run=(qemu-arm) ;;
riscv64) triple=riscv64-linux-gnu ;;
ppc64le) triple=powerpc64le-linux-gnu ;;
s390x) triple=s390x-linux-gnu ;;
*)
    echo "row.sh: no such machine: $machine" >&2
    exit 2
    ;;
esac
cc=$triple-gcc
if [ "$machine" = "$host" ]; then
    run=()
    command -v "$cc" >/dev/null || cc=gcc
fi
[ "$compiler" = gcc ] || cc=$compiler flags+=(--target="$triple")
# clang's vectors of straight code flush subnormal numbers on NEON.
[ "$machine" != armv7 ] || [ "$compiler" = gcc ] || flags+=(-fno-slp-vectorize)
# What x86-64 with AVX2 is built for runs here, or emulated where this one lacks it.
if [ "$machine" = x86_64 ] && [[ $variant = vector || $variant = fused ]] &&
    ! { grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo; }; then
    run=(qemu-x86_64 -cpu max)
fi

# What the variants add, and what must come of it.
ldflags=(-static) must=equal where=''
case $variant in
'') ;;
vector) # wider registers than the toolchain assumes
    case $machine in
    x86_64) flags+=(-march=x86-64-v3) ;;
    arm64) flags+=(-march=armv8.2-a+sve) ;;
    armv7) flags+=(-mfpu=neon-vfpv4) ;;
    ppc64le)
        flags+=(-mcpu=power9)
        [ ${#run[@]} -eq 0 ] || run+=(-cpu power9)
        ;;
    s390x) flags+=(-march=z14) ;;
    esac
    ;;
fused) # products and sums rounded once
    must=differ where='conv|engram|prefill|attention|sequence'
    flags+=(-ffp-contract=fast)
    case $machine in
    x86_64) flags+=(-mfma) ;;
    armv7) flags+=(-mfpu=neon-vfpv4) ;;
    esac
    ;;
flushed) # subnormals read and written as zeros
    must=differ where='store|scale|codes|saved|fake_quant|exp|attention|sequence'
    case $machine in
    x86_64) ldflags+=(-ffast-math) ;; # a start file that sets the mode
    armv7)
        # GCC has vectors of floats here, which flush, for those alone who allow unsafe
        # arithmetic as a whole; nothing else of that is wanted.
        flags+=(-mfpu=neon -funsafe-math-optimizations -fsigned-zeros -fno-associative-math
            -fno-reciprocal-math)
        ;;
    esac
    ;;
refused) # arithmetic that the engine's own assertions turn away
    must=fail
    case $machine in
    x86_64) flags+=(-ffast-math) ;;
    i386) flags+=(-mfpmath=387) ;;
    s390x) flags+=(-fexcess-precision=standard) ;;
    esac
    ;;
esac

seconds() { # seconds FROM: since then
    awk -v a="$1" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }'
}

# differences: a line for each digest that is not the committed one. Both are
# lines of session, kind, number of outputs, digest.
differences() {
    awk '
        /^#/ { next }
        FNR == NR { want[$1 " " $2] = $3 " " $4; key[n++] = $1 " " $2; next }
        { got[$1 " " $2] = $3 " " $4; if (!($1 " " $2 in want)) key[n++] = $1 " " $2 }
        END {
            for (i = 0; i < n; i++) {
                k = key[i]
                w = k in want ? want[k] : "nothing"
                g = k in got ? got[k] : "nothing"
                if (w != g)
                    printf "    %s: expected %s, got %s\n", k, w, g
            }
        }' "${0%/*}/digests.txt" "$build/digests"
}

start=$(date +%s.%N)
built=0 ran=0 result=FAILED more='' ran_for=-
"${MAKE:-make}" -s --no-print-directory B="$build" ENGINE="$build/libndl.a" SAN= CC="$cc" \
    OPT="-$level" CFLAGS="${flags[*]}" CPPFLAGS= \
    LDFLAGS="${ldflags[*]} ${flags[*]}" "$build/cross/player" >"$build/log" 2>&1 || built=$?
built_for=$(seconds "$start")

if [ $must = fail ]; then
    if [ $built -eq 0 ]; then
        said='it was built, which it must not be'
    elif grep -qE 'must be evaluated as float|compiled without -ffast-math' "$build/log"; then
        result=passed said='the engine refuses to be built like this'
    else
        said='it was not built, but for another reason' more=$(tail -n 20 "$build/log")
    fi
elif [ $built -ne 0 ]; then
    said='it was not built' more=$(tail -n 20 "$build/log")
else
    start=$(date +%s.%N)
    "${run[@]}" "$build/cross/player" "$dir/pack" >"$build/digests" 2>>"$build/log" || ran=$?
    ran_for=$(seconds "$start")
    different=$(differences)
    total=$(grep -vc '^#' "${0%/*}/digests.txt")
    count=$(grep -c . <<<"$different")
    if [ $ran -gt 1 ]; then
        said="it ended with status $ran" more=$(tail -n 20 "$build/log")
    elif [ $ran -eq 1 ]; then
        said="$count of $total digests differ, and sessions when played again:"
        more=$(sed 's/^/    /' "$build/log")${different:+$'\n'$different}
    elif [ $must = equal ] && [ "$count" -eq 0 ]; then
        result=passed said="$total digests equal"
    elif [ $must = equal ]; then
        said="$count of $total digests differ:" more=$different
    elif [ "$count" -eq 0 ]; then
        said="$total digests equal, some of which must differ"
    elif elsewhere=$(grep -vE "^ *[^ ]+ ($where): expected [^,]+, got [0-9]" <<<"$different"); then
        said='digests differ that must not:' more=$elsewhere
    else
        result=passed said="$count of $total digests differ, as they must"
    fi
fi

printf '%-8s %-9s %-4s %-8s %-7s %6s %6s  %s\n%s' "$machine" "$compiler" "-$level" "$variant" \
    "$result" "$built_for" "$ran_for" "$said" "${more:+$more$'\n'}" >"$build.row"
cat "$build.row"
