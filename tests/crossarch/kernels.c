/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#include <stdlib.h>
#include <string.h>

void play_fake_quant(player *p)
{
    const unsigned bits = pack_word(p->in);
    const floats x = play_floats(p);

    expect_ok(p, ndl_fake_quant(p->numerics, bits, x.data, x.len));
    tally_floats(p->out, KIND_fake_quant, x.data, x.len);
    free(x.data);
}

void play_quantize_rows(player *p)
{
    const size_t head_dim = pack_word(p->in);
    const floats x = play_floats(p);
    const size_t rows = head_dim == 0 ? 0 : x.len / head_dim;
    int8_t *codes = allocate(x.len, sizeof *codes);
    float *scales = allocate(rows, sizeof *scales);

    expect_ok(p,
              ndl_quantize_rows(p->numerics, head_dim, x.data, x.len, codes, x.len, scales, rows));
    tally_codes(p->out, KIND_codes, codes, x.len);
    tally_floats(p->out, KIND_scale, scales, rows);
    free(scales);
    free(codes);
    free(x.data);
}

/* A session of one layer, one head and one slot, for the sake of its tails. */
static ndl_session *session_for(const player *p, size_t k_dim, size_t taps, const ndl_engram *e)
{
    const ndl_geometry g = {.d_model = k_dim,
                            .num_heads = 1,
                            .num_kv_heads = 1,
                            .num_layers = 1,
                            .qk_head_dim = k_dim,
                            .v_head_dim = 1,
                            .max_seq_len = 1,
                            .qkv_conv_taps = taps,
                            .engram = *e};
    ndl_session *s = NULL;

    expect_ok(p, ndl_session_new(&g, NULL, &s));
    return s;
}

static void prefilled(player *p, const floats *buf, const ndl_rows *tail)
{
    tally_floats(p->out, KIND_prefill, buf->data, buf->len);
    tally_floats(p->out, KIND_tail, tail->data, tail->rows * tail->dim);
}

static floats copy_of(const floats *x)
{
    const floats copy = {allocate(x->len, sizeof(float)), x->len};

    memcpy(copy.data, x->data, x->len * sizeof(float));
    return copy;
}

void play_causal_conv(player *p)
{
    const size_t seq = pack_word(p->in), dim = pack_word(p->in), n_taps = pack_word(p->in);
    const floats taps = play_floats(p), buf = play_floats(p), again = copy_of(&buf);

    expect_ok(p, ndl_causal_conv(seq, dim, n_taps, taps.data, taps.len, buf.data, buf.len));
    tally_floats(p->out, KIND_conv, buf.data, buf.len);

    ndl_session *s = session_for(p, dim, n_taps, &(const ndl_engram){.heads = 0});
    ndl_rows tail = {NULL, 0, 0};
    expect_ok(p, ndl_prefill_conv(s, 0, NDL_K, taps.data, taps.len, seq, again.data, again.len));
    expect_ok(p, ndl_conv_tail(s, 0, NDL_K, &tail));
    prefilled(p, &again, &tail);
    ndl_session_free(s);
    free(again.data);
    free(buf.data);
    free(taps.data);
}

void play_value_conv(player *p)
{
    const size_t seq = pack_word(p->in), dim = pack_word(p->in), n_taps = pack_word(p->in);
    const size_t dilation = pack_word(p->in), order = pack_word(p->in);
    const floats taps = play_floats(p), buf = play_floats(p), again = copy_of(&buf);

    expect_ok(p, ndl_value_conv(seq, dim, n_taps, dilation, order, taps.data, taps.len, buf.data,
                                buf.len));
    tally_floats(p->out, KIND_engram, buf.data, buf.len);

    const ndl_engram engram = {.num_orders = 1,
                               .orders = {order},
                               .heads = 1,
                               .slots = 1,
                               .num_sites = 1,
                               .conv_taps = n_taps,
                               .conv_dilation = dilation};
    ndl_session *s = session_for(p, dim, 0, &engram);
    ndl_rows tail = {NULL, 0, 0};
    expect_ok(p, ndl_prefill_engram(s, 0, taps.data, taps.len, seq, again.data, again.len));
    expect_ok(p, ndl_engram_tail(s, 0, &tail));
    prefilled(p, &again, &tail);
    ndl_session_free(s);
    free(again.data);
    free(buf.data);
    free(taps.data);
}

/* Codes and scales of rows, in a store's layout. */
static void quantised(const player *p, const floats *x, size_t head_dim, int8_t **codes,
                      float **scales)
{
    const size_t rows = x->len / head_dim;

    *codes = allocate(x->len, sizeof **codes);
    *scales = allocate(rows, sizeof **scales);
    expect_ok(p, ndl_quantize_rows(p->numerics, head_dim, x->data, x->len, *codes, x->len, *scales,
                                   rows));
}

void play_attend_sequence(player *p)
{
    const ndl_geometry *g = ndl_session_geometry(p->session);
    const size_t window = pack_word(p->in), seq = pack_word(p->in);
    const floats k = play_floats(p), v = play_floats(p), q = play_floats(p);
    int8_t *k_codes = NULL, *v_codes = NULL;
    float *k_scales = NULL, *v_scales = NULL;
    ndl_kv store = {.precision = ndl_session_precision(p->session), .slots = seq};

    if (k.len != seq * ndl_geometry_k_dim(g) || v.len != seq * ndl_geometry_v_dim(g))
        die("attend_sequence has the wrong number of rows", p->name);
    if (store.precision == NDL_INT8) {
        quantised(p, &k, g->qk_head_dim, &k_codes, &k_scales);
        quantised(p, &v, g->v_head_dim, &v_codes, &v_scales);
        store.k_codes = k_codes;
        store.v_codes = v_codes;
        store.k_scales = k_scales;
        store.v_scales = v_scales;
    } else {
        store.k = k.data;
        store.v = v.data;
    }
    const size_t out_len = seq * ndl_geometry_out_dim(g), scratch_len = ndl_attend_scratch(g, seq);
    float *out = allocate(out_len, sizeof *out), *scratch = allocate(scratch_len, sizeof *scratch);
    expect_ok(p, ndl_attend_sequence(g, window, &store, q.data, q.len, scratch, scratch_len, out,
                                     out_len));
    tally_floats(p->out, KIND_sequence, out, out_len);
    free(scratch);
    free(out);
    free(v_scales);
    free(v_codes);
    free(k_scales);
    free(k_codes);
    free(q.data);
    free(v.data);
    free(k.data);
}

/* pack.py draws the same sample and says what it covers. */
void play_exponentials(player *p)
{
    enum { CHUNK = 4096 };
    const uint32_t half = pack_word(p->in) / 2;
    union {
        uint32_t bits[CHUNK];
        float x[CHUNK];
    } u;

    for (uint32_t at = 0; at < 2 * half; at += CHUNK) {
        for (uint32_t i = 0; i < CHUNK; i++) {
            const uint32_t n = at + i - half;

            u.bits[i] =
                at < half ? 8191 * (at + i) : (UINT32_C(0x33000000) + 1019 * (n >> 1)) | n << 31;
        }
        for (uint32_t i = 0; i < CHUNK; i++)
            u.x[i] = ndl_expf(u.x[i]);
        tally_floats(p->out, KIND_exp, u.x, CHUNK);
    }
}
