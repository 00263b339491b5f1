/* What a session is and where it stands. Making and unmaking one: state_make.c.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_pos.h"

const ndl_geometry *ndl_session_geometry(const ndl_session *s)
{
    return &s->geometry;
}

ndl_precision ndl_session_precision(const ndl_session *s)
{
    return s->precision;
}

ndl_numerics ndl_session_numerics(const ndl_session *s)
{
    return s->numerics;
}

size_t ndl_session_hint(const ndl_session *s)
{
    return s->hint;
}

size_t ndl_pos(const ndl_session *s)
{
    return s->pos;
}

size_t ndl_len(const ndl_session *s)
{
    return s->pos;
}

bool ndl_is_empty(const ndl_session *s)
{
    return s->pos == 0;
}

ndl_status ndl_set_pos(ndl_session *s, size_t pos)
{
    if (pos == SIZE_MAX)
        return NDL_E_POSITION;
    s->pos = pos;
    return NDL_OK;
}

ndl_status ndl_advance(ndl_session *s)
{
    if (s->pos >= SIZE_MAX - 1)
        return NDL_E_POSITION;
    s->pos++;
    return NDL_OK;
}

/* No sum here overflows: with every ring at its cap and the history full it
 * keeps to NDL_MAX_BYTES, or the geometry would have been refused. */
size_t ndl_bytes(const ndl_session *s)
{
    const ndl_geometry *g = &s->geometry;
    //@ ghost const size_t layers = g->num_layers;
    /*@ ghost
        /@ loop invariant some: 0 <= n <= layers;
           loop invariant grows: \forall integer k; 0 <= k <= n ==>
             0 <= store_bytes(s, k) <= store_bytes(s, n);
           loop assigns n;
           loop variant layers - n; @/
        for (size_t n = 0; n < layers; n++) {}
    */
    //@ assert first: store_bytes(s, 1) == off(s->layer[0].slots, slot_size(s));
    //@ assert a_site: 0 <= off(g->engram.num_sites, s->reach);
    //@ assert sites: 0 <= site_elements(s);
    const size_t row = s->dim[NDL_K] + s->dim[NDL_V];
    //@ assert row: row == s->dim[NDL_K] + s->dim[NDL_V];
    //@ assert tail: 0 <= tail_elements(s);
    //@ assert tail_fits: tail_elements(s) <= off(layers, tail_elements(s));
    //@ assert slot: 0 <= slot_size(s) <= store_bytes(s, 1);
    const size_t slot_bytes =
        s->precision == NDL_F32 ? row * sizeof(float) : row + 2 * g->num_kv_heads * sizeof(float);
    //@ assert KV_007: slot: slot_bytes == slot_size(s);
    const size_t tail_row = s->dim[NDL_Q] + row;
    //@ assert tail_is: s->tail_rows * tail_row == tail_elements(s);
    const size_t tails = s->tail_rows * tail_row;
    /*@ assert reach: g->engram.num_sites > 0 ==>
          off(g->engram.num_sites, s->reach) <= site_elements(s); */
    //@ assert no_site: g->engram.num_sites == 0 ==> off(g->engram.num_sites, s->reach) == 0;
    const size_t site_rows = g->engram.num_sites * s->reach;
    //@ assert site_is: site_rows * g->d_model == site_elements(s);
    size_t floats = site_rows * g->d_model;
    size_t bytes = s->held * sizeof(uint32_t);

    /*@ loop invariant some: 0 <= i <= g->num_layers;
        loop invariant KV_007: floats: floats == site_elements(s) + off(i, tail_elements(s));
        loop invariant KV_007: bytes: bytes == 4 * s->held + store_bytes(s, i);
        loop assigns i, floats, bytes;
        loop variant g->num_layers - i; */
    for (size_t i = 0; i < g->num_layers; i++) {
        //@ assert tail_next: off(i + 1, tails) <= off(layers, tails);
        /*@ assert next:
              store_bytes(s, i + 1) == store_bytes(s, i) + s->layer[i].slots * slot_bytes; */
        floats += tails;
        bytes += s->layer[i].slots * slot_bytes;
    }
    return bytes + floats * sizeof(float);
}
