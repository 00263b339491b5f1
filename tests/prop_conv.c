/* A step gives the sequence's result, for both convolutions: as numbers always;
 * as bits too for the engram's, and for the others unless the result is a zero.
 * And a prefill of any length, then steps, is the same as stepping. */
#include "payload.h"
#include "support.h"

#include <string.h>

#define ROWS 14
#define DIM 3

typedef struct shape {
    size_t taps, dilation, order, dim;
    payload of_taps, of_rows;
    uint64_t seed;
} shape;

/* Sessions of one layer whose k is `dim` wide and of one site that is as wide. */
static ndl_geometry geometry_of(const shape *z)
{
    ndl_geometry g = small_geometry();
    g.qk_head_dim = g.d_model = z->dim;
    g.qkv_conv_taps = z->taps;
    g.engram.conv_taps = z->taps ? z->taps : 1;
    g.engram.conv_dilation = z->dilation;
    g.engram.orders[0] = 1;
    g.engram.orders[1] = z->order;
    return g;
}

typedef struct rows {
    float taps[6 * DIM], raw[ROWS * DIM];
} rows;

static rows rows_of(const shape *z)
{
    rows x;
    rng r = {z->seed};
    fill_payload(&r, z->of_taps, z->dim, x.taps, COUNT(x.taps));
    fill_payload(&r, z->of_rows, z->dim, x.raw, COUNT(x.raw));
    return x;
}

static void step(ndl_session *s, bool engram, const shape *z, const float *taps, float *row)
{
    if (engram)
        expect_ok(ndl_engram_conv_step(
            s, 0, taps, ndl_session_geometry(s)->engram.conv_taps * z->dim, row, z->dim));
    else
        expect_ok(ndl_conv_step(s, 0, NDL_K, taps, z->taps * z->dim, row, z->dim));
    expect_ok(ndl_advance(s));
}

static void prefill(ndl_session *s, bool engram, const shape *z, const float *taps, size_t n,
                    float *buf)
{
    if (engram)
        expect_ok(ndl_prefill_engram(s, 0, taps, ndl_session_geometry(s)->engram.conv_taps * z->dim,
                                     n, buf, n * z->dim));
    else
        expect_ok(ndl_prefill_conv(s, 0, NDL_K, taps, z->taps * z->dim, n, buf, n * z->dim));
    expect_ok(ndl_set_pos(s, n));
}

static void sequence(bool engram, const shape *z, const float *taps, float *buf)
{
    size_t e = z->taps ? z->taps : 1;
    if (engram)
        expect_ok(ndl_value_conv(ROWS, z->dim, e, z->dilation, z->order, taps, e * z->dim, buf,
                                 ROWS * z->dim));
    else
        expect_ok(
            ndl_causal_conv(ROWS, z->dim, z->taps, taps, z->taps * z->dim, buf, ROWS * z->dim));
}

static void expect_same(const shape *z, bool engram, const char *what, const float *a,
                        const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool bits = same_float(a[i], b[i]);
        bool zeros = !engram && a[i] == 0.0f && b[i] == 0.0f;
        cr_assert(bits || zeros, "NDL_SEED=%llu NDL_CASES=1: %s, element %zu: %08x and %08x",
                  (unsigned long long)z->seed, what, i, bits_of(a[i]), bits_of(b[i]));
    }
}

static void expect_same_tail(const shape *z, bool engram, const ndl_session *a,
                             const ndl_session *b)
{
    ndl_rows x, y;
    if (engram) {
        expect_ok(ndl_engram_tail(a, 0, &x));
        expect_ok(ndl_engram_tail(b, 0, &y));
    } else {
        expect_ok(ndl_conv_tail(a, 0, NDL_K, &x));
        expect_ok(ndl_conv_tail(b, 0, NDL_K, &y));
    }
    cr_assert(x.rows == y.rows && x.dim == z->dim && y.dim == z->dim);
    size_t size = x.rows * x.dim * sizeof *x.data;
    cr_assert(size == 0 || memcmp(x.data, y.data, size) == 0,
              "NDL_SEED=%llu NDL_CASES=1: tails differ", (unsigned long long)z->seed);
}

/* Stepping, the sequence, and a prefill split at every point. */
static void check(const shape *z, bool engram)
{
    case_begin(z->seed);
    ndl_geometry g = geometry_of(z);
    rows x = rows_of(z);
    float steps[ROWS * DIM], whole[ROWS * DIM], split[ROWS * DIM];
    memcpy(steps, x.raw, sizeof steps);
    memcpy(whole, x.raw, sizeof whole);
    sequence(engram, z, x.taps, whole);
    ndl_session *s = new_session(&g, NULL);
    for (size_t t = 0; t < ROWS; t++)
        step(s, engram, z, x.taps, steps + t * z->dim);
    expect_same(z, engram, "steps and sequence", steps, whole, ROWS * z->dim);
    for (size_t n = 0; n <= ROWS; n++) {
        ndl_session *p = new_session(&g, NULL);
        memcpy(split, x.raw, sizeof split);
        prefill(p, engram, z, x.taps, n, split);
        expect_same(z, true, "prefill and sequence", split, whole, n * z->dim);
        for (size_t t = n; t < ROWS; t++)
            step(p, engram, z, x.taps, split + t * z->dim);
        expect_same(z, true, "steps after a prefill", split + n * z->dim, steps + n * z->dim,
                    (ROWS - n) * z->dim);
        expect_same_tail(z, engram, p, s);
        ndl_session_free(p);
    }
    ndl_session_free(s);
}

/* Boundaries: each tap count, dilations and orders on either side of each
 * other, each payload of rows against plain and against equal taps. */
static void check_boundaries(bool engram)
{
    for (size_t i = 0; i < 6u * 5 * 2 * PAYLOADS; i++) {
        shape z = {.taps = i % 6, .dim = 2, .seed = i};
        z.dilation = i / 6 % 5 + 1;
        z.order = 6 - z.dilation;
        z.of_rows = (payload)(i / 60);
        z.of_taps = i / 30 % 2 ? z.of_rows : PAY_PLAIN;
        check(&z, engram);
    }
}

static void check_random(bool engram)
{
    size_t cases = case_count(4000);
    for (size_t i = 0; i < cases; i++) {
        rng r = {first_seed() + i};
        shape z = {rng_below(&r, 7),
                   rng_between(&r, 1, 5),
                   rng_between(&r, 1, 5),
                   rng_between(&r, 1, DIM),
                   (payload)rng_below(&r, PAYLOADS),
                   (payload)rng_below(&r, PAYLOADS),
                   first_seed() + i};
        z.taps = z.taps > 5 ? 3 : z.taps;
        check(&z, engram);
    }
}

Test(prop_conv, CONV_001_and_003_boundaries)
{
    check_boundaries(false);
}

Test(prop_conv, CONV_001_and_003_random)
{
    check_random(false);
}

Test(prop_conv, ENG_001_and_003_boundaries)
{
    check_boundaries(true);
}

Test(prop_conv, ENG_001_and_003_random)
{
    check_random(true);
}
