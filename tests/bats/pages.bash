# Examples in manual pages, as what they show: text, or a shell's transcript that
# can be run again.
#
# shellcheck shell=bash

# examples PAGE: the lines of its literal blocks, each block after a line "block".
examples() {
    sed -n '/^\.Bd -literal/,/^\.Ed/p' "$1" |
        sed -E '/^\.Ed/d; s/^\.Bd.*/block/; s/\\\(aq/'\''/g; s/\\\(ti/~/g; s/\\-/-/g; s/\\&//g; s/\\e/\\/g'
}

# block PAGE N: its N-th example.
block() {
    examples "$1" | awk -v n="$2" '$0 == "block" { at++; next } at == n'
}

# transcripts PAGE: its examples that show commands, which begin with "$ ".
transcripts() {
    examples "$1" | awk '$0 == "block" { shown = 0; next } /^\$ / { shown = 1 } shown'
}

# played: reads a transcript and writes the same with what the commands print now.
played() {
    local line status=0
    while IFS= read -r line; do
        [ "${line:0:2}" = '$ ' ] || continue
        printf '%s\n' "$line"
        # The status of the last command is what this one sees in $?.
        eval "(exit $status); ${line:2}" 2>&1 </dev/null && status=0 || status=$?
    done
}
