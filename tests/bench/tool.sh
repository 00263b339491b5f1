#!/usr/bin/env bash
# tool.sh BUILD ROUNDS MB: what the command and the tests reach, as JSON. Status 1
# when the memory of `ndl check` grows with the length of a trace.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 rounds=$2 long=$3
ndl=$build/ndl made=$build/bench

# A trace of the shipped widths and up to 64 positions, and who else reads it.
"$ndl" gen --preset shipped --steps 64 | "$ndl" run - -o "$made/trace.jsonl"
gzip -kf "$made/trace.jsonl"
"$made/commands" "$rounds" \
    check="exec $ndl check --quiet $made/trace.jsonl" \
    reference="exec $ndl check --quiet --reference $made/trace.jsonl" \
    jq="exec jq -c . $made/trace.jsonl >/dev/null" \
    gzip="exec gzip -dc $made/trace.jsonl.gz >/dev/null" >"$made/commands.json"
bytes=$(stat -c %s "$made/trace.jsonl")

# Steps of one size, however many: no layer attends beyond 64 positions.
"$ndl" gen --preset shipped --steps 0 >"$made/long.jsonl"
jq -c 'select(.needle_trace) | .config | .sliding_window = 64 | .global_layers = []' \
    "$made/long.jsonl" >"$made/long.json"
rm "$made/long.jsonl"
long_trace() { # long_trace STEPS: the most memory of those who make and check one
    "$made/commands" 1 long="$ndl gen --geometry $made/long.json --hint 64 --steps $1 |
        $ndl run - | dd bs=1M iflag=fullblock 2>$made/long.log | $ndl check --quiet -" >"$made/long.times"
    jq -c --argjson steps "$1" --argjson bytes "$(sed -nE 's/^([0-9]+) bytes.*/\1/p' "$made/long.log")" \
        '{$steps, $bytes, peak_kib: .long.peak_kib, ns: .long.ns.median}' "$made/long.times"
}
long_trace 200 >"$made/long.json.parts"
steps=$(jq --argjson mb "$long" '$mb * 1.03e6 / (.bytes / .steps) | ceil' "$made/long.json.parts")
long_trace "$steps" >>"$made/long.json.parts"

"$made/lockstep" "$rounds" >"$made/lockstep.json"

jq -n --argjson bytes "$bytes" --slurpfile commands "$made/commands.json" \
    --slurpfile long "$made/long.json.parts" --slurpfile lockstep "$made/lockstep.json" \
    '{check: {bytes: $bytes, times: $commands[0]}, $long, lockstep: $lockstep[0].sessions_a_second}'
# A page or two more are chance.
jq -se '.[1].peak_kib <= .[0].peak_kib + 256' "$made/long.json.parts" >/dev/null || {
    echo "bench: memory grows with the length of a trace: $(cat "$made/long.json.parts")" >&2
    exit 1
}
