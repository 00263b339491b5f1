#!/usr/bin/env bash
# rooms.sh: who may include whom. Each room's files may name, in quotes, only
# the headers listed for it; anything else is printed and fails the check.
#
#   engine/src         its own headers, engine/logic, ndl.h
#   spec/*.md          the reference's own headers, ndl.h
#   engine/record      nothing
#   engine/tool        its own headers, ndl.h, ref.h
#   tests              its own headers, ndl.h, ref.h, ndl_record.h;
#                      *_internal.c also engine/src
set -euo pipefail
cd "$(dirname "$0")/../.."

names() { # names of the headers under the given folders
    find "$@" -name '*.h' -o -name '*.acsl' 2>/dev/null | sed 's|.*/||' | sort -u
}
reference_headers() {
    sed -n 's/^```c \([a-z_]*\.h\)$/\1/p' spec/[0-9]*.md | sort -u
}

bad=0
check() { # check ROOM "ALLOWED NAMES" FILE...
    local room=$1 allowed=$2 file line name
    shift 2
    for file; do
        while IFS=: read -r line name; do
            [ -n "$name" ] || continue
            if ! grep -qxF "${name##*/}" <<<"$allowed"; then
                echo "$file:$line: $room may not include \"$name\""
                bad=1
            fi
        done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"([^"]*)".*/\1/; T; =; p' "$file" |
            paste -d: - -)
    done
}

mapfile -t engine < <(find engine/src engine/logic -name '*.[ch]' -o -name '*.acsl')
mapfile -t record < <(find engine/record -name '*.h')
mapfile -t tool < <(find engine/tool -name '*.[ch]')
mapfile -t tests < <(find tests -name '*.[ch]' ! -name '*_internal.c')
mapfile -t internal < <(find tests -name '*_internal.c')

src=$(names engine/src engine/logic; echo ndl.h)
own=$(names tests; printf '%s\n' ndl.h ref.h ndl_record.h; names engine/tool)
check "the engine" "$src" "${engine[@]}"
check "the reference" "$(reference_headers; echo ndl.h)" spec/[0-9]*.md
check "a recorder" "" "${record[@]}"
check "the tool" "$(names engine/tool; printf '%s\n' ndl.h ref.h)" "${tool[@]}"
check "a test" "$own" "${tests[@]}"
check "an internal test" "$own"$'\n'"$src" "${internal[@]}"
[ $bad -eq 0 ]
