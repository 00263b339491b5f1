/* What stands behind a save's header: whether it is possible, and into a session.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_load.h"

#include "geometry.h"
#include "little.h"
#include "ring.h"
#include "state_make.h"
#include "trusted/bytes.h"

#include "../logic/layout.acsl"

/* The bits of infinity. */
#define INFINITY_BITS UINT32_C(0x7F800000)

/* Whether a ring can have come to these slots: it starts with the reserve, grows
 * only for a position that the reserve has no slot for, and below its cap it has
 * a slot for every position that was written. Fewer slots than the reserve would
 * be below the cap, with written above the reserve and not above the slots. */
/*@ requires some: 0 < reserve <= cap;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures slots: \result <==> slots_had(reserve, cap, slots, written);
*/
static bool slots_possible(size_t reserve, size_t cap, uint64_t slots, uint64_t written)
{
    return (slots == reserve || written > reserve) &&
           (slots == cap || (slots < cap && written <= slots));
}

/*@ requires g: \valid_read(g) && g->num_layers <= NDL_MAX_LAYERS && 0 < g->max_seq_len;
    requires from: \valid_read(table + (0 .. NDL_SAVE_LAYER * g->num_layers - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_014: rings: \result <==> rings_had(g, hint, table);
*/
static bool rings_possible(const ndl_geometry *g, size_t hint, const uint8_t *table)
{
    /*@ loop invariant some: 0 <= i <= g->num_layers;
        loop invariant rings: \forall integer k; 0 <= k < i ==> ring_had(g, hint, table, k);
        loop assigns i;
        loop variant g->num_layers - i; */
    for (size_t i = 0; i < g->num_layers; i++) {
        const uint64_t slots = ndl_get_u64(table + i * NDL_SAVE_LAYER);
        const uint64_t written = ndl_get_u64(table + i * NDL_SAVE_LAYER + 8);
        const size_t cap = ndl_cap_of(g, i), reserve = ndl_first_slots(hint, cap);
        //@ assert table: slots == slots_at(table, i) && written == written_at(table, i);

        if (!slots_possible(reserve, cap, slots, written))
            return false;
    }
    return true;
}

/* A scale is never negative and never a NaN: at most infinity, by its bits. */
/*@ requires from: \valid_read(from + (0 .. 4 * n - 1));
    requires fits: 4 * n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures scales: \result <==> scales_had(from, n);
*/
static bool scales_possible(const uint8_t *from, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant scales: scales_had(from, i);
        loop assigns i;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const uint32_t scale = ndl_get_u32(from + 4 * i);
        //@ assert scale: scale == scale_at(from, i);

        if (scale > INFINITY_BITS)
            return false;
    }
    return true;
}

/* What an accepted geometry says of the parts of its size, for proofs alone. */
/*@ ghost
    /@ requires g: \valid_read(g) && geometry_ok(g);
       terminates \true;
       exits \false;
       assigns \nothing;
       ensures some: 1 <= g->num_layers <= NDL_MAX_LAYERS && 1 <= g->num_kv_heads &&
         1 <= g->qk_head_dim && 1 <= g->v_head_dim && 1 <= g->num_heads && 1 <= g->max_seq_len;
       ensures order: 1 <= geo_max_order(g);
       ensures slot: 0 < slot_bytes(g) <= NDL_MAX_BYTES;
       ensures rings: \forall integer i; 0 <= i <= g->num_layers ==>
         0 <= ring_bytes(g, i) <= ring_bytes(g, g->num_layers);
       ensures convs: 0 <= conv_floats(g);
       ensures sites: 0 <= site_floats(g);
       ensures all: ring_bytes(g, g->num_layers) +
         4 * (conv_floats(g) + site_floats(g) + geo_max_order(g)) <= NDL_MAX_BYTES;
    @/
    void parts_fit(const ndl_geometry *g)
    {
        const size_t window = g->sliding_window, taps = g->qkv_conv_taps, d = g->d_model;
        const size_t reach_taps = g->engram.conv_taps, dilation = g->engram.conv_dilation;
        size_t i = 0, j = 0;

        //@ assert zeros: zero_status(g) == NDL_OK;
        /@ assert numbers: 1 <= g->num_layers && 1 <= g->num_kv_heads && 1 <= g->qk_head_dim &&
             1 <= g->v_head_dim && 1 <= g->num_heads && 1 <= g->max_seq_len; @/
        //@ assert taps: g->engram.num_sites > 0 ==> 1 <= reach_taps;
        //@ assert slot: 0 < slot_bytes(g);
        /@ loop invariant some: 0 <= i <= g->num_layers;
           loop invariant least: 0 <= ring_bytes(g, i);
           loop invariant slot: 0 < i ==> slot_bytes(g) <= ring_bytes(g, i);
           loop invariant rings: \forall integer k; 0 <= k <= i ==>
             0 <= ring_bytes(g, k) <= ring_bytes(g, i);
           loop assigns i;
           loop variant g->num_layers - i; @/
        while (i < g->num_layers) {
            //@ assert window: 0 <= window == g->sliding_window;
            //@ assert cap: geo_window(g, i) == 0 || geo_window(g, i) == window;
            //@ assert cap: 1 <= geo_cap(g, i);
            //@ assert ring: slot_bytes(g) <= off(geo_cap(g, i), slot_bytes(g));
            /@ assert next: ring_bytes(g, i + 1) ==
                 ring_bytes(g, i) + off(geo_cap(g, i), slot_bytes(g)); @/
            i++;
        }
        /@ loop invariant some: 0 <= j <= g->engram.num_orders;
           loop invariant order: 1 <= max_order(g, j);
           loop assigns j;
           loop variant g->engram.num_orders - j; @/
        while (j < g->engram.num_orders) {
            //@ assert next: max_order(g, j) <= max_order(g, j + 1);
            j++;
        }
        //@ assert taps: 0 <= taps == g->qkv_conv_taps;
        /@ assert width: 0 <= geo_q(g) && 0 <= geo_k(g) && 0 <= geo_v(g); @/
        //@ assert convs: 0 <= off(\max(g->qkv_conv_taps - 1, 0), geo_q(g) + geo_k(g) + geo_v(g));
        /@ assert engram: reach_taps == g->engram.conv_taps &&
             dilation == g->engram.conv_dilation && d == g->d_model; @/
        //@ assert reach: 0 <= geo_reach(g);
        //@ assert sites: 0 <= off(geo_reach(g), g->d_model);
    }
*/

/* Bytes of a slot of a layer's rings. */
/*@ requires g: \valid_read(g) && geometry_ok(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_010: size: \result == slot_size_of(g, precision);
    ensures most: 0 < \result <= slot_bytes(g);
*/
static size_t slot_size(const ndl_geometry *g, ndl_precision precision)
{
    //@ ghost parts_fit(g);
    const size_t k = ndl_geometry_k_dim(g), v = ndl_geometry_v_dim(g);
    /*@ assert rows: 4 * k <= 4 * off(\max(g->qkv_conv_taps, 1), geo_k(g)) <= NDL_MAX_BYTES &&
          4 * v <= 4 * off(\max(g->qkv_conv_taps, 1), geo_v(g)) <= NDL_MAX_BYTES; */
    //@ assert four_k: 4 * k == off(g->num_kv_heads, 4 * g->qk_head_dim);
    //@ assert four_v: 4 * v == off(g->num_kv_heads, 4 * g->v_head_dim);
    //@ assert eight: 8 * g->num_kv_heads == off(g->num_kv_heads, 8);
    /*@ assert f32: 4 * (k + v) == off(g->num_kv_heads, 4 * (g->qk_head_dim + g->v_head_dim)) <=
          slot_bytes(g); */
    /*@ assert int8: k + v + 8 * g->num_kv_heads ==
          off(g->num_kv_heads, g->qk_head_dim + g->v_head_dim + 8) <= slot_bytes(g); */

    return precision == NDL_F32 ? 4 * (k + v) : k + v + 8 * g->num_kv_heads;
}

/* Bytes of a layer's tails. */
/*@ requires g: \valid_read(g) && geometry_ok(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_010: size: \result == tails_size_of(g);
    ensures most: 0 <= off(g->num_layers, \result) == 4 * conv_floats(g);
*/
static size_t tails_size(const ndl_geometry *g)
{
    //@ ghost parts_fit(g);
    const size_t q = ndl_geometry_q_dim(g), k = ndl_geometry_k_dim(g), v = ndl_geometry_v_dim(g);
    const size_t rows = g->qkv_conv_taps > 0 ? g->qkv_conv_taps - 1 : 0;

    //@ assert rows: rows == \max(g->qkv_conv_taps - 1, 0);
    //@ assert width: 1 <= q + k + v == geo_q(g) + geo_k(g) + geo_v(g);
    //@ assert layer: off(g->num_layers, off(rows, q + k + v)) == conv_floats(g);
    //@ assert some: rows <= off(rows, q + k + v) <= conv_floats(g) <= NDL_MAX_BYTES / 4;

    return 4 * ndl_ring_at(rows, q + k + v);
}

/* Bytes of all sites' tails. */
/*@ requires g: \valid_read(g) && geometry_ok(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_010: size: \result == sites_size_of(g);
    ensures most: \result == 4 * site_floats(g);
*/
static size_t sites_size(const ndl_geometry *g)
{
    //@ ghost parts_fit(g);
    const size_t reach = ndl_geometry_reach(g);
    //@ assert reach: reach == geo_reach(g) && 0 <= off(reach, g->d_model);
    /*@ assert site: g->engram.num_sites > 0 ==>
          off(reach, g->d_model) <= site_floats(g) <= NDL_MAX_BYTES / 4; */
    //@ assert none: g->engram.num_sites == 0 ==> reach == 0;

    return 4 * ndl_ring_at(g->engram.num_sites, ndl_ring_at(reach, g->d_model));
}

/* Bytes of everything behind the header, the checksum apart. No sum overflows, since
 * slots are held to their caps first. */
/*@ requires g: \valid_read(g) && geometry_ok(g);
    requires from: \valid_read(table + (0 .. NDL_SAVE_LAYER * g->num_layers - 1));
    requires numbers: n.held <= geo_max_order(g);
    requires rings: rings_had(g, n.hint, table);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_010: size: \result == contents_size_of(g, n.precision, n.held, table);
    ensures parts: \forall integer k; 0 <= k <= g->num_layers ==>
      0 <= layers_size(table, slot_size_of(g, n.precision), tails_size_of(g), k) <=
        layers_size(table, slot_size_of(g, n.precision), tails_size_of(g), g->num_layers);
*/
static size_t contents_size(const ndl_geometry *g, ndl_numbers n, const uint8_t *table)
{
    //@ ghost parts_fit(g);
    const size_t slot = slot_size(g, n.precision), tails = tails_size(g);
    size_t bytes = g->num_layers * NDL_SAVE_LAYER + 4 * n.held;
    //@ assert none: layers_size(table, slot, tails, 0) == 0 && off(0, tails) == 0;

    /*@ loop invariant some: 0 <= i <= g->num_layers;
        loop invariant SES_010: size:
          bytes == stores_from(g, n.held) + layers_size(table, slot, tails, i);
        loop invariant fits: layers_size(table, slot, tails, i) <= ring_bytes(g, i) + off(i, tails);
        loop invariant parts: \forall integer k; 0 <= k <= i ==>
          0 <= layers_size(table, slot, tails, k) <= layers_size(table, slot, tails, i);
        loop assigns i, bytes;
        loop variant g->num_layers - i; */
    for (size_t i = 0; i < g->num_layers; i++) {
        const size_t slots = (size_t)ndl_get_u64(table + i * NDL_SAVE_LAYER);
        //@ assert ring: ring_had(g, n.hint, table, i);
        //@ assert slots: slots == slots_at(table, i) <= geo_cap(g, i);
        //@ assert store: 0 <= off(slots, slot) <= off(geo_cap(g, i), slot_bytes(g));
        /*@ assert next: layers_size(table, slot, tails, i + 1) ==
              layers_size(table, slot, tails, i) + off(slots, slot) + tails; */
        /*@ assert rings: ring_bytes(g, i + 1) ==
              ring_bytes(g, i) + off(geo_cap(g, i), slot_bytes(g)) <=
              ring_bytes(g, g->num_layers); */
        /*@ assert tails: off(i + 1, tails) == off(i, tails) + tails <= off(g->num_layers, tails);
         */

        bytes += ndl_ring_at(slots, slot);
        bytes += tails;
    }
    return bytes + sites_size(g);
}

/* Whether the scales of a layer are possible, whose store of codes is at `at`. */
/*@ requires g: \valid_read(g) && geometry_ok(g);
    requires fits: off(slots, slot_size_of(g, NDL_INT8)) <= SIZE_MAX;
    requires from: \valid_read(at + (0 .. off(slots, slot_size_of(g, NDL_INT8)) - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_014: scales: \result <==> store_scales_had(g, slots, at);
*/
static bool store_scales_possible(const ndl_geometry *g, size_t slots, const uint8_t *at)
{
    const size_t k_dim = ndl_geometry_k_dim(g), v_dim = ndl_geometry_v_dim(g);
    //@ assert slot: slot_size_of(g, NDL_INT8) == k_dim + v_dim + 8 * g->num_kv_heads;
    /*@ assert product: off(slots, slot_size_of(g, NDL_INT8)) ==
          slots * k_dim + slots * v_dim + slots * (8 * g->num_kv_heads); */
    //@ assert k_product: off(slots, k_dim) == slots * k_dim;
    //@ assert v_product: off(slots, v_dim) == slots * v_dim;
    //@ assert h_product: off(slots, 8 * g->num_kv_heads) == slots * (8 * g->num_kv_heads);
    /*@ assert store: off(slots, slot_size_of(g, NDL_INT8)) ==
          off(slots, k_dim) + off(slots, v_dim) + off(slots, 8 * g->num_kv_heads); */
    //@ assert eight: off(slots, 8 * g->num_kv_heads) == 8 * off(slots, g->num_kv_heads);
    /*@ assert least: 0 <= off(slots, k_dim) && 0 <= off(slots, v_dim) &&
          0 <= off(slots, g->num_kv_heads); */
    const size_t k = ndl_ring_at(slots, k_dim), v = ndl_ring_at(slots, v_dim);
    const size_t scales = ndl_ring_at(slots, g->num_kv_heads);

    return scales_possible(at + k, scales) && scales_possible(at + (k + 4 * scales + v), scales);
}

/* Whether all of them are, in a save that is as long as it should be. */
/*@ requires g: \valid_read(g) && geometry_ok(g);
    requires numbers: n.precision == NDL_INT8 && n.held <= geo_max_order(g);
    requires from: \valid_read(table + (0 .. contents_size_of(g, NDL_INT8, n.held, table) - 1));
    requires fits: contents_size_of(g, NDL_INT8, n.held, table) <= SIZE_MAX;
    requires parts: \forall integer k; 0 <= k <= g->num_layers ==>
      0 <= layers_size(table, slot_size_of(g, NDL_INT8), tails_size_of(g), k) <=
        layers_size(table, slot_size_of(g, NDL_INT8), tails_size_of(g), g->num_layers);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_014: scales: \result <==> all_scales_had(g, n.held, table);
*/
static bool all_scales_possible(const ndl_geometry *g, ndl_numbers n, const uint8_t *table)
{
    //@ ghost parts_fit(g);
    const size_t slot = slot_size(g, NDL_INT8), tails = tails_size(g);
    const uint8_t *at = table + (g->num_layers * NDL_SAVE_LAYER + 4 * n.held);
    //@ assert none: layers_size(table, slot, tails, 0) == 0;
    //@ assert sites: 0 <= sites_size_of(g) == 4 * site_floats(g);

    /*@ loop invariant some: 0 <= i <= g->num_layers;
        loop invariant at: at == table + (stores_from(g, n.held) +
          layers_size(table, slot, tails, i));
        loop invariant scales: \forall integer k; 0 <= k < i ==>
          layer_scales_had(g, n.held, table, k);
        loop assigns i, at;
        loop variant g->num_layers - i; */
    for (size_t i = 0; i < g->num_layers; i++) {
        const size_t slots = (size_t)ndl_get_u64(table + i * NDL_SAVE_LAYER);
        //@ assert slots: slots == slots_at(table, i);
        /*@ assert next: layers_size(table, slot, tails, i + 1) ==
              layers_size(table, slot, tails, i) + off(slots, slot) + tails; */
        /*@ assert within: 0 <= layers_size(table, slot, tails, i) &&
              layers_size(table, slot, tails, i + 1) <=
              layers_size(table, slot, tails, g->num_layers); */
        //@ assert store: 0 <= off(slots, slot);

        if (!store_scales_possible(g, slots, at)) {
            //@ assert not: !layer_scales_had(g, n.held, table, i);
            return false;
        }
        at += ndl_ring_at(slots, slot) + tails;
    }
    return true;
}

bool ndl_contents_possible(const ndl_geometry *g, ndl_numbers n, const uint8_t *table, size_t left)
{
    if (!rings_possible(g, n.hint, table) || contents_size(g, n, table) != left)
        return false;
    return n.precision == NDL_F32 || all_scales_possible(g, n, table);
}

/* n floats whose bits are at `at`; the end of them. */
/*@ requires to: \valid(x + (0 .. n - 1));
    requires from: \valid_read(at + (0 .. 4 * n - 1));
    requires fits: 4 * n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns x[0 .. n - 1];
    ensures end: \result == at + 4 * n;
    ensures SES_014: floats: floats_of(at, x, n);
*/
static const uint8_t *get_floats(float *x, const uint8_t *at, size_t n)
{
    ndl_get_f32(x, at, n);
    return at + 4 * n;
}

/* n codes that are at `at`; the end of them. */
/*@ requires to: \valid(x + (0 .. n - 1));
    requires from: \valid_read(at + (0 .. n - 1));
    requires apart: \separated(x + (0 .. n - 1), at + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns x[0 .. n - 1];
    ensures end: \result == at + n;
    ensures SES_014: codes: codes_of(at, x, n);
*/
static const uint8_t *get_codes(int8_t *x, const uint8_t *at, size_t n)
{
    ndl_get_i8(x, at, n);
    return at + n;
}

/* The store of a layer that is at `at`; the end of it. */
/*@ requires session: \valid_read(s) && derived_ok(s);
    requires layer: \valid_read(l) && rings_fit(s, l) && stores_ok(s, l);
    requires from: \valid_read(at +
      (0 .. off(l->slots, slot_size_of(&s->geometry, s->precision)) - 1));
    requires apart: s->precision != NDL_F32 ==> off_codes_of(l, at);
    terminates \true;
    exits \false;
    assigns l->k[0 .. off(l->slots, s->dim[NDL_K]) - 1],
      l->v[0 .. off(l->slots, s->dim[NDL_V]) - 1],
      l->k_codes[0 .. off(l->slots, s->dim[NDL_K]) - 1],
      l->v_codes[0 .. off(l->slots, s->dim[NDL_V]) - 1],
      l->k_scales[0 .. off(l->slots, s->geometry.num_kv_heads) - 1],
      l->v_scales[0 .. off(l->slots, s->geometry.num_kv_heads) - 1];
    ensures end: \result == at + off(l->slots, slot_size_of(&s->geometry, s->precision));
*/
static const uint8_t *get_store(const ndl_session *s, const ndl_layer *l, const uint8_t *at)
{
    const size_t slots = l->slots, heads = s->geometry.num_kv_heads;
    const size_t k_dim = s->dim[NDL_K], v_dim = s->dim[NDL_V];
    /*@ assert least: 0 <= off(slots, k_dim) && 0 <= off(slots, v_dim) && 0 <= off(slots, heads); */
    const size_t k = ndl_ring_at(slots, k_dim), v = ndl_ring_at(slots, v_dim);
    const size_t scales = ndl_ring_at(slots, heads);
    //@ assert products: k == slots * k_dim && v == slots * v_dim && scales == slots * heads;

    if (s->precision == NDL_F32) {
        //@ assert width: slot_size_of(&s->geometry, s->precision) == 4 * (k_dim + v_dim);
        //@ assert product: off(slots, 4 * (k_dim + v_dim)) == slots * (4 * (k_dim + v_dim));
        //@ assert size: off(slots, slot_size_of(&s->geometry, s->precision)) == 4 * k + 4 * v;
        at = get_floats(l->k, at, k);
        at = get_floats(l->v, at, v);
    } else {
        //@ assert width: slot_size_of(&s->geometry, s->precision) == k_dim + v_dim + 8 * heads;
        /*@ assert product: off(slots, k_dim + v_dim + 8 * heads) ==
              slots * (k_dim + v_dim + 8 * heads); */
        /*@ assert size: off(slots, slot_size_of(&s->geometry, s->precision)) ==
              k + 4 * scales + v + 4 * scales; */
        at = get_codes(l->k_codes, at, k);
        at = get_floats(l->k_scales, at, scales);
        at = get_codes(l->v_codes, at, v);
        at = get_floats(l->v_scales, at, scales);
    }
    return at;
}

/* The tails of a layer that are at `at`; the end of them. */
/*@ requires session: \valid_read(s) && derived_ok(s);
    requires layer: \valid_read(l) && tails_valid(s, l);
    requires from: \valid_read(at + (0 .. tails_size_of(&s->geometry) - 1));
    terminates \true;
    exits \false;
    assigns l->tail[NDL_Q][0 .. off(s->tail_rows, s->dim[NDL_Q]) - 1],
      l->tail[NDL_K][0 .. off(s->tail_rows, s->dim[NDL_K]) - 1],
      l->tail[NDL_V][0 .. off(s->tail_rows, s->dim[NDL_V]) - 1];
    ensures end: \result == at + tails_size_of(&s->geometry);
*/
static const uint8_t *get_tails(const ndl_session *s, const ndl_layer *l, const uint8_t *at)
{
    const size_t rows = s->tail_rows;
    //@ ghost const size_t q_dim = s->dim[NDL_Q], k_dim = s->dim[NDL_K], v_dim = s->dim[NDL_V];
    //@ assert q: 0 <= off(rows, q_dim) == rows * q_dim <= NDL_MAX_ELEMENTS;
    //@ assert k: 0 <= off(rows, k_dim) == rows * k_dim <= NDL_MAX_ELEMENTS;
    //@ assert v: 0 <= off(rows, v_dim) == rows * v_dim <= NDL_MAX_ELEMENTS;
    //@ assert row: off(rows, q_dim + k_dim + v_dim) == rows * (q_dim + k_dim + v_dim);
    /*@ assert size: tails_size_of(&s->geometry) ==
          4 * off(rows, q_dim) + 4 * off(rows, k_dim) + 4 * off(rows, v_dim); */

    /*@ loop invariant some: 0 <= which <= 3;
        loop invariant at: at == \at(at, Pre) + (4 * (which > 0 ? off(rows, q_dim) : 0) +
          4 * (which > 1 ? off(rows, k_dim) : 0) + 4 * (which > 2 ? off(rows, v_dim) : 0));
        loop assigns which, at, l->tail[NDL_Q][0 .. off(rows, q_dim) - 1],
          l->tail[NDL_K][0 .. off(rows, k_dim) - 1], l->tail[NDL_V][0 .. off(rows, v_dim) - 1];
        loop variant 3 - which; */
    for (size_t which = 0; which < 3; which++)
        at = get_floats(l->tail[which], at, ndl_ring_at(rows, s->dim[which]));
    return at;
}

/* A ring of as many slots, to which as much was written. */
/*@ requires session: \valid_read(s) && a_precision(s) && widths_ok(s);
    requires layers: \valid_read(s->layer + (0 .. s->geometry.num_layers - 1)) &&
      \valid_read(s->site_tail + (0 .. s->geometry.engram.num_sites - 1));
    requires layer: \valid(l) && \base_addr(l) != \base_addr(s) && rings_fit(s, l) &&
      stores_ok(s, l);
    requires fits: 0 < slots && off(slots, s->dim[NDL_K]) <= NDL_MAX_ELEMENTS &&
      off(slots, s->dim[NDL_V]) <= NDL_MAX_ELEMENTS &&
      off(slots, s->geometry.num_kv_heads) <= NDL_MAX_ELEMENTS;
    terminates \true;
    exits \false;
    assigns l->slots, l->written, l->k, l->v, l->k_codes, l->v_codes, l->k_scales, l->v_scales;
    ensures SES_014: ring: l->slots == slots && l->written == written;
    ensures stores: \result ==> stores_ok(s, l);
*/
static bool get_ring(const ndl_session *s, ndl_layer *l, size_t slots, size_t written)
{
    l->written = written;
    /*@ assert widths: s->dim[NDL_K] == \at(s->dim[NDL_K], Pre) &&
          s->dim[NDL_V] == \at(s->dim[NDL_V], Pre) &&
          s->geometry.num_kv_heads == \at(s->geometry.num_kv_heads, Pre) &&
          s->precision == \at(s->precision, Pre) && l->slots == \at(l->slots, Pre); */
    //@ assert f32: s->precision == NDL_F32 ==> stores_f32(s, l->slots, l->k, l->v);
    /*@ assert int8: s->precision != NDL_F32 ==>
          stores_int8(s, l->slots, l->k_codes, l->v_codes, l->k_scales, l->v_scales); */
    //@ assert stores: stores_ok(s, l);
    if (slots == l->slots)
        return true;
    ndl_stores_free(s, l);
    l->slots = slots;
    const bool had = ndl_stores_new(s, l);
    //@ assert f32: had && s->precision == NDL_F32 ==> stores_f32(s, l->slots, l->k, l->v);
    /*@ assert int8: had && s->precision != NDL_F32 ==>
          stores_int8(s, l->slots, l->k_codes, l->v_codes, l->k_scales, l->v_scales); */
    //@ assert had: had ==> stores_ok(s, l);
    return had;
}

/* Rings as large as those that were saved, and what was written to them. */
/*@ requires session: there(s);
    requires from: \valid_read(table + (0 .. NDL_SAVE_LAYER * s->geometry.num_layers - 1));
    requires rings: \forall integer i; 0 <= i < s->geometry.num_layers ==>
      ring_fits(s, i, slots_at(table, i), written_at(table, i));
    terminates \true;
    exits \false;
    assigns s->layer[0 .. s->geometry.num_layers - 1];
    ensures SES_014: rings: \result ==> \forall integer i; 0 <= i < s->geometry.num_layers ==>
      s->layer[i].slots == slots_at(table, i) && s->layer[i].written == written_at(table, i);
    ensures session: \result ==> there(s);
    ensures release: releasable(s);
*/
static bool get_rings(const ndl_session *s, const uint8_t *table)
{
    const size_t layers = s->geometry.num_layers;
    ndl_layer *const layer = s->layer;

    /*@ loop invariant some: 0 <= i <= layers;
        loop invariant SES_014: rings: \forall integer k; 0 <= k < i ==>
          layer[k].slots == slots_at(table, k) && layer[k].written == written_at(table, k);
        loop invariant slots: \forall integer k; 0 <= k < layers ==>
          0 < layer[k].slots <= layer[k].cap &&
          (layer[k].slots < layer[k].cap ==> layer[k].written <= layer[k].slots);
        loop invariant stores: \forall integer k; 0 <= k < layers ==> stores_ok(s, layer + k);
        loop invariant cap: \forall integer k; 0 <= k < layers ==>
          layer[k].cap == \at(layer[k].cap, LoopEntry);
        loop invariant tails: \forall integer k, w; 0 <= k < layers && 0 <= w < 3 ==>
          layer[k].tail[w] == \at(layer[k].tail[w], LoopEntry);
        loop assigns i, layer[0 .. layers - 1];
        loop variant layers - i; */
    for (size_t i = 0; i < layers; i++) {
        const size_t slots = (size_t)ndl_get_u64(table + i * NDL_SAVE_LAYER);
        const size_t written = (size_t)ndl_get_u64(table + i * NDL_SAVE_LAYER + 8);
        //@ assert table: slots == slots_at(table, i) && written == written_at(table, i);

        if (!get_ring(s, &layer[i], slots, written))
            return false;
    }
    return true;
}

/* The stores and tails of all layers that are at `at`; the end of them. */
/*@ requires session: there(s);
    requires from: \valid_read(at + (0 .. parts_of(s, table, s->geometry.num_layers) - 1));
    requires table: parts_ok(s, table);
    requires apart: off_all_codes(s, at);
    terminates \true;
    exits \false;
    assigns { *p | float *p; layer_floats(s, \base_addr(p)) },
      { *p | int8_t *p; layer_codes(s, \base_addr(p)) };
    ensures end: \result == at + parts_of(s, table, s->geometry.num_layers);
*/
static const uint8_t *get_layers(const ndl_session *s, const uint8_t *at)
/*@ ghost (const uint8_t *table) */
{
    const size_t layers = s->geometry.num_layers;
    const ndl_layer *const layer = s->layer;
    //@ assert derived: derived_ok(s);
    //@ assert none: parts_of(s, table, 0) == 0;
    //@ assert frame: \valid_read(layer + (0 .. layers - 1));
    /*@ assert tails: \forall integer j, w; 0 <= j < layers && 0 <= w < 3 ==>
          \valid(layer[j].tail[w] + (0 .. off(s->tail_rows, s->dim[w]) - 1)); */

    /*@ loop invariant some: 0 <= i <= layers;
        loop invariant at: at == \at(at, Pre) + parts_of(s, table, i);
        loop assigns i, at, { *p | float *p; layer_floats(s, \base_addr(p)) },
          { *p | int8_t *p; layer_codes(s, \base_addr(p)) };
        loop variant layers - i; */
    for (size_t i = 0; i < layers; i++) {
        /*@ assert next: parts_of(s, table, i + 1) == parts_of(s, table, i) +
              off(layer[i].slots, slot_size_of(&s->geometry, s->precision)) +
              tails_size_of(&s->geometry); */
        //@ assert within: parts_of(s, table, i + 1) <= parts_of(s, table, layers);
        /*@ assert least: 0 <= parts_of(s, table, i) && 0 <= tails_size_of(&s->geometry) &&
              0 <= off(layer[i].slots, slot_size_of(&s->geometry, s->precision)); */
        //@ assert number: layer_ok(s, i);
        /*@ assert fits: off(layer[i].slots, s->dim[NDL_K]) <= off(layer[i].cap, s->dim[NDL_K]) &&
              off(layer[i].slots, s->dim[NDL_V]) <= off(layer[i].cap, s->dim[NDL_V]) &&
              off(layer[i].slots, s->geometry.num_kv_heads) <=
              off(layer[i].cap, s->geometry.num_kv_heads); */
        //@ assert place: \valid_read(layer + i);
        //@ assert layer: rings_fit(s, layer + i);
        //@ assert k_codes: layer_codes(s, \base_addr(layer[i].k_codes));
        //@ assert v_codes: layer_codes(s, \base_addr(layer[i].v_codes));
        //@ assert k: layer_floats(s, \base_addr(layer[i].k));
        //@ assert v: layer_floats(s, \base_addr(layer[i].v));
        //@ assert k_scales: layer_floats(s, \base_addr(layer[i].k_scales));
        //@ assert v_scales: layer_floats(s, \base_addr(layer[i].v_scales));
        //@ assert q_tail: layer_floats(s, \base_addr(layer[i].tail[NDL_Q]));
        //@ assert k_tail: layer_floats(s, \base_addr(layer[i].tail[NDL_K]));
        //@ assert v_tail: layer_floats(s, \base_addr(layer[i].tail[NDL_V]));
        //@ assert stores: stores_ok(s, layer + i);
        //@ assert tails: tails_valid(s, layer + i);
        //@ assert codes: s->precision != NDL_F32 ==> off_codes_of(layer + i, at);
        at = get_store(s, &layer[i], at);
        at = get_tails(s, &layer[i], at);
    }
    return at;
}

/* The tails of all sites that are at `at`. */
/*@ requires session: there(s);
    requires from: \valid_read(at + (0 .. sites_size_of(&s->geometry) - 1));
    terminates \true;
    exits \false;
    assigns { *p | float *p; site_floats_in(s, \base_addr(p)) };
*/
static void get_sites(const ndl_session *s, const uint8_t *at)
{
    const size_t sites = s->geometry.engram.num_sites, d = s->geometry.d_model, reach = s->reach;
    //@ assert site: 0 <= off(reach, d) <= NDL_MAX_ELEMENTS;
    //@ assert none: off(0, off(reach, d)) == 0;
    //@ assert all: sites_size_of(&s->geometry) == 4 * off(sites, off(reach, d));

    /*@ loop invariant some: 0 <= i <= sites;
        loop invariant at: at == \at(at, Pre) + 4 * off(i, off(reach, d));
        loop assigns i, at, { *p | float *p; site_floats_in(s, \base_addr(p)) };
        loop variant sites - i; */
    for (size_t i = 0; i < sites; i++) {
        //@ assert next: off(i + 1, off(reach, d)) == off(i, off(reach, d)) + off(reach, d);
        //@ assert within: off(i + 1, off(reach, d)) <= off(sites, off(reach, d));
        //@ assert least: 0 <= off(i, off(reach, d));
        //@ assert tail: \valid(s->site_tail[i] + (0 .. off(reach, d) - 1));
        //@ assert place: \valid_read(s->site_tail + i);
        at = get_floats(s->site_tail[i], at, ndl_ring_at(reach, d));
    }
}

/* n tokens that are at `at`. */
/*@ requires to: \valid(history + (0 .. n - 1));
    requires from: \valid_read(at + (0 .. 4 * n - 1));
    requires fits: 4 * n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns history[0 .. n - 1];
    ensures SES_014: tokens: tokens_of(at, history, n);
*/
static void get_tokens(uint32_t *history, const uint8_t *at, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant SES_014: tokens: tokens_of(at, history, i);
        loop assigns i, history[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        history[i] = ndl_get_u32(at + 4 * i);
        //@ assert token: history[i] == u32_at(at + 4 * i);
    }
}

/* Position and history, whose tokens are at `at`. */
/*@ requires session: there(s);
    requires held: n.held <= s->max_order && 4 * n.held <= SIZE_MAX;
    requires from: \valid_read(at + (0 .. 4 * n.held - 1));
    terminates \true;
    exits \false;
    assigns s->pos, s->held, s->history[0 .. n.held - 1];
    ensures SES_014: position: s->pos == n.pos && s->held == n.held;
    ensures SES_014: history: tokens_of(at, s->history, n.held);
*/
static void get_place(ndl_session *s, ndl_numbers n, const uint8_t *at)
{
    get_tokens(s->history, at, n.held);
    s->pos = n.pos;
    s->held = n.held;
}

/* Position, history, stores and tails, which begin at `at`. */
/*@ requires session: there(s);
    requires held: n.held <= s->max_order && 4 * n.held <= SIZE_MAX;
    requires from: \valid_read(at + (0 .. 4 * n.held +
      parts_of(s, table, s->geometry.num_layers) + sites_size_of(&s->geometry) - 1));
    requires table: parts_ok(s, table);
    requires apart: off_all_codes(s, at);
    terminates \true;
    exits \false;
    assigns s->pos, s->held, s->history[0 .. n.held - 1],
      { *p | float *p; layer_floats(s, \base_addr(p)) },
      { *p | int8_t *p; layer_codes(s, \base_addr(p)) },
      { *p | float *p; site_floats_in(s, \base_addr(p)) };
    ensures SES_014: position: s->pos == n.pos && s->held == n.held;
    ensures SES_014: history: tokens_of(at, s->history, n.held);
*/
static void get_contents(ndl_session *s, ndl_numbers n, const uint8_t *at)
/*@ ghost (const uint8_t *table) */
{
    //@ assert least: 0 <= parts_of(s, table, s->geometry.num_layers);
    //@ assert sites: 0 <= sites_size_of(&s->geometry);
    const uint8_t *end = get_layers(s, at + 4 * n.held) /*@ ghost (table) */;
    get_sites(s, end);
    get_place(s, n, at);
}

bool ndl_contents_get(ndl_session *s, ndl_numbers n, const uint8_t *table)
{
    if (!get_rings(s, table))
        return false;
    get_contents(s, n, table + s->geometry.num_layers * NDL_SAVE_LAYER) /*@ ghost (table) */;
    return true;
}
