#!/usr/bin/env bash
# hypothesis_pairs.sh HYPOTHESES OUT [NAME NAME] [-- LINKER...]: hypotheses of two
# mistakes at once, A+B.so in the folder OUT, of all patches that were built in
# HYPOTHESES and change no file in common, or of two. What is there and newer than
# what it is made of stays. Says how many there are.
set -euo pipefail
here=$(dirname "$0") from=$1 out=$2
shift 2
names=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    names+=("$1")
    shift
done
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- gcc -O1 -fPIC
if [ ${#names[@]} -eq 0 ]; then
    mapfile -t names < <(cd "$from/objects" && ls)
fi

declare -A changes
for name in "${names[@]}"; do
    changes[$name]=$(cd "$from/objects/$name" && find . -name '*.o')
done

made=0 kept=0
for ((i = 0; i < ${#names[@]}; i++)); do
    for ((j = i + 1; j < ${#names[@]}; j++)); do
        pair=$(printf '%s\n' "${names[i]}" "${names[j]}" | LC_ALL=C sort | paste -sd+)
        a=${pair%+*} b=${pair#*+}
        [ -z "$(printf '%s\n%s\n' "${changes[$a]}" "${changes[$b]}" | sort | uniq -d)" ] || continue
        if [ "$out/$pair.so" -nt "$from/objects/$a/text" ] && [ "$out/$pair.so" -nt "$from/objects/$b/text" ]; then
            kept=$((kept + 1))
            continue
        fi
        "$here/hypothesis_link.sh" "$out/$pair.so" "$from/objects" "$from/base" "$from/api.map" "$a" "$b" -- "$@"
        made=$((made + 1))
    done
done
echo "$((made + kept)) pairs, $made of them new"
