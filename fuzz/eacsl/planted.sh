#!/usr/bin/env bash
# planted.sh OUT: bugs planted in the ring make the translated engine stop: a write one
# past the end, a wrong slot, growth past the cap. Without a bug nothing stops.
set -euo pipefail
out=$1/planted
rm -rf "$out"
mkdir -p "$out"

# build NAME SED: planted_internal.c with the ring's source, edited.
build() {
    rm -rf "$out/engine"
    cp -R engine "$out/engine"
    sed -i "$2" "$out/engine/src/ring.c"
    if [ "$1" != none ] && cmp -s engine/src/ring.c "$out/engine/src/ring.c"; then
        echo "planted: $1: what it changes is written otherwise now" >&2
        exit 1
    fi
    fuzz/eacsl/translate.sh "$out/engine" "$out/run" src/ring.c
    local flags=(-std=gnu11 -g -fsanitize=address)
    gcc "${flags[@]}" -w -D__FC_BUILTIN__= -c "$out/run/engine.c" -o "$out/ring.o"
    nm "$out/ring.o" | sed -n 's/.* T __gen_e_acsl_\(ndl_[a-z0-9_]*\)$/\1 __gen_e_acsl_\1/p' >"$out/calls"
    gcc "${flags[@]}" -Iengine/src -c fuzz/eacsl/planted_internal.c -o "$out/planted.o"
    objcopy --redefine-syms="$out/calls" "$out/planted.o"
    gcc "${flags[@]}" "$out/planted.o" "$out/ring.o" fuzz/eacsl/runtime.c -lgmp -o "$out/$1"
}

build none ''
"$out/none"
while IFS='|' read -r name edit says; do
    build "$name" "$edit"
    status=0
    # In a shell of its own, which says there that it was stopped.
    ("$out/$name" || exit $?) 2>"$out/$name.txt" || status=$?
    # SIGABRT: the check's, before the sanitizer sees anything.
    if [ "$status" -ne 134 ] || ! grep -qF "$says" "$out/$name.txt"; then
        echo "planted: $name does not stop at \"$says\" (status $status)" >&2
        cat "$out/$name.txt" >&2
        exit 1
    fi
    echo "planted: $name: $(head -n 1 "$out/$name.txt")"
done <<'END'
past-the-end|/^void ndl_copy_f32/,/^}/s/i < n; i++/i <= n; i++/|mem_access: \valid(dst + i)
wrong-slot|/^size_t ndl_ring_slot/,/^}/s/pos % slots/(pos + 1) % slots/|KV_001/slot: Postcondition does not hold in ndl_ring_slot
past-the-cap|/^size_t ndl_ring_want/,/^}/s/pos < cap ? pos + 1 : cap/pos + 1/|Postcondition does not hold in ndl_ring_want
END
