#include "limit.h"

#include <string.h>

bool limits_supported(const char *name)
{
#if defined __x86_64__
    if (strcmp(name, "x86-64-v3") == 0)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (strcmp(name, "x86-64-v4") == 0)
        return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#endif
    return strcmp(name, "default") == 0;
}

limits limits_open(const char *name, const char *path)
{
    void *library = library_open(path);
    limits l = {.name = name};

    *(void **)&l.macs = library_symbol(library, "limit_macs");
    *(void **)&l.read = library_symbol(library, "limit_read");
    *(void **)&l.exps = library_symbol(library, "limit_exps");
    return l;
}

double limits_mac_ns(const limits *l)
{
    double best = 0.0;

    for (size_t width = 0; width < 3; width++)
        for (size_t r = 0; r < 11; r++) {
            float out = 0.5f;
            const double start = now_ns();
            const size_t n = l->macs(width, 20000, &out);
            const double ns = (now_ns() - start) / (double)(n > 0 ? n : 1);

            used(&out);
            if (n > 0 && (best == 0.0 || ns < best))
                best = ns;
        }
    return best;
}

double limits_exp_ns(const limits *l)
{
    enum { N = 4096 };
    float x[N];
    double best = 0.0;

    for (size_t r = 0; r < 31; r++) {
        for (size_t i = 0; i < N; i++)
            x[i] = -8.0f * (float)i / N;
        const double start = now_ns();
        l->exps(x, N);
        const double ns = (now_ns() - start) / N;

        used(x);
        if (r == 0 || ns < best)
            best = ns;
    }
    return best;
}

/* ------------------------------------------------------- what a step reads */

static void add(ranges *r, lap which, const void *from, size_t bytes)
{
    if (from != NULL && bytes > 0)
        r->of[r->n++] = (range){which, from, bytes};
}

/* The span's rows of an array that has `row` bytes a slot: one piece, or two. */
static void add_span(ranges *r, lap which, const void *from, size_t row, size_t slots,
                     ndl_span span)
{
    const size_t n = span.hi - span.lo + 1, first = span.lo % slots;
    const size_t head = n < slots - first ? n : slots - first;
    const unsigned char *p = from;

    if (p == NULL)
        return;
    add(r, which, p + first * row, head * row);
    add(r, which, p, (n - head) * row);
}

static void add_layer(ranges *r, const subject *u, size_t l)
{
    const api *a = u->api;
    const model *m = u->model;
    const bool global = m->g.is_global[l] || m->g.sliding_window == 0;
    const lap which = global ? LAP_GLOBAL : LAP_LOCAL;
    const size_t heads = m->g.num_kv_heads * sizeof(float);
    ndl_span span;
    ndl_kv kv;

    for (ndl_projection w = NDL_Q; w <= NDL_V; w++) {
        const size_t taps = m->g.qkv_conv_taps * m->dim[w];
        ndl_rows tail;

        must(a->conv_tail(u->s, l, w, &tail), a, "conv_tail");
        add(r, LAP_CONV_Q + w, m->taps[w] + l * taps, taps * sizeof(float));
        add(r, LAP_CONV_Q + w, tail.data, tail.rows * tail.dim * sizeof(float));
    }
    must(a->kv_at(u->s, l, &kv), a, "kv_at");
    must(a->span_at(u->s, l, u->pos, &span), a, "span_at");
    add_span(r, which, kv.k, m->dim[NDL_K] * sizeof(float), kv.slots, span);
    add_span(r, which, kv.k_codes, m->dim[NDL_K], kv.slots, span);
    add_span(r, which, kv.k_scales, heads, kv.slots, span);
    add_span(r, which, kv.v, m->dim[NDL_V] * sizeof(float), kv.slots, span);
    add_span(r, which, kv.v_codes, m->dim[NDL_V], kv.slots, span);
    add_span(r, which, kv.v_scales, heads, kv.slots, span);
}

ranges ranges_of(const subject *u)
{
    const model *m = u->model;
    const size_t taps = m->g.engram.conv_taps * m->g.d_model;
    ranges r = {.n = 0};

    for (size_t i = 0; i < m->g.engram.num_sites; i++) {
        ndl_rows tail;

        must(u->api->engram_tail(u->s, i, &tail), u->api, "engram_tail");
        add(&r, LAP_ENGRAM, m->engram_taps + i * taps, taps * sizeof(float));
        add(&r, LAP_ENGRAM, tail.data, tail.rows * tail.dim * sizeof(float));
    }
    for (size_t l = 0; l < m->g.num_layers; l++)
        add_layer(&r, u, l);
    return r;
}

size_t ranges_bytes(const ranges *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->n; i++)
        n += r->of[i].bytes;
    return n;
}

void ranges_read(const ranges *r, const limits *l, double *laps)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < r->n; i++) {
        const range *one = &r->of[i];
        /* By the clock that the operation itself is timed by. */
        const bool busy = one->lap == LAP_LOCAL || one->lap == LAP_GLOBAL;
        const double start = laps == NULL ? 0.0 : busy ? busy_ns() : now_ns();

        sum += l->read(one->from, one->bytes);
        if (laps == NULL)
            continue;
        const double spent =
            busy ? busy_ns() - start - busy_cost() : now_ns() - start - clock_cost();
        laps[one->lap] += spent > 0.0 ? spent : 0.0;
    }
    used(&sum);
}

double step_macs(const subject *u)
{
    const ndl_geometry *g = &u->model->g;
    const size_t group = g->num_heads / g->num_kv_heads, filled = (group + 7) / 8 * 8;

    return (double)subject_positions(u) * (double)g->num_kv_heads *
           (double)(filled * g->qk_head_dim + group * g->v_head_dim);
}

double step_exps(const subject *u)
{
    return (double)subject_positions(u) * (double)u->model->g.num_heads;
}
