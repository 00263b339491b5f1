/*
 * Sessions as they are made, and the stores of a layer: allocated, released and
 * replaced as one. Rings have the layer's slots; what the precision does not have
 * is NULL.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_MAKE_H
#define NDL_STATE_MAKE_H

#include "state.h"

#include "../logic/make.acsl"

/** ndl_session_new for a geometry and options that are known to be valid; NULL,
 *  with nothing kept, when memory cannot be had. Claims: SES_007. */
ndl_session *ndl_session_make(const ndl_geometry *g, const ndl_options *o);

/*@ requires session: s == \null || releasable(s);
    terminates \true;
    exits \false;
    assigns s->layer[0 .. s->geometry.num_layers - 1];
*/
void ndl_session_free(ndl_session *s);

/** Allocate the stores of l for l->slots slots; their contents are undefined.
 *  False, with nothing kept and the stores NULL, when memory cannot be had. */
/*@ requires session: \valid_read(s) && a_precision(s) && widths_ok(s);
    requires layers: \valid_read(s->layer + (0 .. s->geometry.num_layers - 1)) &&
      \valid_read(s->site_tail + (0 .. s->geometry.engram.num_sites - 1));
    requires layer: \valid(l) && \base_addr(l) != \base_addr(s) && rings_fit(s, l);
    terminates \true;
    exits \false;
    assigns l->k, l->v, l->k_codes, l->v_codes, l->k_scales, l->v_scales;
    ensures SES_001: none: !\result ==> no_f32(l) && no_int8(l);
    ensures f32: \result && s->precision == NDL_F32 ==> stores_f32(s, l->slots, l->k, l->v) && no_int8(l);
    ensures int8: \result && s->precision == NDL_INT8 ==>
      stores_int8(s, l->slots, l->k_codes, l->v_codes, l->k_scales, l->v_scales) && no_f32(l);
    ensures new_f32: \result && s->precision == NDL_F32 ==>
      off_f32{Pre}(s, l->k) && off_f32{Pre}(s, l->v) &&
      off_tails{Pre}(s, l->k) && off_tails{Pre}(s, l->v);
    ensures new_int8: \result && s->precision == NDL_INT8 ==>
      off_codes{Pre}(s, l->k_codes) && off_codes{Pre}(s, l->v_codes) &&
      off_scales{Pre}(s, l->k_scales) && off_scales{Pre}(s, l->v_scales) &&
      off_tails{Pre}(s, l->k_scales) && off_tails{Pre}(s, l->v_scales);
*/
bool ndl_stores_new(const ndl_session *s, ndl_layer *l);

/** Release the stores of l and make them NULL. */
/*@ requires session: \valid_read(s) && widths_ok(s);
    requires layer: \valid(l) && \base_addr(l) != \base_addr(s) && rings_fit(s, l);
    terminates \true;
    exits \false;
    assigns l->k, l->v, l->k_codes, l->v_codes, l->k_scales, l->v_scales;
    ensures SES_001: none: no_f32(l) && no_int8(l);
*/
void ndl_stores_free(const ndl_session *s, ndl_layer *l);

/** Make the stores of l what a new session's are: zero, scales 1.0. */
/*@ requires session: \valid_read(s) && widths_ok(s);
    requires layer: \valid_read(l) && rings_fit(s, l);
    requires stores: stores_ok(s, l);
    terminates \true;
    exits \false;
    assigns l->k[0 .. off(l->slots, s->dim[NDL_K]) - 1],
      l->v[0 .. off(l->slots, s->dim[NDL_V]) - 1],
      l->k_codes[0 .. off(l->slots, s->dim[NDL_K]) - 1],
      l->v_codes[0 .. off(l->slots, s->dim[NDL_V]) - 1],
      l->k_scales[0 .. off(l->slots, s->geometry.num_kv_heads) - 1],
      l->v_scales[0 .. off(l->slots, s->geometry.num_kv_heads) - 1];
    ensures SES_007: f32: s->precision == NDL_F32 ==> zero_f32(s, l);
    ensures SES_007: int8: s->precision != NDL_F32 ==> zero_int8(s, l);
*/
void ndl_stores_clear(const ndl_session *s, const ndl_layer *l);

/** The slots that a layer of this cap has in a new session of this hint.
 *  Claims: KV_008. */
/*@ requires some: 0 < cap;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures KV_008: reserve: \result == \min(\max(hint, 1), cap);
    ensures KV_008: some: 0 < \result <= cap;
*/
size_t ndl_first_slots(size_t hint, size_t cap);

#endif
