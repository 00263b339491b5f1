#!/usr/bin/env bats
# What ndl diagnose reads off wrong values themselves: in a right session's trace one
# output is replaced by what a port with a certain mistake would have there, and that
# mistake, and no other, is said.
# shellcheck disable=SC2016 # what looks like a variable of the shell is one of jq
load bats/helper

# Two kv heads of two channels, so that rows are told apart by head; rings of 3 and 6
# slots; taps 1, 10 and 100, whose sums show what each read.
geometry='{"vocab_size":10,"d_model":1,"num_heads":4,"num_kv_heads":2,"num_layers":2,"qk_head_dim":2,"v_head_dim":2,"max_seq_len":6,"sliding_window":3,"global_layers":[1],"qkv_conv_taps":3,"engram":{"orders":[3],"heads":2,"slots":1000,"sub_dim":1,"sites":[0],"conv_taps":3,"conv_dilation":2,"seed_heads":5}}'
rows='def k($l; $p): [$p + 1, 2 * $p + 7 + $l, 9 - $p + 30 * $l, 3 * $p - 5];
    def v($l; $p): [4 - $p, 3 * $p + 2.5 + $l, $p + 20 + $l, $p * $p - 40];
    def taps: [range(12) | [1, 10, 100][. / 4 | floor]];
    def sum($a; $b; $c): [range(4) | $a[.] + 10 * $b[.] + 100 * $c[.]];'

# recorded PRECISION: the trace right, of five positions and a look at everything.
recorded() {
    jq -cn --argjson geometry "$geometry" --arg precision "$1" "$rows"'
        {needle_trace: 1, precision: $precision, hint: 6, config: $geometry},
        (range(5) as $p |
            (range(2) as $l |
                {op: "conv_step", layer: $l, which: "k", taps: taps, raw: k($l; $p)},
                {op: "conv_step", layer: $l, which: "v", taps: taps, raw: v($l; $p)},
                {op: "write_kv", layer: $l, pos: $p, k: k($l; $p), v: v($l; $p)},
                {op: "span", layer: $l, pos: $p}),
            {op: "engram_conv_step", site: 0, taps: [1, 10, 100], raw: [$p + 1]},
            {op: "push_token", token: ($p + 3)},
            {op: "advance"}),
        (range(2) as $l | {op: "tail", layer: $l, which: "k"}, {op: "kv", layer: $l}),
        {op: "attend_step", layer: 0, pos: 4, q: [range(8) | . / 8]},
        {op: "engram_indices"}, {op: "lost", layer: 0},
        {op: "is_saturated"}, {op: "set_pos", pos: 7}, {op: "is_saturated"}' >script
    "$NDL" run script -o right
}

# One hypothesis is enough where none is asked for.
only_one() {
    mkdir -p one
    cp "$(dirname "$NDL")/hypotheses/history-one-short.so" one
}

# found TRACE: the findings, a line each.
found() {
    run "$NDL" diagnose --hypotheses one --json "$1"
    jq -r '.files[0].fingerprints[].text' <<<"$output"
}

# planted OPERATION CHANGE TEXT...: of the last such operation in the trace right, selected
# by a condition of jq, some outputs are changed by it; just TEXT is found then, a line each.
planted() {
    local operation=$1 change=$2 text
    shift 2
    text=$(printf '%s\n' "$@")
    jq -cn "$rows"'[inputs] | (map('"$operation"') | rindex(true)) as $at | .[$at] |= ('"$change"') | .[]' \
        right >t
    ! cmp -s right t
    run "$NDL" check --quiet t
    [ "$status" -eq 1 ]
    same "$text" "$(found t)"
}

@test "a right trace says nothing, and neither do values that are of nothing" {
    only_one
    for precision in f32 int8; do
        recorded "$precision"
        run -4 "$NDL" diagnose --hypotheses one --json right
        same '[]' "$(jq -c '.files[0].fingerprints // []' <<<"$output")"
    done
    recorded f32
    planted '.op == "conv_step" and .layer == 0' '.out = [0.123, 0.456, 0.789, 0.1]' ''
    planted '.op == "kv" and .layer == 0' '.k = [range(12) | . / 7]' ''
    planted '.op == "attend_step"' '.out = [range(8) | . / 7]' ''
    planted '.op == "tail"' '.rows = [range(8) | . / 7]' ''
    planted '.op == "push_token"' '.history = [9, 8, 9]' ''
    planted '.op == "engram_indices"' '.indices = [0, 0]' ''
    planted '.op == "span" and .layer == 0' '.lo = 7' ''
}

@test "which row each tap read" {
    only_one
    recorded f32
    of='.op == "conv_step" and .layer == 0 and .which == "k"'
    planted "$of" '.out = sum(k(0; 4); k(0; 2); k(0; 2))' \
        'tap 1 read the raw row from 2 positions back, not the raw row from 1 position back'
    planted "$of" '.out = sum(k(0; 4); k(0; 3); [0, 0, 0, 0])' \
        'tap 2 read zeros, not the raw row from 2 positions back'
    planted "$of" '.out = sum(k(0; 4); k(0; 2); k(0; 3))' \
        'tap 1 read the raw row from 2 positions back, not the raw row from 1 position back; tap 2 read the raw row from 1 position back, not the raw row from 2 positions back'
    planted "$of" '.out = sum(k(0; 4); sum(k(0; 3); k(0; 2); k(0; 1)); k(0; 2))' \
        'tap 1 read the convolved row from 1 position back, not the raw row from 1 position back'
    planted "$of" '.out = sum(k(0; 4); k(1; 3); k(0; 2))' \
        'tap 1 read the raw k row of layer 1, from 1 position back, not the raw row from 1 position back'
    planted "$of" '.out = sum(k(0; 4); v(0; 3); k(0; 2))' \
        'tap 1 read the raw v row of layer 0, from 1 position back, not the raw row from 1 position back'
    # Tap 2 does not count yet: twice the largest order is 6.
    planted '.op == "engram_conv_step"' '.out = [5 + 10 * 4]' \
        'tap 1 read the raw row from 1 position back, not the raw row from 2 positions back'
    planted '.op == "engram_conv_step"' '.out = [5 + 10 * 3 + 100 * 1]' \
        'tap 2 read the raw row from 4 positions back, not zeros'
}

@test "which rows a tail holds" {
    only_one
    recorded f32
    of='.op == "tail" and .layer == 0'
    planted "$of" '.rows = k(0; 4) + k(0; 3)' "the tail's rows are there newest first, not oldest first"
    planted "$of" '.rows = k(0; 2) + k(0; 4)' \
        'row 0 of the tail, whose newest is row 1, is the raw row from 2 positions back, not the raw row from 1 position back'
    planted "$of" '.rows = k(0; 3) + sum(k(0; 4); k(0; 3); k(0; 2))' \
        'row 1 of the tail, whose newest is row 1, is the convolved row of this position, not the raw row of this position'
    planted "$of" '.rows = k(0; 3) + k(1; 4)' \
        'row 1 of the tail, whose newest is row 1, is the raw k row of layer 1, of this position, not the raw row of this position'
}

@test "which position, layer and side a stored row is of" {
    only_one
    recorded f32
    # Slots of layer 0 hold positions 3, 4 and 2.
    of='.op == "kv" and .layer == 0'
    planted "$of" '.k = k(0; 0) + k(0; 4) + k(0; 2)' \
        'slot 0 of 3 of layer 0 holds the k row of position 0, not the k row of position 3'
    planted "$of" '.k = k(0; 3) + k(1; 4) + k(0; 2)' \
        'slot 1 of 3 of layer 0 holds the k row of position 4 of layer 1, not the k row of position 4'
    planted "$of" '.v = v(0; 3) + k(0; 4) + v(0; 2)' \
        'slot 1 of 3 of layer 0 holds the k row of position 4, not the v row of position 4'
    planted "$of" '.v = v(0; 3) + v(0; 4) + [0, 0, 0, 0]' \
        'slot 2 of 3 of layer 0 holds zeros, not the v row of position 2'
    planted '.op == "kv" and .layer == 1' '.k = [range(5) as $p | k(1; $p)[]] + k(1; 0)' \
        'slot 5 of 6 of layer 1 holds the k row of position 0, not nothing yet'
}

@test "a ring that is rotated, and how many slots it has" {
    only_one
    recorded f32
    planted '.op == "kv" and .layer == 0' '.k = k(0; 4) + k(0; 2) + k(0; 3)' \
        'the ring of layer 0 is rotated: slot 0 holds what slot 1 should'
    planted '.op == "kv" and .layer == 0' '.v = v(0; 2) + v(0; 3) + v(0; 4)' \
        'the ring of layer 0 is rotated: slot 0 holds what slot 2 should'
    planted '.op == "write_kv" and .layer == 0' '.slots = 4' 'layer 0 has 4 slots, past its cap of 3'
    planted '.op == "write_kv" and .layer == 1' '.slots = 5' 'layer 1 has 5 slots, not 6; its cap is 6'
}

@test "where spans begin and end" {
    only_one
    recorded f32
    planted '.op == "span" and .layer == 0' '.lo = 0' 'a span of layer 0 begins at 0, as if there were no window'
    planted '.op == "span" and .layer == 0' '.lo = 1' 'the first position of a span of a local layer is one less'
    planted '.op == "span" and .layer == 0' '.lo = 3' 'the first position of a span of a local layer is one more'
    planted '.op == "span" and .layer == 0' '.hi = 3' 'the last position of a span of a local layer is one less'
    planted '.op == "span" and .layer == 1' '.hi = 5' 'the last position of a span of a global layer is one more'
    planted '.op == "span" and .layer == 1' '.lo = 2' 'the window is applied to layer 1, which is global'
}

@test "which head and slot a scale is of, and how it was worked out" {
    only_one
    recorded int8
    of='.op == "kv" and .layer == 0'
    # Magnitudes of heads: k of position p has those of its first and last two channels.
    scale='def scale($x): ($x | map(fabs) | max) / 127; .k_scale = ([3, 4, 2] | map(k(0; .)) | map(scale(.[:2]), scale(.[2:])))'
    planted "$of" "$scale | .k_scale[2] = .k_scale[3]" "the scale of k in slot 1, head 0 is head 1's"
    planted "$of" "$scale | .k_scale[2] = .k_scale[0]" \
        'the scale of k in slot 1, head 0 is that of position 3, head 0 of k'
    planted "$of" "$scale | .k_scale[2] = scale(v(0; 4)[:2])" 'the scale of k in slot 1, head 0 is that of head 0 of v'
    planted "$of" "$scale | .k_scale[2] = scale(k(1; 4)[:2])" \
        'the scale of k in slot 1, head 0 is that of layer 1, position 4, head 0 of k'
    planted "$of" "$scale | .k_scale[2] = 1" \
        'the scale of k in slot 1, head 0 is 1, as in a slot without a row'
    planted "$of" "$scale | .k_scale[2] = 15 / 128" 'a scale of k is absmax / 128'
    planted "$of" "$scale | .k_scale[2] = 15" 'a scale of k is absmax itself'
    planted "$of" "$scale | .k_scale[2] = 5 / 127" "a scale of k is absmax / 127 without the head's last element"
    planted "$of" "$scale | .k_scale[2] = 127 / 15" "a scale of k is 127 / absmax, the scale's inverse"
}

@test "how numbers became codes" {
    only_one
    # The scale is 1, so that a number is its code but for the rounding.
    x='[127, 0.5, 1.5, -2.5, 3.7, -4.2]'
    printf '%s\n' '{"needle_trace":1}' '{"op":"quantize_rows","head_dim":6,"x":'"$x"'}' \
        '{"op":"fake_quant","bits":8,"x":'"$x"'}' >script
    "$NDL" run script -o right
    here='needle-core has x * (1 / scale), rounded to nearest, halves away from 0'
    planted '.op == "quantize_rows"' '.q = [127, 0, 2, -2, 4, -4]' \
        "the codes are x * (1 / scale), rounded to nearest, halves to even; $here"
    planted '.op == "quantize_rows"' '.q = [127, 1, 2, -2, 4, -4]' \
        "the codes are x * (1 / scale), rounded as floor(x + 0.5); $here"
    planted '.op == "quantize_rows"' '.q = [127, 0, 1, -2, 3, -4]' \
        "the codes are x * (1 / scale), truncated towards 0; $here"
    planted '.op == "quantize_rows"' '.q = [127, 0, 1, -3, 3, -5]' \
        "the codes are x * (1 / scale), rounded down; $here"
    planted '.op == "fake_quant"' '.out = [127, 0, 1, -2, 3, -4]' \
        "the codes are x * (1 / scale), truncated towards 0; $here"
    planted '.op == "quantize_rows"' '.q = [1, 2, 3, 4, 5, 6]' ''
    "$NDL" run - <<<'{"needle_trace":1}
{"op":"fake_quant","bits":4,"x":[127,0.5,1.5,-30,40]}' | jq -c 'if .op then .bits = 8 else . end' >right
    same 'it was rounded to 4 bits, whatever was asked for' "$(found right)"
}

@test "over what attention went" {
    only_one
    recorded f32
    of='.op == "attend_step"'
    # By hand, in double precision, over some positions of layer 0.
    attend='def attend($lo; $hi; kv; $root): [range(4) as $h | ($h | kv) as $g |
        ([range(8) | . / 8][2 * $h:2 * $h + 2]) as $q |
        [range($lo; $hi + 1) as $p | k(0; $p)[2 * $g:2 * $g + 2] | ($q[0] * .[0] + $q[1] * .[1]) / $root] as $s |
        ($s | max) as $m | ($s | map(. - $m | exp)) as $e |
        range(2) as $c | [range($lo; $hi + 1) as $p | $e[$p - $lo] / ($e | add) * v(0; $p)[2 * $g + $c]] | add];
        def group: . / 2 | floor; def root: 2 | sqrt;'
    jq -c "$rows$attend if $of"' then .out = attend(2; 4; group; root) else . end' right >t
    run -0 "$NDL" check --quiet t
    planted "$of" "$attend .out = attend(1; 4; group; root)" 'it went over 1 position more than it should'
    planted "$of" "$attend .out = attend(3; 4; group; root)" 'it went over 1 position fewer than it should'
    planted "$of" "$attend .out = attend(0; 4; group; root)" 'it went over 2 positions more than it should'
    planted "$of" "$attend .out = attend(2; 3; group; root)" 'it went over positions 2 to 3, not 2 to 4'
    planted "$of" "$attend .out = attend(2; 4; . % 2; root)" \
        'query head h read kv head h mod num_kv_heads, not h divided by the group'
    planted "$of" "$attend .out = attend(2; 4; group; 1)" 'scores were not divided by the root of qk_head_dim'
}

@test "what the history and its indices are made of" {
    only_one
    recorded f32
    of='.op == "push_token"' # 3, 4, 5, 6 and 7; three of them are kept
    planted "$of" '.history = [6, 7]' 'the history holds the last 2 tokens, not the last 3'
    planted "$of" '.history = [4, 5, 6, 7]' 'the history holds the last 4 tokens: it keeps up to 3'
    planted "$of" '.history = [7, 6, 5]' 'the history is there newest first, not oldest first'
    planted "$of" '.history = [4, 5, 6]' 'the newest token is not in the history'
    planted "$of" '.history = [5, 6, 6]' 'the older tokens have moved up, and the newest is not in their place'
    planted "$of" '.history = [3, 4, 5]' 'the history holds the first tokens, not the last'
    # As a port's with each mistake.
    for change in 'hash-oldest-first|hashed from the oldest tokens on, not from the newest' \
        'hash-seed-from-zero|hashed with the tables counted from 0, not from 1' \
        'hash-without-its-last-step|hashed without the last shift by 15' \
        'hash-without-slots|the whole hash, not its remainder by the slots'; do
        "$NDL" run --mistake "${change%%|*}" script -o t
        same "the indices are ${change#*|}" "$(found t)"
    done
}

@test "positions, saturation and what is lost" {
    only_one
    recorded f32
    planted '.op == "advance"' '.pos = 4' 'the position is one behind'
    planted '.op == "advance"' '.pos = 6' 'the position is one ahead'
    planted '.op == "is_saturated" and .saturated' '.saturated = false' 'a ring is at its cap and it is not reported'
    planted '.op == "is_saturated" and (.saturated | not)' '.saturated = true' \
        'no ring is at its cap and one is reported'
    planted '.op == "lost"' '.lost = 2' '2 positions of the window are said to be lost, not 0'
}

@test "a sequence with another window" {
    only_one
    call='{op: "attend_sequence", seq: 5, num_heads: 1, num_kv_heads: 1, qk_head_dim: 1, v_head_dim: 1,
        q: [range(5) | . / 3], k: [range(5) | 2 - . / 2], v: [range(5) | . * . + 1]}'
    of() {
        jq -cn '{needle_trace: 1}, '"$call"' + {window: '"$1"'}' | "$NDL" run -
    }
    # What one window gives, recorded as another's.
    for pair in '4 3 it was done with a window of one position more' \
        '2 3 it was done with a window of one position less' \
        '0 2 it was done without the window'; do
        read -r is should text <<<"$pair"
        of "$is" | jq -c --argjson should "$should" 'if .op then .window = $should else . end' >t
        same "$text" "$(found t)"
    done
    of 3 >t
    same '' "$(found t)"
}
