#!/usr/bin/env bash
# loops.sh BUILD LIST COMPILER...: each compiler says that it vectorises a loop of
# each function in LIST. Its lines are `file function`; behind that may stand the
# source that includes the file, and behind that the one compiler that is asked. A
# source is compiled as the library compiles it. A loop of an inline function counts
# where it stands, but for what clang makes vectors of after unrolling it: that
# counts where the vectors are stored.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 list=$2
shift 2
mkdir -p "$build"

# report COMPILER SOURCE: file:line of what is vectorised while it is compiled.
report() {
    local compiler=$1 source=$2 object=$build/$1/${2%.c}.o command flag
    command=$(make -nB --no-print-directory B="$build/$compiler" CC="$compiler" SAN='' "$object" 2>/dev/null |
        grep -E " -c $source( |\$)" | head -n 1)
    [ -n "$command" ] || {
        echo "loops.sh: make does not say how $source is compiled" >&2
        return 1
    }
    case $compiler in
    *clang*) flag='-Rpass=(loop|slp)-vectorize' ;;
    *) flag=-fopt-info-vec-optimized ;;
    esac
    mkdir -p "$(dirname "$object")"
    read -ra command <<<"$command"
    "${command[@]}" "$flag" 2>&1 | sed -nE 's/^([^:]+):([0-9]+):[0-9]+: (optimized|remark): .*vectorized.*/\1:\2/p' | sort -u
}

# lines FILE FUNCTION: the first and the last line of its definition.
lines() {
    awk -v name="$2" '
        !at && $0 ~ "^[A-Za-z].*[ *]" name "\\(" { from = NR }
        from && !at && /;[ \t]*$/ && !/[{]/ { from = 0 }
        from && !at && /^[{]/ { at = from }
        at && /^}/ { print at, NR; exit }
    ' "$1"
}

bad=0 seen=0
declare -A reports
while read -r file function source only; do
    [[ $file != '#'* && -n $file ]] || continue
    seen=$((seen + 1))
    source=${source:-$file}
    [[ -z $only || $only == @(gcc|clang-19) ]] || { echo "$list: there is no compiler $only"; bad=1; continue; }
    [ -f "$file" ] || { echo "$list: there is no $file"; bad=1; continue; }
    read -r first last < <(lines "$file" "$function") || { echo "$list: $file defines no $function"; bad=1; continue; }
    for compiler; do
        [ "${only:-$compiler}" = "$compiler" ] || continue
        [ -n "${reports[$compiler $source]:-}" ] || reports[$compiler $source]=$(report "$compiler" "$source")
        awk -F : -v file="$file" -v first="$first" -v last="$last" \
            '$1 == file && first <= $2 && $2 <= last { found = 1 } END { exit !found }' \
            <<<"${reports[$compiler $source]}" && continue
        echo "$file:$first: $compiler vectorises no loop of $function"
        bad=1
    done
done <"$list"
[ $seen -gt 0 ] || { echo "$list names no loop"; bad=1; }
[ $bad -eq 0 ] || exit 1
echo "$seen functions, their loops vectorised by: $*"
