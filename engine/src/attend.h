/*
 * Attention of one row of queries over a span of positions.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_ATTEND_H
#define NDL_ATTEND_H

#include "ndl.h"

/** The parts of a geometry that attention reads; none is 0, kv divides query. */
typedef struct ndl_heads {
    size_t query, kv;     /* heads */
    size_t qk_dim, v_dim; /* width of a head of queries and keys, of values */
} ndl_heads;

#include "../logic/heads.acsl"

/*@ requires g: \valid_read(g) && 0 < g->num_kv_heads;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures ATT_005: floats: \result == \min(SIZE_MAX,
      scratch_floats(g->num_heads, g->num_kv_heads, g->qk_head_dim, positions));
*/
size_t ndl_attend_scratch(const ndl_geometry *g, size_t positions);

/** Those of a geometry. */
/*@ requires g: \valid_read(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures heads: \result.query == g->num_heads && \result.kv == g->num_kv_heads &&
      \result.qk_dim == g->qk_head_dim && \result.v_dim == g->v_head_dim;
*/
ndl_heads ndl_heads_of(const ndl_geometry *g);

/** The square root of n >= 1, read as a float: correctly rounded. */
/*@ requires some: 0 < n <= SIZE_MAX / 2;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures ATT_001: root: bits(\result) == ROOT(n);
*/
float ndl_root_of(size_t n);

/**
 * Attend over positions span.lo .. span.hi, at most kv->slots of them,
 * position p read at slot p mod kv->slots. q: query * qk_dim; out: query *
 * v_dim; scratch: ndl_attend_scratch of so many positions. One way serves both
 * precisions, a step and a sequence. Claims: ATT_001 ATT_003.
 */
/*@ requires heads: heads_ok(heads);
    requires kv: \valid_read(kv) && kv_ok(kv, heads.kv, heads.qk_dim, heads.v_dim);
    requires span: span.lo <= span.hi && span_width(span) <= kv->slots;
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
    requires apart: kv_apart(kv, heads.kv, heads.qk_dim, heads.v_dim, scratch,
      scratch_floats(heads.query, heads.kv, heads.qk_dim, span_width(span)));
    requires apart: kv_apart(kv, heads.kv, heads.qk_dim, heads.v_dim, out, off(heads.query,
      heads.v_dim));
    terminates \true;
    exits \false;
    assigns scratch[0 .. scratch_floats(heads.query, heads.kv, heads.qk_dim, span_width(span)) - 1],
      out[0 .. off(heads.query, heads.v_dim) - 1];
*/
void ndl_attend_row(ndl_heads heads, const ndl_kv *kv, ndl_span span, const float *q,
                    float *scratch, float *out);

/*@ // The refusals of a sequence, in their order.
    logic integer heads_status{L}(ndl_geometry *g) =
      g->num_heads == 0      ? NDL_E_NUM_HEADS
      : g->num_kv_heads == 0 ? NDL_E_NUM_KV_HEADS
      : g->qk_head_dim == 0  ? NDL_E_QK_HEAD_DIM
      : g->v_head_dim == 0   ? NDL_E_V_HEAD_DIM
      : g->num_heads % g->num_kv_heads == 0 ? NDL_OK : NDL_E_HEAD_GROUPS;
    predicate sequence_fits{L}(ndl_geometry *g, integer slots) =
      4 * off(slots, off(g->num_heads, g->qk_head_dim)) <= SIZE_MAX / 2 &&
      4 * off(slots, off(g->num_heads, g->v_head_dim)) <= SIZE_MAX / 2;
*/

/*@ requires g: \valid_read(g) && \valid_read(kv);
    requires objects: scratch_len <= SIZE_MAX / 8;
    requires kv: heads_status(g) == NDL_OK && sequence_fits(g, kv->slots) && 0 < kv->slots ==>
      kv_ok(kv, g->num_kv_heads, g->qk_head_dim, g->v_head_dim);
    requires from: \valid_read(q + (0 .. q_len - 1));
    requires to: \valid(scratch + (0 .. scratch_len - 1)) && \valid(out + (0 .. out_len - 1));
    requires apart: \separated(q + (0 .. q_len - 1), scratch + (0 .. scratch_len - 1),
                               out + (0 .. out_len - 1));
    requires apart:
      kv_apart(kv, g->num_kv_heads, g->qk_head_dim, g->v_head_dim, scratch, scratch_len) &&
      kv_apart(kv, g->num_kv_heads, g->qk_head_dim, g->v_head_dim, out, out_len);
    terminates \true;
    exits \false;
    assigns scratch[0 .. scratch_len - 1], out[0 .. out_len - 1];
    ensures heads: heads_status(g) != NDL_OK ==> \result == heads_status(g);
    ensures size: heads_status(g) == NDL_OK ==>
      (\result == NDL_E_SIZE <==> !sequence_fits(g, kv->slots));
    ensures precision: heads_status(g) == NDL_OK && sequence_fits(g, kv->slots) ==>
      (\result == NDL_E_PRECISION <==>
       kv->precision != NDL_F32 && kv->precision != NDL_INT8);
    ensures ATT_005: length: heads_status(g) == NDL_OK && sequence_fits(g, kv->slots) &&
      (kv->precision == NDL_F32 || kv->precision == NDL_INT8) ==>
      (\result == NDL_E_LENGTH <==>
       !(q_len == off(kv->slots, off(g->num_heads, g->qk_head_dim)) &&
         out_len == off(kv->slots, off(g->num_heads, g->v_head_dim)) &&
         scratch_len >=
           scratch_floats(g->num_heads, g->num_kv_heads, g->qk_head_dim, kv->slots)));
    ensures unchanged: \result != NDL_OK ==> kept{Pre, Post}(out, 0, out_len) &&
      kept{Pre, Post}(scratch, 0, scratch_len);
*/
ndl_status ndl_attend_sequence(const ndl_geometry *g, size_t window, const ndl_kv *kv,
                               const float *q, size_t q_len, float *scratch, size_t scratch_len,
                               float *out, size_t out_len);

#endif
