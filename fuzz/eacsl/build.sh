#!/usr/bin/env bash
# build.sh OUT: OUT/libndl.a of OUT/engine.c, the allocator and what the checks call;
# OUT/calls says which functions have checks, under the name that makes them.
set -euo pipefail
out=$1
flags=(-std=gnu11 -g -ffp-contract=off -fexcess-precision=fast -fsanitize=address)

# What a translator writes has warnings that say nothing of us.
gcc "${flags[@]}" -O1 -w -D__FC_BUILTIN__= -c "$out/engine.c" -o "$out/engine.o"
gcc "${flags[@]}" -O2 -Iengine/include -c engine/src/trusted/alloc.c -o "$out/alloc.o"
gcc "${flags[@]}" -O2 -Wall -Wextra -c fuzz/eacsl/runtime.c -o "$out/runtime.o"
rm -f "$out/libndl.a"
ar rcs "$out/libndl.a" "$out/engine.o" "$out/alloc.o" "$out/runtime.o"
nm "$out/engine.o" | sed -n 's/.* T __gen_e_acsl_\(ndl_[a-z0-9_]*\)$/\1 __gen_e_acsl_\1/p' >"$out/calls"
[ -s "$out/calls" ]
