#!/usr/bin/env bats
# --max-memory: what a trace takes is checked before it is allocated, and a disk or
# a pipe that takes no more is noticed.
load bats/helper

large='{"vocab_size":10,"d_model":2,"num_heads":2,"num_kv_heads":1,"num_layers":2,"qk_head_dim":2,"v_head_dim":1,"max_seq_len":1000000000000,"sliding_window":4,"global_layers":[1],"qkv_conv_taps":3,"engram":{"orders":[2],"heads":1,"slots":16,"sub_dim":1,"sites":[0],"conv_taps":2,"conv_dilation":2,"seed_heads":0}}'

# beyond TEXT OPTION...: the trace is refused for memory, in little memory. A build
# that a sanitizer instruments reserves far more address space than that.
beyond() {
    local text=$1
    shift
    run --separate-stderr -2 "$NDL" check "$@" t
    [[ "$stderr" == "t:$text"* ]] || {
        printf 'expected: t:%s\nactual:   %s\n' "$text" "$stderr"
        return 1
    }
    same 1 "$(wc -l <<<"$stderr")"
}

@test "a session larger than the limit is refused before it is made" {
    lines '{"needle_trace":1,"precision":"f32","hint":1000000000000,"config":'"$large"'}' '{"op":"bytes"}'
    beyond '2: the session would take 10.91 TiB; with the 0 bytes in use that is beyond --max-memory, 4 GiB'
    beyond '2: the session would take 10.91 TiB;' --reference
    lines '{"needle_trace":1,"precision":"int8","hint":1000000000000,"config":'"$large"'}' '{"op":"bytes"}'
    beyond '2: the session would take 10 TiB;'
}

@test "growth beyond the limit is refused" {
    lines '{"needle_trace":1,"precision":"f32","hint":1,"config":'"$large"'}' \
        '{"op":"write_kv","layer":1,"pos":100,"k":[1,2],"v":[3]}' \
        '{"op":"write_kv","layer":1,"pos":100000000000,"k":[1,2],"v":[3]}'
    beyond '3: an allocation of 372.5 GiB would go beyond --max-memory, 4 GiB'
    lines '{"needle_trace":1,"precision":"f32","hint":1,"config":'"$large"'}' \
        '{"op":"write_kv","layer":1,"pos":100000,"k":[1,2],"v":[3]}' \
        '{"op":"bytes"}'
    run -3 "$NDL" check t
    beyond '2: an allocation of 781.3 KiB would go beyond --max-memory, 512 KiB' --max-memory 512K
    lines "$kernels" '{"op":"attend_sequence","seq":1,"num_heads":3,"num_kv_heads":1,"qk_head_dim":1,"v_head_dim":3,"window":0,"q":[0,0,0],"k":[1],"v":[1,2,3]}'
    beyond "2: attention's output would take 36 bytes; with the 0 bytes in use that is beyond --max-memory, 1 byte" --max-memory 1
    # The reference makes its view of a store when it is asked for one.
    lines '{"needle_trace":1,"precision":"f32","hint":1,"config":'"$large"'}' \
        '{"op":"write_kv","layer":1,"pos":10000000000,"k":[1,2],"v":[3]}' '{"op":"kv","layer":1}'
    beyond '3: the view would take 111.8 GiB;' --reference
}

@test "tensors, snapshots and further sessions count" {
    tensor='"data":"f32:'$(head -c 40000 /dev/zero | base64 -w0)'"}'
    session '{"op":"tensor","name":"a",'"$tensor" '{"op":"tensor","name":"a",'"$tensor" \
        '{"op":"tensor","name":"b",'"$tensor"
    # While a tensor is declared again there are two.
    beyond '3: the tensor would take 39.0' --max-memory 70K
    run -3 "$NDL" check --max-memory 80K t

    # 20,000 slots of 12 bytes make 240 KB.
    deep=${config/\"max_seq_len\":8/\"max_seq_len\":20000}
    # shellcheck disable=SC2034 # session puts it first
    header='{"needle_trace":1,"precision":"f32","hint":20000,"config":'$deep'}'
    session '{"op":"snapshot","name":"a"}' '{"op":"snapshot","name":"b"}'
    beyond '3: the clone would take 23' --max-memory 500K
    session '{"op":"snapshot","name":"a"}' '{"op":"restore","name":"a"}' '{"op":"snapshot","name":"a"}' '{"op":"bytes"}'
    beyond '3: the clone would take 23' --max-memory 500K
    run -3 "$NDL" check --max-memory 1M t
    session '{"op":"open","session":"b"}' '{"op":"open","session":"c"}'
    beyond '3: the session would take 23' --max-memory 500K
    # What a snapshot replaces is given back.
    mapfile -t ops < <(for _ in {1..50}; do echo '{"op":"snapshot","name":"a"}'; echo '{"op":"restore","name":"a"}'; echo '{"op":"reset"}'; done)
    session "${ops[@]}"
    run -3 "$NDL" check --max-memory 1M t
    run -3 "$NDL" check --max-memory 1M --reference t
}

@test "outputs that the trace does not bound are checked too" {
    lines "$kernels" '{"op":"attend_sequence","seq":1,"num_heads":1000,"num_kv_heads":1,"qk_head_dim":1,"v_head_dim":1000,"window":0,"q":['"$(printf '0,%.0s' {1..999})"'0],"k":[1],"v":['"$(printf '0,%.0s' {1..999})"'0]}'
    beyond "2: attention's output would take 3.815 MiB;" --max-memory 1M
    run -3 "$NDL" check t
}

@test "a size is a number and a unit, and nothing else" {
    session '{"op":"slots","layer":0,"slots":2}'
    for size in 100000 1000K 10MiB 1G 1GiB 1T; do
        run -0 "$NDL" check --max-memory "$size" t
    done
    for size in '' x 1X 1KB 1.5G -1 99999999999999999999 99999999999999T; do
        run -2 "$NDL" check --max-memory "$size" t
        says 'is no size'
    done
}

@test "memory does not grow with the file" {
    "$NDL" gen --steps 2 | "$NDL" run - >small
    { cat small; for _ in {1..60}; do echo '{"op":"reset"}'; tail -n +2 small; done; } >large
    peak() { command time -f %M "$NDL" check --quiet "$1" 2>&1; }
    command -v time >/dev/null || skip 'time is not installed'
    a=$(peak small) b=$(peak large)
    [ "$b" -lt $((a + a / 2)) ]
}

@test "a full disk is an error" {
    [ -c /dev/full ] || skip 'there is no /dev/full'
    f=$conformance/tiny-step-f32-1.jsonl
    for command in "check $f" "check --json $f" "run $f" gen "gen -o /dev/full" "run $f -o /dev/full" --help --version; do
        run --separate-stderr -2 bash -c "'$NDL' $command >/dev/full"
        [[ "$stderr" == *'cannot be written: No space left on device' ]]
        same 1 "$(wc -l <<<"$stderr")"
    done
}

@test "why output cannot be written is said, whenever that was" {
    [ -c /dev/full ] || skip 'there is no /dev/full'
    f=$conformance/tiny-step-f32-1.jsonl
    # More than any buffer holds, so that the write that failed is long past.
    for command in "gen --steps 300" "run --decimal $f"; do
        run --separate-stderr -2 bash -c "'$NDL' $command >/dev/full"
        same 'ndl: standard output cannot be written: No space left on device' "$stderr"
        run --separate-stderr -2 bash -c "'$NDL' $command -o /dev/full"
        same '/dev/full: cannot be written: No space left on device' "$stderr"
    done
    "$NDL" gen --steps 300 >long
    run --separate-stderr -2 bash -c "'$NDL' show --all long >/dev/full"
    same 'ndl: standard output cannot be written: No space left on device' "$stderr"
    run --separate-stderr -2 bash -c "ulimit -f 8; '$NDL' gen --steps 300 >limited"
    same 'ndl: standard output cannot be written: File too large' "$stderr"
}

@test "a file that may not grow is left out, and what was there before kept" {
    f=$conformance/tiny-step-f32-1.jsonl
    echo before >out
    run --separate-stderr -2 bash -c "ulimit -f 8; '$NDL' run '$f' -o out"
    says 'cannot be written: File too large'
    same before "$(cat out)"
    same out "$(echo out*)"
    run --separate-stderr -2 "$NDL" run "$f" -o nowhere/out
    same 'nowhere/out: cannot be written: No such file or directory' "$stderr"
}

@test "a reader that goes away ends it quietly" {
    run --separate-stderr -0 bash -c "'$NDL' gen --steps 200 | head -n 1 >/dev/null"
    same '' "$stderr"
    run --separate-stderr -141 bash -c "set -o pipefail; '$NDL' gen --steps 200 | '$NDL' run - | head -n 1 >/dev/null"
    same '' "$stderr"
}

@test "a signal takes the unfinished file away" {
    mkfifo in
    "$NDL" run in -o out 3>&- &
    pid=$!
    exec 9>in
    head -n 20 "$conformance/tiny-step-f32-1.jsonl" >&9
    for _ in {1..50}; do
        [ "$(echo out.*.tmp)" != 'out.*.tmp' ] && break
        sleep 0.02
    done
    ls out.*.tmp
    kill -TERM $pid
    wait $pid || status=$?
    exec 9>&-
    same 143 "$status"
    same 'out*' "$(echo out*)"
}
