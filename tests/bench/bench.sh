#!/usr/bin/env bash
# bench.sh [OPTION]... BUILD LIBRARY-OPTION...: runs the bench and shows what it
# found. --help says more; `make bench` calls it.
set -euo pipefail
cd "$(dirname "$0")/../.."

usage() {
    cat <<'END'
usage: make bench [BENCH='OPTION...']

Measures the engine as installed, in turns with a straightforward port and with
what the machine allows. BUILD/bench.json keeps the results, BUILD/bench/*.svg
shows them.

  --quick        whole steps at position 2048 alone, under a minute
  --json         print the results as JSON instead of tables
  --rounds N     repetitions, 1 to 101 (default 7; 5 with --quick)
  --evict MIB    what is walked to empty the caches (default: twice the last one)
  --long MB      size of the trace that memory is looked at with (default 1000)
  --help         this text

exit status:
  0  measured; what is below its target is warned of
  1  the engine and the port compute different things, or memory grows with a trace
  2  the command line is wrong, or something cannot be run
END
}

options=$(getopt -n bench.sh -o '+' -l quick,json,rounds:,evict:,long:,help -- "$@") || exit 2
eval set -- "$options"
quick=0 json=0 rounds=7 long=1000 pass=()
while [ "$1" != -- ]; do
    case $1 in
    --quick) quick=1 pass+=(--quick) ;;
    --json) json=1 ;;
    --rounds) rounds=$2 pass+=(--rounds "$2"); shift ;;
    --evict) pass+=(--evict "$2"); shift ;;
    --long) long=$2; shift ;;
    --help) usage; exit ;;
    esac
    shift
done
[ $# -ge 2 ] || { usage >&2; exit 2; }
[[ $long =~ ^[1-9][0-9]{0,5}$ ]] || { echo "bench.sh: --long is a number of megabytes, not \"$long\"" >&2; exit 2; }
build=$2
shift 2
made=$build/bench

# Its name, which several kinds of one maker share, and its family.
processor() {
    lscpu | sed -nE 's/^Model name: *//p; s/^CPU family: */family /p' | paste -sd' '
}

# What is known of the machine.
about() {
    LC_ALL=C jq -n --arg date "$(date -u +%F)" --arg load "$(uptime | sed 's/.*: //')" \
        --arg machine "$(processor), $(nproc) processors, $(uname -m)" \
        --arg gcc "$(gcc --version | head -n 1)" --arg clang "$(clang-19 --version | head -n 1)" \
        '{$date, $machine, $load, compilers: [$gcc, $clang]}'
}

"$made/main" "${pass[@]}" "$@" >"$made/steps.json"
about >"$made/about.json"
parts=("$made/about.json" "$made/steps.json")
status=0
if [ $quick -eq 0 ]; then
    tests/bench/tool.sh "$build" "$rounds" "$long" >"$made/tool.json" || status=$?
    [ $status -le 1 ] || exit $status
    parts+=("$made/tool.json")
fi
jq -s add "${parts[@]}" | jq -f tests/bench/ratio.jq >"$build/bench.json"
if [ $quick -eq 0 ]; then
    for what in step-f32 step-int8 memory-f32 memory-int8 operations; do
        jq -r --arg what "$what" -f tests/bench/plots.jq "$build/bench.json" >"$made/$what.tsv"
    done
    gnuplot -e "from='$made'" tests/bench/plots.gp
fi
jq -r '.warnings[] | "bench: warning: \(.)"' "$build/bench.json" >&2
if [ $json -eq 1 ]; then
    cat "$build/bench.json"
else
    [ $quick -eq 1 ] || jq -r -f tests/bench/table.jq "$build/bench.json"
    jq -r .line "$build/bench.json"
fi
exit $status
