#include "bytes.h"

void law_bytes(const ndl_session *s)
{
    const ndl_geometry *g = &s->geometry;
    //@ assert numbers: 1 <= g->num_layers && 1 <= g->num_kv_heads && 1 <= g->qk_head_dim;
    /*@ assert rows: 0 <= geo_q(g) <= NDL_MAX_ELEMENTS && 0 <= geo_k(g) <= NDL_MAX_ELEMENTS &&
          0 <= geo_v(g) <= NDL_MAX_ELEMENTS; */
    //@ assert heads: g->num_kv_heads <= geo_k(g);
    //@ assert k: 4 * geo_k(g) == off(g->num_kv_heads, 4 * g->qk_head_dim);
    //@ assert v: 4 * geo_v(g) == off(g->num_kv_heads, 4 * g->v_head_dim);
    //@ assert eight: 8 * g->num_kv_heads == off(g->num_kv_heads, 8);
    /*@ assert f32: off(g->num_kv_heads, 4 * (g->qk_head_dim + g->v_head_dim)) <= slot_bytes(g); */
    /*@ assert int8: off(g->num_kv_heads, g->qk_head_dim + g->v_head_dim + 8) <= slot_bytes(g); */
    //@ assert slot: 0 <= slot_size(s) <= slot_bytes(g);
    /*@ loop invariant some: 0 <= n <= g->num_layers;
        loop invariant KV_007: rings: 0 <= store_bytes(s, n) <= ring_bytes(g, n);
        loop assigns n;
        loop variant g->num_layers - n; */
    for (size_t n = 0; n < g->num_layers; n++) {
        //@ assert ring: off(s->layer[n].slots, slot_size(s)) <= off(geo_cap(g, n), slot_bytes(g));
        //@ assert least: 0 <= off(s->layer[n].slots, slot_size(s));
    }
    /*@ assert row: s->dim[NDL_Q] + (s->dim[NDL_K] + s->dim[NDL_V]) ==
          geo_q(g) + geo_k(g) + geo_v(g); */
    //@ assert tails: tail_elements(s) == off(s->tail_rows, geo_q(g) + geo_k(g) + geo_v(g));
    //@ assert convs: off(g->num_layers, tail_elements(s)) == conv_floats(g);
    //@ assert sites: site_elements(s) == site_floats(g);
    //@ assert KV_007: fits: content_bytes(s) <= session_bytes(g) <= SIZE_MAX / 2;
    //@ assert heads_fit: g->num_kv_heads <= NDL_MAX_ELEMENTS;
    /*@ assert rows_fit: s->dim[NDL_Q] <= NDL_MAX_ELEMENTS && s->dim[NDL_K] <= NDL_MAX_ELEMENTS &&
          s->dim[NDL_V] <= NDL_MAX_ELEMENTS; */
    //@ assert model: g->engram.num_sites > 0 ==> 0 < g->d_model;
}
