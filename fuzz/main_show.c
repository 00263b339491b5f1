/* fuzz-show FILE: an input as a needle-trace script, which `ndl run` reads. */
#include "ops.h"
#include "target.h"

int main(int argc, char **argv)
{
    static script s;
    static uint8_t bytes[1 << 20];
    finding f;
    size_t at;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        if (argc == 2)
            perror(argv[1]);
        else
            fprintf(stderr, "usage: fuzz-show FILE\n");
        return 2;
    }
    size_t len = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    ops_decode(bytes, len, &s);
    snprintf(s.name, sizeof s.name, "a fuzzer's input of %zu bytes", len);
    /* A run says which calls are refused, which the script must say, too. */
    lockstep_run(&s, &f, &at, NULL);
    script_print(&s, stdout);
    if (found(&f))
        fprintf(stderr, "fuzz-show: after operation %zu: %s\n", at + 1, f.text);
    return found(&f) ? 1 : 0;
}
