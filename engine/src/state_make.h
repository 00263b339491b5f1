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

#include "geometry.h"

#include "../logic/made.acsl"

/** ndl_session_new for a geometry and options that are known to be valid; NULL,
 *  with nothing kept, when memory cannot be had. Claims: SES_007. */
/*@ requires geometry: \valid_read(g) && geometry_ok(g) && held(\base_addr(g));
    requires options: o.precision == NDL_F32 || o.precision == NDL_INT8;
    requires allocator: o.allocator == \null || \valid_read(o.allocator);
    terminates \true;
    exits \false;
    assigns
      { *p | ndl_session *p; !held(\base_addr(p)) }, { *p | ndl_layer *p; !held(\base_addr(p)) },
      { *p | float **p; !held(\base_addr(p)) }, { *p | float *p; !held(\base_addr(p)) },
      { *p | int8_t *p; !held(\base_addr(p)) };
    ensures new: new_frame(\result);
    ensures SES_001: pointers: \forall ndl_session **p; held(\base_addr(p)) ==> *p == \old(*p);
    ensures SES_001: numbers: \forall size_t *p; held(\base_addr(p)) ==> *p == \old(*p);
    ensures SES_001: bytes: \forall uint8_t *p; held(\base_addr(p)) ==> *p == \old(*p);
    ensures session: \result != \null ==> there(\result);
    ensures SES_007: geometry: \result != \null ==> same_geometry(&\result->geometry, g);
    ensures SES_007: options: \result != \null ==> \result->precision == o.precision &&
      \result->numerics == o.numerics && \result->hint == o.hint;
    ensures SES_007: order: \result != \null ==> \result->max_order == geo_max_order{Pre}(g);
    ensures SES_007: start: \result != \null ==> \result->pos == 0 && \result->held == 0;
    ensures KV_008: reserve: \result != \null ==> new_layers(\result);
*/
ndl_session *ndl_session_make(const ndl_geometry *g, ndl_options o);

/** Write a session that is there to *out, which changes nothing of it. */
/*@ requires session: there(s) && new_frame(s);
    requires out: \valid(out) && held(\base_addr(out));
    terminates \true;
    exits \false;
    assigns *out;
    ensures given: *out == s;
    ensures session: there(s);
    ensures new: new_frame(s);
    ensures reserve: new_layers{Pre}(s) ==> new_layers(s);
*/
void ndl_session_give(ndl_session *s, ndl_session **out);

/* What stands here without a claim rests on ndl_session_make as it is declared, which
 * tests look at and no proof has yet. */
/*@ requires geometry: \valid_read(g) && held(\base_addr(g));
    requires options: options == \null || \valid_read(options);
    requires allocator: options != \null && options->allocator != \null ==>
      \valid_read(options->allocator);
    requires out: \valid(out) && held(\base_addr(out));
    terminates \true;
    exits \false;
    assigns *out,
      { *p | ndl_session *p; !held(\base_addr(p)) }, { *p | ndl_layer *p; !held(\base_addr(p)) },
      { *p | float **p; !held(\base_addr(p)) }, { *p | float *p; !held(\base_addr(p)) },
      { *p | int8_t *p; !held(\base_addr(p)) };
    ensures SES_001: refused: !geometry_ok{Pre}(g) ==> \result != NDL_OK;
    ensures SES_001: precision: geometry_ok{Pre}(g) ==> (\result == NDL_E_PRECISION <==>
      options != \null && !known_precision{Pre}(options));
    ensures SES_001: numerics: geometry_ok{Pre}(g) ==> (\result == NDL_E_NUMERICS <==>
      options != \null && known_precision{Pre}(options) && !known_numerics{Pre}(options));
    ensures SES_001: status: geometry_ok{Pre}(g) ==> \result == NDL_OK ||
      \result == NDL_E_PRECISION || \result == NDL_E_NUMERICS || \result == NDL_E_MEMORY;
    ensures SES_001: kept: \result != NDL_OK && \result != NDL_E_MEMORY ==>
      *out == \old(*out);
    ensures memory: \result == NDL_E_MEMORY ==> *out == \old(*out);
    ensures session: \result == NDL_OK ==> there(*out) && new_frame(*out);
    ensures geometry: \result == NDL_OK ==> same_geometry(&(*out)->geometry, g);
    ensures options: \result == NDL_OK && options != \null ==>
      (*out)->precision == \old(options->precision) &&
      (*out)->numerics == \old(options->numerics) && (*out)->hint == \old(options->hint);
    ensures none: \result == NDL_OK && options == \null ==>
      (*out)->precision == NDL_F32 && (*out)->numerics == NDL_NEEDLE_CORE && (*out)->hint == 0;
    ensures start: \result == NDL_OK ==> (*out)->pos == 0 && (*out)->held == 0;
    ensures reserve: \result == NDL_OK ==> new_layers(*out);
*/
ndl_status ndl_session_new(const ndl_geometry *g, const ndl_options *options, ndl_session **out);

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
