#!/usr/bin/env bats
# The manual pages say what the command does: their examples are run, their
# options are those of --help. NDL is the path of the command.

load bats/pages

setup() {
    cd "$BATS_TEST_DIRNAME/.." || return
    pages=$PWD/docs/man
    NDL=$(realpath "${NDL:-build/ndl}")
    # shellcheck disable=SC2317 # the examples call it
    ndl() {
        "$NDL" "$@"
    }
    cd "$BATS_TEST_TMPDIR" || return
}

commands() {
    ndl --help | awk '/^  [a-z]+  /{ print $1 }'
}

@test "each command has a page, and ndl(1) names it" {
    [ -n "$(commands)" ]
    for command in $(commands); do
        grep -qx "\.Xr ndl-$command 1 *,*" "$pages/ndl.1"
        grep -q "^\.Nm ndl-$command$" "$pages/ndl-$command.1"
    done
    diff <(commands | sort) <(cd "$pages" && printf '%s\n' ndl-*.1 | sed -E 's/ndl-(.*)\.1/\1/')
}

@test "the options of each page are those of --help, and no others" {
    for command in $(commands); do
        diff <(ndl "$command" --help | sed -n 's/^  \(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort) \
            <(sed -n 's/^\.It.* Fl \\-\([a-z-]*\).*/--\1/p' "$pages/ndl-$command.1" | sort)
        for option in $(ndl "$command" --help | sed -n 's/^  -\(.\), --.*/\1/p'); do
            grep -q "^\.It Fl $option " "$pages/ndl-$command.1"
        done
    done
}

@test "the exit statuses of each page are those of --help" {
    diff <(ndl check --help | sed -n 's/^  \([0-9]\)  .*/\1/p') \
        <(sed -n 's/^\.It \([0-9]\)$/\1/p' "$pages/ndl-check.1")
}

@test "the examples print what the pages show" {
    for page in "$pages"/ndl*.1; do
        transcripts "$page" >shown
        [ -s shown ]
        diff shown <(played <shown)
    done
}
