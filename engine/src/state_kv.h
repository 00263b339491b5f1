/*
 * What ndl.h declares of keys and values, with its contracts.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_KV_H
#define NDL_STATE_KV_H

#include "state.h"

#include "../logic/span.acsl"

/*@ requires session: session_ok(s);
    requires row_k: \valid_read(k + (0 .. k_len - 1));
    requires row_v: \valid_read(v + (0 .. v_len - 1));
    requires apart: layer < s->geometry.num_layers ==>
      off_layer(s, layer, k) && off_layer(s, layer, v);
    terminates \true;
    exits \false;
    assigns s->layer[layer].slots, s->layer[layer].written,
      s->layer[layer].k, s->layer[layer].v, s->layer[layer].k_codes, s->layer[layer].v_codes,
      s->layer[layer].k_scales, s->layer[layer].v_scales,
      \at(s->layer[layer].k, Post)[0 .. off(s->layer[layer].cap, s->dim[NDL_K]) - 1],
      \at(s->layer[layer].v, Post)[0 .. off(s->layer[layer].cap, s->dim[NDL_V]) - 1],
      \at(s->layer[layer].k_codes, Post)[0 .. off(s->layer[layer].cap, s->dim[NDL_K]) - 1],
      \at(s->layer[layer].v_codes, Post)[0 .. off(s->layer[layer].cap, s->dim[NDL_V]) - 1],
      \at(s->layer[layer].k_scales, Post)
        [0 .. off(s->layer[layer].cap, s->geometry.num_kv_heads) - 1],
      \at(s->layer[layer].v_scales, Post)
        [0 .. off(s->layer[layer].cap, s->geometry.num_kv_heads) - 1];
    ensures session: session_ok(s);
    ensures precision: s->precision == \old(s->precision);
    ensures SES_001: layer: layer >= s->geometry.num_layers <==> \result == NDL_E_LAYER;
    ensures SES_001: position: layer < s->geometry.num_layers && pos == SIZE_MAX <==>
      \result == NDL_E_POSITION;
    ensures SES_001: length: layer < s->geometry.num_layers && pos < SIZE_MAX &&
      (k_len != s->dim[NDL_K] || v_len != s->dim[NDL_V]) <==> \result == NDL_E_LENGTH;
    ensures SES_001: status: \result == NDL_OK || \result == NDL_E_LAYER ||
      \result == NDL_E_POSITION || \result == NDL_E_LENGTH || \result == NDL_E_MEMORY;
    ensures SES_001: unchanged: \result != NDL_OK ==> unchanged{Pre, Post}(s);
    ensures KV_002: slots: \result == NDL_OK ==> s->layer[layer].slots ==
      ring_want(\old(s->layer[layer].slots), s->layer[layer].cap, pos);
    ensures KV_010: written: \result == NDL_OK ==>
      s->layer[layer].written == \max(\old(s->layer[layer].written), pos + 1);
    ensures KV_004: rows: \result == NDL_OK && s->precision == NDL_F32 ==>
      f32_rows{Pre, Post}(s, layer, pos, k, v);
    ensures KV_003: kept: \result == NDL_OK && s->precision == NDL_F32 ==>
      f32_kept{Pre, Post}(s, layer, pos);
    ensures KV_003: fresh: \result == NDL_OK && s->precision == NDL_F32 ==>
      f32_fresh{Pre, Post}(s, layer, pos);
    ensures KV_009: others: s->precision == NDL_F32 ==> f32_others{Pre, Post}(s, layer);
    ensures KV_005: codes: \result == NDL_OK && s->precision == NDL_INT8 ==>
      int8_rows{Pre, Post}(s, layer, pos, k, v);
    ensures KV_003: kept_codes: \result == NDL_OK && s->precision == NDL_INT8 ==>
      int8_kept{Pre, Post}(s, layer, pos);
    ensures KV_003: fresh_codes: \result == NDL_OK && s->precision == NDL_INT8 ==>
      int8_fresh{Pre, Post}(s, layer, pos);
    ensures KV_009: codes: s->precision == NDL_INT8 ==> codes_others{Pre, Post}(s, layer);
    ensures KV_009: scales: s->precision == NDL_INT8 ==> scales_others{Pre, Post}(s, layer);
    ensures KV_009: tails: tails_kept{Pre, Post}(s);
    ensures KV_009: sites: sites_kept{Pre, Post}(s);
*/
ndl_status ndl_write_kv(ndl_session *s, size_t layer, size_t pos, const float *k, size_t k_len,
                        const float *v, size_t v_len);

/*@ requires session: session_ok(s);
    requires out: \valid(slots);
    requires apart: \base_addr(slots) != \base_addr(s) && \base_addr(slots) != \base_addr(s->layer);
    terminates \true;
    exits \false;
    assigns *slots;
    ensures SES_001: status: \result == (layer >= s->geometry.num_layers ? NDL_E_LAYER : NDL_OK);
    ensures SES_001: unchanged: \result != NDL_OK ==> *slots == \old(*slots);
    ensures KV_002: slots: \result == NDL_OK ==> *slots == s->layer[layer].slots;
*/
ndl_status ndl_slots(const ndl_session *s, size_t layer, size_t *slots);

/*@ requires session: session_ok(s);
    requires out: \valid(out);
    requires apart: \base_addr(out) != \base_addr(s) && \base_addr(out) != \base_addr(s->layer);
    terminates \true;
    exits \false;
    assigns *out;
    ensures SES_001: status: \result == (layer >= s->geometry.num_layers ? NDL_E_LAYER
      : pos == SIZE_MAX ? NDL_E_POSITION : NDL_OK);
    ensures SES_001: unchanged: \result != NDL_OK ==>
      out->lo == \old(out->lo) && out->hi == \old(out->hi);
    ensures SPAN_001: exact: \result == NDL_OK ==> out->hi == pos &&
      out->lo == span_lo(s->layer[layer].window, s->layer[layer].slots, pos);
*/
ndl_status ndl_span_at(const ndl_session *s, size_t layer, size_t pos, ndl_span *out);

/*@ requires session: session_ok(s);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures KV_011: exact: \result <==> \exists integer i; 0 <= i < s->geometry.num_layers &&
      s->layer[i].window == 0 && s->layer[i].slots < s->pos;
*/
bool ndl_is_saturated(const ndl_session *s);

/*@ requires session: session_ok(s);
    requires out: \valid(lost);
    requires apart: \base_addr(lost) != \base_addr(s) && \base_addr(lost) != \base_addr(s->layer);
    terminates \true;
    exits \false;
    assigns *lost;
    ensures SES_001: status: \result == (layer >= s->geometry.num_layers ? NDL_E_LAYER : NDL_OK);
    ensures SES_001: unchanged: \result != NDL_OK ==> *lost == \old(*lost);
    ensures KV_010: lost: \result == NDL_OK ==> *lost ==
      span_lost(s->layer[layer].window, s->layer[layer].slots, s->layer[layer].written);
*/
ndl_status ndl_lost(const ndl_session *s, size_t layer, size_t *lost);

/*@ requires session: session_ok(s);
    requires out: \valid(out);
    requires apart: \base_addr(out) != \base_addr(s) && \base_addr(out) != \base_addr(s->layer);
    terminates \true;
    exits \false;
    assigns *out;
    ensures SES_001: status: \result == (layer >= s->geometry.num_layers ? NDL_E_LAYER : NDL_OK);
    ensures SES_001: unchanged: \result != NDL_OK ==>
      out->precision == \old(out->precision) && out->slots == \old(out->slots) &&
      out->k == \old(out->k) && out->v == \old(out->v) &&
      out->k_codes == \old(out->k_codes) && out->v_codes == \old(out->v_codes) &&
      out->k_scales == \old(out->k_scales) && out->v_scales == \old(out->v_scales);
    ensures KV_002: slots: \result == NDL_OK ==>
      out->precision == s->precision && out->slots == s->layer[layer].slots;
    ensures KV_004: rows: \result == NDL_OK ==>
      out->k == s->layer[layer].k && out->v == s->layer[layer].v;
    ensures KV_005: codes: \result == NDL_OK ==>
      out->k_codes == s->layer[layer].k_codes && out->v_codes == s->layer[layer].v_codes;
    ensures KV_005: scales: \result == NDL_OK ==>
      out->k_scales == s->layer[layer].k_scales && out->v_scales == s->layer[layer].v_scales;
*/
ndl_status ndl_kv_at(const ndl_session *s, size_t layer, ndl_kv *out);

#endif
