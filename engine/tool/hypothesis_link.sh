#!/usr/bin/env bash
# hypothesis_link.sh OUT OBJECTS BASE MAP NAME... -- LINKER...: the engine with the
# patches NAME... on it, as the shared object OUT. Their objects are in OBJECTS/NAME,
# all others in BASE. The headers of the patches go into it as one text, the symbol
# ndl_hypothesis, each begun by its "Name:".
set -euo pipefail
out=$1 objects=$2 base=$3 map=$4
shift 4
names=()
while [ "$1" != -- ]; do
    names+=("$1")
    shift
done
shift

declare -A from=()
while read -r file; do
    from[$file]=$base/$file
done < <(cd "$base" && find . -name '*.o')
for name in "${names[@]}"; do
    while read -r file; do
        from[$file]=$objects/$name/$file
    done < <(cd "$objects/$name" && find . -name '*.o')
done

mkdir -p "${out%/*}"
{
    printf 'extern const char ndl_hypothesis[];\nconst char ndl_hypothesis[] =\n'
    for name in "${names[@]}"; do
        sed -e 's/[\\"]/\\&/g' -e 's/.*/    "&\\n"/' "$objects/$name/text"
    done
    printf '    "";\n'
} >"$out.c"
"$@" -shared -Wl,-z,defs -Wl,-Bsymbolic-functions -Wl,-z,noseparate-code -Wl,--version-script,"$map" "${from[@]}" "$out.c" \
    -lm -s -o "$out"
rm "$out.c"
