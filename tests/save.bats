#!/usr/bin/env bats
# save and load in traces: what is saved, what a load goes on from, what is refused.

setup() {
    NDL=$(realpath "${NDL:-build/ndl}")
    cd "$BATS_TEST_TMPDIR" || return 1
    header='{"needle_trace":1,"precision":"f32","hint":1,"config":{"vocab_size":9,"d_model":1,"num_heads":1,"num_kv_heads":1,"num_layers":1,"qk_head_dim":1,"v_head_dim":1,"max_seq_len":8,"sliding_window":2,"global_layers":[],"qkv_conv_taps":3,"engram":{"orders":[2],"heads":1,"slots":5,"sub_dim":1,"sites":[0],"conv_taps":2,"conv_dilation":2,"seed_heads":0}}}'
    int8=${header/\"f32\"/\"int8\"}
}

# A token of the one layer, with numbers that tell it from others.
token() {
    printf '{"op":"push_token","token":%d}\n' "$1"
    for which in q k v; do
        printf '{"op":"conv_step","layer":0,"which":"%s","taps":[1,10,100],"raw":[%d]}\n' "$which" "$1"
    done
    printf '{"op":"engram_conv_step","site":0,"taps":[1,10],"raw":[%d]}\n' "$1"
    printf '{"op":"write_kv","layer":0,"pos":%d,"k":[%d],"v":[-%d]}\n' $(($1 - 1)) "$1" "$1"
    printf '{"op":"attend_step","layer":0,"pos":%d,"q":[1]}\n' $(($1 - 1))
    printf '{"op":"advance"}\n'
}

state() {
    printf '%s\n' '{"op":"kv","layer":0}' '{"op":"tail","layer":0,"which":"q"}' \
        '{"op":"tail","site":0}' '{"op":"engram_indices"}' '{"op":"bytes"}' '{"op":"save"}'
}

@test "SES_004 a loaded session goes on as the saved one" {
    local of
    for of in "$header" "$int8"; do
        {
            echo "$of"
            token 1; token 2
            echo '{"op":"save","name":"two"}'
            token 3; token 4; state
            echo '{"op":"load","name":"two"}'
            token 3; token 4; state
        } > script.jsonl
        "$NDL" run script.jsonl -o trace.jsonl 2> warnings
        [ ! -s warnings ]
        awk '/"op":"save","name"/ || /"op":"load"/ { n++; next } n == 1' trace.jsonl > saved
        awk '/"op":"save","name"/ || /"op":"load"/ { n++; next } n == 2' trace.jsonl > loaded
        [ "$(wc -l < saved)" -eq 22 ]
        cmp saved loaded
        "$NDL" check --exact --reference trace.jsonl
        for form in --hash --decimal; do
            "$NDL" run "$form" script.jsonl -o form.jsonl
            "$NDL" check form.jsonl
            "$NDL" run "$form" --reference script.jsonl | cmp - form.jsonl
        done
    done
}

@test "TRACE_015 a load takes bytes from another file, in both forms" {
    { echo "$header"; token 1; token 2; token 3; state; } > script.jsonl
    "$NDL" run script.jsonl -o trace.jsonl
    "$NDL" run --decimal script.jsonl -o decimal.jsonl
    local file
    for file in trace.jsonl decimal.jsonl; do
        {
            echo "$header"
            sed -n 's/^{"op":"save".*"data":/{"op":"load","data":/p' "$file"
            state
        } > from.jsonl
        "$NDL" run from.jsonl -o to.jsonl
        tail -n 6 to.jsonl | cmp - <(tail -n 6 trace.jsonl)
        "$NDL" check --exact --reference to.jsonl
    done
}

@test "TRACE_015 saves of a name: the last counts, and sessions share them" {
    {
        echo "$header"
        token 1
        echo '{"op":"save","name":"it"}'
        token 2
        echo '{"op":"save","name":"it"}'
        token 3
        echo '{"op":"open","session":"other"}'
        echo '{"op":"load","session":"other","name":"it"}'
        echo '{"op":"advance","session":"other","pos":3}'
        echo '{"op":"advance","pos":4}'
    } > script.jsonl
    "$NDL" check script.jsonl
    "$NDL" check --reference script.jsonl
}

@test "SES_012 SES_013 refusals of a load are recorded and compared" {
    { echo "$header"; token 1; echo '{"op":"save"}'; } > script.jsonl
    "$NDL" run --decimal script.jsonl -o trace.jsonl
    local bytes first
    bytes=$(sed -n 's/^{"op":"save".*"data":\[\(.*\)\]}$/\1/p' trace.jsonl)
    first=${bytes#*,}
    {
        echo "$header"
        echo '{"op":"load","data":[],"status":"not_a_save"}'
        echo '{"op":"load","data":[1,'"$first"'],"status":"not_a_save"}'
        echo '{"op":"load","data":['"${bytes/,1,0,0,0,0,0,0,0,/,2,0,0,0,0,0,0,0,}"'],"status":"save_version"}'
        echo '{"op":"load","data":['"${bytes%,*}"'],"status":"save_length"}'
        echo '{"op":"load","data":['"$bytes"',0],"status":"save_length"}'
        echo '{"op":"load","data":['"${bytes%,*}"',300],"status":"save_checksum"}' | sed 's/,300/,'$((255 - ${bytes##*,}))'/'
        echo '{"op":"load","data":['"$bytes"'],"status":"ok"}'
    } > refused.jsonl
    "$NDL" check refused.jsonl
    "$NDL" check --reference refused.jsonl
    { echo "${header/\"vocab_size\":9/\"vocab_size\":8}"; echo '{"op":"load","data":['"$bytes"'],"status":"save_geometry"}'; } > other.jsonl
    "$NDL" check other.jsonl
    "$NDL" check --reference other.jsonl
    # without a status a refusal is an error of the file
    { echo "$header"; echo '{"op":"load","data":"u8:"}'; } > error.jsonl
    run "$NDL" check error.jsonl
    [ "$status" -eq 2 ]
    [[ $output == *"error.jsonl:2: load is refused as not_a_save"* ]]
}

@test "TRACE_015 a difference in a save is shown by its byte" {
    { echo "$header"; echo '{"op":"save"}'; } > script.jsonl
    "$NDL" run --decimal script.jsonl -o trace.jsonl
    sed 's/\[110,100/[110,101/' trace.jsonl > altered.jsonl
    run "$NDL" check altered.jsonl
    [ "$status" -eq 1 ]
    [[ $output == *"SES_010"* && $output == *"byte 1"* ]]
    "$NDL" run --hash script.jsonl | sed 's/fnv1a64:[0-9a-f]*/fnv1a64:0123456789abcdef/' > hash.jsonl
    run "$NDL" check hash.jsonl
    [ "$status" -eq 1 ]
    [[ $output == *0123456789abcdef*"\"u8:\""*"SES_010"* ]]
}

@test "TRACE_015 what a load needs, and what bytes are, is said" {
    local line want
    while IFS='|' read -r line want; do
        { echo "$header"; echo "$line"; } > wrong.jsonl
        run "$NDL" check wrong.jsonl
        [ "$status" -eq 2 ]
        [[ $output == *"wrong.jsonl:2: $want"* ]]
    done <<'END'
{"op":"load"}|load needs "name" or "data", and not both
{"op":"load","name":"a","data":[]}|load needs "name" or "data", and not both
{"op":"load","name":"a"}|there is no save "a"
{"op":"load","data":[256]}|"data"[0] is "256": the largest is 255
{"op":"load","data":[-1]}|"data"[0] must be an unsigned integer
{"op":"load","data":"i8:AA=="}|"data" must be a byte array
{"op":"load","data":"u8:A"}|"data": 
{"op":"load","data":7}|"data" must be a byte array
END
}

@test "SES_001 a load that has no memory is refused, and the session stays" {
    {
        echo "$header"
        token 1
        echo '{"op":"save","name":"it"}'
        token 2
        for k in 1 2 3; do
            echo '{"op":"fault","alloc":'$k'}'
            echo '{"op":"load","name":"it","status":"out_of_memory"}'
            echo '{"op":"slots","layer":0,"slots":2}'
        done
        echo '{"op":"load","name":"it","status":"ok"}'
        echo '{"op":"slots","layer":0,"slots":1}'
    } > script.jsonl
    "$NDL" check script.jsonl
    "$NDL" check --reference script.jsonl
}

@test "what a save or a load replaces is given back" {
    # Two of either, with what the command keeps of each, fit; three hundred do not.
    { echo "$header"; for i in {1..300}; do echo '{"op":"save","name":"it"}'; done; } > saves.jsonl
    "$NDL" run --max-memory 16K saves.jsonl > out
    { echo "$header"; echo '{"op":"save","name":"it"}'
      for i in {1..300}; do echo '{"op":"load","name":"it"}'; done; } > loads.jsonl
    "$NDL" run --max-memory 16K loads.jsonl > out
    "$NDL" run --max-memory 16K --reference loads.jsonl > out
    # Of what the reference logs, too: the session that a load replaces had some.
    { echo "$header"; echo '{"op":"save","name":"it"}'
      for i in {1..100}; do echo '{"op":"load","name":"it"}'; token 1; done; } > logs.jsonl
    "$NDL" run --max-memory 16K --reference --quiet logs.jsonl > out
}

@test "a save counts against --max-memory" {
    { echo "$header"; for i in {1..300}; do echo '{"op":"save","name":"n'"$i"'"}'; done; } > many.jsonl
    "$NDL" run many.jsonl > many.out
    run "$NDL" run --max-memory 64K many.jsonl
    [ "$status" -eq 2 ]
    [[ $output == *"the save would take"*"--max-memory"* ]]
}
