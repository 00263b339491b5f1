/* Keys and values: writing them, and what of them is held.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state.h"

#include "ring.h"
#include "ring_int8.h"
#include "span.h"
#include "trusted/alloc.h"

/* Grow the rings of a layer to want slots. All buffers are there before any is
 * replaced, so that running out of memory changes nothing. */
static bool grow_f32(ndl_session *s, ndl_layer *l, size_t want)
{
    const ndl_allocator *a = &s->allocator;
    const size_t k_dim = s->dim[NDL_K], v_dim = s->dim[NDL_V];
    float *k = ndl_alloc_f32(a, ndl_ring_at(want, k_dim));
    float *v = ndl_alloc_f32(a, ndl_ring_at(want, v_dim));

    if (k == NULL || v == NULL) {
        ndl_release_f32(a, k, ndl_ring_at(want, k_dim));
        ndl_release_f32(a, v, ndl_ring_at(want, v_dim));
        return false;
    }
    ndl_ring_grow_f32(k, l->k, l->slots, want, k_dim, 0.0f);
    ndl_ring_grow_f32(v, l->v, l->slots, want, v_dim, 0.0f);
    ndl_release_f32(a, l->k, ndl_ring_at(l->slots, k_dim));
    ndl_release_f32(a, l->v, ndl_ring_at(l->slots, v_dim));
    l->k = k;
    l->v = v;
    l->slots = want;
    return true;
}

static bool grow_int8(ndl_session *s, ndl_layer *l, size_t want)
{
    const ndl_allocator *a = &s->allocator;
    const size_t k_dim = s->dim[NDL_K], v_dim = s->dim[NDL_V], heads = s->geometry.num_kv_heads;
    int8_t *k = ndl_alloc_i8(a, ndl_ring_at(want, k_dim));
    int8_t *v = ndl_alloc_i8(a, ndl_ring_at(want, v_dim));
    float *k_scales = ndl_alloc_f32(a, ndl_ring_at(want, heads));
    float *v_scales = ndl_alloc_f32(a, ndl_ring_at(want, heads));

    if (k == NULL || v == NULL || k_scales == NULL || v_scales == NULL) {
        ndl_release_i8(a, k, ndl_ring_at(want, k_dim));
        ndl_release_i8(a, v, ndl_ring_at(want, v_dim));
        ndl_release_f32(a, k_scales, ndl_ring_at(want, heads));
        ndl_release_f32(a, v_scales, ndl_ring_at(want, heads));
        return false;
    }
    ndl_ring_grow_i8(k, l->k_codes, l->slots, want, k_dim, 0);
    ndl_ring_grow_i8(v, l->v_codes, l->slots, want, v_dim, 0);
    ndl_ring_grow_f32(k_scales, l->k_scales, l->slots, want, heads, 1.0f);
    ndl_ring_grow_f32(v_scales, l->v_scales, l->slots, want, heads, 1.0f);
    ndl_release_i8(a, l->k_codes, ndl_ring_at(l->slots, k_dim));
    ndl_release_i8(a, l->v_codes, ndl_ring_at(l->slots, v_dim));
    ndl_release_f32(a, l->k_scales, ndl_ring_at(l->slots, heads));
    ndl_release_f32(a, l->v_scales, ndl_ring_at(l->slots, heads));
    l->k_codes = k;
    l->v_codes = v;
    l->k_scales = k_scales;
    l->v_scales = v_scales;
    l->slots = want;
    return true;
}

ndl_status ndl_write_kv(ndl_session *s, size_t layer, size_t pos, const float *k, size_t k_len,
                        const float *v, size_t v_len)
{
    if (layer >= s->geometry.num_layers)
        return NDL_E_LAYER;
    if (pos == SIZE_MAX)
        return NDL_E_POSITION;
    if (k_len != s->dim[NDL_K] || v_len != s->dim[NDL_V])
        return NDL_E_LENGTH;
    ndl_layer *l = &s->layer[layer];
    const size_t want = ndl_ring_want(l->slots, l->cap, pos);

    if (s->precision == NDL_F32) {
        if (want != l->slots && !grow_f32(s, l, want))
            return NDL_E_MEMORY;
        ndl_ring_write_f32(l->k, l->slots, s->dim[NDL_K], pos, k);
        ndl_ring_write_f32(l->v, l->slots, s->dim[NDL_V], pos, v);
    } else {
        const ndl_geometry *g = &s->geometry;

        if (want != l->slots && !grow_int8(s, l, want))
            return NDL_E_MEMORY;
        ndl_ring_write_int8(s->numerics, l->k_codes, l->k_scales, l->slots, g->num_kv_heads,
                            g->qk_head_dim, pos, k);
        ndl_ring_write_int8(s->numerics, l->v_codes, l->v_scales, l->slots, g->num_kv_heads,
                            g->v_head_dim, pos, v);
    }
    if (pos >= l->written)
        l->written = pos + 1;
    return NDL_OK;
}

ndl_status ndl_slots(const ndl_session *s, size_t layer, size_t *slots)
{
    if (layer >= s->geometry.num_layers)
        return NDL_E_LAYER;
    *slots = s->layer[layer].slots;
    return NDL_OK;
}

ndl_status ndl_span_at(const ndl_session *s, size_t layer, size_t pos, ndl_span *out)
{
    if (layer >= s->geometry.num_layers)
        return NDL_E_LAYER;
    if (pos == SIZE_MAX)
        return NDL_E_POSITION;
    *out = ndl_span_of(s->layer[layer].window, s->layer[layer].slots, pos);
    return NDL_OK;
}

bool ndl_is_saturated(const ndl_session *s)
{
    for (size_t i = 0; i < s->geometry.num_layers; i++) {
        if (ndl_span_saturated(s->layer[i].window, s->layer[i].slots, s->pos))
            return true;
    }
    return false;
}

ndl_status ndl_lost(const ndl_session *s, size_t layer, size_t *lost)
{
    if (layer >= s->geometry.num_layers)
        return NDL_E_LAYER;
    *lost = ndl_span_lost(s->layer[layer].window, s->layer[layer].slots, s->layer[layer].written);
    return NDL_OK;
}

ndl_status ndl_kv_at(const ndl_session *s, size_t layer, ndl_kv *out)
{
    if (layer >= s->geometry.num_layers)
        return NDL_E_LAYER;
    const ndl_layer *l = &s->layer[layer];

    *out = (ndl_kv){
        .precision = s->precision,
        .slots = l->slots,
        .k = l->k,
        .v = l->v,
        .k_codes = l->k_codes,
        .v_codes = l->v_codes,
        .k_scales = l->k_scales,
        .v_scales = l->v_scales,
    };
    return NDL_OK;
}
