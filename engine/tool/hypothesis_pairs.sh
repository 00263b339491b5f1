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
mapfile -t names < <(if [ ${#names[@]} -gt 0 ]; then printf '%s\n' "${names[@]}"; else ls "$from/objects"; fi | LC_ALL=C sort)

declare -A changes
for name in "${names[@]}"; do
    changes[$name]=" $(cd "$from/objects/$name" && find . -name '*.o' | tr '\n' ' ')"
done

# What was a pair and is none any more goes.
declare -A wanted
made=()
for ((i = 0; i < ${#names[@]}; i++)); do
    for ((j = i + 1; j < ${#names[@]}; j++)); do
        a=${names[i]} b=${names[j]}
        for file in ${changes[$a]}; do
            [[ ${changes[$b]} != *" $file "* ]] || continue 2
        done
        so=$out/$a+$b.so
        wanted[$so]=1
        if [ ! "$so" -nt "$from/objects/$a/text" ] || [ ! "$so" -nt "$from/objects/$b/text" ]; then
            made+=("$a $b")
        fi
    done
done
for so in "$out"/*+*.so; do
    [ ! -e "$so" ] || [ -n "${wanted[$so]:-}" ] || rm "$so"
done
link() {
    local a=$1 b=$2
    shift 2
    "$here/hypothesis_link.sh" "$out/$a+$b.so" "$from/objects" "$from/base" "$from/api.map" "$a" "$b" -- "$@"
}
export -f link
export here out from
# shellcheck disable=SC2016 # it is that shell's to expand
printf '%s\n' "${made[@]}" |
    xargs -r -P 2 -L 1 bash -c 'read -r a b <<<"${*: -2}"; link "$a" "$b" "${@:1:$#-2}"' bash "$@"
echo "${#wanted[@]} pairs, ${#made[@]} of them new"
