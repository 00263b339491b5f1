#include "lockstep_case.h"

#include "author.h"
#include "../fuzz/ops.h"
#include "support.h"

#include <stdlib.h>
#include <unistd.h>

/* Leave the script as an input for fuzz-show, fuzz-replay and the fuzzers. */
static void keep_input(const script *s)
{
    static uint8_t bytes[1 << 19];
    size_t len = ops_encode(s, bytes, sizeof bytes);
    const char *folder = getenv("TMPDIR");
    char name[256];
    snprintf(name, sizeof name, "%s/lockstep-XXXXXX", folder && *folder ? folder : "build");
    int fd = len ? mkstemp(name) : -1;
    if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
        fprintf(stderr, "could not be kept as a fuzzer's input\n");
    else
        fprintf(stderr, "as a fuzzer's input: %s\n", name);
    if (fd >= 0)
        close(fd);
}

bool lockstep_try(script *s, coverage *cover, finding *f)
{
    size_t at;
    lockstep_run(s, f, &at, cover);
    if (!found(f))
        return true;
    fprintf(stderr, "\n%s: %s, after operation %zu of %zu; shrunk:\n", s->name, f->text, at + 1,
            s->n);
    lockstep_shrink(s);
    lockstep_run(s, f, &at, NULL);
    fprintf(stderr, "%s, after operation %zu of\n", f->text, at + 1);
    script_print(s, stderr);
    script_print_questions(s, stderr);
    keep_input(s);
    return false;
}

bool lockstep_case(uint64_t seed, coverage *cover, finding *f)
{
    static script s;
    case_begin(seed);
    author_session(seed, &s);
    return lockstep_try(&s, cover, f);
}
