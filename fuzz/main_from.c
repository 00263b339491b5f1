/*
 * fuzz-from [-n OPERATIONS] TRACE OUT: a trace or script as a fuzzer's input.
 *
 * The tool's own replay reads the trace. The engine that it runs on is wrapped,
 * so that arrays are seen before a call overwrites them. Questions (kv, tail,
 * bytes and the like) are left out: a target asks everything anyway.
 */
#include "memory.h"
#include "ops.h"
#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static script made;
static size_t most = MAX_OPS;
/* The arrays of the call that is under way, copied: their words. */
static uint32_t pending[2][MAX_WORDS];
static size_t pending_len[2];

static void take(unsigned i, const float *x, size_t len)
{
    pending_len[i] = len < MAX_WORDS ? len : MAX_WORDS;
    for (size_t k = 0; k < pending_len[i]; k++)
        pending[i][k] = bits_of(x[k]);
}

static ndl_status write_kv(void *s, size_t layer, size_t pos, const float *k, size_t k_len,
                           const float *v, size_t v_len)
{
    take(0, k, k_len);
    take(1, v, v_len);
    return backend_engine.write_kv(s, layer, pos, k, k_len, v, v_len);
}

static ndl_status conv_step(void *s, size_t layer, ndl_projection which, const float *taps,
                            size_t taps_len, float *raw, size_t raw_len)
{
    take(0, taps, taps_len);
    take(1, raw, raw_len);
    return backend_engine.conv_step(s, layer, which, taps, taps_len, raw, raw_len);
}

static ndl_status prefill_conv(void *s, size_t layer, ndl_projection which, const float *taps,
                               size_t taps_len, size_t n, float *buf, size_t buf_len)
{
    take(0, taps, taps_len);
    take(1, buf, buf_len);
    return backend_engine.prefill_conv(s, layer, which, taps, taps_len, n, buf, buf_len);
}

static ndl_status seed_conv_tail(void *s, size_t layer, ndl_projection which, const float *rows,
                                 size_t rows_len)
{
    take(0, rows, rows_len);
    return backend_engine.seed_conv_tail(s, layer, which, rows, rows_len);
}

static ndl_status engram_conv_step(void *s, size_t site, const float *taps, size_t taps_len,
                                   float *raw, size_t raw_len)
{
    take(0, taps, taps_len);
    take(1, raw, raw_len);
    return backend_engine.engram_conv_step(s, site, taps, taps_len, raw, raw_len);
}

static ndl_status prefill_engram(void *s, size_t site, const float *taps, size_t taps_len, size_t n,
                                 float *buf, size_t buf_len)
{
    take(0, taps, taps_len);
    take(1, buf, buf_len);
    return backend_engine.prefill_engram(s, site, taps, taps_len, n, buf, buf_len);
}

static ndl_status seed_engram_tail(void *s, size_t site, const float *rows, size_t rows_len)
{
    take(0, rows, rows_len);
    return backend_engine.seed_engram_tail(s, site, rows, rows_len);
}

static ndl_status attend_step(const void *s, size_t layer, size_t pos, const float *q, size_t q_len,
                              float *scratch, size_t scratch_len, float *out, size_t out_len)
{
    take(0, q, q_len);
    pending_len[1] = out_len;
    return backend_engine.attend_step(s, layer, pos, q, q_len, scratch, scratch_len, out, out_len);
}

static void seed_tokens(void *s, const uint32_t *tokens, size_t n)
{
    pending_len[1] = n < MAX_TOKENS ? n : MAX_TOKENS + 1;
    for (size_t i = 0; i < n && i < MAX_TOKENS; i++)
        pending[1][i] = tokens[i];
    backend_engine.seed_tokens(s, tokens, n);
}

/* ------------------------------------------------------------- calls to operations */

static bool refuse(replay *r, const char *why)
{
    return fail(&r->problem, "the grammar cannot say this: %s", why);
}

/* Names, in the order they come up: at most so many of them. */
typedef struct known {
    char name[2][64];
    size_t n;
} known;

static known sessions, snapshots;

static int index_of(known *k, const char *name, size_t len)
{
    for (size_t i = 0; i < k->n; i++) {
        if (strlen(k->name[i]) == len && memcmp(k->name[i], name, len) == 0)
            return (int)i;
    }
    if (k->n == COUNT(k->name) || len >= sizeof k->name[0])
        return -1;
    memcpy(k->name[k->n], name, len);
    k->name[k->n][len] = '\0';
    return (int)k->n++;
}

static const argument *input(const call *c, const char *name)
{
    static const argument none = {.given = false};
    for (size_t i = 0; i < MOST_INPUTS && c->op->in[i].kind != IN_NONE; i++) {
        if (strcmp(c->op->in[i].name, name) == 0)
            return &c->in[i];
    }
    return &none;
}

/* Keep the words of an array of the operation that is being added. */
static bool keep_words(replay *r, op *o, unsigned i)
{
    if (pending_len[i] > MAX_WORDS - made.n_words)
        return refuse(r, "too many floats");
    o->words[i] = made.n_words;
    memcpy(made.words + made.n_words, pending[i], pending_len[i] * sizeof pending[i][0]);
    made.n_words += pending_len[i];
    return true;
}

static bool add_arrays(replay *r, op *o)
{
    arrays right = arrays_of(&made.geometry, o);
    for (unsigned i = 0; i < 2; i++) {
        bool output = o->kind == OP_ATTEND && i == 1;
        if (!array_given(o->kind, i) && !output)
            continue;
        size_t longest = right.len[i] + 1, shortest = right.len[i] - (right.len[i] > 0);
        if (pending_len[i] > longest || pending_len[i] < shortest)
            return refuse(r, "an array that is wrong by more than one element");
        o->longer[i] = (int)pending_len[i] - (int)right.len[i];
        if (array_given(o->kind, i) && !keep_words(r, o, i))
            return false;
    }
    o->taps = o->rows = PAY_LITERAL;
    return true;
}

static bool add(replay *r, op_kind kind, const call *c)
{
    op *o = &made.ops[made.n];
    *o = (op){.kind = kind};
    if (c->named_session) {
        int i = index_of(&sessions, c->named_session->string, c->named_session->string_len);
        if (i != 0)
            return refuse(r, "more than two sessions");
        o->session = 1;
    }
    if (kind == OP_SNAPSHOT || kind == OP_RESTORE) {
        const argument *name = input(c, "name");
        int i = index_of(&snapshots, name->text, name->len);
        if (i < 0)
            return refuse(r, "more than two snapshots");
        o->name = (unsigned)i;
    }
    if (kind == OP_LOAD && !input(c, "name")->given)
        return refuse(r, "a session loaded from bytes of the trace");
    o->at = input(c, "layer")->given ? input(c, "layer")->number : input(c, "site")->number;
    o->which = (ndl_projection)input(c, "which")->number;
    static const char *const counts[] = {"pos", "n", "token", "alloc"};
    for (size_t i = 0; i < COUNT(counts); i++) {
        if (input(c, counts[i])->given)
            o->n = input(c, counts[i])->number;
    }
    if (kind == OP_SEED_TOKENS) {
        o->n = pending_len[1];
        if (o->n > MAX_TOKENS)
            return refuse(r, "so many tokens at once");
        o->rows = PAY_LITERAL;
        if (!keep_words(r, o, 1))
            return false;
    }
    if (array_given(kind, 0) && !add_arrays(r, o))
        return false;
    made.n++;
    return true;
}

static bool called(void *context, replay *r, const call *c)
{
    (void)context;
    if (made.n == most)
        return true;
    for (int kind = 0; kind < OP_KINDS; kind++) {
        if (strcmp(c->op->name, op_name((op_kind)kind)) == 0)
            return add(r, (op_kind)kind, c);
    }
    return true;
}

static bool header(void *context, replay *r, const char *line, size_t len)
{
    (void)context;
    (void)line;
    (void)len;
    if (!r->has_config)
        return refuse(r, "a trace without a geometry has no session");
    made.geometry = r->geometry;
    made.options = r->options;
    made.options.allocator = NULL;
    return true;
}

static void warned(void *context, const replay *r, warning_kind kind, const char *text)
{
    (void)context;
    (void)r;
    (void)kind;
    (void)text;
}

int main(int argc, char **argv)
{
    static uint8_t bytes[1 << 20];
    int option;
    while ((option = getopt(argc, argv, "n:")) == 'n')
        most = (size_t)strtoul(optarg, NULL, 10);
    if (option != -1 || argc - optind != 2 || most > MAX_OPS) {
        fprintf(stderr, "usage: fuzz-from [-n OPERATIONS, up to %d] TRACE OUT\n", MAX_OPS);
        return 2;
    }
    const char *trace = argv[optind], *out = argv[optind + 1];
    backend recorder = backend_engine;
    recorder.write_kv = write_kv;
    recorder.conv_step = conv_step;
    recorder.prefill_conv = prefill_conv;
    recorder.seed_conv_tail = seed_conv_tail;
    recorder.engram_conv_step = engram_conv_step;
    recorder.prefill_engram = prefill_engram;
    recorder.seed_engram_tail = seed_engram_tail;
    recorder.attend_step = attend_step;
    recorder.seed_tokens = seed_tokens;
    const replay_options options = {.backend = &recorder, .max_memory = replay_default_memory()};
    const listener l = {.header = header, .called = called, .warned = warned};
    problem p = {.text = ""};
    size_t line;
    if (!replay_file(trace, &options, &l, &p, &line)) {
        fprintf(stderr, "%s:%zu: %s\n", trace, line, p.text);
        return 2;
    }
    size_t len = ops_encode(&made, bytes, sizeof bytes);
    if (len == 0) {
        fprintf(stderr, "%s: the grammar cannot say this session\n", trace);
        return 2;
    }
    FILE *file = fopen(out, "wb");
    if (!file || fwrite(bytes, 1, len, file) != len || fclose(file) != 0) {
        perror(out);
        return 2;
    }
    return 0;
}
