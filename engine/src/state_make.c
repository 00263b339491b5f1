/* Sessions come, go, are copied and start again.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_make.h"

#include "geometry.h"
#include "ring.h"
#include "trusted/alloc.h"

#include "../logic/mine.acsl"

size_t ndl_first_slots(size_t hint, size_t cap)
{
    size_t slots = hint > 0 ? hint : 1;

    /* The cap is at most max_seq_len, so the hint needs no bound of its own. */
    if (slots > cap)
        slots = cap;
    return slots;
}

bool ndl_stores_new(const ndl_session *s, ndl_layer *l)
{
    const ndl_allocator *a = &s->allocator;
    const size_t k_n = ndl_ring_at(l->slots, s->dim[NDL_K]);
    const size_t v_n = ndl_ring_at(l->slots, s->dim[NDL_V]);
    const size_t scales_n = ndl_ring_at(l->slots, s->geometry.num_kv_heads);
    float *k = NULL, *v = NULL, *k_scales = NULL, *v_scales = NULL;
    int8_t *k_codes = NULL, *v_codes = NULL;
    bool had;

    if (s->precision == NDL_F32) {
        k = ndl_alloc_f32(a, k_n) /*@ ghost (s, k, k, k) */;
        v = ndl_alloc_f32(a, v_n) /*@ ghost (s, k, k, k) */;
        had = k != NULL && v != NULL;
    } else {
        k_codes = ndl_alloc_i8(a, k_n) /*@ ghost (s, k_codes) */;
        v_codes = ndl_alloc_i8(a, v_n) /*@ ghost (s, k_codes) */;
        k_scales = ndl_alloc_f32(a, scales_n) /*@ ghost (s, k, k, k) */;
        v_scales = ndl_alloc_f32(a, scales_n) /*@ ghost (s, k_scales, k_scales, k_scales) */;
        had = k_codes != NULL && v_codes != NULL && k_scales != NULL && v_scales != NULL;
    }
    l->k = k;
    l->v = v;
    l->k_codes = k_codes;
    l->v_codes = v_codes;
    l->k_scales = k_scales;
    l->v_scales = v_scales;
    if (!had)
        ndl_stores_free(s, l);
    return had;
}

void ndl_stores_free(const ndl_session *s, ndl_layer *l)
{
    const ndl_allocator *a = &s->allocator;
    const size_t k = ndl_ring_at(l->slots, s->dim[NDL_K]);
    const size_t v = ndl_ring_at(l->slots, s->dim[NDL_V]);
    const size_t scales = ndl_ring_at(l->slots, s->geometry.num_kv_heads);

    ndl_release_f32(a, l->k, k);
    ndl_release_f32(a, l->v, v);
    ndl_release_i8(a, l->k_codes, k);
    ndl_release_i8(a, l->v_codes, v);
    ndl_release_f32(a, l->k_scales, scales);
    ndl_release_f32(a, l->v_scales, scales);
    l->k = l->v = l->k_scales = l->v_scales = NULL;
    l->k_codes = l->v_codes = NULL;
}

void ndl_stores_clear(const ndl_session *s, const ndl_layer *l)
{
    const size_t k = ndl_ring_at(l->slots, s->dim[NDL_K]);
    const size_t v = ndl_ring_at(l->slots, s->dim[NDL_V]);
    const size_t scales = ndl_ring_at(l->slots, s->geometry.num_kv_heads);

    if (s->precision == NDL_F32) {
        ndl_fill_f32(l->k, 0, k, 0.0f);
        ndl_fill_f32(l->v, 0, v, 0.0f);
    } else {
        ndl_fill_i8(l->k_codes, 0, k, 0);
        ndl_fill_i8(l->v_codes, 0, v, 0);
        ndl_fill_f32(l->k_scales, 0, scales, 1.0f);
        ndl_fill_f32(l->v_scales, 0, scales, 1.0f);
        /*@ assert k_codes: value_i8(l->k_codes, 0, off(l->slots, s->dim[NDL_K]), 0); */
        /*@ assert v_codes: value_i8(l->v_codes, 0, off(l->slots, s->dim[NDL_V]), 0); */
        /*@ assert k_scales: value_f32(l->k_scales, 0, off(l->slots, s->geometry.num_kv_heads),
              (float)1.0); */
        /*@ assert v_scales: value_f32(l->v_scales, 0, off(l->slots, s->geometry.num_kv_heads),
              (float)1.0); */
    }
}

/* What dst holds, stores of as many slots, becomes what src holds. */
/*@ requires session: \valid_read(s) && widths_ok(s);
    requires layers: \valid_read(dst) && \valid_read(src) && dst->slots == src->slots &&
      rings_fit(s, src);
    requires stores: stores_ok(s, dst) && stores_ok(s, src);
    requires apart: apart_stores(dst, src);
    terminates \true;
    exits \false;
    assigns dst->k[0 .. off(dst->slots, s->dim[NDL_K]) - 1],
      dst->v[0 .. off(dst->slots, s->dim[NDL_V]) - 1],
      dst->k_codes[0 .. off(dst->slots, s->dim[NDL_K]) - 1],
      dst->v_codes[0 .. off(dst->slots, s->dim[NDL_V]) - 1],
      dst->k_scales[0 .. off(dst->slots, s->geometry.num_kv_heads) - 1],
      dst->v_scales[0 .. off(dst->slots, s->geometry.num_kv_heads) - 1];
    ensures f32: s->precision == NDL_F32 ==> equal_f32(s, dst, src);
    ensures int8: s->precision != NDL_F32 ==> equal_int8(s, dst, src);
*/
static void stores_copy(const ndl_session *s, const ndl_layer *dst, const ndl_layer *src)
{
    const size_t k = ndl_ring_at(src->slots, s->dim[NDL_K]);
    const size_t v = ndl_ring_at(src->slots, s->dim[NDL_V]);
    const size_t scales = ndl_ring_at(src->slots, s->geometry.num_kv_heads);

    if (s->precision == NDL_F32) {
        ndl_copy_f32(dst->k, src->k, k);
        //@ assert k: \forall integer e; 0 <= e < k ==> bits(dst->k[e]) == bits(src->k[e]);
        ndl_copy_f32(dst->v, src->v, v);
        //@ assert k_too: \forall integer e; 0 <= e < k ==> bits(dst->k[e]) == bits(src->k[e]);
        //@ assert v: \forall integer e; 0 <= e < v ==> bits(dst->v[e]) == bits(src->v[e]);
    } else {
        ndl_copy_i8(dst->k_codes, src->k_codes, k);
        //@ assert k_codes: \forall integer e; 0 <= e < k ==> dst->k_codes[e] == src->k_codes[e];
        ndl_copy_i8(dst->v_codes, src->v_codes, v);
        //@ assert k_codes: \forall integer e; 0 <= e < k ==> dst->k_codes[e] == src->k_codes[e];
        //@ assert v_codes: \forall integer e; 0 <= e < v ==> dst->v_codes[e] == src->v_codes[e];
        ndl_copy_f32(dst->k_scales, src->k_scales, scales);
        /*@ assert k_scales: \forall integer e; 0 <= e < scales ==>
              bits(dst->k_scales[e]) == bits(src->k_scales[e]); */
        ndl_copy_f32(dst->v_scales, src->v_scales, scales);
        /*@ assert k_scales: \forall integer e; 0 <= e < scales ==>
              bits(dst->k_scales[e]) == bits(src->k_scales[e]); */
        /*@ assert v_scales: \forall integer e; 0 <= e < scales ==>
              bits(dst->v_scales[e]) == bits(src->v_scales[e]); */
        //@ assert int8: equal_int8(s, dst, src);
    }
}

/*@ requires session: \valid_read(s) && widths_ok(s) && tails_fit(s);
    requires layer: \valid(l) && \base_addr(l) != \base_addr(s) && rings_fit(s, l);
    terminates \true;
    exits \false;
    assigns l->k, l->v, l->k_codes, l->v_codes, l->k_scales, l->v_scales;
    ensures SES_001: none: no_f32(l) && no_int8(l);
*/
static void layer_free(const ndl_session *s, ndl_layer *l)
{
    ndl_stores_free(s, l);
    /*@ loop invariant some: 0 <= which <= 3;
        loop assigns which;
        loop variant 3 - which; */
    for (size_t which = 0; which < 3; which++)
        ndl_release_f32(&s->allocator, l->tail[which], ndl_ring_at(s->tail_rows, s->dim[which]));
}

/* Tails of a layer. What was had before memory ran out is left for ndl_session_free. */
/*@ requires session: \valid_read(s) && tails_fit(s) && 0 < s->tail_rows;
    requires layers: \valid_read(s->layer + (0 .. s->geometry.num_layers - 1)) &&
      \valid_read(s->site_tail + (0 .. s->geometry.engram.num_sites - 1));
    requires layer: \valid(l) && \base_addr(l) != \base_addr(s);
    terminates \true;
    exits \false;
    assigns l->tail[0 .. 2];
    ensures tails: \result ==>
      three_tails(s, l->tail[NDL_Q], l->tail[NDL_K], l->tail[NDL_V]);
    ensures new: \result ==> \forall integer w; 0 <= w < 3 ==>
      off_f32{Pre}(s, l->tail[w]) && off_scales{Pre}(s, l->tail[w]) &&
      off_tails{Pre}(s, l->tail[w]);
*/
static bool tails_new(const ndl_session *s, ndl_layer *l)
{
    const ndl_allocator *a = &s->allocator;
    const size_t q_n = ndl_ring_at(s->tail_rows, s->dim[NDL_Q]);
    const size_t k_n = ndl_ring_at(s->tail_rows, s->dim[NDL_K]);
    const size_t v_n = ndl_ring_at(s->tail_rows, s->dim[NDL_V]);
    float *q = ndl_alloc_f32(a, q_n) /*@ ghost (s, l->k, l->k, l->k) */;
    float *k = ndl_alloc_f32(a, k_n) /*@ ghost (s, q, q, q) */;
    float *v = ndl_alloc_f32(a, v_n) /*@ ghost (s, q, k, k) */;

    l->tail[NDL_Q] = q;
    l->tail[NDL_K] = k;
    l->tail[NDL_V] = v;
    return q != NULL && k != NULL && v != NULL;
}

/* Stores and tails of a layer whose window, cap and slots are set. What was
 * had before memory ran out is left for ndl_session_free. */
/*@ requires session: \valid_read(s) && a_precision(s) && widths_ok(s) && tails_fit(s);
    requires layers: \valid_read(s->layer + (0 .. s->geometry.num_layers - 1)) &&
      \valid_read(s->site_tail + (0 .. s->geometry.engram.num_sites - 1));
    requires layer: \valid(l) && \base_addr(l) != \base_addr(s) && rings_fit(s, l);
    terminates \true;
    exits \false;
    assigns l->k, l->v, l->k_codes, l->v_codes, l->k_scales, l->v_scales,
      l->tail[0 .. 2];
    ensures f32: \result && s->precision == NDL_F32 ==> stores_f32(s, l->slots, l->k, l->v);
    ensures int8: \result && s->precision == NDL_INT8 ==>
      stores_int8(s, l->slots, l->k_codes, l->v_codes, l->k_scales, l->v_scales);
    ensures tails: \result && s->tail_rows > 0 ==>
      three_tails(s, l->tail[NDL_Q], l->tail[NDL_K], l->tail[NDL_V]);
*/
static bool layer_new(const ndl_session *s, ndl_layer *l)
{
    if (!ndl_stores_new(s, l))
        return false;
    if (s->tail_rows == 0)
        return true;
    return tails_new(s, l);
}

void ndl_session_free(ndl_session *s)
{
    if (s == NULL)
        return;
    const ndl_geometry *g = &s->geometry;
    const size_t layers = g->num_layers, sites = g->engram.num_sites;
    ndl_layer *const layer = s->layer;
    /* The session gives itself back last: a copy of what does it. */
    const ndl_allocator a = s->allocator;

    if (layer != NULL) {
        /*@ loop invariant some: 0 <= i <= layers;
            loop invariant where: s->layer == layer && s->site_tail == \at(s->site_tail, Pre);
            loop invariant session: releasable(s);
            loop assigns i, layer[0 .. layers - 1];
            loop variant layers - i; */
        for (size_t i = 0; i < layers; i++) {
            //@ assert fits: rings_fit(s, s->layer + i);
            //@ assert layer: \valid(layer + i) && \base_addr(layer + i) != \base_addr(s);
            layer_free(s, &layer[i]);
        }
        ndl_release_layers(&a, layer, layers);
    }
    if (s->site_tail != NULL) {
        /*@ loop invariant some: 0 <= i <= sites;
            loop assigns i;
            loop variant sites - i; */
        for (size_t i = 0; i < sites; i++)
            ndl_release_f32(&a, s->site_tail[i], ndl_ring_at(s->reach, g->d_model));
        ndl_release_sites(&a, s->site_tail, sites);
    }
    ndl_release_u32(&a, s->history, s->max_order);
    ndl_release_session(&a, s);
}

/* A function for itself: what *l holds is said of each member. */
/*@ requires layer: \valid(l);
    terminates \true;
    exits \false;
    assigns *l;
    ensures numbers: l->window == value.window && l->cap == value.cap &&
      l->slots == value.slots && l->written == value.written;
    ensures f32: l->k == value.k && l->v == value.v;
    ensures codes: l->k_codes == value.k_codes && l->v_codes == value.v_codes;
    ensures scales: l->k_scales == value.k_scales && l->v_scales == value.v_scales;
    ensures tails: \forall integer w; 0 <= w < 3 ==> l->tail[w] == value.tail[w];
*/
static void layer_put(ndl_layer *l, const ndl_layer value)
{
    *l = value;
}

/* Layer i of a session, without memory of its own yet: its rings as large as those of
 * layer i of `like`, or a new session's where like is NULL. */
/*@ requires session: \valid_read(s) && counts_ok(&s->geometry) && i < s->geometry.num_layers;
    requires like: like == \null || \valid_read(like + i);
    requires layer: \valid(l + i) && \base_addr(l) != \base_addr(s) &&
      \base_addr(l) != \base_addr(like);
    terminates \true;
    exits \false;
    assigns l[i];
    ensures begun: begun(s, l, i, like);
    ensures bare: bare(l + i);
*/
static void layer_begin(const ndl_session *s, ndl_layer *l, size_t i, const ndl_layer *like)
{
    const size_t cap = ndl_cap_of(&s->geometry, i);

    layer_put(&l[i], (ndl_layer){
                         .window = ndl_window_of(&s->geometry, i),
                         .cap = cap,
                         .slots = like != NULL ? like[i].slots : ndl_first_slots(s->hint, cap),
                         .written = like != NULL ? like[i].written : 0,
                     });
}

/* The layers of a session, as layer_begin begins each. */
/*@ requires session: \valid(s) && counts_ok(&s->geometry);
    requires like: like == \null || \valid_read(like + (0 .. s->geometry.num_layers - 1));
    requires apart: \base_addr(like) != \base_addr(s);
    terminates \true;
    exits \false;
    assigns s->layer, \at(s->layer, Post)[0 .. s->geometry.num_layers - 1];
    ensures none: !\result ==> s->layer == \old(s->layer);
    ensures there: \result ==>
      \valid(s->layer + (0 .. s->geometry.num_layers - 1)) &&
      \base_addr(s->layer) != \base_addr(s) && \base_addr(s->layer) != \base_addr(like) &&
      !held(\base_addr(s->layer));
    ensures begun: \result ==> \forall integer i; 0 <= i < s->geometry.num_layers ==>
      begun(s, s->layer, i, like);
    ensures bare: \result ==> \forall integer i; 0 <= i < s->geometry.num_layers ==>
      bare(s->layer + i);
*/
static bool layers_new(ndl_session *s, const ndl_layer *like)
{
    const size_t layers = s->geometry.num_layers;
    ndl_layer *l = ndl_alloc_layers(&s->allocator, layers) /*@ ghost (s, like) */;

    if (l == NULL)
        return false;
    /*@ loop invariant some: 0 <= i <= layers;
        loop invariant scalars: s->hint == \at(s->hint, Pre) &&
          s->geometry.max_seq_len == \at(s->geometry.max_seq_len, Pre) &&
          s->geometry.sliding_window == \at(s->geometry.sliding_window, Pre);
        loop invariant windows: \forall integer j; 0 <= j < i ==>
          l[j].window == geo_window(&s->geometry, j);
        loop invariant caps: \forall integer j; 0 <= j < i ==>
          l[j].cap == geo_cap(&s->geometry, j);
        loop invariant slots: \forall integer j; 0 <= j < i ==>
          l[j].slots == (like == \null ? \min(\max(s->hint, 1), l[j].cap) : like[j].slots);
        loop invariant written: \forall integer j; 0 <= j < i ==>
          l[j].written == (like == \null ? 0 : like[j].written);
        loop invariant no_f32: \forall integer j; 0 <= j < i ==>
          l[j].k == \null && l[j].v == \null;
        loop invariant no_int8: \forall integer j; 0 <= j < i ==>
          l[j].k_codes == \null && l[j].v_codes == \null && l[j].k_scales == \null &&
          l[j].v_scales == \null;
        loop invariant no_tails: \forall integer j, w; 0 <= j < i && 0 <= w < 3 ==>
          l[j].tail[w] == \null;
        loop assigns i, l[0 .. layers - 1];
        loop variant layers - i; */
    for (size_t i = 0; i < layers; i++) {
        layer_begin(s, l, i, like);
        /*@ assert scalars: s->hint == \at(s->hint, Pre) &&
              s->geometry.max_seq_len == \at(s->geometry.max_seq_len, Pre) &&
              s->geometry.sliding_window == \at(s->geometry.sliding_window, Pre); */
        /*@ assert windows: \forall integer j; 0 <= j < i ==>
              l[j].window == \at(l[j].window, LoopCurrent); */
        /*@ assert caps: \forall integer j; 0 <= j < i ==>
              l[j].cap == \at(l[j].cap, LoopCurrent); */
        /*@ assert slots: \forall integer j; 0 <= j < i ==>
              l[j].slots == \at(l[j].slots, LoopCurrent); */
        /*@ assert written: \forall integer j; 0 <= j < i ==>
              l[j].written == \at(l[j].written, LoopCurrent); */
    }
    s->layer = l;
    return true;
}

/* Room for the tails of the sites, without memory of their own yet. */
/*@ requires session: \valid(s) && s->site_tail == \null;
    requires layers: \base_addr(s->layer) != \base_addr(s);
    terminates \true;
    exits \false;
    assigns s->site_tail, \at(s->site_tail, Post)[0 .. s->geometry.engram.num_sites - 1];
    ensures none: !\result || s->geometry.engram.num_sites == 0 ==> s->site_tail == \null;
    ensures there: \result && s->geometry.engram.num_sites > 0 ==>
      \valid(s->site_tail + (0 .. s->geometry.engram.num_sites - 1)) &&
      \base_addr(s->site_tail) != \base_addr(s) &&
      \base_addr(s->site_tail) != \base_addr(s->layer) && !held(\base_addr(s->site_tail));
    ensures empty: \result ==> \forall integer t; 0 <= t < s->geometry.engram.num_sites ==>
      s->site_tail[t] == \null;
*/
static bool sites_new(ndl_session *s)
{
    const size_t sites = s->geometry.engram.num_sites;

    if (sites == 0)
        return true;
    float **tails = ndl_alloc_sites(&s->allocator, sites) /*@ ghost (s) */;
    if (tails == NULL)
        return false;
    /*@ loop invariant some: 0 <= i <= sites;
        loop invariant empty: \forall integer t; 0 <= t < i ==> tails[t] == \null;
        loop assigns i, tails[0 .. sites - 1];
        loop variant sites - i; */
    for (size_t i = 0; i < sites; i++)
        tails[i] = NULL;
    s->site_tail = tails;
    return true;
}

/* All memory of a session whose plain members are set: its rings as large as
 * those of the layers `like`, or a new session's where like is NULL. What was
 * had before memory ran out is left for ndl_session_free. */
static bool fill(ndl_session *s, const ndl_layer *like)
{
    const ndl_geometry *g = &s->geometry;
    const ndl_allocator *a = &s->allocator;

    /* No array is asked for before what points to them is there: the allocator's
     * contract looks at all of them. */
    if (!layers_new(s, like) || !sites_new(s))
        return false;
    for (size_t i = 0; i < g->num_layers; i++) {
        if (!layer_new(s, &s->layer[i]))
            return false;
    }
    s->history = ndl_alloc_u32(a, s->max_order) /*@ ghost (s) */;
    if (s->history == NULL)
        return false;
    for (size_t i = 0; s->reach > 0 && i < g->engram.num_sites; i++) {
        s->site_tail[i] = ndl_alloc_f32(a, ndl_ring_at(s->reach, g->d_model))
            /*@ ghost (s, s->site_tail[0], s->site_tail[0], s->site_tail[0]) */;
        if (s->site_tail[i] == NULL)
            return false;
    }
    return true;
}

/* The tails of a layer become zero. */
/*@ requires session: \valid_read(s) && tails_fit(s);
    requires layer: \valid_read(l) && tails_valid_of(s, l);
    terminates \true;
    exits \false;
    assigns l->tail[NDL_Q][0 .. off(s->tail_rows, s->dim[NDL_Q]) - 1],
      l->tail[NDL_K][0 .. off(s->tail_rows, s->dim[NDL_K]) - 1],
      l->tail[NDL_V][0 .. off(s->tail_rows, s->dim[NDL_V]) - 1];
    ensures SES_007: zero: 0 < s->tail_rows && apart_tails(l) ==>
      zero_tail(s, l, NDL_Q) && zero_tail(s, l, NDL_K) && zero_tail(s, l, NDL_V);
*/
static void tails_clear(const ndl_session *s, const ndl_layer *l)
{
    /*@ loop invariant some: 0 <= which <= 3;
        loop invariant all: s->tail_rows == 0 ==> which == 0;
        loop invariant q: apart_tails(l) && 0 < which ==> zero_tail(s, l, NDL_Q);
        loop invariant k: apart_tails(l) && 1 < which ==> zero_tail(s, l, NDL_K);
        loop invariant v: apart_tails(l) && 2 < which ==> zero_tail(s, l, NDL_V);
        loop assigns which, l->tail[NDL_Q][0 .. off(s->tail_rows, s->dim[NDL_Q]) - 1],
          l->tail[NDL_K][0 .. off(s->tail_rows, s->dim[NDL_K]) - 1],
          l->tail[NDL_V][0 .. off(s->tail_rows, s->dim[NDL_V]) - 1];
        loop variant 3 - which; */
    for (size_t which = 0; s->tail_rows > 0 && which < 3; which++)
        ndl_fill_f32(l->tail[which], 0, ndl_ring_at(s->tail_rows, s->dim[which]), 0.0f);
}

/* Stores and tails of all layers become what a new session's are. */
/*@ requires session: there(s);
    terminates \true;
    exits \false;
    assigns { *p | float *p; all_floats(s, \base_addr(p)) },
      { *p | int8_t *p; all_codes(s, \base_addr(p)) };
    ensures session: there(s);
*/
static void layers_clear(const ndl_session *s)
{
    const size_t layers = s->geometry.num_layers;
    const ndl_layer *const layer = s->layer;
    //@ assert widths: widths_ok(s) && tails_fit(s);
    //@ assert frame: \valid_read(layer + (0 .. layers - 1));
    /*@ assert tails: \forall integer j, w; 0 <= j < layers && 0 <= w < 3 ==>
          \valid(layer[j].tail[w] + (0 .. off(s->tail_rows, s->dim[w]) - 1)); */

    /*@ loop invariant some: 0 <= i <= layers;
        loop assigns i, { *p | float *p; all_floats(s, \base_addr(p)) },
          { *p | int8_t *p; all_codes(s, \base_addr(p)) };
        loop variant layers - i; */
    for (size_t i = 0; i < layers; i++) {
        //@ assert number: layer_ok(s, i);
        /*@ assert fits: off(layer[i].slots, s->dim[NDL_K]) <= off(layer[i].cap, s->dim[NDL_K]) &&
              off(layer[i].slots, s->dim[NDL_V]) <= off(layer[i].cap, s->dim[NDL_V]) &&
              off(layer[i].slots, s->geometry.num_kv_heads) <=
              off(layer[i].cap, s->geometry.num_kv_heads); */
        //@ assert place: \valid_read(layer + i);
        //@ assert layer: rings_fit(s, layer + i);
        //@ assert k_codes: all_codes(s, \base_addr(layer[i].k_codes));
        //@ assert v_codes: all_codes(s, \base_addr(layer[i].v_codes));
        //@ assert k: all_floats(s, \base_addr(layer[i].k));
        //@ assert v: all_floats(s, \base_addr(layer[i].v));
        //@ assert k_scales: all_floats(s, \base_addr(layer[i].k_scales));
        //@ assert v_scales: all_floats(s, \base_addr(layer[i].v_scales));
        //@ assert q_tail: all_floats(s, \base_addr(layer[i].tail[NDL_Q]));
        //@ assert k_tail: all_floats(s, \base_addr(layer[i].tail[NDL_K]));
        //@ assert v_tail: all_floats(s, \base_addr(layer[i].tail[NDL_V]));
        //@ assert stores: stores_ok(s, layer + i);
        //@ assert tails: tails_valid_of(s, layer + i);
        ndl_stores_clear(s, &layer[i]);
        tails_clear(s, &layer[i]);
    }
}

/* The tails of all sites become zero. */
/*@ requires session: there(s);
    terminates \true;
    exits \false;
    assigns { *p | float *p; all_sites(s, \base_addr(p)) };
    ensures session: there(s);
*/
static void sites_clear(const ndl_session *s)
{
    const size_t sites = s->geometry.engram.num_sites, d = s->geometry.d_model;
    //@ assert site: 0 <= off(s->reach, d) <= NDL_MAX_ELEMENTS;

    /*@ loop invariant some: 0 <= i <= sites;
        loop assigns i, { *p | float *p; all_sites(s, \base_addr(p)) };
        loop variant sites - i; */
    for (size_t i = 0; s->reach > 0 && i < sites; i++) {
        //@ assert tail: \valid(s->site_tail[i] + (0 .. off(s->reach, d) - 1));
        //@ assert place: \valid_read(s->site_tail + i);
        //@ assert mine: all_sites(s, \base_addr(s->site_tail[i]));
        ndl_fill_f32(s->site_tail[i], 0, ndl_ring_at(s->reach, d), 0.0f);
    }
}

/* Nothing is written to any ring. */
/*@ requires layers: \valid(layer + (0 .. layers - 1));
    terminates \true;
    exits \false;
    assigns layer[0 .. layers - 1].written;
    ensures SES_007: written: \forall integer i; 0 <= i < layers ==> layer[i].written == 0;
*/
static void written_clear(ndl_layer *layer, size_t layers)
{
    /*@ loop invariant some: 0 <= i <= layers;
        loop invariant written: \forall integer j; 0 <= j < i ==> layer[j].written == 0;
        loop assigns i, layer[0 .. layers - 1].written;
        loop variant layers - i; */
    for (size_t i = 0; i < layers; i++)
        layer[i].written = 0;
}

/* Stores, tails, history and position as a new session has them; the rings
 * have the slots of a new session already. */
/*@ requires session: there(s);
    terminates \true;
    exits \false;
    assigns s->held, s->pos, s->layer[0 .. s->geometry.num_layers - 1].written,
      { *p | float *p; all_floats(s, \base_addr(p)) },
      { *p | int8_t *p; all_codes(s, \base_addr(p)) },
      { *p | float *p; all_sites(s, \base_addr(p)) };
    ensures SES_007: start: s->pos == 0 && s->held == 0;
    ensures SES_007: written: \forall integer i; 0 <= i < s->geometry.num_layers ==>
      s->layer[i].written == 0;
*/
static void clear(ndl_session *s)
{
    const size_t layers = s->geometry.num_layers;
    ndl_layer *const layer = s->layer;

    layers_clear(s);
    sites_clear(s);
    //@ assert frame: \base_addr(s) != \base_addr(layer) && \valid(layer + (0 .. layers - 1));
    written_clear(layer, layers);
    //@ assert same: s->layer == layer && s->geometry.num_layers == layers;
    s->held = 0;
    s->pos = 0;
    //@ assert still: s->layer == layer && s->geometry.num_layers == layers;
    //@ assert written: \forall integer i; 0 <= i < layers ==> layer[i].written == 0;
}

ndl_session *ndl_session_make(const ndl_geometry *g, ndl_options o)
{
    const ndl_allocator a = o.allocator != NULL ? *o.allocator : ndl_alloc_default();
    ndl_session *s = ndl_alloc_session(&a);

    if (s == NULL)
        return NULL;
    *s = (ndl_session){
        .geometry = *g,
        .precision = o.precision,
        .numerics = o.numerics,
        .hint = o.hint,
        .allocator = a,
        .dim = {ndl_geometry_q_dim(g), ndl_geometry_k_dim(g), ndl_geometry_v_dim(g)},
        .tail_rows = g->qkv_conv_taps > 0 ? g->qkv_conv_taps - 1 : 0,
        .reach = ndl_geometry_reach(g),
        .max_order = ndl_geometry_max_order(g),
    };
    if (!fill(s, NULL)) {
        ndl_session_free(s);
        return NULL;
    }
    clear(s);
    return s;
}

void ndl_session_give(ndl_session *s, ndl_session **out)
{
    *out = s;
    //@ assert frame: s->layer == \at(s->layer, Pre) && s->site_tail == \at(s->site_tail, Pre);
    //@ assert tokens: s->history == \at(s->history, Pre);
    /*@ assert k: \forall integer i; 0 <= i < s->geometry.num_layers ==>
          s->layer[i].k == \at(s->layer[i].k, Pre); */
    /*@ assert v: \forall integer i; 0 <= i < s->geometry.num_layers ==>
          s->layer[i].v == \at(s->layer[i].v, Pre); */
    /*@ assert k_codes: \forall integer i; 0 <= i < s->geometry.num_layers ==>
          s->layer[i].k_codes == \at(s->layer[i].k_codes, Pre); */
    /*@ assert v_codes: \forall integer i; 0 <= i < s->geometry.num_layers ==>
          s->layer[i].v_codes == \at(s->layer[i].v_codes, Pre); */
    /*@ assert k_scales: \forall integer i; 0 <= i < s->geometry.num_layers ==>
          s->layer[i].k_scales == \at(s->layer[i].k_scales, Pre); */
    /*@ assert v_scales: \forall integer i; 0 <= i < s->geometry.num_layers ==>
          s->layer[i].v_scales == \at(s->layer[i].v_scales, Pre); */
    /*@ assert q_tails: \forall integer i, w; 0 <= i < s->geometry.num_layers && 0 <= w < 3 ==>
          s->layer[i].tail[w] == \at(s->layer[i].tail[w], Pre); */
    /*@ assert sites: \forall integer t; 0 <= t < s->geometry.engram.num_sites ==>
          s->site_tail[t] == \at(s->site_tail[t], Pre); */
    //@ assert frame_ok: frame_ok(s);
    //@ assert layers_ok: layers_ok(s);
    //@ assert stores: layers_valid(s);
    //@ assert tails: tails_there(s);
    //@ assert history: history_ok(s);
    //@ assert releasable: releasable(s);
}

ndl_status ndl_session_new(const ndl_geometry *g, const ndl_options *options, ndl_session **out)
{
    const ndl_status status = ndl_geometry_validate(g);
    ndl_options o = {0};

    if (status != NDL_OK)
        return status;
    if (options != NULL)
        o = *options;
    if (o.precision != NDL_F32 && o.precision != NDL_INT8)
        return NDL_E_PRECISION;
    if (o.numerics != NDL_NEEDLE_CORE && o.numerics != NDL_UPSTREAM)
        return NDL_E_NUMERICS;
    ndl_session *s = ndl_session_make(g, o);
    if (s == NULL)
        return NDL_E_MEMORY;
    ndl_session_give(s, out);
    return NDL_OK;
}

ndl_status ndl_session_clone(const ndl_session *s, ndl_session **out)
{
    const ndl_geometry *g = &s->geometry;
    ndl_session *c = ndl_alloc_session(&s->allocator);

    if (c == NULL)
        return NDL_E_MEMORY;
    *c = *s;
    c->layer = NULL;
    c->history = NULL;
    c->site_tail = NULL;
    if (!fill(c, s->layer)) {
        ndl_session_free(c);
        return NDL_E_MEMORY;
    }
    for (size_t i = 0; i < g->num_layers; i++) {
        stores_copy(s, &c->layer[i], &s->layer[i]);
        for (size_t which = 0; s->tail_rows > 0 && which < 3; which++)
            ndl_copy_f32(c->layer[i].tail[which], s->layer[i].tail[which],
                         ndl_ring_at(s->tail_rows, s->dim[which]));
    }
    ndl_copy_u32(c->history, s->history, s->held);
    for (size_t i = 0; s->reach > 0 && i < g->engram.num_sites; i++)
        ndl_copy_f32(c->site_tail[i], s->site_tail[i], ndl_ring_at(s->reach, g->d_model));
    ndl_session_give(c, out);
    return NDL_OK;
}

/* Replace the stores of every layer that has grown by those of spare, which
 * has room for them all; false, with nothing changed, without memory. */
static bool shrink(ndl_session *s, ndl_layer *spare)
{
    const size_t layers = s->geometry.num_layers;
    size_t done = 0;
    bool had = true;

    while (had && done < layers) {
        const ndl_layer *l = &s->layer[done];
        const size_t first = ndl_first_slots(s->hint, l->cap);

        spare[done] = (ndl_layer){.slots = first};
        if (first != l->slots)
            had = ndl_stores_new(s, &spare[done]);
        done++;
    }
    for (size_t i = 0; i < done; i++) {
        ndl_layer *l = &s->layer[i];

        if (had && spare[i].slots != l->slots) {
            ndl_stores_free(s, l);
            l->slots = spare[i].slots;
            l->k = spare[i].k;
            l->v = spare[i].v;
            l->k_codes = spare[i].k_codes;
            l->v_codes = spare[i].v_codes;
            l->k_scales = spare[i].k_scales;
            l->v_scales = spare[i].v_scales;
        } else {
            ndl_stores_free(s, &spare[i]);
        }
    }
    return had;
}

ndl_status ndl_session_reset(ndl_session *s)
{
    const size_t layers = s->geometry.num_layers;
    bool grown = false;

    for (size_t i = 0; i < layers; i++)
        grown = grown || s->layer[i].slots != ndl_first_slots(s->hint, s->layer[i].cap);
    /* A ring that has not grown is cleared where it is, so that a reset of a
     * session as new asks for no memory and cannot fail. */
    if (grown) {
        ndl_layer *spare = ndl_alloc_layers(&s->allocator, layers) /*@ ghost (s, s->layer) */;
        const bool had = spare != NULL && shrink(s, spare);

        ndl_release_layers(&s->allocator, spare, layers);
        if (!had)
            return NDL_E_MEMORY;
    }
    clear(s);
    return NDL_OK;
}
