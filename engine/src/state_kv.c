/* Keys and values: writing them, and what of them is held.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_kv.h"

#include "span.h"
#include "state_f32.h"
#include "state_int8.h"

ndl_status ndl_write_kv(ndl_session *s, size_t layer, size_t pos, const float *k, size_t k_len,
                        const float *v, size_t v_len)
{
    if (layer >= s->geometry.num_layers)
        return NDL_E_LAYER;
    if (pos == SIZE_MAX)
        return NDL_E_POSITION;
    if (k_len != s->dim[NDL_K] || v_len != s->dim[NDL_V])
        return NDL_E_LENGTH;
    if (s->precision == NDL_F32)
        return ndl_f32_write(s, layer, pos, k, v);
    return ndl_int8_write(s, layer, pos, k, v);
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
    /*@ loop invariant some: 0 <= i <= s->geometry.num_layers;
        loop invariant KV_011: none: \forall integer j; 0 <= j < i ==>
          !(s->layer[j].window == 0 && s->layer[j].slots < s->pos);
        loop assigns i;
        loop variant s->geometry.num_layers - i; */
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

    out->precision = s->precision;
    out->slots = l->slots;
    out->k = l->k;
    out->v = l->v;
    out->k_codes = l->k_codes;
    out->v_codes = l->v_codes;
    out->k_scales = l->k_scales;
    out->v_scales = l->v_scales;
    return NDL_OK;
}
