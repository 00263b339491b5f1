/* The engine compiled for one instruction set after the other, each that this
 * processor has, against the reference: every kernel with a loop that becomes
 * vectors, on shapes that fill registers and on shapes that do not. The library
 * proper holds several of them and takes one when it is loaded, so that no run
 * of it could see the others. */
#include "oracle.h"
#include "payload.h"
#include "support.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is called of a level. */
#define CALLS(X)                                                                                   \
    X(session_new)                                                                                 \
    X(session_free)                                                                                \
    X(write_kv)                                                                                    \
    X(conv_step)                                                                                   \
    X(conv_tail)                                                                                   \
    X(engram_conv_step)                                                                            \
    X(engram_tail)                                                                                 \
    X(advance)                                                                                     \
    X(kv_at)                                                                                       \
    X(span_at)                                                                                     \
    X(attend_scratch)                                                                              \
    X(attend_step)                                                                                 \
    X(causal_conv)                                                                                 \
    X(value_conv)                                                                                  \
    X(fake_quant)                                                                                  \
    X(expf)

typedef struct level {
    const char *name;
#define X(call) __typeof__(ndl_##call) *(call);
    CALLS(X)
#undef X
} level;

static const char *const names[] = {
    "default",
#ifdef __x86_64__
    "x86-64-v3",
    "x86-64-v4",
#endif
};

static bool processor_has(const char *name)
{
#ifdef __x86_64__
    if (strcmp(name, "x86-64-v3") == 0)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
               __builtin_cpu_supports("bmi2");
    if (strcmp(name, "x86-64-v4") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    return strcmp(name, "default") == 0;
}

static void load_level(const char *name, level *l)
{
    char path[128];
    snprintf(path, sizeof path, "%s/libndl-%s.so", LEVELS, name);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    cr_assert(library != NULL, "%s", dlerror());
    l->name = name;
#define X(call)                                                                                    \
    {                                                                                              \
        void *found = dlsym(library, "ndl_" #call);                                                \
        cr_assert(found != NULL, "%s has no ndl_%s", path, #call);                                 \
        memcpy(&l->call, &found, sizeof found);                                                    \
    }
    CALLS(X)
#undef X
}

/* Run a property of a level on each that the processor has. */
static void each_level(void (*property)(const level *l, rng *r, finding *f), size_t usual)
{
    const size_t cases = case_count(usual);
    size_t run = 0;
    for (size_t i = 0; i < COUNT(names); i++) {
        if (!processor_has(names[i]))
            continue;
        level l;
        load_level(names[i], &l);
        for (size_t c = 0; c < cases; c++) {
            const uint64_t seed = first_seed() + c;
            rng r = {seed};
            finding f = {""};
            case_begin(seed);
            property(&l, &r, &f);
            cr_assert(!found(&f), "%s, NDL_SEED=%llu NDL_CASES=1: %s", l.name,
                      (unsigned long long)seed, f.text);
        }
        run++;
    }
    cr_assert(run > 0);
}

/* Widths about those of registers, of what is taken at once and of chunks. */
static size_t any_width(rng *r)
{
    static const size_t widths[] = {1,  2,  3,  4,  7,  8,  9,  15, 16,  17,  24, 31,
                                    32, 33, 48, 49, 63, 64, 65, 96, 127, 128, 130};
    return widths[rng_below(r, COUNT(widths))];
}

static payload any_payload(rng *r)
{
    return rng_one_in(r, 2) ? PAY_PLAIN : (payload)rng_below(r, PAYLOADS);
}

static float *filled(rng *r, size_t width, size_t n)
{
    float *x = malloc((n ? n : 1) * sizeof *x);
    cr_assert(x != NULL);
    fill_payload(r, any_payload(r), width, x, n);
    return x;
}

static float *copied(const float *x, size_t n)
{
    float *y = malloc((n ? n : 1) * sizeof *y);
    cr_assert(y != NULL);
    memcpy(y, x, n * sizeof *x);
    return y;
}

/* ------------------------------------------------------------------ sessions */

static ndl_geometry any_geometry(rng *r)
{
    ndl_geometry g = small_geometry();
    g.num_kv_heads = rng_between(r, 1, 3);
    g.num_heads = g.num_kv_heads * rng_between(r, 1, 9);
    g.qk_head_dim = any_width(r);
    g.v_head_dim = any_width(r);
    g.d_model = any_width(r);
    g.max_seq_len = rng_one_in(r, 2) ? rng_between(r, 1, 12) : rng_between(r, 20, 110);
    g.sliding_window = rng_below(r, 60);
    g.qkv_conv_taps = rng_below(r, 6);
    g.engram.conv_dilation = rng_between(r, 1, 4);
    return g;
}

static void compare_stores(const level *l, const ndl_session *s, ref_session *ref, size_t layer,
                           const ndl_geometry *g, finding *f)
{
    ndl_kv a, b;
    expect_ok(l->kv_at(s, layer, &a));
    expect_ok(ref_kv_at(ref, layer, &b));
    cr_assert(a.slots == b.slots);
    if (a.precision == NDL_F32)
        return;
    const size_t rows = a.slots * g->num_kv_heads;
    compare_floats(f, "k_scales", a.k_scales, b.k_scales, rows, false);
    compare_floats(f, "v_scales", a.v_scales, b.v_scales, rows, false);
    if (memcmp(a.k_codes, b.k_codes, rows * g->qk_head_dim) != 0 ||
        memcmp(a.v_codes, b.v_codes, rows * g->v_head_dim) != 0)
        note(f, "codes of layer %zu differ", layer);
}

static void step_kv(const level *l, rng *r, ndl_session *s, ref_session *ref, size_t pos,
                    const ndl_geometry *g, finding *f)
{
    const size_t k_dim = ndl_geometry_k_dim(g), v_dim = ndl_geometry_v_dim(g);
    for (size_t layer = 0; layer < 2; layer++) {
        float *k = filled(r, g->qk_head_dim, k_dim), *v = filled(r, g->v_head_dim, v_dim);
        expect_ok(l->write_kv(s, layer, pos, k, k_dim, v, v_dim));
        expect_ok(ref_write_kv(ref, layer, pos, k, k_dim, v, v_dim));
        compare_stores(l, s, ref, layer, g, f);
        free(k);
        free(v);
    }
}

static void step_attend(const level *l, rng *r, const ndl_session *s, const ref_session *ref,
                        size_t pos, const ndl_geometry *g, finding *f)
{
    const size_t q_dim = ndl_geometry_q_dim(g), out_dim = ndl_geometry_out_dim(g);
    const size_t layer = rng_below(r, 2);
    ndl_span span;
    expect_ok(l->span_at(s, layer, pos, &span));
    const size_t len = l->attend_scratch(g, span.hi - span.lo + 1);
    float *q = filled(r, g->qk_head_dim, q_dim), *scratch = malloc(len * sizeof *scratch);
    float *a = malloc(out_dim * sizeof *a), *b = malloc(out_dim * sizeof *b);
    cr_assert(scratch != NULL && a != NULL && b != NULL);
    expect_ok(l->attend_step(s, layer, pos, q, q_dim, scratch, len, a, out_dim));
    expect_ok(ref_attend_step(ref, layer, pos, q, q_dim, b, out_dim));
    compare_floats(f, "out", a, b, out_dim, true);
    free(q);
    free(scratch);
    free(a);
    free(b);
}

static void step_conv(const level *l, rng *r, ndl_session *s, ref_session *ref,
                      const ndl_geometry *g, finding *f)
{
    for (int which = NDL_Q; which <= NDL_V; which++) {
        const size_t dims[] = {
            [NDL_Q] = ndl_geometry_q_dim(g), ndl_geometry_k_dim(g), ndl_geometry_v_dim(g)};
        const size_t dim = dims[which], n = g->qkv_conv_taps * dim;
        float *taps = filled(r, dim, n), *a = filled(r, dim, dim), *b = copied(a, dim);
        ndl_rows mine, theirs;
        expect_ok(l->conv_step(s, 0, (ndl_projection)which, taps, n, a, dim));
        expect_ok(ref_conv_step(ref, 0, (ndl_projection)which, taps, n, b, dim));
        compare_floats(f, "conv_step", a, b, dim, true);
        expect_ok(l->conv_tail(s, 0, (ndl_projection)which, &mine));
        expect_ok(ref_conv_tail(ref, 0, (ndl_projection)which, &theirs));
        compare_floats(f, "conv_tail", mine.data, theirs.data, mine.rows * mine.dim, false);
        free(taps);
        free(a);
        free(b);
    }
}

static void step_engram(const level *l, rng *r, ndl_session *s, ref_session *ref,
                        const ndl_geometry *g, finding *f)
{
    const size_t dim = g->d_model, n = g->engram.conv_taps * dim;
    float *taps = filled(r, dim, n), *a = filled(r, dim, dim), *b = copied(a, dim);
    ndl_rows mine, theirs;
    expect_ok(l->engram_conv_step(s, 0, taps, n, a, dim));
    expect_ok(ref_engram_conv_step(ref, 0, taps, n, b, dim));
    compare_floats(f, "engram_conv_step", a, b, dim, true);
    expect_ok(l->engram_tail(s, 0, &mine));
    expect_ok(ref_engram_tail(ref, 0, &theirs));
    compare_floats(f, "engram_tail", mine.data, theirs.data, mine.rows * mine.dim, false);
    free(taps);
    free(a);
    free(b);
}

/* Past the end of what it holds, so that rings wrap; now and then it attends. */
static void a_session(const level *l, rng *r, finding *f)
{
    const ndl_geometry g = any_geometry(r);
    const ndl_options o = {.precision = rng_one_in(r, 2) ? NDL_INT8 : NDL_F32,
                           .numerics = rng_one_in(r, 2) ? NDL_UPSTREAM : NDL_NEEDLE_CORE};
    const size_t end = g.max_seq_len + g.max_seq_len / 2 + 2;
    ndl_session *s;
    ref_session *ref;
    expect_ok(l->session_new(&g, &o, &s));
    expect_ok(ref_session_new(&g, &o, oracle_expf, &ref));
    for (size_t pos = 0; pos < end && !found(f); pos++) {
        step_kv(l, r, s, ref, pos, &g, f);
        if (pos + 1 == end || rng_one_in(r, end / 3 + 1))
            step_attend(l, r, s, ref, pos, &g, f);
        if (pos < 12) {
            step_conv(l, r, s, ref, &g, f);
            step_engram(l, r, s, ref, &g, f);
        }
        expect_ok(l->advance(s));
        expect_ok(ref_advance(ref));
    }
    l->session_free(s);
    ref_session_free(ref);
}

Test(levels_internal, ATT_001_CONV_001_ENG_001_QNT_009_sessions_at_every_level)
{
    each_level(a_session, 60);
}

/* ------------------------------------------------------------------- kernels */

static void sequences(const level *l, rng *r, finding *f)
{
    const size_t dim = any_width(r), seq = rng_below(r, 14), n_taps = rng_below(r, 6);
    const size_t dilation = rng_below(r, 4), order = rng_below(r, 4), n = seq * dim;
    float *taps = filled(r, dim, n_taps * dim), *a = filled(r, dim, n), *b = copied(a, n);
    expect_ok(l->causal_conv(seq, dim, n_taps, taps, n_taps * dim, a, n));
    expect_ok(ref_causal_conv(seq, dim, n_taps, taps, n_taps * dim, b, n));
    compare_floats(f, "causal_conv", a, b, n, true);
    expect_ok(l->value_conv(seq, dim, n_taps, dilation, order, taps, n_taps * dim, a, n));
    expect_ok(ref_value_conv(seq, dim, n_taps, dilation, order, taps, n_taps * dim, b, n));
    compare_floats(f, "value_conv", a, b, n, true);
    free(taps);
    free(a);
    free(b);
}

Test(levels_internal, CONV_001_ENG_001_sequences_at_every_level)
{
    each_level(sequences, 1000);
}

static void quantised(const level *l, rng *r, finding *f)
{
    const size_t n = any_width(r);
    const unsigned bits = (unsigned)rng_between(r, 2, 16);
    const ndl_numerics profile = rng_one_in(r, 2) ? NDL_UPSTREAM : NDL_NEEDLE_CORE;
    float *a = filled(r, n, n), *b = copied(a, n);
    expect_ok(l->fake_quant(profile, bits, a, n));
    expect_ok(ref_fake_quant(profile, bits, b, n));
    compare_floats(f, "fake_quant", a, b, n, true);
    free(a);
    free(b);
}

Test(levels_internal, QNT_009_fake_quant_at_every_level)
{
    each_level(quantised, 2000);
}
