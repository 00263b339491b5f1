/* fuzz-show [-q] FILE: an input as a needle-trace script, which `ndl run` reads; -q adds
 * lines that ask for all that its sessions show at the end. */
#include "ops.h"
#include "target.h"

#include <string.h>

int main(int argc, char **argv)
{
    static script s;
    static uint8_t bytes[1 << 20];
    finding f;
    size_t at;
    bool questions = argc == 3 && strcmp(argv[1], "-q") == 0;
    if (argc != 2 + questions) {
        fprintf(stderr, "usage: fuzz-show [-q] FILE\n");
        return 2;
    }
    FILE *file = fopen(argv[argc - 1], "rb");
    if (!file) {
        perror(argv[argc - 1]);
        return 2;
    }
    size_t len = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    ops_decode(bytes, len, &s);
    snprintf(s.name, sizeof s.name, "a fuzzer's input of %zu bytes", len);
    /* A run says which calls are refused, which the script must say, too. */
    lockstep_run(&s, &f, &at, NULL);
    script_print(&s, stdout);
    if (questions)
        script_print_questions(&s, stdout);
    if (found(&f))
        fprintf(stderr, "fuzz-show: after operation %zu: %s\n", at + 1, f.text);
    return found(&f) ? 1 : 0;
}
