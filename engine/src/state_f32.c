/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_f32.h"

#include "ring.h"
#include "trusted/alloc.h"

/* Replace the rings of a layer by others, of want slots. */
/*@ requires session: session_f32(s);
    requires layer: layer < s->geometry.num_layers;
    requires more: s->layer[layer].slots < want <= s->layer[layer].cap;
    requires k: \valid(k + (0 .. off(want, s->dim[NDL_K]) - 1)) && off_f32(s, k) &&
      off_tails(s, k);
    requires v: \valid(v + (0 .. off(want, s->dim[NDL_V]) - 1)) && off_f32(s, v) &&
      off_tails(s, v);
    requires apart: \base_addr(k) != \base_addr(v);
    terminates \true;
    exits \false;
    assigns s->layer[layer].slots, s->layer[layer].k, s->layer[layer].v;
    ensures session: session_f32(s);
    ensures slots: s->layer[layer].slots == want;
    ensures k: s->layer[layer].k == k;
    ensures v: s->layer[layer].v == v;
*/
static void adopt_f32(ndl_session *s, size_t layer, size_t want, float *k, float *v)
{
    const ndl_allocator *a = &s->allocator;
    ndl_layer *l = &s->layer[layer];

    ndl_release_f32(a, l->k, ndl_ring_at(l->slots, s->dim[NDL_K]));
    ndl_release_f32(a, l->v, ndl_ring_at(l->slots, s->dim[NDL_V]));
    l->k = k;
    l->v = v;
    l->slots = want;
    //@ assert k_dim: s->dim[NDL_K] == \at(s->dim[NDL_K], Pre);
    //@ assert v_dim: s->dim[NDL_V] == \at(s->dim[NDL_V], Pre);
    //@ assert heads: s->geometry.num_kv_heads == \at(s->geometry.num_kv_heads, Pre);
    /*@ assert slots: \forall integer i; 0 <= i < s->geometry.num_layers && i != layer ==>
          s->layer[i].slots == \at(s->layer[i].slots, Pre); */
    /*@ assert caps: \forall integer i; 0 <= i < s->geometry.num_layers ==>
          s->layer[i].cap == \at(s->layer[i].cap, Pre); */
    /*@ assert written: \forall integer i; 0 <= i < s->geometry.num_layers ==>
          s->layer[i].written == \at(s->layer[i].written, Pre); */
    //@ assert numbers: numbers_ok(s);
    //@ assert frame: frame_ok(s);
    //@ assert layers: layers_ok(s);
    //@ assert valid: valid_f32(s);
    //@ assert apart_k: apart_k(s);
    //@ assert apart_v: apart_v(s);
    //@ assert apart_kv: apart_kv(s);
    //@ assert tails_k: tails_k(s);
    //@ assert sites_k: sites_k(s);
    //@ assert tails_v: tails_v(s);
    //@ assert sites_v: sites_v(s);
}

/* Grow the rings of a layer to want slots if they have fewer; false when memory
 * cannot be had. All are there before any is replaced, so that nothing has
 * changed then. */
/*@ requires session: session_f32(s);
    requires layer: layer < s->geometry.num_layers;
    requires more: s->layer[layer].slots <= want <= s->layer[layer].cap;
    requires off_row_k: off_layer(s, layer, row_k);
    requires off_row_v: off_layer(s, layer, row_v);
    terminates \true;
    exits \false;
    assigns s->layer[layer].slots, s->layer[layer].k, s->layer[layer].v,
      \at(s->layer[layer].k, Post)[0 .. off(want, s->dim[NDL_K]) - 1],
      \at(s->layer[layer].v, Post)[0 .. off(want, s->dim[NDL_V]) - 1];
    ensures session: session_f32(s);
    ensures KV_002: slots: \result ==> s->layer[layer].slots == want;
    ensures SES_001: unchanged: !\result ==> unchanged{Pre, Post}(s);
    ensures off_row_k: off_layer(s, layer, row_k);
    ensures off_row_v: off_layer(s, layer, row_v);
    ensures row_k: \forall integer c; bits(row_k[c]) == \old(bits(row_k[c]));
    ensures row_v: \forall integer c; bits(row_v[c]) == \old(bits(row_v[c]));
    ensures KV_003: kept_k: \result ==> same_f32{Pre, Post}(\old(s->layer[layer].k),
      s->layer[layer].k, off(\old(s->layer[layer].slots), s->dim[NDL_K]));
    ensures KV_003: kept_v: \result ==> same_f32{Pre, Post}(\old(s->layer[layer].v),
      s->layer[layer].v, off(\old(s->layer[layer].slots), s->dim[NDL_V]));
    ensures KV_003: fresh_k: \result ==> value_f32(s->layer[layer].k,
      off(\old(s->layer[layer].slots), s->dim[NDL_K]), off(want, s->dim[NDL_K]), (float)0.0);
    ensures KV_003: fresh_v: \result ==> value_f32(s->layer[layer].v,
      off(\old(s->layer[layer].slots), s->dim[NDL_V]), off(want, s->dim[NDL_V]), (float)0.0);
    ensures KV_009: others: f32_others{Pre, Post}(s, layer);
    ensures KV_009: tails: tails_kept{Pre, Post}(s);
    ensures KV_009: sites: sites_kept{Pre, Post}(s);
*/
static bool grow_f32(ndl_session *s, size_t layer, size_t want)
/*@ ghost (const float *row_k, const float *row_v) */
{
    const ndl_allocator *a = &s->allocator;
    const ndl_layer *l = &s->layer[layer];

    if (want == l->slots)
        return true;
    const size_t k_dim = s->dim[NDL_K], v_dim = s->dim[NDL_V];
    const size_t k_n = ndl_ring_at(want, k_dim), v_n = ndl_ring_at(want, v_dim);
    float *k = ndl_alloc_f32(a, k_n) /*@ ghost (s, row_k, row_v, row_k) */;
    float *v = ndl_alloc_f32(a, v_n) /*@ ghost (s, row_k, row_v, k) */;

    if (k == NULL || v == NULL) {
        ndl_release_f32(a, k, k_n);
        ndl_release_f32(a, v, v_n);
        return false;
    }
    ndl_ring_grow_f32(k, l->k, l->slots, want, k_dim, 0.0f);
    ndl_ring_grow_f32(v, l->v, l->slots, want, v_dim, 0.0f);
    adopt_f32(s, layer, want, k, v);
    return true;
}

/* Write a row of k and one of v to slot pos mod slots. */
/*@ requires session: session_f32(s);
    requires layer: layer < s->geometry.num_layers;
    requires row_k: \valid_read(k + (0 .. s->dim[NDL_K] - 1)) && off_layer(s, layer, k);
    requires row_v: \valid_read(v + (0 .. s->dim[NDL_V] - 1)) && off_layer(s, layer, v);
    terminates \true;
    exits \false;
    assigns
      s->layer[layer].k[off(md(pos, s->layer[layer].slots), s->dim[NDL_K]) ..
        off(md(pos, s->layer[layer].slots), s->dim[NDL_K]) + s->dim[NDL_K] - 1],
      s->layer[layer].v[off(md(pos, s->layer[layer].slots), s->dim[NDL_V]) ..
        off(md(pos, s->layer[layer].slots), s->dim[NDL_V]) + s->dim[NDL_V] - 1];
    ensures KV_004: k: row_f32{Pre, Post}(k, s->layer[layer].k, s->layer[layer].slots,
      s->dim[NDL_K], pos);
    ensures KV_004: v: row_f32{Pre, Post}(v, s->layer[layer].v, s->layer[layer].slots,
      s->dim[NDL_V], pos);
    ensures KV_012: kept_k: kept_f32{Pre, Post}(s->layer[layer].k, s->layer[layer].k,
      s->layer[layer].slots, s->layer[layer].slots, s->dim[NDL_K], pos);
    ensures KV_012: kept_v: kept_f32{Pre, Post}(s->layer[layer].v, s->layer[layer].v,
      s->layer[layer].slots, s->layer[layer].slots, s->dim[NDL_V], pos);
    ensures KV_009: others: f32_others{Pre, Post}(s, layer);
    ensures KV_009: tails: tails_kept{Pre, Post}(s);
    ensures KV_009: sites: sites_kept{Pre, Post}(s);
*/
static void put_f32(const ndl_session *s, size_t layer, size_t pos, const float *k, const float *v)
{
    const ndl_layer *l = &s->layer[layer];

    ndl_ring_write_f32(l->k, l->slots, s->dim[NDL_K], pos, k);
    ndl_ring_write_f32(l->v, l->slots, s->dim[NDL_V], pos, v);
}

/* Remember that position pos was written. */
/*@ requires session: session_f32(s);
    requires layer: layer < s->geometry.num_layers;
    requires pos: pos < SIZE_MAX;
    requires fits: s->layer[layer].slots < s->layer[layer].cap ==> pos < s->layer[layer].slots;
    terminates \true;
    exits \false;
    assigns s->layer[layer].written;
    ensures session: session_f32(s);
    ensures KV_010: written:
      s->layer[layer].written == \max(\old(s->layer[layer].written), pos + 1);
*/
static void note_f32(ndl_session *s, size_t layer, size_t pos)
{
    if (pos >= s->layer[layer].written)
        s->layer[layer].written = pos + 1;
    //@ assert layers: s->geometry.num_layers == \at(s->geometry.num_layers, Pre);
    //@ assert k_dim: s->dim[NDL_K] == \at(s->dim[NDL_K], Pre);
    //@ assert v_dim: s->dim[NDL_V] == \at(s->dim[NDL_V], Pre);
    //@ assert heads: s->geometry.num_kv_heads == \at(s->geometry.num_kv_heads, Pre);
    /*@ assert slots: \forall integer i; 0 <= i < s->geometry.num_layers ==>
          s->layer[i].slots == \at(s->layer[i].slots, Pre); */
    /*@ assert caps: \forall integer i; 0 <= i < s->geometry.num_layers ==>
          s->layer[i].cap == \at(s->layer[i].cap, Pre); */
    //@ assert numbers: numbers_ok(s);
    //@ assert frame: frame_ok(s);
    //@ assert layers_ok: layers_ok(s);
    //@ assert valid: valid_f32(s);
    //@ assert apart_k: apart_k(s);
    //@ assert apart_v: apart_v(s);
    //@ assert apart_kv: apart_kv(s);
    //@ assert tails_k: tails_k(s);
    //@ assert sites_k: sites_k(s);
    //@ assert tails_v: tails_v(s);
    //@ assert sites_v: sites_v(s);
}

ndl_status ndl_f32_write(ndl_session *s, size_t layer, size_t pos, const float *k, const float *v)
{
    const ndl_layer *l = &s->layer[layer];
    const size_t want = ndl_ring_want(l->slots, l->cap, pos);

    if (!grow_f32(s, layer, want) /*@ ghost (k, v) */)
        return NDL_E_MEMORY;
    note_f32(s, layer, pos);
    //@ assert slots: s->layer[layer].slots == want;
    //@ assert k_dim: s->dim[NDL_K] == \at(s->dim[NDL_K], Pre);
    //@ assert v_dim: s->dim[NDL_V] == \at(s->dim[NDL_V], Pre);
    //@ assert f32_grown: f32_others{Pre, Here}(s, layer);
    //@ assert tails_grown: tails_kept{Pre, Here}(s);
    //@ assert sites_grown: sites_kept{Pre, Here}(s);
    //@ ghost Grown: ;
    put_f32(s, layer, pos, k, v);
    /*@ assert row_k: row_f32{Pre, Here}(k, s->layer[layer].k, want, s->dim[NDL_K], pos); */
    /*@ assert row_v: row_f32{Pre, Here}(v, s->layer[layer].v, want, s->dim[NDL_V], pos); */
    /*@ assert kept_k: kept_f32{Pre, Here}(\at(s->layer[layer].k, Pre), s->layer[layer].k,
          \at(s->layer[layer].slots, Pre), want, s->dim[NDL_K], pos); */
    /*@ assert fresh_k: fresh_f32(s->layer[layer].k, \at(s->layer[layer].slots, Pre), want,
          s->dim[NDL_K], pos, (float)0.0); */
    /*@ assert kept_v: kept_f32{Pre, Here}(\at(s->layer[layer].v, Pre), s->layer[layer].v,
          \at(s->layer[layer].slots, Pre), want, s->dim[NDL_V], pos); */
    /*@ assert fresh_v: fresh_f32(s->layer[layer].v, \at(s->layer[layer].slots, Pre), want,
          s->dim[NDL_V], pos, (float)0.0); */
    //@ assert f32_put: f32_others{Grown, Here}(s, layer);
    //@ assert tails_put: tails_kept{Grown, Here}(s);
    //@ assert sites_put: sites_kept{Grown, Here}(s);
    //@ assert where: s->layer == \at(s->layer, Pre) && s->site_tail == \at(s->site_tail, Pre);
    /*@ assert many: s->geometry.num_layers == \at(s->geometry.num_layers, Pre) &&
          s->geometry.engram.num_sites == \at(s->geometry.engram.num_sites, Pre); */
    //@ assert others: f32_others{Pre, Here}(s, layer);
    //@ assert tails: tails_kept{Pre, Here}(s);
    //@ assert sites: sites_kept{Pre, Here}(s);
    return NDL_OK;
}
