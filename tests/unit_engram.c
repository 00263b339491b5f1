/* The engram value convolution and its tails; fingerprints as in unit_conv.c. */
#include "life.h"

#include <stdlib.h>

static const float taps[4] = {1, 10, 100, 1000};

static float step(ndl_session *s, float raw)
{
    expect_ok(ndl_engram_conv_step(s, 0, taps, ndl_session_geometry(s)->engram.conv_taps, &raw, 1));
    return raw;
}

static void expect_tail(const ndl_session *s, size_t site, const float *rows, size_t n)
{
    ndl_rows tail;
    expect_ok(ndl_engram_tail(s, site, &tail));
    expect_size(tail.rows, n);
    expect_floats(tail.data, rows, n);
}

/* One site, E taps, D apart, orders up to M. */
static ndl_session *engram(size_t e, size_t d, size_t m)
{
    ndl_geometry g = small_geometry();
    g.engram.conv_taps = e;
    g.engram.conv_dilation = d;
    g.engram.orders[0] = 1;
    g.engram.orders[1] = m;
    return new_session(&g, NULL);
}

/* 10480 for 1480 would be a ring slot overwritten before it is read. */
Test(engram, ENG_001_fingerprint_stepped)
{
    ndl_session *s = engram(4, 3, 3);
    const float want[] = {1, 2, 3, 14, 25, 36, 147, 258, 369, 1480};
    for (size_t i = 0; i < COUNT(want); i++) {
        expect_bits(step(s, (float)(i + 1)), bits_of(want[i]));
        expect_ok(ndl_advance(s));
    }
    const float tail[] = {2, 3, 4, 5, 6, 7, 8, 9, 10};
    expect_tail(s, 0, tail, 9);
    ndl_session_free(s);
}

Test(engram, ENG_003_fingerprint_prefilled)
{
    ndl_session *s = engram(4, 3, 3);
    float prompt[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const float raw[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const float want[9] = {1, 2, 3, 14, 25, 36, 147, 258, 369};
    expect_ok(ndl_prefill_engram(s, 0, taps, 4, 9, prompt, 9));
    expect_floats(prompt, want, 9);
    expect_tail(s, 0, raw, 9);
    expect_size(ndl_pos(s), 0);
    expect_ok(ndl_set_pos(s, 9));
    expect_bits(step(s, 10), bits_of(1480));
    ndl_session_free(s);
}

/* Rows before the start are zero; what the tail held does not show. */
Test(engram, ENG_003_prefill_of_any_length)
{
    for (size_t n = 0; n < 15; n++) {
        ndl_session *s = engram(4, 3, 3);
        float old[9], prompt[15], want[9];
        for (size_t i = 0; i < 9; i++)
            old[i] = 77;
        expect_ok(ndl_seed_engram_tail(s, 0, old, 9));
        for (size_t i = 0; i < n; i++)
            prompt[i] = (float)(i + 1);
        for (size_t i = 0; i < 9; i++)
            want[i] = n + i >= 9 ? (float)(n + i + 1 - 9) : 0;
        expect_ok(ndl_prefill_engram(s, 0, taps, 4, n, prompt, n));
        expect_tail(s, 0, want, 9);
        ndl_session_free(s);
    }
}

Test(engram, ENG_003_a_seeded_tail_is_exactly_the_rows_given)
{
    ndl_session *s = engram(2, 3, 3);
    const float rows[3] = {float_of(0x80000000), float_of(0x7FA00000), float_of(0x00000001)};
    expect_ok(ndl_seed_engram_tail(s, 0, rows, 3));
    ndl_rows tail;
    expect_ok(ndl_engram_tail(s, 0, &tail));
    for (size_t i = 0; i < 3; i++)
        expect_bits(tail.data[i], bits_of(rows[i]));
    ndl_session_free(s);
}

/* The gate by order, where it is the later one: M = 3, D = 1. Tap 1 counts
 * from position 3, tap 2 from 6. */
Test(engram, ENG_004_the_gate_by_order)
{
    ndl_session *s = engram(3, 1, 3);
    float sequence[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const float want[8] = {1, 2, 3, 34, 45, 56, 567, 678};
    for (size_t i = 0; i < 8; i++) {
        expect_bits(step(s, (float)(i + 1)), bits_of(want[i]));
        expect_ok(ndl_advance(s));
    }
    expect_ok(ndl_value_conv(8, 1, 3, 1, 3, taps, 3, sequence, 8));
    expect_floats(sequence, want, 8);
    ndl_session_free(s);
}

/* The gate by dilation, where it is the later one: D = 2, M = 1. */
Test(engram, ENG_004_the_gate_by_dilation)
{
    ndl_session *s = engram(3, 2, 1);
    float sequence[6] = {1, 2, 3, 4, 5, 6};
    const float want[6] = {1, 2, 13, 24, 135, 246};
    for (size_t i = 0; i < 6; i++) {
        expect_bits(step(s, (float)(i + 1)), bits_of(want[i]));
        expect_ok(ndl_advance(s));
    }
    expect_ok(ndl_value_conv(6, 1, 3, 2, 1, taps, 3, sequence, 6));
    expect_floats(sequence, want, 6);
    ndl_session_free(s);
}

Test(engram, ENG_004_what_lies_before_the_start_is_not_read)
{
    static const uint32_t others[] = {0x41100000, 0x7FC00000, 0xFF800000};
    for (size_t i = 0; i < COUNT(others); i++) {
        for (size_t pos = 0; pos < 9; pos++) {
            ndl_session *s = engram(4, 3, 3);
            float rows[9];
            for (size_t j = 0; j < 9; j++)
                rows[j] = j + pos >= 9 ? 1.0f : float_of(others[i]);
            expect_ok(ndl_seed_engram_tail(s, 0, rows, 9));
            expect_ok(ndl_set_pos(s, pos));
            const float want[3] = {1, 11, 111};
            expect_bits(step(s, 1), bits_of(want[pos / 3]));
            ndl_session_free(s);
        }
    }
}

Test(engram, ENG_005_the_tail_counts_calls)
{
    ndl_session *s = engram(2, 2, 1);
    expect_ok(ndl_set_pos(s, 9));
    step(s, 1);
    step(s, 2);
    expect_bits(step(s, 2), bits_of(12)); /* two calls back, all at one position */
    expect_ok(ndl_set_pos(s, 50));
    expect_bits(step(s, 3), bits_of(23));
    const float tail[] = {2, 3};
    expect_tail(s, 0, tail, 2);
    ndl_session_free(s);
}

/* Both start at +0, so steps and sequence agree even on zeros. */
Test(engram, ENG_001_minus_0_becomes_0_in_step_and_sequence)
{
    ndl_session *s = engram(2, 1, 1);
    const float one[2] = {1, 1};
    float raw = -0.0f, sequence = -0.0f;
    expect_ok(ndl_engram_conv_step(s, 0, one, 2, &raw, 1));
    expect_ok(ndl_value_conv(1, 1, 2, 1, 1, one, 2, &sequence, 1));
    expect_bits(raw, 0);
    expect_bits(sequence, 0);
    const float kept[] = {-0.0f};
    ndl_rows tail;
    expect_ok(ndl_engram_tail(s, 0, &tail));
    expect_bits(tail.data[0], bits_of(kept[0]));
    ndl_session_free(s);
}

Test(engram, ENG_002_one_tap_keeps_no_tail)
{
    ndl_geometry g = small_geometry();
    g.engram.conv_taps = 1;
    g.engram.conv_dilation = 0;
    ndl_session *s = new_session(&g, NULL);
    float raw = 3;
    const float tap = 5;
    expect_ok(ndl_engram_conv_step(s, 0, &tap, 1, &raw, 1));
    expect_bits(raw, bits_of(15));
    expect_tail(s, 0, NULL, 0);
    expect_ok(ndl_seed_engram_tail(s, 0, NULL, 0));
    ndl_session_free(s);
}

Test(engram, ENG_002_sites_do_not_mix)
{
    ndl_geometry g = small_geometry();
    g.engram.num_sites = 2;
    g.engram.sites[0] = 1;
    g.engram.sites[1] = 0;
    g.engram.conv_taps = 2;
    g.engram.conv_dilation = 1;
    ndl_session *s = new_session(&g, NULL);
    for (size_t t = 0; t < 4; t++) {
        for (size_t site = 0; site < 2; site++) {
            float raw = (float)(10 * t + site), kept = raw;
            expect_ok(ndl_engram_conv_step(s, site, taps, 2, &raw, 1));
            expect_tail(s, site, &kept, 1);
        }
        expect_ok(ndl_advance(s));
    }
    const float first = 30, second = 31;
    expect_tail(s, 0, &first, 1);
    expect_tail(s, 1, &second, 1);
    ndl_session_free(s);
}

Test(engram, ENG_001_sequences_of_every_small_shape)
{
    for (size_t i = 0; i < 8u * 3 * 4 * 4 * 4; i++) {
        size_t seq = i % 8, dim = i / 8 % 3, e = i / 24 % 4, d = i / 96 % 4, m = i / 384 + 1;
        float t[3 * 2], buf[7 * 2], want[7 * 2];
        for (size_t j = 0; j < COUNT(t); j++)
            t[j] = (float)(j * j + 1);
        for (size_t j = 0; j < COUNT(buf); j++)
            buf[j] = want[j] = (float)(3 * j + 1);
        for (size_t p = 0; e && p < seq * dim; p++) {
            want[p] = 0;
            for (size_t j = 0; j < e && j * d <= p / dim; j++) {
                if (j * m <= p / dim)
                    want[p] += t[j * dim + p % dim] * buf[p - j * d * dim];
            }
        }
        expect_ok(ndl_value_conv(seq, dim, e, d, m, t, e * dim, buf, seq * dim));
        if (e)
            expect_floats(buf, want, COUNT(buf));
    }
}

/* Rows as wide as what goes at once, less and more: steps give what a sequence gives. */
Test(engram, ENG_001_rows_of_whole_blocks_and_of_parts)
{
    enum { SEQ = 9, TAPS = 4 };
    for (size_t dim = 1; dim <= 40; dim++) {
        ndl_geometry g = small_geometry();
        g.d_model = dim;
        ndl_session *s = new_session(&g, NULL);
        rng r = {dim};
        float *t = new_floats(&r, TAPS * dim), *steps = new_floats(&r, SEQ * dim);
        float *sequence = copy_floats(steps, SEQ * dim);
        for (size_t pos = 0; pos < SEQ; pos++) {
            expect_ok(ndl_engram_conv_step(s, 0, t, TAPS * dim, steps + pos * dim, dim));
            expect_ok(ndl_advance(s));
        }
        expect_ok(ndl_value_conv(SEQ, dim, TAPS, g.engram.conv_dilation, ndl_geometry_max_order(&g),
                                 t, TAPS * dim, sequence, SEQ * dim));
        expect_floats(steps, sequence, SEQ * dim);
        free(t);
        free(steps);
        free(sequence);
        ndl_session_free(s);
    }
}
