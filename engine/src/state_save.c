/* Sessions as bytes, and back. The layout: state_save.h.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_save.h"

#include "state.h"

#include "geometry.h"
#include "little.h"
#include "ring.h"
#include "state_load.h"
#include "state_make.h"
#include "state_pos.h"
#include "state_put.h"
#include "trusted/bytes.h"

#define VERSION 1

/* Where the numbers of the header stand. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_LENGTH = 16,
    AT_GEOMETRY = 24,
    AT_PRECISION = 32,
    AT_NUMERICS = 40,
    AT_HINT = 48,
    AT_POS = 56,
    AT_HELD = 64
};

/* "ndl-save" as the number that its bytes are. */
#define MAGIC UINT64_C(0x657661732D6C646E)

uint64_t ndl_geometry_hash(const ndl_geometry *g)
{
    const ndl_engram *e = &g->engram;
    uint64_t hash = NDL_FNV1A64;

    hash = ndl_fnv1a64_number(hash, g->vocab_size);
    hash = ndl_fnv1a64_number(hash, g->d_model);
    hash = ndl_fnv1a64_number(hash, g->num_heads);
    hash = ndl_fnv1a64_number(hash, g->num_kv_heads);
    hash = ndl_fnv1a64_number(hash, g->num_layers);
    //@ assert model: hash == hash_model(g);
    hash = ndl_fnv1a64_number(hash, g->qk_head_dim);
    hash = ndl_fnv1a64_number(hash, g->v_head_dim);
    hash = ndl_fnv1a64_number(hash, g->max_seq_len);
    hash = ndl_fnv1a64_number(hash, g->sliding_window);
    //@ assert attention: hash == hash_attention(g);
    /*@ loop invariant some: 0 <= i <= g->num_layers;
        loop invariant globals: hash == hash_globals(hash_attention(g), g, i);
        loop assigns i, hash;
        loop variant g->num_layers - i; */
    for (size_t i = 0; i < g->num_layers; i++)
        hash = ndl_fnv1a64_number(hash, g->is_global[i] != 0);
    //@ assert layers: hash == hash_layers(g);
    hash = ndl_fnv1a64_number(hash, g->qkv_conv_taps);
    hash = ndl_fnv1a64_number(hash, e->num_orders);
    /*@ loop invariant some: 0 <= i <= e->num_orders;
        loop invariant orders: hash == hash_orders(fnv_number(fnv_number(hash_layers(g),
          g->qkv_conv_taps), e->num_orders), g, i);
        loop assigns i, hash;
        loop variant e->num_orders - i; */
    for (size_t i = 0; i < e->num_orders; i++)
        hash = ndl_fnv1a64_number(hash, e->orders[i]);
    //@ assert tables: hash == hash_tables(g);
    hash = ndl_fnv1a64_number(hash, e->heads);
    hash = ndl_fnv1a64_number(hash, e->slots);
    hash = ndl_fnv1a64_number(hash, e->sub_dim);
    hash = ndl_fnv1a64_number(hash, e->num_sites);
    /*@ loop invariant some: 0 <= i <= e->num_sites;
        loop invariant sites: hash == hash_sites(fnv_number(fnv_number(fnv_number(fnv_number(
          hash_tables(g), e->heads), e->slots), e->sub_dim), e->num_sites), g, i);
        loop assigns i, hash;
        loop variant e->num_sites - i; */
    for (size_t i = 0; i < e->num_sites; i++)
        hash = ndl_fnv1a64_number(hash, e->sites[i]);
    //@ assert engram: hash == hash_engram(g);
    hash = ndl_fnv1a64_number(hash, e->conv_taps);
    hash = ndl_fnv1a64_number(hash, e->conv_dilation);
    return ndl_fnv1a64_number(hash, e->seed_heads);
}

/* ------------------------------------------------------------------- saving */

/* No sum here overflows: ndl_bytes keeps to NDL_MAX_BYTES. */
size_t ndl_session_save_size(const ndl_session *s)
{
    return NDL_SAVE_HEADER + s->geometry.num_layers * NDL_SAVE_LAYER + ndl_bytes(s) +
           NDL_SAVE_CHECKSUM;
}

/* The bits of n floats at `at`; the end of them. */
/*@ requires to: \valid(at + (0 .. 4 * n - 1));
    requires from: \valid_read(x + (0 .. n - 1));
    requires fits: 4 * n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns at[0 .. 4 * n - 1];
    ensures end: \result == at + 4 * n;
    ensures SES_010: floats: floats_of(at, x, n);
    ensures others: numbers_kept{Pre, Post}(at, 4 * n);
*/
static uint8_t *put_floats(uint8_t *at, const float *x, size_t n)
{
    ndl_put_f32(at, x, n);
    return at + 4 * n;
}

/* n codes at `at`; the end of them. */
/*@ requires to: \valid(at + (0 .. n - 1));
    requires from: \valid_read(x + (0 .. n - 1));
    requires apart: \separated(at + (0 .. n - 1), x + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns at[0 .. n - 1];
    ensures end: \result == at + n;
    ensures SES_010: codes: codes_of(at, x, n);
    ensures others: numbers_kept{Pre, Post}(at, n);
*/
static uint8_t *put_codes(uint8_t *at, const int8_t *x, size_t n)
{
    ndl_put_i8(at, x, n);
    return at + n;
}

/* A number, `at` bytes behind the first. */
/*@ requires to: \valid(bytes + (at .. at + 7));
    terminates \true;
    exits \false;
    assigns bytes[at .. at + 7];
    ensures SES_010: number: u64_at(bytes + at) == x;
    ensures others: \forall integer k; k + 8 <= at || at + 8 <= k ==>
      u64_at(bytes + k) == \old(u64_at(bytes + k));
    ensures elsewhere: numbers_kept{Pre, Post}(bytes + at, 8);
*/
static void put_number(uint8_t *bytes, size_t at, uint64_t x)
{
    ndl_put_u64(bytes + at, x);
}

/* The header of a save of len bytes. */
/*@ requires to: \valid(bytes + (0 .. NDL_SAVE_HEADER - 1));
    requires session: \valid_read(s) && counts_fit(&s->geometry);
    requires apart: \base_addr(bytes) != \base_addr(s);
    terminates \true;
    exits \false;
    assigns bytes[0 .. NDL_SAVE_HEADER - 1];
    ensures SES_010: frame: save_versioned(bytes, NDL_SAVE_HEADER) &&
      u64_at(bytes + AT_LENGTH) == len;
    ensures SES_010: geometry: u64_at(bytes + AT_GEOMETRY) == geo_hash{Pre}(&s->geometry);
    ensures SES_010: precision:
      u64_at(bytes + AT_PRECISION) == (s->precision == NDL_INT8 ? 1 : 0);
    ensures SES_010: numerics:
      u64_at(bytes + AT_NUMERICS) == (s->numerics == NDL_UPSTREAM ? 1 : 0);
    ensures SES_010: numbers: u64_at(bytes + AT_HINT) == s->hint &&
      u64_at(bytes + AT_POS) == s->pos && u64_at(bytes + AT_HELD) == s->held;
*/
static void put_header(uint8_t *bytes, const ndl_session *s, size_t len)
{
    const uint64_t geometry = ndl_geometry_hash(&s->geometry);

    put_number(bytes, AT_MAGIC, MAGIC);
    put_number(bytes, AT_VERSION, VERSION);
    put_number(bytes, AT_LENGTH, len);
    put_number(bytes, AT_GEOMETRY, geometry);
    put_number(bytes, AT_PRECISION, s->precision == NDL_INT8 ? 1 : 0);
    put_number(bytes, AT_NUMERICS, s->numerics == NDL_UPSTREAM ? 1 : 0);
    put_number(bytes, AT_HINT, s->hint);
    put_number(bytes, AT_POS, s->pos);
    put_number(bytes, AT_HELD, s->held);
}

/* The stores of a layer of floats at `at`, k and v elements; the end of them. */
/*@ requires layer: \valid_read(l) && \valid_read(l->k + (0 .. k - 1)) &&
      \valid_read(l->v + (0 .. v - 1));
    requires fits: 4 * k + 4 * v <= NDL_MAX_BYTES;
    requires to: \valid(at + (0 .. 4 * k + 4 * v - 1));
    terminates \true;
    exits \false;
    assigns at[0 .. 4 * k + 4 * v - 1];
    ensures end: \result == at + (4 * k + 4 * v);
    ensures others: numbers_kept{Pre, Post}(at, 4 * k + 4 * v);
*/
static uint8_t *put_f32(uint8_t *at, const ndl_layer *l, size_t k, size_t v)
{
    at = put_floats(at, l->k, k);
    return put_floats(at, l->v, v);
}

/* The stores of a layer of codes, with their scales; the end of them. */
/*@ requires layer: \valid_read(l) && \valid_read(l->k_codes + (0 .. k - 1)) &&
      \valid_read(l->v_codes + (0 .. v - 1)) && \valid_read(l->k_scales + (0 .. scales - 1)) &&
      \valid_read(l->v_scales + (0 .. scales - 1));
    requires fits: k + v + 8 * scales <= NDL_MAX_BYTES;
    requires to: \valid(at + (0 .. k + v + 8 * scales - 1));
    requires apart: off_codes_of(l, at);
    terminates \true;
    exits \false;
    assigns at[0 .. k + v + 8 * scales - 1];
    ensures end: \result == at + (k + v + 8 * scales);
    ensures others: numbers_kept{Pre, Post}(at, k + v + 8 * scales);
*/
static uint8_t *put_int8(uint8_t *at, const ndl_layer *l, size_t k, size_t v, size_t scales)
{
    at = put_codes(at, l->k_codes, k);
    at = put_floats(at, l->k_scales, scales);
    //@ assert keys: numbers_kept{Pre, Here}(\at(at, Pre), k + v + 8 * scales);
    at = put_codes(at, l->v_codes, v);
    //@ assert values: numbers_kept{Pre, Here}(\at(at, Pre), k + v + 8 * scales);
    return put_floats(at, l->v_scales, scales);
}

/* The tails of a layer at `at`; the end of them. */
/*@ requires session: \valid_read(s) && \valid_read(l) && tails_readable(s, l);
    requires fits: 4 * tail_elements(s) <= NDL_MAX_BYTES;
    requires to: \valid(at + (0 .. 4 * tail_elements(s) - 1));
    terminates \true;
    exits \false;
    assigns at[0 .. 4 * tail_elements(s) - 1];
    ensures end: \result == at + 4 * tail_elements(s);
    ensures others: numbers_kept{Pre, Post}(at, 4 * tail_elements(s));
*/
static uint8_t *put_tails(uint8_t *at, const ndl_session *s, const ndl_layer *l)
{
    //@ assert q: 0 <= off(s->tail_rows, s->dim[NDL_Q]);
    //@ assert k: 0 <= off(s->tail_rows, s->dim[NDL_K]);
    //@ assert v: 0 <= off(s->tail_rows, s->dim[NDL_V]);
    /*@ assert all: tail_elements(s) == off(s->tail_rows, s->dim[NDL_Q]) +
          off(s->tail_rows, s->dim[NDL_K]) + off(s->tail_rows, s->dim[NDL_V]); */
    /*@ loop invariant some: 0 <= which <= 3;
        loop invariant at: at == \at(at, Pre) + tail_begin(s, which);
        loop invariant others: numbers_kept{Pre, Here}(\at(at, Pre), 4 * tail_elements(s));
        loop assigns which, at, \at(at, Pre)[0 .. 4 * tail_elements(s) - 1];
        loop variant 3 - which; */
    for (size_t which = 0; which < 3; which++) {
        //@ assert which: which == NDL_Q || which == NDL_K || which == NDL_V;
        /*@ assert next: tail_begin(s, which + 1) ==
              tail_begin(s, which) + 4 * off(s->tail_rows, s->dim[which]); */
        /*@ assert within: 0 <= tail_begin(s, which) && 0 <= off(s->tail_rows, s->dim[which]) &&
              tail_begin(s, which + 1) <= 4 * tail_elements(s); */
        at = put_floats(at, l->tail[which], ndl_ring_at(s->tail_rows, s->dim[which]));
    }
    return at;
}

/* The stores and tails of a layer at `at`; the end of them. */
/*@ requires session: \valid_read(s) && \valid_read(l) && layer_there(s, l);
    requires fits: layer_size(s, l) <= NDL_MAX_BYTES;
    requires to: \valid(at + (0 .. layer_size(s, l) - 1));
    requires apart: off_codes_of(l, at);
    terminates \true;
    exits \false;
    assigns at[0 .. layer_size(s, l) - 1];
    ensures end: \result == at + layer_size(s, l);
    ensures others: numbers_kept{Pre, Post}(at, layer_size(s, l));
*/
static uint8_t *put_layer(uint8_t *at, const ndl_session *s, const ndl_layer *l)
{
    const size_t k = ndl_ring_at(l->slots, s->dim[NDL_K]);
    const size_t v = ndl_ring_at(l->slots, s->dim[NDL_V]);
    const size_t scales = ndl_ring_at(l->slots, s->geometry.num_kv_heads);
    /*@ assert f32: s->precision == NDL_F32 ==>
          off(l->slots, 4 * s->dim[NDL_K] + 4 * s->dim[NDL_V]) == 4 * k + 4 * v; */
    /*@ assert int8: s->precision != NDL_F32 ==> off(l->slots, s->dim[NDL_K] + s->dim[NDL_V] +
          4 * s->geometry.num_kv_heads + 4 * s->geometry.num_kv_heads) == k + v + 8 * scales; */
    /*@ assert size: stores_size(s, l) ==
          (s->precision == NDL_F32 ? 4 * k + 4 * v : k + v + 8 * scales); */
    //@ assert tails: 0 <= tail_elements(s);

    if (s->precision == NDL_F32)
        at = put_f32(at, l, k, v);
    else
        at = put_int8(at, l, k, v, scales);
    //@ assert stores: at == \at(at, Pre) + stores_size(s, l);
    //@ assert others: numbers_kept{Pre, Here}(\at(at, Pre), layer_size(s, l));
    return put_tails(at, s, l);
}

/* Each layer's slots and written at `at`; the end of them. */
/*@ requires session: \valid_read(s) && s->geometry.num_layers <= NDL_MAX_LAYERS &&
      \valid_read(s->layer + (0 .. s->geometry.num_layers - 1));
    requires to: \valid(at + (0 .. NDL_SAVE_LAYER * s->geometry.num_layers - 1));
    terminates \true;
    exits \false;
    assigns at[0 .. NDL_SAVE_LAYER * s->geometry.num_layers - 1];
    ensures end: \result == at + NDL_SAVE_LAYER * s->geometry.num_layers;
    ensures others: numbers_kept{Pre, Post}(at, NDL_SAVE_LAYER * s->geometry.num_layers);
*/
static uint8_t *put_table(uint8_t *at, const ndl_session *s)
{
    const size_t layers = s->geometry.num_layers;

    /*@ loop invariant some: 0 <= i <= layers;
        loop invariant at: at == \at(at, Pre) + NDL_SAVE_LAYER * i;
        loop invariant others: numbers_kept{Pre, Here}(\at(at, Pre), NDL_SAVE_LAYER * layers);
        loop assigns i, at, \at(at, Pre)[0 .. NDL_SAVE_LAYER * layers - 1];
        loop variant layers - i; */
    for (size_t i = 0; i < layers; i++) {
        put_number(at, 0, s->layer[i].slots);
        put_number(at, 8, s->layer[i].written);
        at += NDL_SAVE_LAYER;
    }
    return at;
}

/* The history at `at`; the end of it. */
/*@ requires session: \valid_read(s) && \valid_read(s->history + (0 .. s->held - 1));
    requires fits: 4 * s->held <= NDL_MAX_BYTES;
    requires to: \valid(at + (0 .. 4 * s->held - 1));
    terminates \true;
    exits \false;
    assigns at[0 .. 4 * s->held - 1];
    ensures end: \result == at + 4 * s->held;
    ensures others: numbers_kept{Pre, Post}(at, 4 * s->held);
*/
static uint8_t *put_history(uint8_t *at, const ndl_session *s)
{
    /*@ loop invariant some: 0 <= i <= s->held;
        loop invariant at: at == \at(at, Pre) + 4 * i;
        loop invariant others: numbers_kept{Pre, Here}(\at(at, Pre), 4 * s->held);
        loop assigns i, at, \at(at, Pre)[0 .. 4 * s->held - 1];
        loop variant s->held - i; */
    for (size_t i = 0; i < s->held; i++) {
        ndl_put_u32(at, s->history[i]);
        at += 4;
    }
    return at;
}

/* That no part of a save has fewer than no bytes, and layers stand one behind another. */
/*@ ghost
      /@ requires session: savable(s);
         terminates \true;
         exits \false;
         assigns \nothing;
         ensures next: \forall integer i; 0 <= i < s->geometry.num_layers ==>
           layers_begin(s, i + 1) == layers_begin(s, i) + layer_size(s, s->layer + i);
         ensures grows: \forall integer i; 0 <= i <= s->geometry.num_layers ==>
           0 <= layers_begin(s, i) <= layers_begin(s, s->geometry.num_layers);
         ensures least: \forall integer i; 0 <= i < s->geometry.num_layers ==>
           0 <= layer_size(s, s->layer + i);
         ensures sites: 0 <= site_elements(s) &&
           4 * site_elements(s) == off(s->geometry.engram.num_sites, site_size(s));
      @/
      static void parts_fit(const ndl_session *s)
      {
          const size_t layers = s->geometry.num_layers;
          /@ assert tails: 0 <= tail_elements(s); @/
          /@ assert slot: 0 <= slot_size(s); @/
          /@ assert a_site: 0 <= off(s->geometry.engram.num_sites, s->reach); @/
          /@ assert sites: 0 <= site_elements(s); @/
          /@ assert site: site_elements(s) ==
               off(s->geometry.engram.num_sites, off(s->reach, s->geometry.d_model)); @/
          /@ loop invariant some: 0 <= n <= layers;
             loop invariant next: \forall integer i; 0 <= i < n ==>
               layers_begin(s, i + 1) == layers_begin(s, i) + layer_size(s, s->layer + i);
             loop invariant least: \forall integer i; 0 <= i < n ==>
               0 <= layer_size(s, s->layer + i);
             loop invariant grows: \forall integer i; 0 <= i <= n ==>
               0 <= layers_begin(s, i) <= layers_begin(s, n);
             loop assigns n;
             loop variant layers - n; @/
          for (size_t n = 0; n < layers; n++) {
              /@ assert stores: 0 <= stores_size(s, s->layer + n); @/
              /@ assert next: layers_begin(s, n + 1) ==
                   layers_begin(s, n) + layer_size(s, s->layer + n); @/
          }
      }
*/

/* All layers at `at`; the end of them. */
/*@ requires session: savable(s);
    requires to: \valid(at + (0 .. layers_begin(s, s->geometry.num_layers) - 1));
    requires apart: off_session(s, at);
    terminates \true;
    exits \false;
    assigns at[0 .. layers_begin(s, s->geometry.num_layers) - 1];
    ensures end: \result == at + layers_begin(s, s->geometry.num_layers);
    ensures others: numbers_kept{Pre, Post}(at, layers_begin(s, s->geometry.num_layers));
*/
static uint8_t *put_layers(uint8_t *at, const ndl_session *s)
{
    const size_t layers = s->geometry.num_layers;
    //@ ghost parts_fit(s);

    /*@ loop invariant some: 0 <= i <= layers;
        loop invariant at: at == \at(at, Pre) + layers_begin(s, i);
        loop invariant others: numbers_kept{Pre, Here}(\at(at, Pre), layers_begin(s, layers));
        loop assigns i, at, \at(at, Pre)[0 .. layers_begin(s, layers) - 1];
        loop variant layers - i; */
    for (size_t i = 0; i < layers; i++) {
        //@ assert next: layers_begin(s, i + 1) == layers_begin(s, i) + layer_size(s, s->layer + i);
        //@ assert begin: 0 <= layers_begin(s, i) && 0 <= layer_size(s, s->layer + i);
        //@ assert within: layers_begin(s, i + 1) <= layers_begin(s, layers);
        at = put_layer(at, s, &s->layer[i]);
        //@ assert kept: numbers_kept{LoopCurrent, Here}(\at(at, Pre), layers_begin(s, layers));
    }
    return at;
}

/* All sites' tails at `at`; the end of them. */
/*@ requires session: savable(s);
    requires to: \valid(at + (0 .. 4 * site_elements(s) - 1));
    terminates \true;
    exits \false;
    assigns at[0 .. 4 * site_elements(s) - 1];
    ensures end: \result == at + 4 * site_elements(s);
    ensures others: numbers_kept{Pre, Post}(at, 4 * site_elements(s));
*/
static uint8_t *put_sites(uint8_t *at, const ndl_session *s)
{
    const ndl_geometry *g = &s->geometry;
    //@ ghost parts_fit(s);

    /*@ loop invariant some: 0 <= i <= g->engram.num_sites;
        loop invariant at: at == \at(at, Pre) + off(i, site_size(s));
        loop invariant others: numbers_kept{Pre, Here}(\at(at, Pre), 4 * site_elements(s));
        loop assigns i, at, \at(at, Pre)[0 .. 4 * site_elements(s) - 1];
        loop variant g->engram.num_sites - i; */
    for (size_t i = 0; i < g->engram.num_sites; i++) {
        //@ assert next: off(i + 1, site_size(s)) == off(i, site_size(s)) + site_size(s);
        //@ assert begin: 0 <= site_size(s);
        /*@ assert within: 0 <= off(i, site_size(s)) &&
              off(i + 1, site_size(s)) <= off(g->engram.num_sites, site_size(s)); */
        at = put_floats(at, s->site_tail[i], ndl_ring_at(s->reach, g->d_model));
        //@ assert kept: numbers_kept{LoopCurrent, Here}(\at(at, Pre), 4 * site_elements(s));
    }
    return at;
}

/* The hash of all bytes before it at the end of len bytes. */
/*@ requires to: \valid(bytes + (0 .. len - 1)) && NDL_SAVE_CHECKSUM <= len;
    terminates \true;
    exits \false;
    assigns bytes[len - NDL_SAVE_CHECKSUM .. len - 1];
    ensures SES_012: checksum: u64_at(bytes + (len - NDL_SAVE_CHECKSUM)) ==
      fnv_of(NDL_FNV1A64, bytes, len - NDL_SAVE_CHECKSUM);
    ensures others:
      numbers_kept{Pre, Post}(bytes + (len - NDL_SAVE_CHECKSUM), NDL_SAVE_CHECKSUM);
*/
static void put_checksum(uint8_t *bytes, size_t len)
{
    const size_t end = len - NDL_SAVE_CHECKSUM;
    const uint64_t hash = ndl_fnv1a64(NDL_FNV1A64, bytes, end);

    ndl_put_u64(bytes + end, hash);
    /*@ ghost
        /@ loop invariant some: 0 <= n <= end;
           loop invariant same:
             fnv_of(NDL_FNV1A64, bytes, n) == fnv_of{Pre}(NDL_FNV1A64, bytes, n);
           loop assigns n;
           loop variant end - n; @/
        for (size_t n = 0; n < end; n++) {}
    */
}

ndl_status ndl_session_save(const ndl_session *s, uint8_t *bytes, size_t len)
{
    if (len != ndl_session_save_size(s))
        return NDL_E_LENGTH;
    uint8_t *at = bytes + NDL_SAVE_HEADER;
    //@ ghost parts_fit(s);
    //@ assert length: len == save_size(s);

    put_header(bytes, s, len);
    //@ assert header: save_measured(bytes, len);
    at = put_table(at, s);
    //@ assert table: save_measured(bytes, len);
    at = put_history(at, s);
    //@ assert history: save_measured(bytes, len);
    at = put_layers(at, s);
    //@ assert layers: save_measured(bytes, len);
    put_sites(at, s);
    //@ assert sites: save_measured(bytes, len);
    put_checksum(bytes, len);
    //@ assert measured: save_measured(bytes, len);
    return NDL_OK;
}

/* ------------------------------------------------------------------ loading */

ndl_status ndl_save_frame(const uint8_t *bytes, size_t len)
{
    if (len < AT_VERSION || ndl_get_u64(bytes + AT_MAGIC) != MAGIC)
        return NDL_E_SAVE;
    if (len < AT_LENGTH)
        return NDL_E_SAVE_LENGTH;
    if (ndl_get_u64(bytes + AT_VERSION) != VERSION)
        return NDL_E_SAVE_VERSION;
    if (len < NDL_SAVE_HEADER + NDL_SAVE_CHECKSUM || ndl_get_u64(bytes + AT_LENGTH) != len)
        return NDL_E_SAVE_LENGTH;
    //@ assert measured: save_measured(bytes, len);
    const size_t end = len - NDL_SAVE_CHECKSUM;
    const uint64_t checksum = ndl_get_u64(bytes + end);
    const uint64_t hash = ndl_fnv1a64(NDL_FNV1A64, bytes, end);
    //@ assert hash: hash == fnv_of(NDL_FNV1A64, bytes, len - NDL_SAVE_CHECKSUM);
    //@ assert checksum: checksum == u64_at(bytes + (len - NDL_SAVE_CHECKSUM));
    //@ assert whole: checksum == hash <==> save_whole(bytes, len);

    if (checksum != hash)
        return NDL_E_SAVE_CHECKSUM;
    return NDL_OK;
}

/* A number at which nothing else is looked: whether this machine has it. */
/*@ requires from: \valid_read(from + (0 .. 7));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures size: \result <==> u64_at(from) <= SIZE_MAX;
*/
static bool is_size(const uint8_t *from)
{
    const uint64_t x = ndl_get_u64(from);

    return (size_t)x == x;
}

/* Whether this machine has the numbers that have no other bound, and a position
 * after the last. They are counted, since where size_t has 64 bits a branch for one
 * that is missing would never be taken. */
/*@ requires g: \valid_read(g) && g->num_layers <= NDL_MAX_LAYERS;
    requires from: \valid_read(bytes + (0 .. NDL_SAVE_HEADER - 1)) &&
      \valid_read(bytes + NDL_SAVE_HEADER + (0 .. NDL_SAVE_LAYER * g->num_layers - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_014: sizes: \result <==> sizes_had(g, bytes);
*/
static bool sizes_possible(const ndl_geometry *g, const uint8_t *bytes)
{
    const uint8_t *const table = bytes + NDL_SAVE_HEADER;
    size_t had = 0;

    /*@ loop invariant some: 0 <= had <= i <= g->num_layers;
        loop invariant all: had == i <==>
          (\forall integer k; 0 <= k < i ==> written_at(table, k) <= SIZE_MAX);
        loop assigns i, had;
        loop variant g->num_layers - i; */
    for (size_t i = 0; i < g->num_layers; i++)
        had += is_size(table + i * NDL_SAVE_LAYER + 8);
    had += is_size(bytes + AT_HINT);
    had += ndl_get_u64(bytes + AT_POS) < SIZE_MAX;
    return had == g->num_layers + 2;
}

/* Whether the numbers of the header that are not of the frame are possible. */
/*@ requires g: \valid_read(g) && g->num_layers <= NDL_MAX_LAYERS &&
      g->engram.num_orders <= NDL_MAX_ORDERS;
    requires from: \valid_read(bytes + (0 .. NDL_SAVE_HEADER - 1)) &&
      \valid_read(bytes + NDL_SAVE_HEADER + (0 .. NDL_SAVE_LAYER * g->num_layers - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_014: sizes: \result == NDL_E_SIZE <==> !sizes_had(g, bytes);
    ensures SES_014: values: \result == NDL_E_SAVE_VALUES <==>
      sizes_had(g, bytes) && !values_had(g, bytes);
    ensures SES_014: possible: \result == NDL_OK <==>
      sizes_had(g, bytes) && values_had(g, bytes);
*/
static ndl_status check_numbers(const ndl_geometry *g, const uint8_t *bytes)
{
    if (!sizes_possible(g, bytes))
        return NDL_E_SIZE;
    if (ndl_get_u64(bytes + AT_PRECISION) > 1 || ndl_get_u64(bytes + AT_NUMERICS) > 1 ||
        ndl_get_u64(bytes + AT_HELD) > ndl_geometry_max_order(g))
        return NDL_E_SAVE_VALUES;
    return NDL_OK;
}

/* The same numbers, possible ones. */
/*@ requires from: \valid_read(bytes + (0 .. NDL_SAVE_HEADER - 1));
    requires sizes: u64_at(bytes + AT_HINT) <= SIZE_MAX && u64_at(bytes + AT_POS) <= SIZE_MAX &&
      u64_at(bytes + AT_HELD) <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures numbers: \result.hint == u64_at(bytes + AT_HINT) &&
      \result.pos == u64_at(bytes + AT_POS) && \result.held == u64_at(bytes + AT_HELD);
    ensures precision:
      \result.precision == (u64_at(bytes + AT_PRECISION) == 1 ? NDL_INT8 : NDL_F32);
    ensures numerics:
      \result.numerics == (u64_at(bytes + AT_NUMERICS) == 1 ? NDL_UPSTREAM : NDL_NEEDLE_CORE);
*/
static ndl_numbers get_numbers(const uint8_t *bytes)
{
    const ndl_numbers n = {
        .precision = ndl_get_u64(bytes + AT_PRECISION) == 1 ? NDL_INT8 : NDL_F32,
        .numerics = ndl_get_u64(bytes + AT_NUMERICS) == 1 ? NDL_UPSTREAM : NDL_NEEDLE_CORE,
        .hint = (size_t)ndl_get_u64(bytes + AT_HINT),
        .pos = (size_t)ndl_get_u64(bytes + AT_POS),
        .held = (size_t)ndl_get_u64(bytes + AT_HELD),
    };

    return n;
}

ndl_status ndl_session_load(const ndl_geometry *g, const ndl_allocator *allocator,
                            const uint8_t *bytes, size_t len, ndl_session **out)
{
    ndl_status status = ndl_geometry_validate(g);

    if (status == NDL_OK)
        status = ndl_save_frame(bytes, len);
    if (status != NDL_OK)
        return status;
    if (ndl_get_u64(bytes + AT_GEOMETRY) != ndl_geometry_hash(g))
        return NDL_E_SAVE_GEOMETRY;
    const uint8_t *const table = bytes + NDL_SAVE_HEADER;
    const size_t left = len - NDL_SAVE_HEADER - NDL_SAVE_CHECKSUM;
    const size_t table_bytes = g->num_layers * NDL_SAVE_LAYER;
    if (left < table_bytes)
        return NDL_E_SAVE_VALUES;
    status = check_numbers(g, bytes);
    if (status != NDL_OK)
        return status;
    const ndl_numbers n = get_numbers(bytes);
    if (!ndl_contents_possible(g, n, table, left))
        return NDL_E_SAVE_VALUES;

    const ndl_options options = {
        .precision = n.precision,
        .numerics = n.numerics,
        .hint = n.hint,
        .allocator = allocator,
    };
    ndl_session *s = ndl_session_make(g, options);
    if (s == NULL)
        return NDL_E_MEMORY;
    if (!ndl_contents_get(s, n, table)) {
        ndl_session_free(s);
        return NDL_E_MEMORY;
    }
    ndl_session_give(s, out);
    return NDL_OK;
}
