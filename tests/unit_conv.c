/* The q, k and v convolutions and their tails. Taps 1, 10, 100 write the rows
 * that were met into the digits of the result, so that a wrong value names its
 * mistake: docs of the fingerprints are the comments below. */
#include "life.h"

#include <stdlib.h>

static const float taps[3] = {1, 10, 100};

static float step(ndl_session *s, size_t layer, ndl_projection which, float raw)
{
    expect_ok(ndl_conv_step(s, layer, which, taps, 3, &raw, 1));
    return raw;
}

static float step_token(ndl_session *s, float raw)
{
    float out = step(s, 0, NDL_Q, raw);
    expect_ok(ndl_advance(s));
    return out;
}

static void expect_tail(const ndl_session *s, size_t layer, ndl_projection which, float older,
                        float newer)
{
    ndl_rows tail;
    expect_ok(ndl_conv_tail(s, layer, which, &tail));
    expect_size(tail.rows, 2);
    expect_size(tail.dim, 1);
    expect_bits(tail.data[0], bits_of(older));
    expect_bits(tail.data[1], bits_of(newer));
}

static ndl_session *small(void)
{
    ndl_geometry g = small_geometry();
    return new_session(&g, NULL);
}

/* 223 or 3434 would be stepping with convolved rows in the tail. */
Test(conv, CONV_001_fingerprint_stepped)
{
    ndl_session *s = small();
    const float want[] = {1, 12, 123, 234};
    for (size_t i = 0; i < 4; i++)
        expect_bits(step_token(s, (float)(i + 1)), bits_of(want[i]));
    ndl_session_free(s);
}

Test(conv, CONV_003_fingerprint_prefilled)
{
    ndl_session *s = small();
    float prompt[3] = {1, 2, 3};
    const float want[] = {1, 12, 123};
    expect_ok(ndl_prefill_conv(s, 0, NDL_Q, taps, 3, 3, prompt, 3));
    expect_floats(prompt, want, 3);
    expect_tail(s, 0, NDL_Q, 2, 3);
    expect_size(ndl_pos(s), 0);
    expect_ok(ndl_set_pos(s, 3));
    expect_bits(step(s, 0, NDL_Q, 4), bits_of(234));
    ndl_session_free(s);
}

/* What a caller who seeds by hand gets: the mistakes are the caller's. */
Test(conv, CONV_007_fingerprints_of_seeding)
{
    static const struct {
        float rows[2], out;
    } seeds[] = {
        {{2, 3}, 234},
        {{12, 123}, 2434}, /* rows after the convolution */
        {{3, 2}, 324},     /* newest first */
    };
    for (size_t i = 0; i < COUNT(seeds); i++) {
        ndl_session *s = small();
        expect_ok(ndl_seed_conv_tail(s, 0, NDL_Q, seeds[i].rows, 2));
        expect_tail(s, 0, NDL_Q, seeds[i].rows[0], seeds[i].rows[1]);
        expect_ok(ndl_set_pos(s, 3));
        expect_bits(step(s, 0, NDL_Q, 4), bits_of(seeds[i].out));
        ndl_session_free(s);
    }
}

Test(conv, CONV_007_seeded_rows_are_kept_bit_for_bit)
{
    static const uint32_t rows[] = {0x80000000, 0x7FA00000, 0x00000001, 0xFF800000};
    ndl_session *s = small();
    for (size_t i = 0; i + 1 < COUNT(rows); i++) {
        const float pair[2] = {float_of(rows[i]), float_of(rows[i + 1])};
        expect_ok(ndl_seed_conv_tail(s, 1, NDL_V, pair, 2));
        expect_tail(s, 1, NDL_V, pair[0], pair[1]);
    }
    ndl_session_free(s);
}

/* set_pos alone is no rollback: the tail has dropped a row for good. */
Test(conv, CONV_006_fingerprint_of_a_bare_set_pos)
{
    ndl_session *s = small();
    for (size_t i = 1; i <= 3; i++)
        step_token(s, (float)i);
    step(s, 0, NDL_Q, 99);
    expect_ok(ndl_set_pos(s, 3));
    expect_bits(step(s, 0, NDL_Q, 4), bits_of(1294));
    ndl_session_free(s);
}

/* A call repeated at its position pushes its row again; a position skipped
 * pushes nothing. */
Test(conv, CONV_006_the_tail_counts_calls)
{
    ndl_session *s = small();
    expect_ok(ndl_set_pos(s, 5));
    step(s, 0, NDL_K, 1);
    step(s, 0, NDL_K, 2);
    expect_bits(step(s, 0, NDL_K, 2), bits_of(122));
    expect_tail(s, 0, NDL_K, 2, 2);
    expect_ok(ndl_set_pos(s, 9));
    expect_bits(step(s, 0, NDL_K, 3), bits_of(223));
    ndl_session_free(s);
}

/* A tail left by somebody else is masked by the position, number or not: 912
 * would be no mask. */
Test(conv, CONV_004_what_lies_before_the_start_is_not_read)
{
    static const uint32_t others[] = {0x41100000, 0x7FC00000, 0x7F800000, 0xFFFFFFFF};
    for (size_t i = 0; i < COUNT(others); i++) {
        ndl_session *s = small();
        const float rows[2] = {float_of(others[i]), 1};
        expect_ok(ndl_seed_conv_tail(s, 0, NDL_Q, rows, 2));
        expect_ok(ndl_set_pos(s, 1));
        expect_bits(step(s, 0, NDL_Q, 2), bits_of(12));
        const float both[2] = {float_of(others[i]), float_of(others[i])};
        expect_ok(ndl_seed_conv_tail(s, 0, NDL_Q, both, 2));
        expect_ok(ndl_set_pos(s, 0));
        expect_bits(step(s, 0, NDL_Q, 2), bits_of(2));
        ndl_session_free(s);
    }
}

/* Six tails of their own: every layer and projection sees its rows alone. */
Test(conv, CONV_002_tails_do_not_mix)
{
    ndl_session *s = small();
    for (size_t t = 0; t < 4; t++) {
        for (size_t i = 0; i < 6; i++) {
            float raw = (float)(10 * t + i);
            step(s, i / 3, (ndl_projection)(i % 3), raw);
        }
        expect_ok(ndl_advance(s));
        for (size_t i = 0; i < 6; i++)
            expect_tail(s, i / 3, (ndl_projection)(i % 3), t ? (float)(10 * (t - 1) + i) : 0,
                        (float)(10 * t + i));
    }
    ndl_session_free(s);
}

/* The tail keeps the row as it came, not as it left. */
Test(conv, CONV_002_the_tail_holds_raw_rows)
{
    ndl_session *s = small();
    expect_ok(ndl_set_pos(s, 7));
    static const uint32_t rows[] = {0x80000000, 0x7FA00000, 0xFF800000, 0x00000001};
    for (size_t i = 0; i < COUNT(rows); i++) {
        step(s, 0, NDL_Q, float_of(rows[i]));
        expect_tail(s, 0, NDL_Q, i ? float_of(rows[i - 1]) : 0, float_of(rows[i]));
    }
    ndl_session_free(s);
}

Test(conv, CONV_005_no_taps_do_nothing)
{
    ndl_geometry g = small_geometry();
    g.qkv_conv_taps = 0;
    ndl_session *s = new_session(&g, NULL);
    static const uint32_t values[] = {0x80000000, 0x7FA00000, 0x40400000};
    for (size_t i = 0; i < COUNT(values); i++) {
        float raw = float_of(values[i]);
        expect_ok(ndl_conv_step(s, 0, NDL_V, NULL, 0, &raw, 1));
        expect_bits(raw, values[i]);
        float rows[3] = {raw, raw, raw};
        expect_ok(ndl_prefill_conv(s, 0, NDL_V, NULL, 0, 3, rows, 3));
        expect_ok(ndl_causal_conv(3, 1, 0, NULL, 0, rows, 3));
        for (size_t j = 0; j < 3; j++)
            expect_bits(rows[j], values[i]);
    }
    expect_ok(ndl_seed_conv_tail(s, 0, NDL_V, NULL, 0));
    ndl_rows tail;
    expect_ok(ndl_conv_tail(s, 0, NDL_V, &tail));
    expect_size(tail.rows, 0);
    ndl_session_free(s);
}

Test(conv, CONV_005_one_tap_keeps_no_tail)
{
    ndl_geometry g = small_geometry();
    g.qkv_conv_taps = 1;
    ndl_session *s = new_session(&g, NULL);
    const float tap = 3;
    for (size_t t = 0; t < 4; t++) {
        float raw = (float)t;
        expect_ok(ndl_conv_step(s, 0, NDL_Q, &tap, 1, &raw, 1));
        expect_bits(raw, bits_of(3.0f * (float)t));
        expect_ok(ndl_advance(s));
    }
    ndl_rows tail;
    expect_ok(ndl_conv_tail(s, 0, NDL_Q, &tail));
    expect_size(tail.rows, 0);
    expect_ok(ndl_seed_conv_tail(s, 0, NDL_Q, NULL, 0));
    ndl_session_free(s);
}

/* The one difference: a step starts from its first product, a sequence from
 * +0, so only a zero can tell them apart. */
Test(conv, CONV_001_a_step_may_give_minus_0_where_the_sequence_gives_0)
{
    const float tap = 1;
    float step_raw = -0.0f, sequence_raw = -0.0f, prefill_raw = -0.0f;
    ndl_geometry g = small_geometry();
    g.qkv_conv_taps = 1;
    ndl_session *s = new_session(&g, NULL);
    expect_ok(ndl_conv_step(s, 0, NDL_Q, &tap, 1, &step_raw, 1));
    expect_ok(ndl_causal_conv(1, 1, 1, &tap, 1, &sequence_raw, 1));
    expect_ok(ndl_prefill_conv(s, 0, NDL_Q, &tap, 1, 1, &prefill_raw, 1));
    expect_bits(step_raw, 0x80000000);
    expect_bits(sequence_raw, 0x00000000);
    expect_bits(prefill_raw, 0x00000000);
    ndl_session_free(s);
}

/* Each product is rounded before it is added: (1 + 2^-12)^2 - 1 would keep its
 * last bit in a fused operation. */
Test(conv, CONV_001_nothing_is_fused)
{
    const float x = 1 + 0x1p-12f, two[3] = {1, x, 0};
    ndl_session *s = small();
    const float rows[2] = {0, x};
    expect_ok(ndl_seed_conv_tail(s, 0, NDL_Q, rows, 2));
    expect_ok(ndl_set_pos(s, 1));
    float raw = -1, buf[2] = {x, -1};
    expect_ok(ndl_conv_step(s, 0, NDL_Q, two, 3, &raw, 1));
    expect_bits(raw, bits_of(0x1p-11f));
    expect_ok(ndl_causal_conv(2, 1, 3, two, 3, buf, 2));
    expect_bits(buf[1], bits_of(0x1p-11f));
    ndl_session_free(s);
}

/* From an empty start: what the tail held before does not show. */
Test(conv, CONV_003_prefill_shorter_than_the_tail)
{
    for (size_t n = 0; n < 5; n++) {
        ndl_session *s = small();
        const float old[2] = {7, 8};
        expect_ok(ndl_seed_conv_tail(s, 0, NDL_K, old, 2));
        float prompt[4] = {1, 2, 3, 4};
        const float want[4] = {1, 12, 123, 234};
        expect_ok(ndl_prefill_conv(s, 0, NDL_K, taps, 3, n, prompt, n));
        expect_floats(prompt, want, n);
        expect_tail(s, 0, NDL_K, n >= 2 ? (float)(n - 1) : 0, (float)n);
        ndl_session_free(s);
    }
}

Test(conv, CONV_001_sequences_of_every_small_shape)
{
    for (size_t i = 0; i < 5u * 3 * 6; i++) {
        size_t seq = i % 5, dim = i / 5 % 3, n_taps = i / 15;
        float t[5 * 2], buf[4 * 2], want[4 * 2];
        for (size_t j = 0; j < COUNT(t); j++)
            t[j] = (float)(j * j + 1);
        for (size_t j = 0; j < COUNT(buf); j++)
            buf[j] = want[j] = (float)(3 * j + 1);
        for (size_t p = 0; n_taps && p < seq * dim; p++) {
            want[p] = 0;
            for (size_t j = 0; j < n_taps && j <= p / dim; j++)
                want[p] += t[j * dim + p % dim] * buf[p - j * dim];
        }
        expect_ok(ndl_causal_conv(seq, dim, n_taps, t, n_taps * dim, buf, seq * dim));
        expect_floats(buf, want, COUNT(buf));
    }
}

/* Rows as wide as what goes at once, less and more: steps give what a sequence gives. */
Test(conv, CONV_001_rows_of_whole_blocks_and_of_parts)
{
    enum { SEQ = 5, TAPS = 3 };
    for (size_t dim = 1; dim <= 40; dim++) {
        ndl_geometry g = small_geometry();
        g.qk_head_dim = dim;
        ndl_session *s = new_session(&g, NULL);
        rng r = {dim};
        float *t = new_floats(&r, TAPS * dim), *steps = new_floats(&r, SEQ * dim);
        float *sequence = copy_floats(steps, SEQ * dim);
        for (size_t pos = 0; pos < SEQ; pos++) {
            expect_ok(ndl_conv_step(s, 0, NDL_K, t, TAPS * dim, steps + pos * dim, dim));
            expect_ok(ndl_advance(s));
        }
        expect_ok(ndl_causal_conv(SEQ, dim, TAPS, t, TAPS * dim, sequence, SEQ * dim));
        expect_floats(steps, sequence, SEQ * dim);
        free(t);
        free(steps);
        free(sequence);
        ndl_session_free(s);
    }
}
