/* Attention over what a session holds.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_attend.h"

#include "index.h"

/* The span of a position, or the status of one that has none. */
typedef struct look {
    ndl_status status;
    ndl_span span;
} look;

/*@ requires session: session_ok(s);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_001: status: \result.status == (layer >= s->geometry.num_layers ? NDL_E_LAYER
      : pos == SIZE_MAX ? NDL_E_POSITION : NDL_OK);
    ensures SPAN_001: span: \result.status == NDL_OK ==> \result.span.hi == pos &&
      \result.span.lo == span_lo(s->layer[layer].window, s->layer[layer].slots, pos);
*/
static look look_at(const ndl_session *s, size_t layer, size_t pos)
{
    ndl_span span;
    /*@ assert there: frame_ok(s); */
    /*@ assert there: session_f32{Pre}(s) ==> valid_f32(s); */
    /*@ assert there: session_int8{Pre}(s) ==> codes_valid(s); */
    /*@ assert there: session_int8{Pre}(s) ==> valid_int8(s); */
    const ndl_status status = ndl_span_at(s, layer, pos, &span);

    return (look){status, status == NDL_OK ? span : (ndl_span){0, 0}};
}

/* The keys and values of a layer, which exists. */
/*@ requires session: session_ok(s);
    requires layer: layer < s->geometry.num_layers;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures KV_002: slots:
      \result.precision == s->precision && \result.slots == s->layer[layer].slots;
    ensures KV_004: rows: \result.k == s->layer[layer].k && \result.v == s->layer[layer].v;
    ensures KV_005: codes: \result.k_codes == s->layer[layer].k_codes &&
      \result.v_codes == s->layer[layer].v_codes;
    ensures KV_005: scales: \result.k_scales == s->layer[layer].k_scales &&
      \result.v_scales == s->layer[layer].v_scales;
    ensures KV_002: there: view_ok(\result, s->geometry.num_kv_heads, s->geometry.qk_head_dim,
      s->geometry.v_head_dim);
*/
static ndl_kv kv_of(const ndl_session *s, size_t layer)
{
    ndl_kv kv;
    /*@ assert there: frame_ok(s); */
    /*@ assert there: session_f32{Pre}(s) ==> valid_f32(s); */
    /*@ assert there: session_int8{Pre}(s) ==> codes_valid(s); */
    /*@ assert there: session_int8{Pre}(s) ==> scales_valid(s); */
    /*@ assert there: session_int8{Pre}(s) ==> valid_int8(s); */

    ndl_kv_at(s, layer, &kv);
    /*@ assert layer: layer_ok{Pre}(s, layer); */
    /*@ assert fits: \forall integer d; 0 <= d ==>
          off(\at(s->layer[layer].slots, Pre), d) <= off(\at(s->layer[layer].cap, Pre), d); */
    /*@ assert dims: \at(s->dim[NDL_K], Pre) ==
          off(\at(s->geometry.num_kv_heads, Pre), \at(s->geometry.qk_head_dim, Pre)) &&
          \at(s->dim[NDL_V], Pre) ==
          off(\at(s->geometry.num_kv_heads, Pre), \at(s->geometry.v_head_dim, Pre)); */
    /*@ assert keys: store_ok(kv.precision, kv.k, kv.k_codes, kv.k_scales, kv.slots,
          \at(s->geometry.num_kv_heads, Pre), \at(s->geometry.qk_head_dim, Pre)); */
    /*@ assert values: store_ok(kv.precision, kv.v, kv.v_codes, kv.v_scales, kv.slots,
          \at(s->geometry.num_kv_heads, Pre), \at(s->geometry.v_head_dim, Pre)); */
    return kv;
}

/* A row of queries attends over a span of a layer's keys and values: ndl_attend_row, with
 * the view by its value. Where an address of the caller's is taken, a proof loses what it
 * knows of the session. */
/*@ requires heads: heads_ok(heads);
    requires view: view_ok(kv, heads.kv, heads.qk_dim, heads.v_dim);
    requires span: span.lo <= span.hi && span_width(span) <= kv.slots;
    requires fits: off(heads.query, heads.qk_dim) <= SIZE_MAX / 8 &&
      off(heads.query, heads.v_dim) <= SIZE_MAX / 8 &&
      scratch_floats(heads.query, heads.kv, heads.qk_dim, span_width(span)) <= SIZE_MAX;
    requires from: \valid_read(q + (0 .. off(heads.query, heads.qk_dim) - 1));
    requires to: \valid(scratch + (0 .. scratch_floats(heads.query, heads.kv, heads.qk_dim,
      span_width(span)) - 1));
    requires to: \valid(out + (0 .. off(heads.query, heads.v_dim) - 1));
    requires apart: \separated(q + (0 .. off(heads.query, heads.qk_dim) - 1),
                               scratch + (0 .. scratch_floats(heads.query, heads.kv, heads.qk_dim,
                                 span_width(span)) - 1),
                               out + (0 .. off(heads.query, heads.v_dim) - 1));
    requires apart: view_apart(kv, heads.kv, heads.qk_dim, heads.v_dim, scratch,
      scratch_floats(heads.query, heads.kv, heads.qk_dim, span_width(span)));
    requires apart: view_apart(kv, heads.kv, heads.qk_dim, heads.v_dim, out,
      off(heads.query, heads.v_dim));
    terminates \true;
    exits \false;
    assigns scratch[0 .. scratch_floats(heads.query, heads.kv, heads.qk_dim, span_width(span)) - 1],
      out[0 .. off(heads.query, heads.v_dim) - 1];
*/
static void attend(ndl_heads heads, ndl_kv kv, ndl_span span, const float *q, float *scratch,
                   float *out)
{
    ndl_attend_row(heads, &kv, span, q, scratch, out);
}

ndl_status ndl_attend_step(const ndl_session *s, size_t layer, size_t pos, const float *q,
                           size_t q_len, float *scratch, size_t scratch_len, float *out,
                           size_t out_len)
{
    const look at = look_at(s, layer, pos);

    if (at.status != NDL_OK)
        return at.status;
    if (q_len != s->dim[NDL_Q] ||
        out_len != ndl_at(s->geometry.num_heads, s->geometry.v_head_dim, 0) ||
        scratch_len < ndl_attend_scratch(&s->geometry, at.span.hi - at.span.lo + 1))
        return NDL_E_LENGTH;
    attend(ndl_heads_of(&s->geometry), kv_of(s, layer), at.span, q, scratch, out);
    return NDL_OK;
}
