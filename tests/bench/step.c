#include "step.h"

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const lap_names[LAPS] = {
#define X(id, name) name,
    LAP_LIST(X)
#undef X
};

enum { POOL = 1 << 18 };

static void *room(size_t n, size_t size)
{
    void *p = calloc(n > 0 ? n : 1, size);

    if (p == NULL) {
        fprintf(stderr, "bench: out of memory\n");
        exit(2);
    }
    return p;
}

/* SplitMix64's finaliser. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static float *random_floats(size_t n, uint64_t seed)
{
    float *x = room(n, sizeof *x);

    /* Uniform in (-1, 1). */
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(mixed(seed + i * UINT64_C(0x9E3779B97F4A7C15)) >> 40) * 0x1p-23f - 1.0f;
    return x;
}

model model_make(const ndl_geometry *g)
{
    model m = {.g = *g};
    const size_t q = g->num_heads * g->qk_head_dim, k = g->num_kv_heads * g->qk_head_dim;
    const size_t v = g->num_kv_heads * g->v_head_dim;

    m.dim[NDL_Q] = q;
    m.dim[NDL_K] = k;
    m.dim[NDL_V] = v;
    m.out_dim = g->num_heads * g->v_head_dim;
    for (size_t w = 0; w < 3; w++)
        m.taps[w] = random_floats(g->num_layers * g->qkv_conv_taps * m.dim[w], 1 + w);
    m.engram_taps = random_floats(g->engram.num_sites * g->engram.conv_taps * g->d_model, 5);
    m.row_floats = g->num_layers * (q + k + v) + g->engram.num_sites * g->d_model;
    m.rows = random_floats(m.row_floats, 6);
    m.pool = random_floats(POOL, 7);
    return m;
}

void model_free(model *m)
{
    for (size_t w = 0; w < 3; w++)
        free(m->taps[w]);
    free(m->engram_taps);
    free(m->rows);
    free(m->pool);
}

const float *model_row(const model *m, size_t layer, size_t pos, size_t dim)
{
    return m->pool + mixed(pos * NDL_MAX_LAYERS + layer + dim) % (POOL - dim);
}

/* What came before pos. */
static void fill(const subject *u, size_t pos)
{
    const model *m = u->model;
    const ndl_geometry *g = &m->g;
    const size_t tail = g->qkv_conv_taps > 1 ? g->qkv_conv_taps - 1 : 0;

    for (size_t l = 0; l < g->num_layers; l++) {
        size_t cap = g->max_seq_len;

        if (!g->is_global[l] && g->sliding_window != 0 && g->sliding_window < cap)
            cap = g->sliding_window;
        for (size_t p = pos > cap ? pos - cap : 0; p < pos; p++)
            must(u->api->write_kv(u->s, l, p, model_row(m, l, p, m->dim[NDL_K]), m->dim[NDL_K],
                                  model_row(m, l, p, m->dim[NDL_V]), m->dim[NDL_V]),
                 u->api, "write_kv");
        for (ndl_projection w = NDL_Q; w <= NDL_V; w++)
            must(u->api->seed_conv_tail(u->s, l, w, model_row(m, l, pos, tail * m->dim[w]),
                                        tail * m->dim[w]),
                 u->api, "seed_conv_tail");
    }
    const uint32_t tokens[] = {4711, 0, 8191, (uint32_t)pos};
    u->api->seed_tokens(u->s, tokens, pos < 4 ? pos : 4);
    if (g->engram.num_sites == 0)
        return;
    const size_t reach = (g->engram.conv_taps - 1) * g->engram.conv_dilation * g->d_model;
    for (size_t i = 0; i < g->engram.num_sites; i++)
        must(u->api->seed_engram_tail(u->s, i, model_row(m, i, pos, reach), reach), u->api,
             "seed_engram_tail");
}

subject subject_make(const api *a, const model *m, ndl_precision precision, size_t pos, size_t hint,
                     size_t last)
{
    const ndl_options options = {.precision = precision, .hint = hint};
    const ndl_geometry *g = &m->g;
    subject u = {.api = a, .model = m, .pos = pos};

    must(a->session_new(g, &options, &u.s), a, "session_new");
    fill(&u, pos);
    const size_t longest = last + 1 < g->max_seq_len ? last + 1 : g->max_seq_len;
    u.scratch_floats = a->attend_scratch(g, longest);
    u.scratch = room(u.scratch_floats, sizeof(float));
    u.out = room(g->num_layers * m->out_dim, sizeof(float));
    u.rows = room(m->row_floats, sizeof(float));
    u.indices = room(g->engram.num_orders * g->engram.heads, sizeof(uint32_t));
    subject_ready(&u);
    subject_step(&u, NULL);
    return u;
}

void subject_free(subject *u)
{
    u->api->session_free(u->s);
    free(u->scratch);
    free(u->out);
    free(u->rows);
    free(u->indices);
}

void subject_ready(subject *u)
{
    must(u->api->set_pos(u->s, u->pos), u->api, "set_pos");
    memcpy(u->rows, u->model->rows, u->model->row_floats * sizeof(float));
}

size_t subject_positions(const subject *u)
{
    size_t n = 0;

    for (size_t l = 0; l < u->model->g.num_layers; l++) {
        ndl_span span;

        must(u->api->span_at(u->s, l, u->pos, &span), u->api, "span_at");
        n += span.hi - span.lo + 1;
    }
    return n;
}

/* The time since *last, without what reading the clock takes, goes to a lap. */
static void lapped(double *laps, lap which, double *last)
{
    if (laps == NULL)
        return;
    const double spent = now_ns() - *last - clock_cost();
    laps[which] += spent > 0.0 ? spent : 0.0;
    *last = now_ns();
}

static void step_layer(subject *u, size_t l, float *rows, double *laps, double *last)
{
    const api *a = u->api;
    const model *m = u->model;
    float *row[3] = {rows, rows + m->dim[NDL_Q], rows + m->dim[NDL_Q] + m->dim[NDL_K]};
    static const lap convolution[3] = {LAP_CONV_Q, LAP_CONV_K, LAP_CONV_V};
    ndl_span span;

    for (ndl_projection w = NDL_Q; w <= NDL_V; w++) {
        const size_t taps = m->g.qkv_conv_taps * m->dim[w];

        must(a->conv_step(u->s, l, w, m->taps[w] + l * taps, taps, row[w], m->dim[w]), a,
             "conv_step");
        lapped(laps, convolution[w], last);
    }
    must(a->write_kv(u->s, l, u->pos, row[NDL_K], m->dim[NDL_K], row[NDL_V], m->dim[NDL_V]), a,
         "write_kv");
    lapped(laps, LAP_WRITE, last);
    must(a->span_at(u->s, l, u->pos, &span), a, "span_at");
    used(&span);
    lapped(laps, LAP_SPAN, last);
    const double busy = laps != NULL ? busy_ns() : 0.0;
    must(a->attend_step(u->s, l, u->pos, row[NDL_Q], m->dim[NDL_Q], u->scratch, u->scratch_floats,
                        u->out + l * m->out_dim, m->out_dim),
         a, "attend_step");
    if (laps == NULL)
        return;
    /* Long enough for a system call to time it, and to be interrupted. */
    laps[m->g.is_global[l] || m->g.sliding_window == 0 ? LAP_GLOBAL : LAP_LOCAL] +=
        busy_ns() - busy - busy_cost();
    *last = now_ns();
}

void subject_step(subject *u, double *laps)
{
    const api *a = u->api;
    const model *m = u->model;
    const ndl_engram *e = &m->g.engram;
    const size_t layer_floats = m->dim[NDL_Q] + m->dim[NDL_K] + m->dim[NDL_V];
    float *site_rows = u->rows + m->g.num_layers * layer_floats;
    const size_t site_taps = e->conv_taps * m->g.d_model;
    double last = laps != NULL ? now_ns() : 0.0;

    a->push_token(u->s, (uint32_t)u->pos % 8192);
    lapped(laps, LAP_TOKENS, &last);
    for (size_t t = 0; t < e->num_orders * e->heads; t++)
        must(a->engram_index(u->s, t, &u->indices[t]), a, "engram_index");
    lapped(laps, LAP_HASH, &last);
    for (size_t i = 0; i < e->num_sites; i++)
        must(a->engram_conv_step(u->s, i, m->engram_taps + i * site_taps, site_taps,
                                 site_rows + i * m->g.d_model, m->g.d_model),
             a, "engram_conv_step");
    lapped(laps, LAP_ENGRAM, &last);
    for (size_t l = 0; l < m->g.num_layers; l++)
        step_layer(u, l, u->rows + l * layer_floats, laps, &last);
}
