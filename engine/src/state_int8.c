/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_int8.h"

#include "ring.h"
#include "ring_int8.h"
#include "trusted/alloc.h"

/* Replace the rings of a layer by others, of want slots. */
/*@ requires session: session_int8(s);
    requires layer: layer < s->geometry.num_layers;
    requires more: s->layer[layer].slots < want <= s->layer[layer].cap;
    requires k_codes: \valid(k_codes + (0 .. off(want, s->dim[NDL_K]) - 1)) &&
      off_codes(s, k_codes);
    requires v_codes: \valid(v_codes + (0 .. off(want, s->dim[NDL_V]) - 1)) &&
      off_codes(s, v_codes);
    requires k_scales: \valid(k_scales + (0 .. off(want, s->geometry.num_kv_heads) - 1)) &&
      off_scales(s, k_scales) &&
      off_tails(s, k_scales);
    requires v_scales: \valid(v_scales + (0 .. off(want, s->geometry.num_kv_heads) - 1)) &&
      off_scales(s, v_scales) &&
      off_tails(s, v_scales);
    requires apart: \base_addr(k_codes) != \base_addr(v_codes) &&
      \base_addr(k_scales) != \base_addr(v_scales);
    terminates \true;
    exits \false;
    assigns s->layer[layer].slots, s->layer[layer].k_codes, s->layer[layer].v_codes,
      s->layer[layer].k_scales, s->layer[layer].v_scales;
    ensures session: session_int8(s);
    ensures slots: s->layer[layer].slots == want;
    ensures k_codes: s->layer[layer].k_codes == k_codes;
    ensures v_codes: s->layer[layer].v_codes == v_codes;
    ensures k_scales: s->layer[layer].k_scales == k_scales;
    ensures v_scales: s->layer[layer].v_scales == v_scales;
*/
static void adopt_int8(ndl_session *s, size_t layer, size_t want, int8_t *k_codes, int8_t *v_codes,
                       float *k_scales, float *v_scales)
{
    const ndl_allocator *a = &s->allocator;
    ndl_layer *l = &s->layer[layer];

    ndl_release_i8(a, l->k_codes, ndl_ring_at(l->slots, s->dim[NDL_K]));
    ndl_release_i8(a, l->v_codes, ndl_ring_at(l->slots, s->dim[NDL_V]));
    ndl_release_f32(a, l->k_scales, ndl_ring_at(l->slots, s->geometry.num_kv_heads));
    ndl_release_f32(a, l->v_scales, ndl_ring_at(l->slots, s->geometry.num_kv_heads));
    l->k_codes = k_codes;
    l->v_codes = v_codes;
    l->k_scales = k_scales;
    l->v_scales = v_scales;
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
    //@ assert valid: valid_int8(s);
    //@ assert apart_k_codes: apart_k_codes(s);
    //@ assert apart_v_codes: apart_v_codes(s);
    //@ assert apart_kv_codes: apart_kv_codes(s);
    //@ assert apart_k_scales: apart_k_scales(s);
    //@ assert apart_v_scales: apart_v_scales(s);
    //@ assert apart_kv_scales: apart_kv_scales(s);
    //@ assert tails_k_scales: tails_k_scales(s);
    //@ assert sites_k_scales: sites_k_scales(s);
    //@ assert tails_v_scales: tails_v_scales(s);
    //@ assert sites_v_scales: sites_v_scales(s);
}

/* Grow the rings of a layer to want slots if they have fewer; false when memory
 * cannot be had. All are there before any is replaced, so that nothing has
 * changed then. */
/*@ requires session: session_int8(s);
    requires layer: layer < s->geometry.num_layers;
    requires more: s->layer[layer].slots <= want <= s->layer[layer].cap;
    requires off_row_k: off_layer(s, layer, row_k);
    requires off_row_v: off_layer(s, layer, row_v);
    terminates \true;
    exits \false;
    assigns s->layer[layer].slots, s->layer[layer].k_codes, s->layer[layer].v_codes,
      s->layer[layer].k_scales, s->layer[layer].v_scales,
      \at(s->layer[layer].k_codes, Post)[0 .. off(want, s->dim[NDL_K]) - 1],
      \at(s->layer[layer].v_codes, Post)[0 .. off(want, s->dim[NDL_V]) - 1],
      \at(s->layer[layer].k_scales, Post)[0 .. off(want, s->geometry.num_kv_heads) - 1],
      \at(s->layer[layer].v_scales, Post)[0 .. off(want, s->geometry.num_kv_heads) - 1];
    ensures session: session_int8(s);
    ensures KV_002: slots: \result ==> s->layer[layer].slots == want;
    ensures SES_001: unchanged: !\result ==> unchanged{Pre, Post}(s);
    ensures off_row_k: off_layer(s, layer, row_k);
    ensures off_row_v: off_layer(s, layer, row_v);
    ensures row_k: \forall integer c; bits(row_k[c]) == \old(bits(row_k[c]));
    ensures row_v: \forall integer c; bits(row_v[c]) == \old(bits(row_v[c]));
    ensures KV_003: kept_k_codes: \result ==> same_i8{Pre, Post}(\old(s->layer[layer].k_codes),
      s->layer[layer].k_codes, off(\old(s->layer[layer].slots), s->dim[NDL_K]));
    ensures KV_003: kept_v_codes: \result ==> same_i8{Pre, Post}(\old(s->layer[layer].v_codes),
      s->layer[layer].v_codes, off(\old(s->layer[layer].slots), s->dim[NDL_V]));
    ensures KV_003: kept_k_scales: \result ==> same_f32{Pre, Post}(\old(s->layer[layer].k_scales),
      s->layer[layer].k_scales, off(\old(s->layer[layer].slots), s->geometry.num_kv_heads));
    ensures KV_003: kept_v_scales: \result ==> same_f32{Pre, Post}(\old(s->layer[layer].v_scales),
      s->layer[layer].v_scales, off(\old(s->layer[layer].slots), s->geometry.num_kv_heads));
    ensures KV_003: fresh_k_codes: \result ==> value_i8(s->layer[layer].k_codes,
      off(\old(s->layer[layer].slots), s->dim[NDL_K]), off(want, s->dim[NDL_K]), 0);
    ensures KV_003: fresh_v_codes: \result ==> value_i8(s->layer[layer].v_codes,
      off(\old(s->layer[layer].slots), s->dim[NDL_V]), off(want, s->dim[NDL_V]), 0);
    ensures KV_003: fresh_k_scales: \result ==> value_f32(s->layer[layer].k_scales,
      off(\old(s->layer[layer].slots), s->geometry.num_kv_heads), off(want,
        s->geometry.num_kv_heads), (float)1.0);
    ensures KV_003: fresh_v_scales: \result ==> value_f32(s->layer[layer].v_scales,
      off(\old(s->layer[layer].slots), s->geometry.num_kv_heads), off(want,
        s->geometry.num_kv_heads), (float)1.0);
    ensures KV_009: codes: codes_others{Pre, Post}(s, layer);
    ensures KV_009: scales: scales_others{Pre, Post}(s, layer);
    ensures KV_009: tails: tails_kept{Pre, Post}(s);
    ensures KV_009: sites: sites_kept{Pre, Post}(s);
*/
static bool grow_int8(ndl_session *s, size_t layer, size_t want)
/*@ ghost (const float *row_k, const float *row_v) */
{
    const ndl_allocator *a = &s->allocator;
    const ndl_layer *l = &s->layer[layer];

    if (want == l->slots)
        return true;
    const size_t k_dim = s->dim[NDL_K], v_dim = s->dim[NDL_V], heads = s->geometry.num_kv_heads;
    const size_t k_n = ndl_ring_at(want, k_dim), v_n = ndl_ring_at(want, v_dim);
    const size_t scales_n = ndl_ring_at(want, heads);
    int8_t *k_codes = ndl_alloc_i8(a, k_n) /*@ ghost (s, NULL) */;
    int8_t *v_codes = ndl_alloc_i8(a, v_n) /*@ ghost (s, k_codes) */;
    float *k_scales = ndl_alloc_f32(a, scales_n) /*@ ghost (s, row_k, row_v, row_k) */;
    float *v_scales = ndl_alloc_f32(a, scales_n) /*@ ghost (s, row_k, row_v, k_scales) */;

    if (k_codes == NULL || v_codes == NULL || k_scales == NULL || v_scales == NULL) {
        ndl_release_i8(a, k_codes, k_n);
        ndl_release_i8(a, v_codes, v_n);
        ndl_release_f32(a, k_scales, scales_n);
        ndl_release_f32(a, v_scales, scales_n);
        return false;
    }
    ndl_ring_grow_i8(k_codes, l->k_codes, l->slots, want, k_dim, 0);
    ndl_ring_grow_i8(v_codes, l->v_codes, l->slots, want, v_dim, 0);
    ndl_ring_grow_f32(k_scales, l->k_scales, l->slots, want, heads, 1.0f);
    ndl_ring_grow_f32(v_scales, l->v_scales, l->slots, want, heads, 1.0f);
    adopt_int8(s, layer, want, k_codes, v_codes, k_scales, v_scales);
    return true;
}

/* Write a row of k and one of v to slot pos mod slots. */
/*@ requires session: session_int8(s);
    requires layer: layer < s->geometry.num_layers;
    requires row_k: \valid_read(k + (0 .. s->dim[NDL_K] - 1)) && off_layer(s, layer, k);
    requires row_v: \valid_read(v + (0 .. s->dim[NDL_V] - 1)) && off_layer(s, layer, v);
    terminates \true;
    exits \false;
    assigns
      s->layer[layer].k_codes[off(md(pos, s->layer[layer].slots), s->dim[NDL_K]) ..
        off(md(pos, s->layer[layer].slots), s->dim[NDL_K]) + s->dim[NDL_K] - 1],
      s->layer[layer].v_codes[off(md(pos, s->layer[layer].slots), s->dim[NDL_V]) ..
        off(md(pos, s->layer[layer].slots), s->dim[NDL_V]) + s->dim[NDL_V] - 1],
      s->layer[layer].k_scales[off(md(pos, s->layer[layer].slots), s->geometry.num_kv_heads) ..
        off(md(pos, s->layer[layer].slots),
          s->geometry.num_kv_heads) + s->geometry.num_kv_heads - 1],
      s->layer[layer].v_scales[off(md(pos, s->layer[layer].slots), s->geometry.num_kv_heads) ..
        off(md(pos, s->layer[layer].slots),
          s->geometry.num_kv_heads) + s->geometry.num_kv_heads - 1];
    ensures KV_005: k_codes: row_codes{Pre, Post}(s->numerics, k, s->layer[layer].k_codes,
      s->layer[layer].slots, s->geometry.num_kv_heads, s->geometry.qk_head_dim, pos);
    ensures KV_005: k_scales: row_scales{Pre, Post}(k, s->layer[layer].k_scales,
      s->layer[layer].slots, s->geometry.num_kv_heads, s->geometry.qk_head_dim, pos);
    ensures KV_005: v_codes: row_codes{Pre, Post}(s->numerics, v, s->layer[layer].v_codes,
      s->layer[layer].slots, s->geometry.num_kv_heads, s->geometry.v_head_dim, pos);
    ensures KV_005: v_scales: row_scales{Pre, Post}(v, s->layer[layer].v_scales,
      s->layer[layer].slots, s->geometry.num_kv_heads, s->geometry.v_head_dim, pos);
    ensures KV_012: kept_k_codes: kept_i8{Pre, Post}(s->layer[layer].k_codes,
      s->layer[layer].k_codes,
      s->layer[layer].slots, s->layer[layer].slots, s->dim[NDL_K], pos);
    ensures KV_012: kept_v_codes: kept_i8{Pre, Post}(s->layer[layer].v_codes,
      s->layer[layer].v_codes,
      s->layer[layer].slots, s->layer[layer].slots, s->dim[NDL_V], pos);
    ensures KV_012: kept_k_scales: kept_f32{Pre, Post}(s->layer[layer].k_scales,
      s->layer[layer].k_scales,
      s->layer[layer].slots, s->layer[layer].slots, s->geometry.num_kv_heads, pos);
    ensures KV_012: kept_v_scales: kept_f32{Pre, Post}(s->layer[layer].v_scales,
      s->layer[layer].v_scales,
      s->layer[layer].slots, s->layer[layer].slots, s->geometry.num_kv_heads, pos);
    ensures KV_009: codes: codes_others{Pre, Post}(s, layer);
    ensures KV_009: scales: scales_others{Pre, Post}(s, layer);
    ensures KV_009: tails: tails_kept{Pre, Post}(s);
    ensures KV_009: sites: sites_kept{Pre, Post}(s);
*/
static void put_int8(const ndl_session *s, size_t layer, size_t pos, const float *k, const float *v)
{
    const ndl_layer *l = &s->layer[layer];
    const ndl_geometry *g = &s->geometry;

    //@ assert k_dim: off(s->geometry.num_kv_heads, s->geometry.qk_head_dim) == s->dim[NDL_K];
    //@ assert v_dim: off(s->geometry.num_kv_heads, s->geometry.v_head_dim) == s->dim[NDL_V];
    ndl_ring_write_int8(s->numerics, l->k_codes, l->k_scales, l->slots, g->num_kv_heads,
                        g->qk_head_dim, pos, k);
    //@ ghost Between: ;
    //@ assert codes: codes_others{Pre, Here}(s, layer);
    //@ assert scales: scales_others{Pre, Here}(s, layer);
    //@ assert row_v: \forall integer c; bits(v[c]) == \at(bits(v[c]), Pre);
    /*@ assert heads_v: \forall integer key, t, h;
          is_row{Pre}(v + off(h, s->geometry.v_head_dim), s->geometry.v_head_dim, key, t) ==>
          is_row(v + off(h, s->geometry.v_head_dim), s->geometry.v_head_dim, key, t); */
    /*@ assert same_v_codes: \forall integer e;
          s->layer[layer].v_codes[e] == \at(s->layer[layer].v_codes[e], Pre); */
    /*@ assert same_v_scales: \forall integer e;
          bits(s->layer[layer].v_scales[e]) == \at(bits(s->layer[layer].v_scales[e]), Pre); */
    ndl_ring_write_int8(s->numerics, l->v_codes, l->v_scales, l->slots, g->num_kv_heads,
                        g->v_head_dim, pos, v);
    /*@ assert same_k_codes: \forall integer e;
          s->layer[layer].k_codes[e] == \at(s->layer[layer].k_codes[e], Between); */
    /*@ assert same_k_scales: \forall integer e;
          bits(s->layer[layer].k_scales[e]) == \at(bits(s->layer[layer].k_scales[e]), Between); */
    //@ assert codes: codes_others{Between, Here}(s, layer);
    //@ assert scales: scales_others{Between, Here}(s, layer);
}

/* Remember that position pos was written. */
/*@ requires session: session_int8(s);
    requires layer: layer < s->geometry.num_layers;
    requires pos: pos < SIZE_MAX;
    requires fits: s->layer[layer].slots < s->layer[layer].cap ==> pos < s->layer[layer].slots;
    terminates \true;
    exits \false;
    assigns s->layer[layer].written;
    ensures session: session_int8(s);
    ensures KV_010: written:
      s->layer[layer].written == \max(\old(s->layer[layer].written), pos + 1);
*/
static void note_int8(ndl_session *s, size_t layer, size_t pos)
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
    //@ assert valid: valid_int8(s);
    //@ assert apart_k_codes: apart_k_codes(s);
    //@ assert apart_v_codes: apart_v_codes(s);
    //@ assert apart_kv_codes: apart_kv_codes(s);
    //@ assert apart_k_scales: apart_k_scales(s);
    //@ assert apart_v_scales: apart_v_scales(s);
    //@ assert apart_kv_scales: apart_kv_scales(s);
    //@ assert tails_k_scales: tails_k_scales(s);
    //@ assert sites_k_scales: sites_k_scales(s);
    //@ assert tails_v_scales: tails_v_scales(s);
    //@ assert sites_v_scales: sites_v_scales(s);
}

ndl_status ndl_int8_write(ndl_session *s, size_t layer, size_t pos, const float *k, const float *v)
{
    const ndl_layer *l = &s->layer[layer];
    const size_t want = ndl_ring_want(l->slots, l->cap, pos);

    if (!grow_int8(s, layer, want) /*@ ghost (k, v) */)
        return NDL_E_MEMORY;
    note_int8(s, layer, pos);
    //@ assert slots: s->layer[layer].slots == want;
    //@ assert k_dim: s->dim[NDL_K] == \at(s->dim[NDL_K], Pre);
    //@ assert v_dim: s->dim[NDL_V] == \at(s->dim[NDL_V], Pre);
    //@ assert heads: s->geometry.num_kv_heads == \at(s->geometry.num_kv_heads, Pre);
    //@ assert qk: s->geometry.qk_head_dim == \at(s->geometry.qk_head_dim, Pre);
    //@ assert v: s->geometry.v_head_dim == \at(s->geometry.v_head_dim, Pre);
    //@ assert numerics: s->numerics == \at(s->numerics, Pre);
    //@ assert codes_grown: codes_others{Pre, Here}(s, layer);
    //@ assert scales_grown: scales_others{Pre, Here}(s, layer);
    //@ assert tails_grown: tails_kept{Pre, Here}(s);
    //@ assert sites_grown: sites_kept{Pre, Here}(s);
    /*@ assert heads_k: \forall integer key, t, h;
          is_row{Pre}(k + off(h, s->geometry.qk_head_dim), s->geometry.qk_head_dim, key, t) ==>
          is_row(k + off(h, s->geometry.qk_head_dim), s->geometry.qk_head_dim, key, t); */
    /*@ assert heads_v: \forall integer key, t, h;
          is_row{Pre}(v + off(h, s->geometry.v_head_dim), s->geometry.v_head_dim, key, t) ==>
          is_row(v + off(h, s->geometry.v_head_dim), s->geometry.v_head_dim, key, t); */
    //@ ghost Grown: ;
    put_int8(s, layer, pos, k, v);
    /*@ assert row_v_scales: row_scales{Pre, Here}(v, s->layer[layer].v_scales, want,
          s->geometry.num_kv_heads, s->geometry.v_head_dim, pos); */
    /*@ assert row_k_scales: row_scales{Pre, Here}(k, s->layer[layer].k_scales, want,
          s->geometry.num_kv_heads, s->geometry.qk_head_dim, pos); */
    /*@ assert row_v_codes: row_codes{Pre, Here}(s->numerics, v, s->layer[layer].v_codes, want,
          s->geometry.num_kv_heads, s->geometry.v_head_dim, pos); */
    /*@ assert row_k_codes: row_codes{Pre, Here}(s->numerics, k, s->layer[layer].k_codes, want,
          s->geometry.num_kv_heads, s->geometry.qk_head_dim, pos); */
    /*@ assert kept_k_codes: kept_i8{Pre, Here}(\at(s->layer[layer].k_codes, Pre),
          s->layer[layer].k_codes, \at(s->layer[layer].slots, Pre), want, s->dim[NDL_K], pos); */
    /*@ assert fresh_k_codes: fresh_i8(s->layer[layer].k_codes,
          \at(s->layer[layer].slots, Pre), want, s->dim[NDL_K], pos); */
    /*@ assert kept_v_codes: kept_i8{Pre, Here}(\at(s->layer[layer].v_codes, Pre),
          s->layer[layer].v_codes, \at(s->layer[layer].slots, Pre), want, s->dim[NDL_V], pos); */
    /*@ assert fresh_v_codes: fresh_i8(s->layer[layer].v_codes,
          \at(s->layer[layer].slots, Pre), want, s->dim[NDL_V], pos); */
    /*@ assert kept_k_scales: kept_f32{Pre, Here}(\at(s->layer[layer].k_scales, Pre),
          s->layer[layer].k_scales, \at(s->layer[layer].slots, Pre), want,
          s->geometry.num_kv_heads, pos); */
    /*@ assert fresh_k_scales: fresh_f32(s->layer[layer].k_scales,
          \at(s->layer[layer].slots, Pre), want, s->geometry.num_kv_heads, pos, (float)1.0); */
    /*@ assert kept_v_scales: kept_f32{Pre, Here}(\at(s->layer[layer].v_scales, Pre),
          s->layer[layer].v_scales, \at(s->layer[layer].slots, Pre), want,
          s->geometry.num_kv_heads, pos); */
    /*@ assert fresh_v_scales: fresh_f32(s->layer[layer].v_scales,
          \at(s->layer[layer].slots, Pre), want, s->geometry.num_kv_heads, pos, (float)1.0); */
    //@ assert codes_put: codes_others{Grown, Here}(s, layer);
    //@ assert scales_put: scales_others{Grown, Here}(s, layer);
    //@ assert tails_put: tails_kept{Grown, Here}(s);
    //@ assert sites_put: sites_kept{Grown, Here}(s);
    //@ assert where: s->layer == \at(s->layer, Pre) && s->site_tail == \at(s->site_tail, Pre);
    /*@ assert many: s->geometry.num_layers == \at(s->geometry.num_layers, Pre) &&
          s->geometry.engram.num_sites == \at(s->geometry.engram.num_sites, Pre); */
    //@ assert codes: codes_others{Pre, Here}(s, layer);
    //@ assert scales: scales_others{Pre, Here}(s, layer);
    //@ assert tails: tails_kept{Pre, Here}(s);
    //@ assert sites: sites_kept{Pre, Here}(s);
    /*@ assert place_k: 0 <= off(md(pos, want), s->dim[NDL_K]) &&
          off(md(pos, want), s->dim[NDL_K]) + s->dim[NDL_K] <=
            off(s->layer[layer].cap, s->dim[NDL_K]); */
    /*@ assert place_v: 0 <= off(md(pos, want), s->dim[NDL_V]) &&
          off(md(pos, want), s->dim[NDL_V]) + s->dim[NDL_V] <=
            off(s->layer[layer].cap, s->dim[NDL_V]); */
    /*@ assert place_heads: 0 <= off(md(pos, want), s->geometry.num_kv_heads) &&
          off(md(pos, want), s->geometry.num_kv_heads) + s->geometry.num_kv_heads <=
            off(s->layer[layer].cap, s->geometry.num_kv_heads); */
    return NDL_OK;
}
