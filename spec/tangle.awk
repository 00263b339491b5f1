# Takes the code blocks out of the chapters: a fence that opens with ```c FILE
# appends its lines to dir/FILE, under a #line directive that names the chapter.
# A fence without a file is for reading only. A block whose file could never be
# compiled, or that is still open where its chapter ends, is an error: else code
# would be dropped without a word.
function fail(where, what) {
    printf "%s: %s\n", where, what > "/dev/stderr"
    failed = 1
}
FNR == 1 && opened { fail(opened, "the block is not closed") }
FNR == 1 { file = opened = "" }
/^```/ && opened { file = opened = ""; next }
/^```/ {
    opened = FILENAME ":" FNR
    if ($1 != "```c" || NF == 1)
        next
    if (NF != 2 || $2 !~ /^ref[a-z_]*\.[ch]$/)
        fail(opened, "a block of code names one file, ref_name.c or ref_name.h")
    file = dir "/" $2
    printf "#line %d \"%s\"\n", FNR + 1, FILENAME >> file
    next
}
file { print >> file }
END {
    if (opened)
        fail(opened, "the block is not closed")
    exit failed
}
