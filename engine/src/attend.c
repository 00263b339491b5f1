/*
 * A span is walked in chunks, whose slots do not wrap: once through the keys, for the
 * scores of every position, and, after their softmax, once through the values. All
 * kv heads take their part of a chunk before the next one begins, so that a store is
 * read from one end to the other; of the query heads that read a kv head a pack of up
 * to LANES goes at a time.
 *
 * What one query head gets is summed in the order of chapter 7, whatever else
 * is computed beside it: heads meet only in that they stand in lanes next to
 * each other. A row of floats is one whose scale is 1: a product with 1 is
 * exact, so that both precisions go one way.
 *
 * Scratch, for each kv head: the scores of a pack, a row of its width a position; its
 * queries, a row a channel; the largest score of each lane, and one over its sum. What
 * is made of a chunk is local, 8 KiB.
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

    const size_t one = ndl_sat_add(ndl_sat_mul(rows, width), (size_t)4 * LANES);

    return ndl_sat_mul(one, g->num_kv_heads);
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

/* Some channels of a part's rows as floats, pitch of them from one row to the next;
 * the array has `left` such rows from there on. */
typedef struct block {
    const float *rows;
    size_t pitch, left;
} block;

/* Channels c .. c + channels - 1 of a part: where they are or, of codes, in wide. */
static block bring(const store *s, part p, size_t c, size_t channels, float *wide)
{
    const size_t pitch = ndl_at(s->heads, s->dim, 0), left = s->slots - p.slot;
    const size_t from = ndl_at(ndl_at(p.slot, s->heads, s->head), s->dim, c);

    if (s->precision != NDL_INT8)
        return (block){s->rows + from, pitch, left};
    ndl_widen_rows(s->codes + from, pitch, p.n, left, channels, wide);
    return (block){wide, channels, p.n};
}

/* The scales of a part's rows; that of a row of floats is 1. */
static void bring_scales(const store *s, part p, float *scales)
{
    if (s->precision != NDL_INT8)
        ndl_fill_f32(scales, 0, p.n, ndl_of_int(1));
    else
        for (size_t i = 0; i < p.n; i++)
            scales[i] = s->scales[ndl_at(p.slot + i, s->heads, s->head)];
}

/* What a kv head has of scratch. */
typedef struct pack {
    float *scores, *queries, *max, *inv;
} pack;

static pack pack_of(float *scratch, size_t positions, size_t dim, size_t width, size_t head)
{
    const size_t queries = ndl_at(positions, width, LANES);
    const size_t max = queries + ndl_at(dim, width, LANES), inv = max + LANES;
    float *from = scratch + ndl_at(head, inv + LANES, 0);

    return (pack){from, from + queries, from + max, from + inv};
}

/* The scores of a part, and the largest of each lane. */
static void score(const store *keys, part p, float root, size_t width, pack to)
{
    float wide[CHUNK * STRIP], dots[CHUNK * LANES], scales[CHUNK];

    ndl_fill_f32(dots, 0, ndl_at(p.n, LANES, 0), ndl_of_int(0));
    for (size_t c = 0; c < keys->dim; c += STRIP) {
        const size_t channels = smaller(keys->dim - c, STRIP);
        const block b = bring(keys, p, c, channels, wide);

        ndl_add_dots(b.rows, b.pitch, p.n, b.left, channels, to.queries + ndl_at(c, width, 0),
                     width, dots);
    }
    bring_scales(keys, p, scales);
    ndl_put_scores(dots, scales, root, p.n, width, to.scores + ndl_at(p.i, width, 0), to.max);
}

/* The values of a part, times e, inv and their scale, are added to the outputs. */
static void mix(const store *values, part p, size_t width, pack from, float *out)
{
    float wide[CHUNK * STRIP], weights[CHUNK * LANES], scales[CHUNK];

    bring_scales(values, p, scales);
    ndl_put_weights(from.scores + ndl_at(p.i, width, 0), from.inv, scales, p.n, width, weights);
    for (size_t c = 0; c < values->dim; c += STRIP) {
        const size_t channels = smaller(values->dim - c, STRIP);
        const block b = bring(values, p, c, channels, wide);

        ndl_add_values(b.rows, b.pitch, p.n, b.left, channels, weights, width, out + c,
                       values->dim);
    }
}

/* The scores of a pack of each kv head, as e; inv is one over their sum. */
static void weigh(ndl_heads heads, const ndl_kv *kv, ndl_span span, const float *q, size_t first,
                  size_t width, float *scratch)
{
    const size_t positions = span.hi - span.lo + 1, group = heads.query / heads.kv;
    const float root = ndl_div(ndl_of_int(1), ndl_root_of(heads.qk_dim));

    for (size_t head = 0; head < heads.kv; head++) {
        const pack to = pack_of(scratch, positions, heads.qk_dim, width, head);

        ndl_pack_queries(q + ndl_at(ndl_at(head, group, first), heads.qk_dim, 0), width,
                         heads.qk_dim, to.queries);
        ndl_fill_f32(to.max, 0, LANES, -INFINITY);
    }
    for (part p = part_at(0, span.lo % kv->slots, positions, kv->slots); p.n > 0;
         p = next_part(p, positions, kv->slots))
        for (size_t head = 0; head < heads.kv; head++) {
            const store keys = {kv->precision, kv->k,    kv->k_codes, kv->k_scales,
                                kv->slots,     heads.kv, head,        heads.qk_dim};

            score(&keys, p, root, width, pack_of(scratch, positions, heads.qk_dim, width, head));
        }
    for (size_t head = 0; head < heads.kv; head++) {
        const pack to = pack_of(scratch, positions, heads.qk_dim, width, head);

        ndl_softmax(to.scores, positions, width, to.max, to.inv);
    }
}

void ndl_attend_row(ndl_heads heads, const ndl_kv *kv, ndl_span span, const float *q,
                    float *scratch, float *out)
{
    const size_t positions = span.hi - span.lo + 1, group = heads.query / heads.kv;

    ndl_fill_f32(out, 0, ndl_at(heads.query, heads.v_dim, 0), ndl_of_int(0));
    for (size_t first = 0; first < group; first += LANES) {
        const size_t width = smaller(group - first, LANES);

        weigh(heads, kv, span, q, first, width, scratch);
        for (part p = part_at(0, span.lo % kv->slots, positions, kv->slots); p.n > 0;
             p = next_part(p, positions, kv->slots))
            for (size_t head = 0; head < heads.kv; head++) {
                const store values = {kv->precision, kv->v,    kv->v_codes, kv->v_scales,
                                      kv->slots,     heads.kv, head,        heads.v_dim};

                mix(&values, p, width, pack_of(scratch, positions, heads.qk_dim, width, head),
                    out + ndl_at(ndl_at(head, group, first), heads.v_dim, 0));
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
