/*
 * A prompt, split into a prefill and steps at every place there is: outputs, tails,
 * history, stores and position are those of stepping all along, the outputs up to the
 * sign of a zero. The input is a session whose operations only say how many tokens
 * there are and what their floats are. CONV_003 ENG_003 TOK_002
 */
#include "digest.h"
#include "ops.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TOKENS = 10 };

/* Rows of all tokens, one after the other, and what became of them. */
typedef struct rows {
    size_t dim;
    float *taps, *raw, *out;
} rows;

typedef struct prompt {
    const script *s;
    size_t n;
    rows conv[NDL_MAX_LAYERS][3], site[NDL_MAX_SITES];
    rows kv[NDL_MAX_LAYERS]; /* taps: keys; raw: values */
    uint32_t token[MOST_TOKENS];
} prompt;

static float *floats(const script *s, size_t which, unsigned i, size_t width, size_t n)
{
    float *x = new_array(n);
    op o = s->ops[which % s->n];
    if (o.taps == PAY_LITERAL)
        o.taps = PAY_DIGITS;
    if (o.rows == PAY_LITERAL)
        o.rows = PAY_DIGITS;
    o.seed = (uint16_t)(o.seed + which);
    fill_array(s, &o, i, width ? width : 1, x, n);
    return x;
}

static rows rows_of(const script *s, size_t which, size_t taps, size_t dim, size_t n)
{
    return (rows){dim, floats(s, which, 0, dim, taps * dim), floats(s, which, 1, dim, n * dim),
                  new_array(n * dim)};
}

static void discard(rows *x)
{
    free(x->taps);
    free(x->raw);
    free(x->out);
}

/* The outputs of this session against those that are known already, or kept as these
 * where it is the first. */
static void outputs(finding *f, const char *what, rows *x, size_t from, size_t n, const float *out,
                    bool first)
{
    if (first)
        memcpy(x->out + from * x->dim, out, n * x->dim * sizeof *out);
    for (size_t i = 0; i < n * x->dim; i++) {
        if (!same_number(out[i], x->out[from * x->dim + i]))
            note(f, "%s: position %zu: %.9g, stepped %.9g", what, from + i / x->dim, (double)out[i],
                 (double)x->out[from * x->dim + i]);
    }
}

/* n rows at once for a prefill, or one row for a step. */
static void advance_tails(finding *f, ndl_session *s, prompt *p, size_t at, size_t n, bool step,
                          bool first)
{
    const ndl_geometry *g = &p->s->geometry;
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        for (int which = NDL_Q; which <= NDL_V; which++) {
            rows *x = &p->conv[layer][which];
            float *out = new_array(n * x->dim);
            memcpy(out, x->raw + at * x->dim, n * x->dim * sizeof *out);
            size_t taps = g->qkv_conv_taps * x->dim;
            must((step ? ndl_conv_step(s, layer, (ndl_projection)which, x->taps, taps, out, x->dim)
                       : ndl_prefill_conv(s, layer, (ndl_projection)which, x->taps, taps, n, out,
                                          n * x->dim)) == NDL_OK);
            outputs(f, "CONV_003", x, at, n, out, first);
            free(out);
        }
    }
    for (size_t site = 0; site < g->engram.num_sites; site++) {
        rows *x = &p->site[site];
        float *out = new_array(n * x->dim);
        memcpy(out, x->raw + at * x->dim, n * x->dim * sizeof *out);
        size_t taps = g->engram.conv_taps * x->dim;
        must((step ? ndl_engram_conv_step(s, site, x->taps, taps, out, x->dim)
                   : ndl_prefill_engram(s, site, x->taps, taps, n, out, n * x->dim)) == NDL_OK);
        outputs(f, "ENG_003", x, at, n, out, first);
        free(out);
    }
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        size_t k = ndl_geometry_k_dim(g), v = ndl_geometry_v_dim(g);
        for (size_t pos = at; pos < at + n; pos++)
            must(ndl_write_kv(s, layer, pos, p->kv[layer].taps + pos * k, k,
                              p->kv[layer].raw + pos * v, v) == NDL_OK);
    }
}

static uint64_t run(finding *f, prompt *p, size_t split, bool first)
{
    ndl_session *s = NULL;
    must(ndl_session_new(&p->s->geometry, &p->s->options, &s) == NDL_OK);
    if (split > 0) {
        advance_tails(f, s, p, 0, split, false, first);
        ndl_seed_tokens(s, p->token, split);
        must(ndl_set_pos(s, split) == NDL_OK);
    }
    for (size_t pos = split; pos < p->n; pos++) {
        ndl_push_token(s, p->token[pos]);
        advance_tails(f, s, p, pos, 1, true, first);
        must(ndl_advance(s) == NDL_OK);
    }
    uint64_t digest = digest_of(s);
    ndl_session_free(s);
    return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static script s;
    static prompt p;
    finding f = {""};
    ops_decode(data, size, &s);
    if (s.n == 0)
        return 0;
    const ndl_geometry *g = &s.geometry;
    const size_t dims[3] = {ndl_geometry_q_dim(g), ndl_geometry_k_dim(g), ndl_geometry_v_dim(g)};
    p.s = &s;
    p.n = s.n < MOST_TOKENS ? s.n : MOST_TOKENS;
    size_t which = 0;
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        for (size_t i = 0; i < 3; i++)
            p.conv[layer][i] = rows_of(&s, which++, g->qkv_conv_taps, dims[i], p.n);
        p.kv[layer] = (rows){0, floats(&s, which, 0, g->qk_head_dim, p.n * dims[1]),
                             floats(&s, which + 1, 1, g->v_head_dim, p.n * dims[2]), NULL};
        which += 2;
    }
    for (size_t i = 0; i < g->engram.num_sites; i++)
        p.site[i] = rows_of(&s, which++, g->engram.conv_taps, g->d_model, p.n);
    for (size_t i = 0; i < p.n; i++)
        p.token[i] = (uint32_t)s.ops[i].seed * 0x9E3779B9u;

    uint64_t stepped = run(&f, &p, 0, true);
    for (size_t split = 1; split <= p.n && !found(&f); split++) {
        if (run(&f, &p, split, false) != stepped)
            note(&f, "TOK_002: what is left of %zu tokens differs after a prefill of %zu", p.n,
                 split);
    }
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        for (size_t i = 0; i < 3; i++)
            discard(&p.conv[layer][i]);
        discard(&p.kv[layer]);
    }
    for (size_t i = 0; i < g->engram.num_sites; i++)
        discard(&p.site[i]);
    target_report("prefill", &f, &s);
    return 0;
}
