#!/usr/bin/env bash
# keep.sh BUILD: puts the tables and plots of the last full run on docs/speed.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 page=docs/speed.md

jq -e 'has("growth")' "$build/bench.json" >/dev/null 2>&1 || {
    echo "keep.sh: there is no full run: make bench first" >&2
    exit 2
}
mkdir -p docs/speed
cp "$build"/bench/{step,operations,memory}.svg docs/speed/
{
    sed '/^<!-- results:/q' "$page"
    echo
    jq -r -f tests/bench/table.jq "$build/bench.json"
    cat <<'END'

![Cost of a step against its position](speed/step.svg)

![Cost of each operation of a step](speed/operations.svg)

![Memory against position](speed/memory.svg)
END
} >"$build/bench/speed.md"
cp "$build/bench/speed.md" "$page"
