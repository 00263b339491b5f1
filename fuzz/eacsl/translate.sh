#!/usr/bin/env bash
# translate.sh ENGINE OUT SOURCE...: the engine's sources with the clauses of their
# contracts that a program can compute as checks, in OUT/engine.c; OUT/clauses.json
# counts what is checked and what is not.
set -euo pipefail
engine=$1 out=$2
shift 2
here=$(dirname "$0")

mkdir -p "$out"
python3 -B "$here/select.py" "$engine" "$here/public.acsl" "$here/logic.acsl" "$out/engine" >"$out/selected.json"
cd "$out/engine"
# What is special about floats is no error here, and what unsigned numbers do neither.
if ! frama-c -c11 -machdep gcc_x86_64 -cpp-extra-args="-Iinclude -DNDL_NO_CLONES" \
    -warn-special-float none -rte "$@" -then -e-acsl -e-acsl-no-assert-print-data \
    -then-last -print -ocode ../engine.new.c >../translate.log 2>&1; then
    tail -n 20 ../translate.log >&2
    echo "$out: the engine could not be translated" >&2
    exit 1
fi
cd - >/dev/null
# The translator may take a number for one of many digits where it is none.
if grep -nE 'mpz_struct const \*\)[a-z]' "$out/engine.new.c" >&2; then
    echo "$out: the translator mistakes these; select.py must say the clause otherwise" >&2
    exit 1
fi
mv "$out/engine.new.c" "$out/engine.c"
# Clauses that were selected and that the translator left out all the same count as
# not checked; of the kinds it names, those below are clauses that select.py removes,
# or the C library's.
ignored=$(awk '/Warning:/ { where = $2 } /Ignoring annotation/ && where ~ /^(src|include)\// { n++ } END { print n + 0 }' "$out/translate.log")
jq -c --argjson ignored "$ignored" --argjson checks "$(grep -c '^ *__e_acsl_assert(' "$out/engine.c")" \
    --argjson functions "$(grep -oE '\b__gen_e_acsl_ndl_\w+' "$out/engine.c" | sort -u | wc -l)" \
    '. + {ignored: $ignored, checks: $checks, functions: $functions}' "$out/selected.json" >"$out/clauses.json"
