/*
 * The stores of an f32 session: rows of k and of v, slot-major.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_F32_H
#define NDL_STATE_F32_H

#include "state.h"

/** Write a row of k and one of v at position pos, growing the rings first where
 *  pos does not fit. NDL_E_MEMORY, with nothing changed, when memory cannot be had.
 *  Claims: KV_001 KV_002 KV_003 KV_004 KV_009 KV_012. */
/*@ requires session: session_f32(s);
    requires layer: layer < s->geometry.num_layers;
    requires pos: pos < SIZE_MAX;
    requires row_k: \valid_read(k + (0 .. s->dim[NDL_K] - 1)) && off_layer(s, layer, k);
    requires row_v: \valid_read(v + (0 .. s->dim[NDL_V] - 1)) && off_layer(s, layer, v);
    terminates \true;
    exits \false;
    assigns s->layer[layer].slots, s->layer[layer].written,
      s->layer[layer].k, s->layer[layer].v,
      \at(s->layer[layer].k, Post)[0 .. off(s->layer[layer].cap, s->dim[NDL_K]) - 1],
      \at(s->layer[layer].v, Post)[0 .. off(s->layer[layer].cap, s->dim[NDL_V]) - 1];
    ensures session: session_f32(s);
    ensures SES_001: status: \result == NDL_OK || \result == NDL_E_MEMORY;
    ensures SES_001: unchanged: \result != NDL_OK ==> unchanged{Pre, Post}(s);
    ensures KV_002: slots: \result == NDL_OK ==> s->layer[layer].slots ==
      ring_want(\old(s->layer[layer].slots), s->layer[layer].cap, pos);
    ensures KV_010: written: \result == NDL_OK ==>
      s->layer[layer].written == \max(\old(s->layer[layer].written), pos + 1);
    ensures KV_004: rows: \result == NDL_OK ==> f32_rows{Pre, Post}(s, layer, pos, k, v);
    ensures KV_003: kept: \result == NDL_OK ==> f32_kept{Pre, Post}(s, layer, pos);
    ensures KV_003: fresh: \result == NDL_OK ==> f32_fresh{Pre, Post}(s, layer, pos);
    ensures KV_009: others: f32_others{Pre, Post}(s, layer);
    ensures KV_009: tails: tails_kept{Pre, Post}(s);
    ensures KV_009: sites: sites_kept{Pre, Post}(s);
*/
ndl_status ndl_f32_write(ndl_session *s, size_t layer, size_t pos, const float *k, const float *v);

#endif
