/*
 * fuzz-shrink PROGRAM INPUT OUT: a session that makes a target's program end by a
 * signal, or not end for ten seconds, made small: fewer operations, floats that are
 * digits, a simpler geometry. Each attempt is a process of its own.
 */
#include "ops.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 1 << 20, SECONDS = 10 };

static const char *program, *out;
static uint8_t bytes[ROOM];
static size_t attempts;

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "fuzz-shrink: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void write_out(const script *s)
{
    size_t len = ops_encode(s, bytes, sizeof bytes);
    FILE *file = fopen(out, "wb");
    if (!file || fwrite(bytes, 1, len, file) != len || fclose(file) != 0)
        give_up(out);
}

/* Whether the program still fails on it. */
static bool fails(const script *s)
{
    attempts++;
    write_out(s);
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        give_up("fork");
    if (child == 0) {
        alarm(SECONDS);
        if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))
            _exit(2);
        execl(program, program, out, (char *)NULL);
        _exit(2);
    }
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            give_up("waitpid");
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
        give_up(program);
    /* Sanitizers end a process with a status of their own. */
    return WIFSIGNALED(status) || WEXITSTATUS(status) != 0;
}

static script best, tried;

static bool keep(void)
{
    if (!fails(&tried))
        return false;
    best = tried;
    return true;
}

static bool drop_operations(void)
{
    bool any = false;
    for (size_t n = best.n; n > 0; n /= 2) {
        for (size_t from = 0; from + n <= best.n;) {
            tried = best;
            for (size_t i = from; i + n < tried.n; i++)
                tried.ops[i] = tried.ops[i + n];
            tried.n -= n;
            if (keep())
                any = true;
            else
                from++;
        }
    }
    return any;
}

static bool simplify_operations(void)
{
    bool any = false;
    for (size_t i = 0; i < best.n; i++) {
        const op *o = &best.ops[i];
        if (o->taps == PAY_DIGITS && o->rows == PAY_DIGITS && o->session == 0 && o->at == 0)
            continue;
        tried = best;
        tried.ops[i].taps = tried.ops[i].rows = PAY_DIGITS;
        any = keep() || any;
        tried = best;
        tried.ops[i].session = 0;
        tried.ops[i].at = 0;
        any = (best.ops[i].session || best.ops[i].at) && keep() ? true : any;
    }
    return any;
}

static bool smaller(size_t *field, size_t least)
{
    size_t was = *field;
    for (size_t value = least; value < was && value < least + 3; value++) {
        *field = value;
        if (keep())
            return true;
        *field = was;
    }
    return false;
}

static bool simplify_geometry(void)
{
    static const struct {
        size_t offset, least;
    } fields[] = {
        {offsetof(ndl_geometry, engram.num_sites), 0},
        {offsetof(ndl_geometry, engram.num_orders), 0},
        {offsetof(ndl_geometry, num_layers), 1},
        {offsetof(ndl_geometry, d_model), 1},
        {offsetof(ndl_geometry, qk_head_dim), 1},
        {offsetof(ndl_geometry, v_head_dim), 1},
        {offsetof(ndl_geometry, qkv_conv_taps), 0},
        {offsetof(ndl_geometry, engram.conv_taps), 1},
        {offsetof(ndl_geometry, engram.conv_dilation), 1},
        {offsetof(ndl_geometry, max_seq_len), 1},
        {offsetof(ndl_geometry, sliding_window), 0},
        {offsetof(ndl_geometry, engram.seed_heads), 0},
        {offsetof(ndl_geometry, vocab_size), 0},
        {offsetof(ndl_geometry, engram.sub_dim), 0},
    };
    bool any = false;
    for (size_t i = 0; i < COUNT(fields); i++) {
        tried = best;
        any =
            smaller((size_t *)((char *)&tried.geometry + fields[i].offset), fields[i].least) || any;
    }
    tried = best;
    tried.geometry.num_heads = tried.geometry.num_kv_heads = 1;
    if (best.geometry.num_heads > 1)
        any = keep() || any;
    tried = best;
    any = smaller(&tried.options.hint, 0) || any;
    return any;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: fuzz-shrink PROGRAM INPUT OUT\n");
        return 2;
    }
    program = argv[1];
    out = argv[3];
    FILE *file = fopen(argv[2], "rb");
    if (!file)
        give_up(argv[2]);
    size_t len = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    ops_decode(bytes, len, &best);
    size_t before = best.n;
    if (!fails(&best)) {
        fprintf(stderr, "fuzz-shrink: %s does not fail on %s\n", program, argv[2]);
        unlink(out);
        return 1;
    }
    for (bool any = true; any;) {
        any = drop_operations();
        any = simplify_operations() || any;
        any = simplify_geometry() || any;
    }
    write_out(&best);
    printf("%s: %zu of %zu operations, %zu attempts\n", out, best.n, before, attempts);
    return 0;
}
