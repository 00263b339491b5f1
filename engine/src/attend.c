/*
 * One kv head after the other, for all query heads that read it (a group): the
 * scores of every position, their softmax, the weighted sum of the values.
 * Scratch holds a row of `group` floats a position. What one query head gets is
 * summed in the order of chapter 7, whatever else is computed beside it.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "attend.h"

#include "geometry.h"
#include "index.h"
#include "leaf.h"
#include "span.h"
#include "trusted/expf.h"
#include "trusted/round.h"

#include <math.h>

ndl_heads ndl_heads_of(const ndl_geometry *g)
{
    const ndl_heads heads = {g->num_heads, g->num_kv_heads, g->qk_head_dim, g->v_head_dim};

    return heads;
}

size_t ndl_attend_scratch(const ndl_geometry *g, size_t positions)
{
    return ndl_sat_mul(positions, g->num_heads / g->num_kv_heads);
}

/* Bits of the root of n * 4^up, which ends below 2^64: 32 of them, the last one
 * standing for all that is left, are more than the 24 + 2 that rounding sees. */
float ndl_root_of(size_t n)
{
    uint64_t square = ndl_whole(ndl_of_size(n)), root = 0;
    unsigned up = 0;

    for (; square >> 62 == 0; square <<= 2)
        up++;
    for (uint64_t bit = UINT64_C(1) << 31; bit != 0; bit >>= 1)
        if ((root | bit) * (root | bit) <= square)
            root |= bit;
    if (root * root != square)
        root |= 1;
    return ndl_div(ndl_of_u32((uint32_t)root), ndl_of_u32(UINT32_C(1) << up));
}

static float dot_f32(const float *q, const float *k, size_t dim)
{
    float sum = 0.0f;

    for (size_t c = 0; c < dim; c++)
        sum = ndl_mac(sum, q[c], k[c]);
    return sum;
}

static float dot_i8(const float *q, const int8_t *k, size_t dim)
{
    float sum = 0.0f;

    for (size_t c = 0; c < dim; c++)
        sum = ndl_mac(sum, q[c], ndl_of_code(k[c]));
    return sum;
}

/* The scores of a group at one slot. q: the group's queries. */
static void score(ndl_heads heads, const ndl_kv *kv, size_t head, size_t slot, const float *q,
                  float scale, float *scores)
{
    const size_t group = heads.query / heads.kv, dim = heads.qk_dim;
    const size_t row = ndl_at(slot, heads.kv, head);

    for (size_t g = 0; g < group; g++) {
        float sum;

        if (kv->precision == NDL_INT8)
            sum = ndl_mul(dot_i8(q + ndl_at(g, dim, 0), kv->k_codes + ndl_at(row, dim, 0), dim),
                          kv->k_scales[row]);
        else
            sum = dot_f32(q + ndl_at(g, dim, 0), kv->k + ndl_at(row, dim, 0), dim);
        scores[g] = ndl_mul(sum, scale);
    }
}

/* The softmax over n positions of one query head of a group. */
static void softmax(float *scores, size_t n, size_t group, size_t g)
{
    float max = -INFINITY, sum = 0.0f;

    for (size_t i = 0; i < n; i++)
        max = ndl_greater(max, scores[ndl_at(i, group, g)]);
    for (size_t i = 0; i < n; i++) {
        const size_t at = ndl_at(i, group, g);

        scores[at] = ndl_expf(ndl_sub(scores[at], max));
        sum = ndl_add(sum, scores[at]);
    }
    const float inv = ndl_div(1.0f, sum);
    for (size_t i = 0; i < n; i++) {
        const size_t at = ndl_at(i, group, g);

        scores[at] = ndl_mul(scores[at], inv);
    }
}

/* Add a slot's values to the outputs of a group, by their weights. */
static void add_values(ndl_heads heads, const ndl_kv *kv, size_t head, size_t slot,
                       const float *weights, float *out)
{
    const size_t group = heads.query / heads.kv, dim = heads.v_dim;
    const size_t row = ndl_at(slot, heads.kv, head), at = ndl_at(row, dim, 0);

    for (size_t g = 0; g < group; g++) {
        float *o = out + ndl_at(g, dim, 0);

        if (kv->precision == NDL_INT8) {
            const float weight = ndl_mul(weights[g], kv->v_scales[row]);

            for (size_t c = 0; c < dim; c++)
                o[c] = ndl_mac(o[c], weight, ndl_of_code(kv->v_codes[at + c]));
        } else {
            for (size_t c = 0; c < dim; c++)
                o[c] = ndl_mac(o[c], weights[g], kv->v[at + c]);
        }
    }
}

void ndl_attend_row(ndl_heads heads, const ndl_kv *kv, ndl_span span, const float *q,
                    float *scratch, float *out)
{
    const size_t group = heads.query / heads.kv, n = span.hi - span.lo + 1;
    const size_t first = span.lo % kv->slots;
    const float scale = ndl_div(1.0f, ndl_root_of(heads.qk_dim));

    for (size_t c = 0; c < heads.query * heads.v_dim; c++)
        out[c] = 0.0f;
    for (size_t head = 0; head < heads.kv; head++) {
        const float *queries = q + ndl_at(head * group, heads.qk_dim, 0);
        float *outputs = out + ndl_at(head * group, heads.v_dim, 0);
        size_t slot = first;

        for (size_t i = 0; i < n; i++) {
            score(heads, kv, head, slot, queries, scale, scratch + ndl_at(i, group, 0));
            slot = slot + 1 < kv->slots ? slot + 1 : 0;
        }
        for (size_t g = 0; g < group; g++)
            softmax(scratch, n, group, g);
        slot = first;
        for (size_t i = 0; i < n; i++) {
            add_values(heads, kv, head, slot, scratch + ndl_at(i, group, 0), outputs);
            slot = slot + 1 < kv->slots ? slot + 1 : 0;
        }
    }
}

static ndl_status check_heads(const ndl_geometry *g)
{
    if (g->num_heads == 0)
        return NDL_E_NUM_HEADS;
    if (g->num_kv_heads == 0)
        return NDL_E_NUM_KV_HEADS;
    if (g->qk_head_dim == 0)
        return NDL_E_QK_HEAD_DIM;
    if (g->v_head_dim == 0)
        return NDL_E_V_HEAD_DIM;
    return g->num_heads % g->num_kv_heads == 0 ? NDL_OK : NDL_E_HEAD_GROUPS;
}

ndl_status ndl_attend_sequence(const ndl_geometry *g, size_t window, const ndl_kv *kv,
                               const float *q, size_t q_len, float *scratch, size_t scratch_len,
                               float *out, size_t out_len)
{
    const ndl_status status = check_heads(g);

    if (status != NDL_OK)
        return status;
    const ndl_heads heads = ndl_heads_of(g);
    const size_t seq = kv->slots;
    const size_t q_dim = ndl_sat_mul(heads.query, heads.qk_dim);
    const size_t out_dim = ndl_sat_mul(heads.query, heads.v_dim);
    if (!ndl_fits(seq, q_dim) || !ndl_fits(seq, out_dim))
        return NDL_E_SIZE;
    if (kv->precision != NDL_F32 && kv->precision != NDL_INT8)
        return NDL_E_PRECISION;
    if (q_len != ndl_at(seq, q_dim, 0) || out_len != ndl_at(seq, out_dim, 0) ||
        scratch_len < ndl_attend_scratch(g, seq))
        return NDL_E_LENGTH;
    for (size_t t = 0; t < seq; t++) {
        const ndl_span span = ndl_span_of(window, seq, t);

        ndl_attend_row(heads, kv, span, q + ndl_at(t, q_dim, 0), scratch,
                       out + ndl_at(t, out_dim, 0));
    }
    return NDL_OK;
}
