#!/usr/bin/env bats
# The command line: help that teaches, messages that say what is wrong, terminals.
load bats/helper

commands() { # as the help lists them
    "$NDL" --help | sed -n 's/^  \([a-z]\+\)  .*/\1/p'
}

@test "help says what there is, on standard output" {
    run --separate-stderr -0 "$NDL" --help
    same '' "$stderr"
    for command in check run gen; do
        commands | grep -qx "$command"
    done
    for command in $(commands); do
        run --separate-stderr -0 "$NDL" "$command" --help
        says "usage: ndl $command"
        says 'examples:'
        help=$output
        run --separate-stderr -0 "$NDL" help "$command"
        same "$help" "$output"
        run -0 "$NDL" "$command" -h
        same "$help" "$output"
        # Fits a terminal of 90 columns.
        [ "$(wc -L <<<"$output")" -le 90 ]
    done
    run -0 "$NDL" --help
    help=$output
    for more in help 'help --help' 'help -h' -h; do
        # shellcheck disable=SC2086 # words of a command line
        run --separate-stderr -0 "$NDL" $more
        same "$help" "$output"
    done
    run -0 "$NDL" check --help
    for n in 0 1 2 3; do says "  $n  "; done
    run -0 "$NDL" --version
    [[ "$output" =~ ^ndl\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
}

@test "every option of the help is known, and every known option is in the help" {
    for command in $(commands); do
        help=$("$NDL" "$command" --help)
        # shellcheck disable=SC2013 # options hold no spaces
        for option in $(grep -o -- '^  \(-o, \)\?--[a-z-]*' <<<"$help" | grep -o -- '--[a-z-]*'); do
            run "$NDL" "$command" "$option"
            [[ "$output" != *'unknown option'* ]]
        done
        # shellcheck disable=SC2013
        for option in $(sed -n 's/^    {"\([a-z-]*\)", .*_argument.*/\1/p' "$root/engine/tool/cmd_$command.c"); do
            grep -q -- "--$option" <<<"$help"
        done
    done
}

@test "a wrong command line says what is wrong and where help is" {
    refused() { # refused MESSAGE HELP ARGUMENT...
        local message=$1 help=$2
        shift 2
        run --separate-stderr -2 "$NDL" "$@"
        same '' "$output"
        same "$message
'$help --help' says more." "$stderr"
    }
    run --separate-stderr -2 "$NDL"
    [[ "$stderr" == usage:* ]]
    all=$(commands | paste -sd , | sed 's/,/, /g')
    refused "ndl: unknown command \"chek\"; the commands are $all" ndl chek
    refused "ndl: unknown option \"--bad\"; the commands are $all" ndl --bad
    refused "ndl: unknown command \"x\"; the commands are $all" ndl help x
    refused 'ndl check: no trace is named; - is standard input' 'ndl check' check
    refused 'ndl check: unknown option "--bad"' 'ndl check' check --bad t
    refused 'ndl check: unknown option "-x"' 'ndl check' check -x t
    refused 'ndl check: the option "--json" takes no value' 'ndl check' check --json=1 t
    refused 'ndl check: the option "--tolerance" needs a value' 'ndl check' check --tolerance
    refused 'ndl check: "x" is no number of mismatches' 'ndl check' check --max-mismatches x t
    refused 'ndl run: no script is named; - is standard input' 'ndl run' run
    refused 'ndl run: one script at a time' 'ndl run' run a b
    refused 'ndl run: the option "-o" needs a value' 'ndl run' run a -o
    refused 'ndl run: "1X" is no size: 512M, 4G, a number of bytes' 'ndl run' run --max-memory 1X a
}

@test "names of files are shown without what a terminal would obey" {
    # A line end, an escape sequence in both forms, a byte that is no UTF-8; an umlaut stays.
    name=$'a\nb\e[31m\xc2\x9b\x9b\x7f\xc3\xa4.jsonl' shown='a\x0ab\x1b[31m\xc2\x9b\x9b\x7fä.jsonl'
    cp "$conformance/scripts/conv-two-channels.jsonl" "$name"
    run --separate-stderr -0 "$NDL" check "$name"
    says "$shown: agrees"
    same 2 "${#lines[@]}"
    sed '4s/"out":\[12,/"out":[77,/' "$name" >"x$name"
    run --separate-stderr -1 "$NDL" check --max-mismatches 0 "x$name"
    says "x$shown: 0 of the"
    run --separate-stderr -1 "$NDL" check "x$name"
    says "x$shown:4: operation "
    run --separate-stderr -0 "$NDL" show "$name"
    same "$shown" "${lines[0]}"
    run --separate-stderr -0 "$NDL" budget --geometry "$name"
    says "$shown: "
    printf '%s\n{"op":"span","layer":0,"pos":0,"x":1}\n{\n' "$header" >"$name"
    for command in check run show; do
        run --separate-stderr -2 "$NDL" $command "$name"
        same "$shown:2: warning: unknown member \"x\" of span is ignored
$shown:3: the line ends before its object does" "$stderr"
    done
    rm "$name"
    for command in check run show 'gen --geometry' 'gen --cact' 'budget --geometry'; do
        # shellcheck disable=SC2086 # words of a command line
        run --separate-stderr -2 "$NDL" $command "$name"
        same "$shown: No such file or directory" "$stderr"
    done
    run --separate-stderr -2 "$NDL" gen -o "$name/x"
    same "$shown/x: cannot be written: No such file or directory" "$stderr"
    run --separate-stderr -2 "$NDL" check ''
    same '"": No such file or directory' "$stderr"
}

@test "options may stand behind files, and -- ends them" {
    cp "$conformance/scripts/conv-two-channels.jsonl" ./-t
    run -0 "$NDL" check --quiet -- -t
    run -0 "$NDL" check "$conformance/scripts/conv-two-channels.jsonl" --quiet
    same '' "$output"
}

# on_terminal COMMAND: its output and errors as a terminal gets them.
on_terminal() {
    command -v script >/dev/null || skip 'script is not installed'
    env TERM=xterm script -qec "$1" /dev/null </dev/null
}

@test "colours are for terminals, and not where NO_COLOR is set" {
    f=$conformance/scripts/conv-two-channels.jsonl
    [[ "$(on_terminal "'$NDL' check '$f'")" == *$'\e[32magrees\e[0m'* ]]
    [[ "$(NO_COLOR=1 on_terminal "'$NDL' check '$f'")" != *$'\e'* ]]
    [[ "$("$NDL" check "$f")" != *$'\e'* ]]
}

@test "progress is for terminals and for files that take their time" {
    f=$conformance/tiny-step-f32-1.jsonl
    slow="(head -n 300 '$f'; sleep 1.3; tail -n +301 '$f') | '$NDL' check"
    seen=$(on_terminal "$slow -")
    [[ "$seen" == *'<stdin>: line '*'MB/s'* ]]
    # It is wiped before anything else is said.
    [[ "${seen##*MB/s}" == *$'\r\e[K'*agrees* ]]
    [[ "$(on_terminal "'$NDL' check '$f'")" != *MB/s* ]]
    [[ "$(on_terminal "$slow --quiet -")" != *MB/s* ]]
}
