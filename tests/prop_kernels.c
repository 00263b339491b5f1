/* Engine and reference on the stateless kernels: every payload, every width,
 * and shapes that are refused. */
#include "observe.h"
#include "oracle.h"
#include "payload.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 600

typedef struct fixture {
    rng r;
    uint64_t seed;
    finding f;
    float taps[ROOM], engine[ROOM], reference[ROOM], before[ROOM];
} fixture;

static payload any_payload(rng *r)
{
    return (payload)rng_below(r, PAYLOADS);
}

static void fill(fixture *x, size_t width)
{
    fill_payload(&x->r, any_payload(&x->r), width, x->taps, ROOM);
    fill_payload(&x->r, any_payload(&x->r), width, x->engine, ROOM);
    memcpy(x->reference, x->engine, sizeof x->engine);
    memcpy(x->before, x->engine, sizeof x->engine);
}

/* Both statuses; outputs if all went well, or that nothing has changed. What
 * lies beyond n must not change either way. */
static void judge(fixture *x, const char *kernel, ndl_status engine, ndl_status reference, size_t n)
{
    if (engine != reference)
        note(&x->f, "%s gives %s, the reference %s", kernel, ndl_status_name(engine),
             ndl_status_name(reference));
    if (engine == NDL_OK)
        compare_floats(&x->f, kernel, x->engine, x->reference, n, true);
    else
        n = 0;
    compare_floats(&x->f, "beyond", x->engine + n, x->before + n, ROOM - n, false);
}

/* A length, now and then wrong. */
static size_t length(rng *r, size_t right)
{
    return rng_one_in(r, 30) ? right + rng_below(r, 3) - 1 : right;
}

static void convolutions(fixture *x)
{
    rng *r = &x->r;
    size_t dim = rng_one_in(r, 40) ? 0 : rng_between(r, 1, 5), seq = rng_below(r, 20);
    size_t n_taps = rng_below(r, 6), dilation = rng_below(r, 5), order = rng_below(r, 5);
    if (dim > 0 && rng_one_in(r, 10)) /* a product that wraps to something small */
        *(rng_one_in(r, 2) ? &seq : &n_taps) = SIZE_MAX / rng_between(r, 1, 6) + rng_below(r, 2);
    if (rng_one_in(r, 10))
        *(rng_one_in(r, 2) ? &dilation : &order) = SIZE_MAX / rng_between(r, 1, 4);
    size_t taps_len = length(r, n_taps * dim), len = length(r, seq * dim);
    if (taps_len > ROOM || len > ROOM)
        taps_len = len = 0;
    fill(x, dim ? dim : 1);
    judge(x, "causal_conv", ndl_causal_conv(seq, dim, n_taps, x->taps, taps_len, x->engine, len),
          ref_causal_conv(seq, dim, n_taps, x->taps, taps_len, x->reference, len), len);
    fill(x, dim ? dim : 1);
    judge(x, "value_conv",
          ndl_value_conv(seq, dim, n_taps, dilation, order, x->taps, taps_len, x->engine, len),
          ref_value_conv(seq, dim, n_taps, dilation, order, x->taps, taps_len, x->reference, len),
          len);
}

static void quantising(fixture *x)
{
    rng *r = &x->r;
    ndl_numerics profile = (ndl_numerics)rng_below(r, rng_one_in(r, 30) ? 4 : 2);
    unsigned bits = (unsigned)(rng_one_in(r, 20) ? rng_below(r, 40) : rng_between(r, 2, 16));
    size_t dim = rng_one_in(r, 40) ? 0 : rng_between(r, 1, 9), rows = rng_below(r, 9);
    size_t len = length(r, dim * rows), codes_len = length(r, len), scales_len = length(r, rows);
    int8_t a[ROOM], b[ROOM];
    len = len > ROOM ? 0 : len;
    codes_len = codes_len > ROOM ? 0 : codes_len;
    scales_len = scales_len > ROOM ? 0 : scales_len;

    fill(x, dim ? dim : 1);
    judge(x, "fake_quant", ndl_fake_quant(profile, bits, x->engine, len),
          ref_fake_quant(profile, bits, x->reference, len), len);

    fill(x, dim ? dim : 1);
    fill_payload(r, any_payload(r), dim ? dim : 1, x->taps, ROOM);
    memset(a, 77, sizeof a);
    memset(b, 77, sizeof b);
    judge(x, "quantize_rows",
          ndl_quantize_rows(profile, dim, x->taps, len, a, codes_len, x->engine, scales_len),
          ref_quantize_rows(profile, dim, x->taps, len, b, codes_len, x->reference, scales_len),
          scales_len);
    if (memcmp(a, b, sizeof a) != 0)
        note(&x->f, "quantize_rows: codes differ");
}

/* q in taps, k and v, codes and scales; the exponential is the engine's own or
 * MPFR's, which must make no difference. */
static void attention(fixture *x, float (*exponential)(float))
{
    rng *r = &x->r;
    ndl_geometry g = {.num_kv_heads = rng_between(r, 1, 3)};
    g.num_heads = g.num_kv_heads * rng_between(r, 1, 3) + rng_one_in(r, 40);
    g.qk_head_dim = rng_one_in(r, 40) ? 0 : rng_between(r, 1, 5);
    g.v_head_dim = rng_one_in(r, 40) ? 0 : rng_between(r, 1, 5);
    size_t seq = rng_below(r, 8), window = rng_below(r, 10);
    size_t q_len = length(r, seq * g.num_heads * g.qk_head_dim);
    size_t out_len = length(r, seq * g.num_heads * g.v_head_dim);
    q_len = q_len > ROOM ? 0 : q_len;
    out_len = out_len > ROOM ? 0 : out_len;
    static float k[ROOM], v[ROOM], k_scales[ROOM], v_scales[ROOM];
    static int8_t codes[ROOM];
    fill_payload(r, any_payload(r), 3, k, ROOM);
    fill_payload(r, any_payload(r), 3, v, ROOM);
    fill_payload(r, any_payload(r), 1, k_scales, ROOM);
    fill_payload(r, any_payload(r), 1, v_scales, ROOM);
    for (size_t i = 0; i < ROOM; i++)
        codes[i] = (int8_t)(rng_below(r, 256) - 128);
    ndl_kv kv = {
        rng_one_in(r, 2) ? NDL_INT8 : NDL_F32, seq, k, v, codes, codes, k_scales, v_scales};
    fill(x, 4);
    size_t scratch_len = ndl_attend_scratch(&g, seq);
    float *scratch = malloc((scratch_len < ROOM ? scratch_len + 1 : 1) * sizeof *scratch);
    cr_assert(scratch != NULL);
    judge(x, "attend_sequence",
          ndl_attend_sequence(&g, window, &kv, x->taps, q_len, scratch, scratch_len, x->engine,
                              out_len),
          ref_attend_sequence(exponential, &g, window, &kv, x->taps, q_len, x->reference, out_len),
          out_len);
    free(scratch);
}

/* 1 / sqrt(dk) for widths far beyond those of a model, squares and their
 * neighbours among them. Two positions, or there would be nothing to scale. */
static void expect_scale(size_t dk)
{
    ndl_geometry g = {.num_heads = 1, .num_kv_heads = 1, .qk_head_dim = dk, .v_head_dim = 1};
    float *q = malloc(2 * dk * sizeof *q), *k = malloc(2 * dk * sizeof *k);
    size_t scratch_len = ndl_attend_scratch(&g, 2);
    float *scratch = malloc(scratch_len * sizeof *scratch);
    cr_assert(q && k && scratch);
    for (size_t i = 0; i < 2 * dk; i++) {
        q[i] = 1.0f;
        k[i] = i < dk ? 0.0f : 1.0f / (float)dk;
    }
    const float v[2] = {0.0f, 1.0f};
    float engine[2], reference[2];
    ndl_kv kv = {.precision = NDL_F32, .slots = 2, .k = k, .v = v};
    expect_ok(ndl_attend_sequence(&g, 0, &kv, q, 2 * dk, scratch, scratch_len, engine, 2));
    expect_ok(ref_attend_sequence(ndl_expf, &g, 0, &kv, q, 2 * dk, reference, 2));
    cr_assert(same_float(engine[1], reference[1]), "width %zu: %.9g, the reference has %.9g", dk,
              (double)engine[1], (double)reference[1]);
    free(q);
    free(k);
    free(scratch);
}

Test(prop_kernels, ATT_001_the_scale_of_every_width)
{
    for (size_t dk = 1; dk <= 2000; dk++)
        expect_scale(dk);
    for (size_t root = 45; root < 1000; root = root * 5 / 4) {
        expect_scale(root * root - 1);
        expect_scale(root * root);
        expect_scale(root * root + 1);
    }
}

typedef void property(fixture *x);

static void run(property *check, size_t cases)
{
    static fixture x;
    for (size_t i = 0; i < cases; i++) {
        x.seed = first_seed() + i;
        x.r = (rng){x.seed};
        x.f = (finding){""};
        case_begin(x.seed);
        check(&x);
        cr_assert(!found(&x.f), "NDL_SEED=%llu NDL_CASES=1: %s", (unsigned long long)x.seed,
                  x.f.text);
    }
}

static void attention_by_engine(fixture *x)
{
    attention(x, ndl_expf);
}

static void attention_by_mpfr(fixture *x)
{
    attention(x, oracle_expf);
}

Test(prop_kernels, CONV_001_and_ENG_001_engine_and_reference_agree)
{
    run(convolutions, case_count(10000));
}

Test(prop_kernels, QNT_001_to_009_engine_and_reference_agree)
{
    run(quantising, case_count(10000));
}

Test(prop_kernels, ATT_004_engine_and_reference_agree)
{
    run(attention_by_engine, case_count(10000));
}

Test(prop_kernels, ATT_002_attention_with_the_exponential_of_MPFR)
{
    run(attention_by_mpfr, case_count(3000));
}
