/*
 * One kv head after the other, and of the query heads that read it a pack of up
 * to LANES at a time: the scores of every position, their softmax, the weighted
 * sum of the values. A span is walked in chunks, whose slots do not wrap.
 *
 * What one query head gets is summed in the order of chapter 7, whatever else
 * is computed beside it: heads meet only in that they stand in lanes next to
 * each other. A row of floats is one whose scale is 1: a product with 1 is
 * exact, so that both precisions go one way.
 *
 * Scratch: the scores of a pack, a row of its width a position, and its queries,
 * a row a channel. The chunk and what is summed of it are local, 10 KiB.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "attend.h"

#include "attend_kernels.h"
#include "geometry.h"
#include "index.h"
#include "leaf.h"
#include "ring.h"
#include "span.h"
#include "trusted/round.h"

#include <math.h>

ndl_heads ndl_heads_of(const ndl_geometry *g)
{
    const ndl_heads heads = {g->num_heads, g->num_kv_heads, g->qk_head_dim, g->v_head_dim};

    return heads;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t ndl_attend_scratch(const ndl_geometry *g, size_t positions)
{
    const size_t width = smaller(g->num_heads / g->num_kv_heads, LANES);
    const size_t rows = ndl_sat_add(positions, g->qk_head_dim);

    return ndl_sat_add(ndl_sat_mul(rows, width), (size_t)2 * LANES);
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

/* The keys, or the values, of one kv head. */
typedef struct store {
    ndl_precision precision;
    const float *rows;
    const int8_t *codes;
    const float *scales;
    size_t slots, heads, head, dim;
} store;

/* A part of a span that lies in slots next to each other, a chunk at most. */
typedef struct part {
    size_t i, n; /* from the i-th position on, n of them */
    size_t slot; /* of the first */
} part;

static part part_at(size_t i, size_t slot, size_t positions, size_t slots)
{
    return (part){i, smaller(smaller(positions - i, CHUNK), slots - slot), slot};
}

static part next_part(part p, size_t positions, size_t slots)
{
    const size_t slot = p.slot + p.n;

    return part_at(p.i + p.n, slot < slots ? slot : 0, positions, slots);
}

/* Channels c .. c + channels - 1 of a part's rows, as floats. */
static void bring(const store *s, part p, size_t c, size_t channels, size_t stride, float *rows)
{
    const size_t pitch = ndl_at(s->heads, s->dim, 0);
    const size_t from = ndl_at(ndl_at(p.slot, s->heads, s->head), s->dim, c);
    const size_t left = s->slots - p.slot;

    if (s->precision == NDL_INT8)
        ndl_chunk_i8(s->codes + from, pitch, p.n, left, channels, stride, rows);
    else
        ndl_chunk_f32(s->rows + from, pitch, p.n, left, channels, stride, rows);
}

/* Their scales; that of a row of floats is 1. */
static void bring_scales(const store *s, part p, float *scales)
{
    for (size_t i = 0; i < p.n; i++)
        scales[i] = s->precision == NDL_INT8 ? s->scales[ndl_at(p.slot + i, s->heads, s->head)]
                                             : ndl_of_int(1);
}

/* The scores of a pack, and the largest of each lane. */
static void score(const store *keys, size_t slot, size_t positions, const float *packed,
                  size_t width, float *scores, float *max)
{
    const float root = ndl_div(ndl_of_int(1), ndl_root_of(keys->dim));
    float rows[CHUNK * STRIP], dots[CHUNK * LANES], scales[CHUNK];

    ndl_fill_f32(max, 0, LANES, -INFINITY);
    for (part p = part_at(0, slot, positions, keys->slots); p.n > 0;
         p = next_part(p, positions, keys->slots)) {
        ndl_fill_f32(dots, 0, ndl_at(p.n, LANES, 0), ndl_of_int(0));
        for (size_t c = 0; c < keys->dim; c += STRIP) {
            const size_t channels = smaller(keys->dim - c, STRIP);

            bring(keys, p, c, channels, channels, rows);
            ndl_add_dots(rows, p.n, channels, packed + ndl_at(c, width, 0), width, dots);
        }
        bring_scales(keys, p, scales);
        ndl_put_scores(dots, scales, root, p.n, width, scores + ndl_at(p.i, width, 0), max);
    }
}

/* The outputs of a pack: the values times e, inv and their scale. */
static void mix(const store *values, size_t slot, size_t positions, const float *e,
                const float *inv, size_t width, float *out)
{
    float rows[CHUNK * STRIP], sums[LANES * STRIP], weights[CHUNK * LANES], scales[CHUNK];

    for (size_t c = 0; c < values->dim; c += STRIP) {
        const size_t channels = smaller(values->dim - c, STRIP);
        const size_t stride = (channels + LANES - 1) / LANES * LANES;

        ndl_fill_f32(sums, 0, ndl_at(width, stride, 0), ndl_of_int(0));
        for (part p = part_at(0, slot, positions, values->slots); p.n > 0;
             p = next_part(p, positions, values->slots)) {
            bring(values, p, c, channels, stride, rows);
            bring_scales(values, p, scales);
            ndl_put_weights(e + ndl_at(p.i, width, 0), inv, scales, p.n, width, weights);
            ndl_add_values(rows, p.n, stride, weights, width, sums);
        }
        for (size_t h = 0; h < width; h++)
            ndl_copy_f32(out + ndl_at(h, values->dim, c), sums + ndl_at(h, stride, 0), channels);
    }
}

void ndl_attend_row(ndl_heads heads, const ndl_kv *kv, ndl_span span, const float *q,
                    float *scratch, float *out)
{
    const size_t group = heads.query / heads.kv, positions = span.hi - span.lo + 1;
    const size_t slot = span.lo % kv->slots;

    for (size_t head = 0; head < heads.kv; head++) {
        const store keys = {kv->precision, kv->k,    kv->k_codes, kv->k_scales,
                            kv->slots,     heads.kv, head,        heads.qk_dim};
        const store values = {kv->precision, kv->v,    kv->v_codes, kv->v_scales,
                              kv->slots,     heads.kv, head,        heads.v_dim};

        for (size_t first = 0; first < group; first += LANES) {
            const size_t width = smaller(group - first, LANES), query = ndl_at(head, group, first);
            float *scores = scratch, *packed = scratch + ndl_at(positions, width, LANES);
            float max[LANES], inv[LANES];

            ndl_pack_queries(q + ndl_at(query, heads.qk_dim, 0), width, heads.qk_dim, packed);
            score(&keys, slot, positions, packed, width, scores, max);
            ndl_softmax(scores, positions, width, max, inv);
            mix(&values, slot, positions, scores, inv, width, out + ndl_at(query, heads.v_dim, 0));
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
