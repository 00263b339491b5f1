#!/usr/bin/env bats
# The usage warnings: misuse is told, and what is right is not.
load bats/helper

# warns TEXT: the trace agrees or has nothing to compare, and this alone is warned.
warns() {
    run --separate-stderr "$NDL" check t
    [ "$status" -eq 0 ] || [ "$status" -eq 3 ]
    same "$1" "$stderr"
    if [ -n "$1" ]; then
        run -1 "$NDL" check --strict t
    fi
}

k3='"which":"k","n":3,"taps":[1,1,2,2,3,3],"raw":[1,2,3,4,5,6]'

@test "TRACE_012 no recording but one is warned about" {
    run -0 --separate-stderr "$NDL" check --strict "$conformance"/*.jsonl
    for f in "$conformance"/scripts/*.jsonl; do
        [ "${f##*/}" = saturation-lags.jsonl ] || "$NDL" check --strict --quiet "$f"
    done
    # This one leaves layer 0 out altogether, which is said once.
    run --separate-stderr -0 "$NDL" check "$conformance/scripts/saturation-lags.jsonl"
    [[ "$stderr" == *':5: usage: layer 0 was written 0 times, not once, between the start and this advance' ]]
}

@test "TRACE_012 made sessions are not warned about" {
    for n in 0 1 2 5 11; do
        "$NDL" gen --prefill $n --steps 3 | "$NDL" run --hash - | "$NDL" check --strict --quiet -
    done
}

@test "TRACE_012 rows seeded over a prefill are its last raw rows" {
    session '{"op":"prefill_conv","layer":0,'"$k3"'}' '{"op":"seed_conv_tail","layer":0,"which":"k","raw":[3,4,5,6]}'
    warns ''
    session '{"op":"prefill_conv","layer":0,'"$k3"',"out":[1,2,5,8,14,20]}' '{"op":"seed_conv_tail","layer":0,"which":"k","raw":[5,8,14,20]}'
    warns 't:3: usage: the k tail of layer 0 is seeded after the convolution on line 2 with the rows after the convolution, not the raw ones before it'
    session '{"op":"prefill_conv","layer":0,'"$k3"'}' '{"op":"seed_conv_tail","layer":0,"which":"k","raw":[5,6,3,4]}'
    warns 't:3: usage: the k tail of layer 0 is seeded after the convolution on line 2 with the raw rows newest first, not oldest first'
    session '{"op":"prefill_conv","layer":0,'"$k3"'}' '{"op":"seed_conv_tail","layer":0,"which":"k","raw":[3,4,5,7]}'
    warns 't:3: usage: the k tail of layer 0 is seeded after the convolution on line 2 with not the last raw rows of it'
    # A prompt shorter than the tail: zeros before it.
    short='{"op":"prefill_conv","layer":0,"which":"k","n":1,"taps":[1,1,2,2,3,3],"raw":[1,2]}'
    session "$short" '{"op":"seed_conv_tail","layer":0,"which":"k","raw":[0,0,1,2]}'
    warns ''
    session "$short" '{"op":"seed_conv_tail","layer":0,"which":"k","raw":[1,2,0,0]}'
    warns 't:3: usage: the k tail of layer 0 is seeded after the convolution on line 2 with the raw rows newest first, not oldest first'
    # Another tail is none of its business, nor is one after a step.
    session '{"op":"prefill_conv","layer":0,'"$k3"'}' '{"op":"seed_conv_tail","layer":1,"which":"k","raw":[9,9,9,9]}'
    warns ''
}

@test "TRACE_012 rows seeded after a stateless convolution are its last raw rows" {
    conv='{"op":"causal_depthwise_conv","seq":3,"dim":2,"n_taps":3,"taps":[1,1,2,2,3,3],"buf":[1,2,3,4,5,6]}'
    other='{"op":"causal_depthwise_conv","seq":3,"dim":2,"n_taps":3,"taps":[1,1,2,2,3,3],"buf":[7,7,7,7,7,7]}'
    session "$conv" "$other" '{"op":"seed_conv_tail","layer":0,"which":"k","raw":[3,4,5,6]}' \
        '{"op":"seed_conv_tail","layer":1,"which":"k","raw":[7,7,7,7]}'
    warns ''
    session "$conv" "$other" '{"op":"seed_conv_tail","layer":0,"which":"k","raw":[5,8,14,20]}'
    warns 't:4: usage: the k tail of layer 0 is seeded after the convolution on line 2 with the rows after the convolution, not the raw ones before it'
    session "$conv" '{"op":"seed_conv_tail","layer":0,"which":"v","raw":[3,4]}'
    warns ''
    value='{"op":"value_conv","seq":3,"d_model":2,"conv_taps":2,"conv_dilation":2,"max_order":2,"taps":[1,1,2,2],"buf":[1,2,3,4,5,6]}'
    session "$value" '{"op":"seed_engram_tail","site":0,"raw":[3,4,5,6]}'
    warns ''
    session "$value" '{"op":"seed_engram_tail","site":0,"raw":[5,6,3,4]}'
    warns 't:3: usage: the tail of site 0 is seeded after the convolution on line 2 with the raw rows newest first, not oldest first'
    # Once the position has moved, an old convolution says nothing of a new seed.
    session "$conv" '{"op":"advance"}' '{"op":"seed_conv_tail","layer":0,"which":"k","raw":[9,9,9,9]}'
    warns ''
}

write() { echo '{"op":"write_kv","layer":'"$1"',"pos":'"$2"',"k":[1,2],"v":[3]}'; }

@test "TRACE_012 a layer is written once between two advances" {
    session "$(write 0 0)" "$(write 1 0)" '{"op":"advance"}' "$(write 0 1)" "$(write 1 1)" '{"op":"advance"}'
    warns ''
    session "$(write 0 0)" "$(write 1 0)" '{"op":"advance"}' "$(write 0 1)" "$(write 0 1)" "$(write 1 1)" '{"op":"advance"}'
    warns 't:8: usage: layer 0 was written 2 times, not once, between the advance of line 4 and this advance'
    session "$(write 0 0)" "$(write 1 0)" '{"op":"advance"}' "$(write 0 1)" '{"op":"advance"}'
    warns 't:6: usage: layer 1 was written 0 times, not once, between the advance of line 4 and this advance'
    session "$(write 0 0)" "$(write 1 0)" '{"op":"advance"}' '{"op":"advance"}'
    warns 't:5: usage: layer 0 was written 0 times, not once, between the advance of line 4 and this advance, and so 1 other layer not once'
    # A prefill is written before the position is set; then it is one a step again.
    session "$(write 0 0)" "$(write 0 1)" "$(write 1 0)" "$(write 1 1)" '{"op":"set_pos","pos":2}' \
        "$(write 0 2)" "$(write 1 2)" '{"op":"advance"}'
    warns ''
    # A trace of convolutions alone writes nothing.
    session '{"op":"advance"}' '{"op":"advance"}'
    warns ''
    # A snapshot remembers what was written when it was taken.
    session "$(write 0 0)" '{"op":"snapshot","name":"a"}' "$(write 1 0)" '{"op":"advance"}' \
        '{"op":"restore","name":"a"}' "$(write 1 0)" '{"op":"advance"}'
    warns ''
}

step() { echo '{"op":"conv_step","layer":0,"which":"k","taps":[1,1,2,2,3,3],"raw":[1,2]}'; }

@test "TRACE_012 a position that goes back comes with seeds" {
    session "$(step)" '{"op":"set_pos","pos":5}' '{"op":"set_pos","pos":3}' "$(step)" '{"op":"advance"}'
    warns 't:5: usage: set_pos went back from 5 to 3 on line 4, and the k tail of layer 0 was not seeded since: set_pos alone is no rollback'
    session "$(step)" '{"op":"set_pos","pos":5}' '{"op":"set_pos","pos":3}'
    warns 't:4: usage: set_pos went back from 5 to 3 on line 4, and nothing was seeded after it: set_pos alone is no rollback'
    session "$(step)" '{"op":"set_pos","pos":5}' '{"op":"set_pos","pos":3}' '{"op":"advance"}'
    warns 't:5: usage: set_pos went back from 5 to 3 on line 4, and nothing was seeded after it: set_pos alone is no rollback'
    seed='{"op":"seed_conv_tail","layer":0,"which":"k","raw":[1,2,3,4]}'
    session "$(step)" '{"op":"set_pos","pos":5}' '{"op":"set_pos","pos":3}' "$seed" "$(step)"
    warns ''
    session "$(step)" '{"op":"set_pos","pos":5}' "$seed" '{"op":"set_pos","pos":3}' "$(step)"
    warns ''
    # At position 0 the gates hide what a tail holds; the history has no gate.
    session "$(step)" '{"op":"set_pos","pos":5}' '{"op":"set_pos","pos":0}' "$(step)"
    warns ''
    session '{"op":"push_token","token":1}' '{"op":"set_pos","pos":5}' '{"op":"set_pos","pos":0}' '{"op":"push_token","token":1}'
    warns 't:5: usage: set_pos went back from 5 to 0 on line 4, and the token history was not seeded since: set_pos alone is no rollback'
    session '{"op":"push_token","token":1}' '{"op":"set_pos","pos":5}' '{"op":"set_pos","pos":0}' '{"op":"seed_tokens","tokens":[]}' '{"op":"push_token","token":1}'
    warns ''
    # Forward is a prefill.
    session "$(step)" '{"op":"set_pos","pos":5}' "$(step)"
    warns ''
}

@test "TRACE_012 a load goes on from how the saved session was used" {
    save='{"op":"save","name":"a"}' load='{"op":"load","name":"a"}'
    # What was written before the save is written after the load, and no more than that.
    session "$(write 0 0)" "$save" "$(write 1 0)" '{"op":"advance"}' "$load" "$(write 1 0)" '{"op":"advance"}' \
        "$load" "$(write 1 0)" '{"op":"advance"}'
    warns ''
    session "$(write 0 0)" "$save" "$(write 1 0)" '{"op":"advance"}' "$load" '{"op":"advance"}'
    warns 't:7: usage: layer 1 was written 0 times, not once, between the start and this advance'
    # Its tails belong to where it was.
    session "$(step)" '{"op":"set_pos","pos":5}' "$save" '{"op":"reset"}' "$load" '{"op":"set_pos","pos":3}' "$(step)"
    warns 't:8: usage: set_pos went back from 5 to 3 on line 7, and the k tail of layer 0 was not seeded since: set_pos alone is no rollback'
}

@test "TRACE_012 of a session that bytes make, what must have been is known" {
    session "$(write 0 0)" "$(write 1 0)" '{"op":"advance"}' "$(step)" "$(write 0 1)" '{"op":"save"}'
    "$NDL" run --decimal t >saved
    load=$(tail -n 1 saved | sed 's/"op":"save".*"data":/"op":"load","data":/')
    # It may be in the middle of a step, once.
    session "$load" "$(write 1 1)" '{"op":"advance"}' "$(write 0 2)" "$(write 1 2)" '{"op":"advance"}'
    warns ''
    session "$load" "$(write 1 1)" '{"op":"advance"}' "$(write 1 2)" '{"op":"advance"}'
    warns 't:6: usage: layer 0 was written 0 times, not once, between the advance of line 4 and this advance'
    session "$load" '{"op":"set_pos","pos":0}' '{"op":"push_token","token":1}'
    warns 't:4: usage: set_pos went back from 1 to 0 on line 3, and the token history was not seeded since: set_pos alone is no rollback'
    session "$(write 0 0)" "$(write 1 0)" '{"op":"advance"}' "$(write 0 1)" "$(write 1 1)" '{"op":"advance"}' '{"op":"save"}'
    "$NDL" run --decimal t >saved
    load=$(tail -n 1 saved | sed 's/"op":"save".*"data":/"op":"load","data":/')
    session "$load" '{"op":"set_pos","pos":1}' "$(step)"
    warns 't:4: usage: set_pos went back from 2 to 1 on line 3, and the k tail of layer 0 was not seeded since: set_pos alone is no rollback'
    # A new session's bytes have no past.
    session '{"op":"save"}'
    "$NDL" run --decimal t >saved
    load=$(tail -n 1 saved | sed 's/"op":"save".*"data":/"op":"load","data":/')
    session "$load" '{"op":"set_pos","pos":2}' '{"op":"set_pos","pos":1}' "$(step)"
    warns ''
}

@test "many warnings are counted, and the first are shown" {
    for _ in {1..30}; do step; echo '{"op":"set_pos","pos":5}'; echo '{"op":"set_pos","pos":3}'; done >ops
    mapfile -t ops <ops
    session "${ops[@]}"
    run --separate-stderr -3 "$NDL" check t
    same 20 "$(grep -c usage: <<<"$stderr")"
    says 't: 30 warnings in all, of which the first 20 are shown'
    says '30 usage warnings'
    run --separate-stderr -3 "$NDL" check --quiet t
    same '' "$stderr"
}
