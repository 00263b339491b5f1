#!/usr/bin/env bash
# paths.sh: no file names a place that only some machines have. What may stand
# everywhere is listed here with its reason; this file is not read.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/lint/files.sh

everywhere=(
    '!/usr/bin/env'                               # how a script finds its interpreter
    '/dev/(null|zero|std(in|out|err)|full|tty|fd/)' # the kernel's own
    '/proc/(self|cpuinfo)'                        # likewise
    '/usr/local'                                  # where `make install` puts things unless told otherwise
)
top='bin|boot|etc|home|lib|lib64|media|mnt|nix|opt|private|root|run|sbin|srv|sys|tmp|usr|var|work|dev|proc|Users|Volumes'
# The start of a path, after nothing that a longer one would go on from.
place="(^|[^A-Za-z0-9_.~/*+})\$-])(/($top)/|[C-Z]:\\\\[A-Za-z])"

strip=()
for pattern in "${everywhere[@]}"; do strip+=(-e "s:$pattern::g"); done

hits=$(tree_files | grep -vx 'tests/lint/paths.sh' |
    LC_ALL=C xargs grep -HnaoE "${place}[^[:space:]\"'\`)]*" |
    LC_ALL=C sed -E "${strip[@]}" | LC_ALL=C grep -aE "^[^:]*:[0-9]+.*$place" || true)
[ -z "$hits" ] || {
    echo "$hits"
    exit 1
}
