# Takes the code blocks out of the chapters: a fence that opens with ```c FILE
# is appended to dir/FILE, under a #line directive that names the chapter.
/^```c [a-z_]+\.[ch]$/ {
    file = dir "/" $2
    printf "#line %d \"%s\"\n", FNR + 1, FILENAME >> file
    next
}
/^```/ { file = ""; next }
file { print >> file }
