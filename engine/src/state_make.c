/* Sessions come, go, are copied and start again.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_make.h"

#include "geometry.h"
#include "ring.h"
#include "trusted/alloc.h"

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
    const size_t k = ndl_ring_at(l->slots, s->dim[NDL_K]);
    const size_t v = ndl_ring_at(l->slots, s->dim[NDL_V]);
    const size_t scales = ndl_ring_at(l->slots, s->geometry.num_kv_heads);
    bool had;

    l->k = l->v = l->k_scales = l->v_scales = NULL;
    l->k_codes = l->v_codes = NULL;
    if (s->precision == NDL_F32) {
        l->k = ndl_alloc_f32(a, k);
        l->v = ndl_alloc_f32(a, v);
        had = l->k != NULL && l->v != NULL;
    } else {
        l->k_codes = ndl_alloc_i8(a, k);
        l->v_codes = ndl_alloc_i8(a, v);
        l->k_scales = ndl_alloc_f32(a, scales);
        l->v_scales = ndl_alloc_f32(a, scales);
        had =
            l->k_codes != NULL && l->v_codes != NULL && l->k_scales != NULL && l->v_scales != NULL;
    }
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
    }
}

static void stores_copy(const ndl_session *s, const ndl_layer *dst, const ndl_layer *src)
{
    const size_t k = ndl_ring_at(src->slots, s->dim[NDL_K]);
    const size_t v = ndl_ring_at(src->slots, s->dim[NDL_V]);
    const size_t scales = ndl_ring_at(src->slots, s->geometry.num_kv_heads);

    if (s->precision == NDL_F32) {
        ndl_copy_f32(dst->k, src->k, k);
        ndl_copy_f32(dst->v, src->v, v);
    } else {
        ndl_copy_i8(dst->k_codes, src->k_codes, k);
        ndl_copy_i8(dst->v_codes, src->v_codes, v);
        ndl_copy_f32(dst->k_scales, src->k_scales, scales);
        ndl_copy_f32(dst->v_scales, src->v_scales, scales);
    }
}

static void layer_free(const ndl_session *s, ndl_layer *l)
{
    ndl_stores_free(s, l);
    for (size_t which = 0; which < 3; which++)
        ndl_release_f32(&s->allocator, l->tail[which], ndl_ring_at(s->tail_rows, s->dim[which]));
}

/* Stores and tails of a layer whose window, cap and slots are set. What was
 * had before memory ran out is left for ndl_session_free. */
static bool layer_new(const ndl_session *s, ndl_layer *l)
{
    bool had = ndl_stores_new(s, l);

    for (size_t which = 0; had && s->tail_rows > 0 && which < 3; which++) {
        l->tail[which] = ndl_alloc_f32(&s->allocator, ndl_ring_at(s->tail_rows, s->dim[which]));
        had = l->tail[which] != NULL;
    }
    return had;
}

void ndl_session_free(ndl_session *s)
{
    if (s == NULL)
        return;
    const ndl_geometry *g = &s->geometry;
    const size_t sites = g->engram.num_sites;
    /* The session gives itself back last: a copy of what does it. */
    const ndl_allocator a = s->allocator;

    if (s->layer != NULL) {
        for (size_t i = 0; i < g->num_layers; i++)
            layer_free(s, &s->layer[i]);
        ndl_release_layers(&a, s->layer, g->num_layers);
    }
    if (s->site_tail != NULL) {
        for (size_t i = 0; i < sites; i++)
            ndl_release_f32(&a, s->site_tail[i], ndl_ring_at(s->reach, g->d_model));
        ndl_release_sites(&a, s->site_tail, sites);
    }
    ndl_release_u32(&a, s->history, s->max_order);
    ndl_release_session(&a, s);
}

/* All memory of a session whose plain members are set: its rings as large as
 * those of the layers `like`, or a new session's where like is NULL. What was
 * had before memory ran out is left for ndl_session_free. */
static bool fill(ndl_session *s, const ndl_layer *like)
{
    const ndl_geometry *g = &s->geometry;
    const ndl_allocator *a = &s->allocator;
    const size_t sites = g->engram.num_sites;

    s->layer = ndl_alloc_layers(a, g->num_layers);
    if (s->layer == NULL)
        return false;
    for (size_t i = 0; i < g->num_layers; i++) {
        s->layer[i] = (ndl_layer){.window = ndl_window_of(g, i), .cap = ndl_cap_of(g, i)};
        s->layer[i].slots =
            like != NULL ? like[i].slots : ndl_first_slots(s->hint, s->layer[i].cap);
        s->layer[i].written = like != NULL ? like[i].written : 0;
    }
    for (size_t i = 0; i < g->num_layers; i++) {
        if (!layer_new(s, &s->layer[i]))
            return false;
    }
    s->history = ndl_alloc_u32(a, s->max_order);
    if (s->history == NULL)
        return false;
    if (sites == 0)
        return true;
    s->site_tail = ndl_alloc_sites(a, sites);
    if (s->site_tail == NULL)
        return false;
    for (size_t i = 0; i < sites; i++)
        s->site_tail[i] = NULL;
    for (size_t i = 0; s->reach > 0 && i < sites; i++) {
        s->site_tail[i] = ndl_alloc_f32(a, ndl_ring_at(s->reach, g->d_model));
        if (s->site_tail[i] == NULL)
            return false;
    }
    return true;
}

/* Stores, tails, history and position as a new session has them; the rings
 * have the slots of a new session already. */
static void clear(ndl_session *s)
{
    const ndl_geometry *g = &s->geometry;

    for (size_t i = 0; i < g->num_layers; i++) {
        ndl_stores_clear(s, &s->layer[i]);
        s->layer[i].written = 0;
        for (size_t which = 0; s->tail_rows > 0 && which < 3; which++)
            ndl_fill_f32(s->layer[i].tail[which], 0, ndl_ring_at(s->tail_rows, s->dim[which]),
                         0.0f);
    }
    for (size_t i = 0; s->reach > 0 && i < g->engram.num_sites; i++)
        ndl_fill_f32(s->site_tail[i], 0, ndl_ring_at(s->reach, g->d_model), 0.0f);
    s->held = 0;
    s->pos = 0;
}

ndl_session *ndl_session_make(const ndl_geometry *g, const ndl_options *o)
{
    const ndl_allocator a = o->allocator != NULL ? *o->allocator : ndl_alloc_default();
    ndl_session *s = ndl_alloc_session(&a);

    if (s == NULL)
        return NULL;
    *s = (ndl_session){
        .geometry = *g,
        .precision = o->precision,
        .numerics = o->numerics,
        .hint = o->hint,
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

ndl_status ndl_session_new(const ndl_geometry *g, const ndl_options *options, ndl_session **out)
{
    const ndl_options none = {0};
    const ndl_options *o = options != NULL ? options : &none;
    const ndl_status status = ndl_geometry_validate(g);

    if (status != NDL_OK)
        return status;
    if (o->precision != NDL_F32 && o->precision != NDL_INT8)
        return NDL_E_PRECISION;
    if (o->numerics != NDL_NEEDLE_CORE && o->numerics != NDL_UPSTREAM)
        return NDL_E_NUMERICS;
    ndl_session *s = ndl_session_make(g, o);
    if (s == NULL)
        return NDL_E_MEMORY;
    *out = s;
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
    *out = c;
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
        ndl_layer *spare = ndl_alloc_layers(&s->allocator, layers);
        const bool had = spare != NULL && shrink(s, spare);

        ndl_release_layers(&s->allocator, spare, layers);
        if (!had)
            return NDL_E_MEMORY;
    }
    clear(s);
    return NDL_OK;
}
