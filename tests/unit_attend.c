/* Attention: what can be said of it exactly, scratch, and what is refused. */
#include "life.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ndl_geometry heads(size_t query, size_t kv)
{
    ndl_geometry g = small_geometry();
    g.num_heads = query;
    g.num_kv_heads = kv;
    return g;
}

/* One position has all the weight: 1 times its value, added to +0. */
Test(attend, ATT_001_a_single_position_gives_its_value)
{
    static const uint32_t values[][2] = {{0x40490FDB, 0x40490FDB},
                                         {0x80000000, 0x00000000},
                                         {0x00000001, 0x00000001},
                                         {0xFF7FFFFF, 0xFF7FFFFF},
                                         {0x7F800000, 0x7F800000}};
    ndl_geometry g = heads(1, 1);
    for (size_t i = 0; i < COUNT(values); i++) {
        ndl_session *s = new_session(&g, NULL);
        const float q = -3;
        float out = 77;
        write_number(s, 0, 0, 5, float_of(values[i][0]));
        attend(s, 0, 0, &q, &out);
        expect_bits(out, values[i][1]);
        ndl_session_free(s);
    }
}

Test(attend, ATT_001_equal_keys_share_the_weight)
{
    ndl_geometry g = heads(1, 1);
    ndl_session *s = new_session(&g, NULL);
    const float q = 2;
    float out = 77;
    for (size_t pos = 0; pos < 4; pos++)
        write_number(s, 0, pos, 1, (float)(1 << pos));
    attend(s, 0, 3, &q, &out);
    expect_bits(out, bits_of(3.75f)); /* (1 + 2 + 4 + 8) / 4, exactly */
    ndl_session_free(s);
}

/* The definition once more, for one head of width 1 and a few positions: scores
 * in order, the maximum from minus infinity, sums from +0. */
static float by_hand(const float *k, const float *v, size_t n, float q)
{
    float e[8], m = -INFINITY, sum = 0, out = 0;
    for (size_t i = 0; i < n; i++) {
        e[i] = (0.0f + q * k[i]) * (1.0f / sqrtf(1.0f));
        m = e[i] > m ? e[i] : m;
    }
    for (size_t i = 0; i < n; i++) {
        e[i] = ndl_expf(e[i] - m);
        sum += e[i];
    }
    for (size_t i = 0; i < n; i++)
        out += e[i] * (1.0f / sum) * v[i];
    return out;
}

/* Positions are summed from the oldest on, wherever in the ring that is. */
Test(attend, ATT_003_positions_are_read_in_order)
{
    ndl_geometry g = heads(1, 1);
    ndl_session *s = new_session(&g, NULL);
    float k[20], v[20];
    rng r = {1};
    random_floats(&r, k, 20);
    random_floats(&r, v, 20);
    for (size_t pos = 0; pos < 20; pos++) {
        for (size_t layer = 0; layer < 2; layer++) {
            write_number(s, layer, pos, k[pos], v[pos]);
            size_t lo = span_of(s, layer, pos).lo;
            const float q = 1.5f;
            float out = 77;
            attend(s, layer, pos, &q, &out);
            expect_bits(out, bits_of(by_hand(k + lo, v + lo, pos - lo + 1, q)));
        }
    }
    ndl_session_free(s);
}

/* Head h reads kv head h / (H / Hk), and its own query. */
Test(attend, ATT_003_grouped_heads)
{
    ndl_geometry g = heads(6, 2);
    ndl_session *s = new_session(&g, NULL);
    const float k[2][2] = {{1, 3}, {4, -2}}, v[2][2] = {{10, 20}, {30, 40}};
    const float q[6] = {0, 0.5f, 1, -0.5f, -1, -1.5f};
    for (size_t pos = 0; pos < 2; pos++)
        expect_ok(ndl_write_kv(s, 1, pos, k[pos], 2, v[pos], 2));
    float out[6];
    attend(s, 1, 1, q, out);
    for (size_t h = 0; h < 6; h++) {
        const float keys[2] = {k[0][h / 3], k[1][h / 3]}, values[2] = {v[0][h / 3], v[1][h / 3]};
        expect_bits(out[h], bits_of(by_hand(keys, values, 2, q[h])));
    }
    ndl_session_free(s);
}

/* A NaN never becomes the maximum, and yet every weight becomes one. */
Test(attend, ATT_001_scores_that_are_no_numbers)
{
    static const uint32_t keys[] = {0x7FC00000, 0x7F800000, 0xFF800000};
    for (size_t i = 0; i < COUNT(keys); i++) {
        ndl_geometry g = heads(1, 1);
        ndl_session *s = new_session(&g, NULL);
        const float q = 1;
        float out = 77;
        write_number(s, 0, 0, 2, 1);
        write_number(s, 0, 1, float_of(keys[i]), 8);
        attend(s, 0, 1, &q, &out);
        /* minus infinity has weight 0; the other two leave NaN */
        expect_bits(out != out ? NAN : out, i == 2 ? bits_of(1) : bits_of(NAN));
        /* and nothing but minus infinity: exp(-inf - -inf) is a NaN */
        write_number(s, 0, 0, float_of(keys[i]), 1);
        attend(s, 0, 1, &q, &out);
        cr_assert(out != out);
        ndl_session_free(s);
    }
}

/* The root behind the scale needs every bit that was shifted out for some widths:
 * 1421 is the first. One key scores -20 of 0, so that its weight shows the last bit. */
Test(attend, ATT_001_the_scale_of_wide_heads)
{
    enum { WIDEST = 4300 };
    static float q[2 * WIDEST], k[2 * WIDEST];
    const float v[] = {1, 0};
    float out[2];
    for (size_t n = 1; n <= WIDEST; n++) {
        const float root = sqrtf((float)n), x = -20 * root;
        const float e = ndl_expf(x * (1 / root));
        const ndl_geometry g = {
            .num_heads = 1, .num_kv_heads = 1, .qk_head_dim = n, .v_head_dim = 1};
        const ndl_kv kv = {.precision = NDL_F32, .slots = 2, .k = k, .v = v};
        const size_t scratch_len = ndl_attend_scratch(&g, 2);
        float *scratch = malloc(scratch_len * sizeof *scratch);
        cr_assert(scratch != NULL);
        k[0] = x;
        q[n] = 1;
        expect_ok(ndl_attend_sequence(&g, 0, &kv, q, 2 * n, scratch, scratch_len, out, 2));
        free(scratch);
        q[n] = 0;
        expect_bits(out[1], bits_of(e * (1 / (e + 1))));
    }
}

/* int8: a code times its scale, in the order of chapter 7. */
Test(attend, ATT_001_int8_by_hand)
{
    ndl_geometry g = heads(1, 1);
    g.qk_head_dim = g.v_head_dim = 2;
    ndl_options options = {.precision = NDL_INT8};
    ndl_session *s = new_session(&g, &options);
    const float k[2] = {0.3f, -0.7f}, v[2] = {1.1f, 0.9f}, q[2] = {0.2f, 0.4f};
    float out[2];
    for (size_t pos = 0; pos < 3; pos++)
        expect_ok(ndl_write_kv(s, 0, pos, k, 2, v, 2));
    attend(s, 0, 2, q, out);
    /* Equal scores: e is 1 three times, a weight is 1/3 and then its scale. */
    float weight = 1.0f * (1.0f / 3.0f) * (1.1f / 127.0f);
    const float codes[2] = {127, 104}; /* 0.9 / 1.1 * 127 = 103.9 */
    for (size_t c = 0; c < 2; c++)
        expect_bits(out[c],
                    bits_of(0.0f + weight * codes[c] + weight * codes[c] + weight * codes[c]));
    ndl_session_free(s);
}

/* A sequence gives each row what a step at its position gives. */
Test(attend, ATT_004_a_sequence_gives_what_steps_give)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        const ndl_geometry *g = &k.geometry;
        k.options.hint = 8;
        for (size_t layer = 0; layer < g->num_layers; layer++) {
            ndl_session *s = new_session(g, &k.options);
            size_t q_dim = ndl_geometry_q_dim(g), out_dim = ndl_geometry_out_dim(g), window;
            expect_ok(ndl_geometry_window(g, layer, &window));
            /* as many rows as the store holds, so that none is overwritten */
            size_t n = slots_of(s, layer), scratch_len = ndl_attend_scratch(g, n);
            rng r = {i};
            float *q = new_floats(&r, n * q_dim), *step = new_floats(&r, n * out_dim);
            float *sequence = new_floats(&r, n * out_dim), *scratch = new_floats(&r, scratch_len);
            for (size_t pos = 0; pos < n; pos++) {
                float row[16];
                random_floats(&r, row, COUNT(row));
                expect_ok(ndl_write_kv(s, layer, pos, row, ndl_geometry_k_dim(g), row + 6,
                                       ndl_geometry_v_dim(g)));
                attend(s, layer, pos, q + pos * q_dim, step + pos * out_dim);
            }
            ndl_kv kv;
            expect_ok(ndl_kv_at(s, layer, &kv));
            expect_ok(ndl_attend_sequence(g, window, &kv, q, n * q_dim, scratch, scratch_len,
                                          sequence, n * out_dim));
            expect_floats(sequence, step, n * out_dim);
            free(q);
            free(step);
            free(sequence);
            free(scratch);
            ndl_session_free(s);
        }
    }
}

Test(attend, ATT_005_scratch_fits_or_is_SIZE_MAX)
{
    ndl_geometry g = shipped_geometry();
    cr_assert(ndl_attend_scratch(&g, g.max_seq_len) < SIZE_MAX / sizeof(float));
    expect_size(ndl_attend_scratch(&g, SIZE_MAX), SIZE_MAX);
    expect_size(ndl_attend_scratch(&g, SIZE_MAX / 2), SIZE_MAX);
    for (size_t n = 1; n < 100; n++)
        cr_assert(ndl_attend_scratch(&g, n) <= ndl_attend_scratch(&g, n + 1));
}

/* Rows 3, H 2, Hk 1, dk 3, dv 2. */
static const struct {
    change changes[2]; /* of heads */
    size_t q_len, scratch_short, out_len;
    int precision;
    ndl_status status;
} refusals[] = {
    {{SET(num_heads, 0)}, 18, 0, 12, NDL_F32, NDL_E_NUM_HEADS},
    {{SET(num_kv_heads, 0)}, 18, 0, 12, NDL_F32, NDL_E_NUM_KV_HEADS},
    {{SET(qk_head_dim, 0)}, 18, 0, 12, NDL_F32, NDL_E_QK_HEAD_DIM},
    {{SET(v_head_dim, 0)}, 18, 0, 12, NDL_F32, NDL_E_V_HEAD_DIM},
    {{SET(num_kv_heads, 3)}, 18, 0, 12, NDL_F32, NDL_E_HEAD_GROUPS},
    {{SET(qk_head_dim, SIZE_MAX / 4)}, 18, 0, 12, NDL_F32, NDL_E_SIZE},
    {{SET(v_head_dim, SIZE_MAX / 2 + 1)}, 18, 0, 12, NDL_F32, NDL_E_SIZE},
    {{SET(num_heads, 0), SET(v_head_dim, 0)}, 1, 1, 1, 2, NDL_E_NUM_HEADS},
    {{SET(vocab_size, 0)}, 18, 0, 12, 2, NDL_E_PRECISION},
    {{SET(vocab_size, 0)}, 18, 0, 12, -1, NDL_E_PRECISION},
    {{SET(vocab_size, 0)}, 17, 0, 12, NDL_F32, NDL_E_LENGTH},
    {{SET(vocab_size, 0)}, 19, 0, 12, NDL_F32, NDL_E_LENGTH},
    {{SET(vocab_size, 0)}, 6, 0, 12, NDL_F32, NDL_E_LENGTH},
    {{SET(vocab_size, 0)}, 18, 0, 11, NDL_INT8, NDL_E_LENGTH},
    {{SET(vocab_size, 0)}, 18, 0, 13, NDL_INT8, NDL_E_LENGTH},
    {{SET(vocab_size, 0)}, 18, 1, 12, NDL_F32, NDL_E_LENGTH},
};

Test(attend, SES_001_attend_sequence_refused)
{
    for (size_t i = 0; i < COUNT(refusals); i++) {
        ndl_geometry g = heads(2, 1);
        g.qk_head_dim = 3;
        g.v_head_dim = 2;
        float k[9] = {0}, v[6] = {0}, q[19] = {0}, scratch[64], out[13], before[13];
        float scales[3] = {1, 1, 1};
        int8_t codes[9] = {0};
        size_t scratch_len = ndl_attend_scratch(&g, 3) - refusals[i].scratch_short;
        cr_assert(scratch_len <= COUNT(scratch));
        for (size_t j = 0; j < COUNT(out); j++)
            out[j] = before[j] = 77;
        for (size_t j = 0; j < 2; j++)
            apply_change(&g, refusals[i].changes[j]);
        ndl_kv kv = {(ndl_precision)refusals[i].precision, 3, k, v, codes, codes, scales, scales};
        ndl_status got = ndl_attend_sequence(&g, 0, &kv, q, refusals[i].q_len, scratch, scratch_len,
                                             out, refusals[i].out_len);
        cr_assert(got == refusals[i].status, "call %zu: %s", i, ndl_status_name(got));
        expect_floats(out, before, COUNT(out));
    }
}

Test(attend, ATT_004_no_rows_at_all)
{
    ndl_geometry g = heads(2, 1);
    ndl_kv kv = {.precision = NDL_F32};
    float scratch[64];
    cr_assert(ndl_attend_scratch(&g, 0) <= COUNT(scratch));
    expect_ok(
        ndl_attend_sequence(&g, 0, &kv, NULL, 0, scratch, ndl_attend_scratch(&g, 0), NULL, 0));
}
