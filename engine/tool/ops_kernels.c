/* Operations that need no session. */
#include "ops.h"

#include <string.h>

/*
 * Which claim fixes what quantising x gives: the profile's own, unless something
 * in it is not finite or too small for 1/scale to be.
 */
static const char *quantising_claim(const replay *r, const float *x, size_t count)
{
    uint32_t largest = 0;
    bool special = false;
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = float_bits(x[i]) & 0x7fffffff;
        special = special || bits >= 0x7f7fffff;
        largest = bits > largest ? bits : largest;
    }
    special = special || (largest > 0 && largest < 0x02fe0004);
    return r->options.numerics == NDL_UPSTREAM ? "QNT_008" : special ? "QNT_007" : "QNT_009";
}

bool op_fake_quant(replay *r, call *c)
{
    size_t bits = c->in[0].number;
    argument *x = &c->in[1];
    const char *claim = quantising_claim(r, x->floats, x->count);
    /* No number of bits past 16 is right, so it does not matter which is refused. */
    c->status = r->backend->fake_quant(r->options.numerics, bits > 64 ? 64 : (unsigned)bits,
                                       x->floats, x->count);
    if (c->status != NDL_OK)
        return true;
    result *out = give_floats(c, 0, x->floats, x->count);
    out->claim = claim;
    return true;
}

bool op_quantize_rows(replay *r, call *c)
{
    size_t head_dim = c->in[0].number;
    argument *x = &c->in[1];
    size_t rows = head_dim == 0 ? 0 : x->count / head_dim;
    expect(x, rows * head_dim);
    int8_t *codes = arena_take(&r->arena, x->count);
    float *scales = arena_take(&r->arena, rows * sizeof *scales);
    c->status = r->backend->quantize_rows(r->options.numerics, head_dim, x->floats, x->count, codes,
                                          x->count, scales, rows);
    if (c->status != NDL_OK)
        return true;
    shape(give_codes(c, 0, codes, x->count), AXIS("row", rows), AXIS("channel", head_dim), NO_AXIS);
    shape(give_floats(c, 1, scales, rows), AXIS("row", rows), NO_AXIS, NO_AXIS);
    c->out[0].claim = c->out[1].claim = quantising_claim(r, x->floats, x->count);
    return true;
}

bool op_attend_sequence(replay *r, call *c)
{
    size_t seq = c->in[0].number;
    ndl_geometry g = {
        .num_heads = c->in[1].number,
        .num_kv_heads = c->in[2].number,
        .qk_head_dim = c->in[3].number,
        .v_head_dim = c->in[4].number,
    };
    argument *q = &c->in[6], *k = &c->in[7], *v = &c->in[8], *ks = &c->in[9], *vs = &c->in[10];
    if (ks->given != vs->given)
        return fail(&r->problem, "attend_sequence needs \"k_scale\" and \"v_scale\", or neither");
    ndl_kv kv = {.precision = ks->given ? NDL_INT8 : NDL_F32,
                 .slots = seq,
                 .k = k->floats,
                 .v = v->floats,
                 .k_codes = k->codes,
                 .v_codes = v->codes,
                 .k_scales = ks->floats,
                 .v_scales = vs->floats};
    size_t out_row = product(g.num_heads, g.v_head_dim);
    expect(q, product(seq, product(g.num_heads, g.qk_head_dim)));
    expect(k, product(seq, product(g.num_kv_heads, g.qk_head_dim)));
    expect(v, product(seq, product(g.num_kv_heads, g.v_head_dim)));
    expect(ks, product(seq, g.num_kv_heads));
    expect(vs, product(seq, g.num_kv_heads));
    /* A view has no lengths of its own to be checked by; what is short is refused here. */
    bool right = q->count == q->expected && k->count == k->expected && v->count == v->expected &&
                 (!ks->given || (ks->count == ks->expected && vs->count == vs->expected));
    bool sane = g.num_heads > 0 && g.num_kv_heads > 0 && g.qk_head_dim > 0 && g.v_head_dim > 0 &&
                g.num_heads % g.num_kv_heads == 0;
    if (sane && !right) {
        c->status = NDL_E_LENGTH;
        return true;
    }
    size_t out_len = sane ? product(seq, out_row) : 0;
    size_t scratch_len = sane ? ndl_attend_scratch(&g, seq) : 0;
    float *out = replay_floats(r, out_len, "attention's output");
    float *scratch = out == NULL ? NULL : replay_floats(r, scratch_len, "attention's scratch");
    if (scratch == NULL)
        return false;
    c->status = r->backend->attend_sequence(&g, c->in[5].number, &kv, q->floats, q->count, scratch,
                                            scratch_len, out, out_len);
    if (c->status == NDL_OK)
        shape(give_floats(c, 0, out, out_len), AXIS("position", seq), AXIS("head", g.num_heads),
              AXIS("channel", g.v_head_dim));
    return true;
}

bool op_causal_conv(replay *r, call *c)
{
    size_t seq = c->in[0].number, dim = c->in[1].number, n_taps = c->in[2].number;
    argument *taps = &c->in[3], *buf = &c->in[4];
    tail_prints prints = {.known = false};
    size_t rows = n_taps > 0 ? n_taps - 1 : 0;
    expect(taps, product(n_taps, dim));
    expect(buf, product(seq, dim));
    if (buf->count == buf->expected)
        prints_of_raw(&prints, buf->floats, seq, dim, rows, c->line);
    c->status = r->backend->causal_conv(seq, dim, n_taps, taps->floats, taps->count, buf->floats,
                                        buf->count);
    if (c->status != NDL_OK)
        return true;
    prints_of_convolved(&prints, buf->floats, seq, dim, rows);
    sequences_add(&r->sequences, &prints);
    shape(give_floats(c, 0, buf->floats, buf->count), AXIS("position", seq), AXIS("channel", dim),
          NO_AXIS);
    return true;
}

bool op_value_conv(replay *r, call *c)
{
    size_t seq = c->in[0].number, dim = c->in[1].number, n_taps = c->in[2].number;
    size_t dilation = c->in[3].number;
    argument *taps = &c->in[5], *buf = &c->in[6];
    tail_prints prints = {.known = false};
    size_t rows = n_taps > 0 ? product(n_taps - 1, dilation) : 0;
    expect(taps, product(n_taps, dim));
    expect(buf, product(seq, dim));
    if (buf->count == buf->expected)
        prints_of_raw(&prints, buf->floats, seq, dim, rows, c->line);
    c->status = r->backend->value_conv(seq, dim, n_taps, dilation, c->in[4].number, taps->floats,
                                       taps->count, buf->floats, buf->count);
    if (c->status != NDL_OK)
        return true;
    prints_of_convolved(&prints, buf->floats, seq, dim, rows);
    sequences_add(&r->sequences, &prints);
    shape(give_floats(c, 0, buf->floats, buf->count), AXIS("position", seq), AXIS("channel", dim),
          NO_AXIS);
    return true;
}
