/*
 * The stores of an int8 session: codes of k and of v and a scale for each kv
 * head, slot-major.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_INT8_H
#define NDL_STATE_INT8_H

#include "state.h"

/** Write a row of k and one of v at position pos, growing the rings first where
 *  pos does not fit. NDL_E_MEMORY, with nothing changed, when memory cannot be had.
 *  Claims: KV_001 KV_002 KV_003 KV_005 KV_009 KV_012. */
/*@ requires session: session_int8(s);
    requires layer: layer < s->geometry.num_layers;
    requires pos: pos < SIZE_MAX;
    requires row_k: \valid_read(k + (0 .. s->dim[NDL_K] - 1)) && off_layer(s, layer, k);
    requires row_v: \valid_read(v + (0 .. s->dim[NDL_V] - 1)) && off_layer(s, layer, v);
    terminates \true;
    exits \false;
    assigns s->layer[layer].slots, s->layer[layer].written,
      s->layer[layer].k_codes, s->layer[layer].v_codes, s->layer[layer].k_scales,
      s->layer[layer].v_scales,
      \at(s->layer[layer].k_codes, Post)[0 .. off(s->layer[layer].cap, s->dim[NDL_K]) - 1],
      \at(s->layer[layer].v_codes, Post)[0 .. off(s->layer[layer].cap, s->dim[NDL_V]) - 1],
      \at(s->layer[layer].k_scales, Post)
        [0 .. off(s->layer[layer].cap, s->geometry.num_kv_heads) - 1],
      \at(s->layer[layer].v_scales, Post)
        [0 .. off(s->layer[layer].cap, s->geometry.num_kv_heads) - 1];
    ensures session: session_int8(s);
    ensures SES_001: status: \result == NDL_OK || \result == NDL_E_MEMORY;
    ensures SES_001: unchanged: \result != NDL_OK ==> unchanged{Pre, Post}(s);
    ensures KV_002: slots: \result == NDL_OK ==> s->layer[layer].slots ==
      ring_want(\old(s->layer[layer].slots), s->layer[layer].cap, pos);
    ensures KV_010: written: \result == NDL_OK ==>
      s->layer[layer].written == \max(\old(s->layer[layer].written), pos + 1);
    ensures KV_005: rows: \result == NDL_OK ==> int8_rows{Pre, Post}(s, layer, pos, k, v);
    ensures KV_003: kept: \result == NDL_OK ==> int8_kept{Pre, Post}(s, layer, pos);
    ensures KV_003: fresh: \result == NDL_OK ==> int8_fresh{Pre, Post}(s, layer, pos);
    ensures KV_009: codes: codes_others{Pre, Post}(s, layer);
    ensures KV_009: scales: scales_others{Pre, Post}(s, layer);
    ensures KV_009: tails: tails_kept{Pre, Post}(s);
    ensures KV_009: sites: sites_kept{Pre, Post}(s);
*/
ndl_status ndl_int8_write(ndl_session *s, size_t layer, size_t pos, const float *k, const float *v);

#endif
