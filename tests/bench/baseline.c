/*
 * What the engine is measured against: the decode state as a port writes it that
 * takes the chapters' loops as they stand. Sums are scalars, tails are shifted by
 * a row a step, the slot of a position is a division, the exponential is the C
 * library's; nothing is allocated in a step. It has the calls of ndl.h that a
 * decoder makes, so that one bench drives both, and checks no argument. The bench
 * compiles it with gcc and with clang and takes the faster.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "baseline.h"

#include <math.h>
#include <string.h>

/* -------------------------------------------------------------------- tokens */

void ndl_push_token(ndl_session *s, uint32_t token)
{
    if (s->held == s->max_order)
        memmove(s->tokens, s->tokens + 1, --s->held * sizeof *s->tokens);
    s->tokens[s->held++] = token;
}

void ndl_seed_tokens(ndl_session *s, const uint32_t *tokens, size_t n)
{
    s->held = 0;
    for (size_t i = 0; i < n; i++)
        ndl_push_token(s, tokens[i]);
}

const uint32_t *ndl_history(const ndl_session *s, size_t *len)
{
    *len = s->held;
    return s->tokens;
}

ndl_status ndl_engram_index(const ndl_session *s, size_t table, uint32_t *index)
{
    const ndl_engram *e = &s->g.engram;
    const size_t o = table / e->heads, h = table % e->heads;
    const size_t stride = e->seed_heads != 0 ? e->seed_heads : e->heads;
    uint32_t acc = UINT32_C(0x9E3779B9) * (uint32_t)(o * stride + h + 1);

    for (size_t j = 0; j < e->orders[o]; j++)
        acc = (acc ^ (j < s->held ? s->tokens[s->held - 1 - j] : 0)) * UINT32_C(0x01000193);
    acc ^= acc >> 15;
    *index = (uint32_t)(acc % e->slots);
    return NDL_OK;
}

/* -------------------------------------------------------------- convolutions */

/* The rows of a tail go up by one and raw becomes the last. */
static void shift(float *tail, size_t rows, size_t dim, const float *raw)
{
    if (rows == 0)
        return;
    memmove(tail, tail + dim, (rows - 1) * dim * sizeof *tail);
    memcpy(tail + (rows - 1) * dim, raw, dim * sizeof *raw);
}

ndl_status ndl_conv_step(ndl_session *s, size_t layer, ndl_projection which, const float *taps,
                         size_t taps_len, float *raw, size_t raw_len)
{
    const size_t dim = raw_len, n = s->g.qkv_conv_taps;
    float *tail = s->layer[layer].tail[which];

    (void)taps_len;
    if (n == 0)
        return NDL_OK;
    for (size_t c = 0; c < dim; c++) {
        float acc = taps[c] * raw[c];

        for (size_t j = 1; j < n && j <= s->pos; j++)
            acc += taps[j * dim + c] * tail[(s->rows - j) * dim + c];
        s->row[c] = acc;
    }
    shift(tail, s->rows, dim, raw);
    memcpy(raw, s->row, dim * sizeof *raw);
    return NDL_OK;
}

ndl_status ndl_engram_conv_step(ndl_session *s, size_t site, const float *taps, size_t taps_len,
                                float *raw, size_t raw_len)
{
    const ndl_engram *e = &s->g.engram;
    const size_t dim = raw_len;
    float *tail = s->site_tail[site];

    (void)taps_len;
    for (size_t c = 0; c < dim; c++) {
        float acc = 0.0f;

        for (size_t j = 0; j < e->conv_taps; j++) {
            const size_t back = j * e->conv_dilation;

            if (back > s->pos || j * s->max_order > s->pos)
                continue;
            acc += taps[j * dim + c] * (j == 0 ? raw[c] : tail[(s->reach - back) * dim + c]);
        }
        s->row[c] = acc;
    }
    shift(tail, s->reach, dim, raw);
    memcpy(raw, s->row, dim * sizeof *raw);
    return NDL_OK;
}

ndl_status ndl_seed_conv_tail(ndl_session *s, size_t layer, ndl_projection which, const float *rows,
                              size_t rows_len)
{
    if (rows_len > 0)
        memcpy(s->layer[layer].tail[which], rows, rows_len * sizeof *rows);
    return NDL_OK;
}

ndl_status ndl_seed_engram_tail(ndl_session *s, size_t site, const float *rows, size_t rows_len)
{
    if (rows_len > 0)
        memcpy(s->site_tail[site], rows, rows_len * sizeof *rows);
    return NDL_OK;
}

/* ----------------------------------------------------------- keys and values */

static void quantize(const float *x, size_t len, int8_t *codes, float *scale)
{
    float absmax = 0.0f;

    for (size_t i = 0; i < len; i++)
        if (fabsf(x[i]) > absmax)
            absmax = fabsf(x[i]);
    *scale = absmax > 0.0f ? absmax / 127.0f : 1.0f;
    const float inv = 1.0f / *scale;
    for (size_t i = 0; i < len; i++) {
        float c = roundf(x[i] * inv);

        if (c < -128.0f)
            c = -128.0f;
        if (c > 127.0f)
            c = 127.0f;
        codes[i] = 0;
        if (c == c)
            codes[i] = (int8_t)c;
    }
}

ndl_status ndl_write_kv(ndl_session *s, size_t layer, size_t pos, const float *k, size_t k_len,
                        const float *v, size_t v_len)
{
    ring *r = &s->layer[layer];

    if (pos >= r->slots && r->slots < r->cap &&
        !base_grow(s, r, least(r->cap, most(2 * r->slots, pos + 1))))
        return NDL_E_MEMORY;
    const size_t slot = pos % r->slots, heads = s->g.num_kv_heads;
    if (s->precision == NDL_F32) {
        memcpy(r->k + slot * k_len, k, k_len * sizeof *k);
        memcpy(r->v + slot * v_len, v, v_len * sizeof *v);
        return NDL_OK;
    }
    for (size_t h = 0; h < heads; h++) {
        const size_t row = slot * heads + h, dk = s->g.qk_head_dim, dv = s->g.v_head_dim;

        quantize(k + h * dk, dk, r->k_codes + row * dk, &r->k_scales[row]);
        quantize(v + h * dv, dv, r->v_codes + row * dv, &r->v_scales[row]);
    }
    return NDL_OK;
}

ndl_status ndl_span_at(const ndl_session *s, size_t layer, size_t pos, ndl_span *out)
{
    const ring *r = &s->layer[layer];
    const size_t a = r->window != 0 && pos + 1 > r->window ? pos + 1 - r->window : 0;
    const size_t b = pos + 1 > r->slots ? pos + 1 - r->slots : 0;

    *out = (ndl_span){most(a, b), pos};
    return NDL_OK;
}

ndl_status ndl_kv_at(const ndl_session *s, size_t layer, ndl_kv *out)
{
    const ring *r = &s->layer[layer];

    *out = (ndl_kv){s->precision, r->slots,   r->k,        r->v,
                    r->k_codes,   r->v_codes, r->k_scales, r->v_scales};
    return NDL_OK;
}

/* ----------------------------------------------------------------- attention */

size_t ndl_attend_scratch(const ndl_geometry *g, size_t positions)
{
    (void)g;
    return positions;
}

static float score(const ndl_session *s, const ring *r, size_t row, const float *q)
{
    const size_t dk = s->g.qk_head_dim;
    float dot = 0.0f;

    if (s->precision == NDL_F32) {
        for (size_t c = 0; c < dk; c++)
            dot += q[c] * r->k[row * dk + c];
        return dot;
    }
    for (size_t c = 0; c < dk; c++)
        dot += q[c] * (float)r->k_codes[row * dk + c];
    return dot * r->k_scales[row];
}

static void add_values(const ndl_session *s, const ring *r, size_t row, float weight, float *out)
{
    const size_t dv = s->g.v_head_dim;

    if (s->precision == NDL_F32) {
        for (size_t c = 0; c < dv; c++)
            out[c] += weight * r->v[row * dv + c];
        return;
    }
    weight *= r->v_scales[row];
    for (size_t c = 0; c < dv; c++)
        out[c] += weight * (float)r->v_codes[row * dv + c];
}

ndl_status ndl_attend_step(const ndl_session *s, size_t layer, size_t pos, const float *q,
                           size_t q_len, float *scratch, size_t scratch_len, float *out,
                           size_t out_len)
{
    const ndl_geometry *g = &s->g;
    const ring *r = &s->layer[layer];
    const float scale = 1.0f / sqrtf((float)g->qk_head_dim);
    ndl_span span;

    (void)q_len;
    (void)scratch_len;
    memset(out, 0, out_len * sizeof *out);
    ndl_span_at(s, layer, pos, &span);
    const size_t n = span.hi - span.lo + 1;
    for (size_t h = 0; h < g->num_heads; h++) {
        const size_t head = h / (g->num_heads / g->num_kv_heads);
        float max = -INFINITY, sum = 0.0f;

        for (size_t i = 0; i < n; i++) {
            const size_t row = (span.lo + i) % r->slots * g->num_kv_heads + head;

            scratch[i] = score(s, r, row, q + h * g->qk_head_dim) * scale;
            if (scratch[i] > max)
                max = scratch[i];
        }
        for (size_t i = 0; i < n; i++) {
            scratch[i] = expf(scratch[i] - max);
            sum += scratch[i];
        }
        const float inv = 1.0f / sum;
        for (size_t i = 0; i < n; i++) {
            const size_t row = (span.lo + i) % r->slots * g->num_kv_heads + head;

            add_values(s, r, row, scratch[i] * inv, out + h * g->v_head_dim);
        }
    }
    return NDL_OK;
}
