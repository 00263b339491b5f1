/* Sessions as bytes, and back. The layout: state_save.h.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_save.h"

#include "state.h"

#include "geometry.h"
#include "little.h"
#include "ring.h"
#include "state_make.h"
#include "trusted/bytes.h"

#include "../logic/load.acsl"

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

/* The bits of infinity. */
#define INFINITY_BITS UINT32_C(0x7F800000)

/* The numbers of a header, once they are known to be possible. */
typedef struct numbers {
    ndl_precision precision;
    ndl_numerics numerics;
    size_t hint, pos, held;
} numbers;

static uint64_t hash_number(uint64_t hash, size_t x)
{
    uint8_t bytes[8];

    ndl_put_u64(bytes, x);
    return ndl_fnv1a64(hash, bytes, sizeof bytes);
}

uint64_t ndl_geometry_hash(const ndl_geometry *g)
{
    const ndl_engram *e = &g->engram;
    uint64_t hash = NDL_FNV1A64;

    hash = hash_number(hash, g->vocab_size);
    hash = hash_number(hash, g->d_model);
    hash = hash_number(hash, g->num_heads);
    hash = hash_number(hash, g->num_kv_heads);
    hash = hash_number(hash, g->num_layers);
    hash = hash_number(hash, g->qk_head_dim);
    hash = hash_number(hash, g->v_head_dim);
    hash = hash_number(hash, g->max_seq_len);
    hash = hash_number(hash, g->sliding_window);
    for (size_t i = 0; i < g->num_layers; i++)
        hash = hash_number(hash, g->is_global[i] != 0);
    hash = hash_number(hash, g->qkv_conv_taps);
    hash = hash_number(hash, e->num_orders);
    for (size_t i = 0; i < e->num_orders; i++)
        hash = hash_number(hash, e->orders[i]);
    hash = hash_number(hash, e->heads);
    hash = hash_number(hash, e->slots);
    hash = hash_number(hash, e->sub_dim);
    hash = hash_number(hash, e->num_sites);
    for (size_t i = 0; i < e->num_sites; i++)
        hash = hash_number(hash, e->sites[i]);
    hash = hash_number(hash, e->conv_taps);
    hash = hash_number(hash, e->conv_dilation);
    return hash_number(hash, e->seed_heads);
}

/* ------------------------------------------------------------------- saving */

size_t ndl_session_save_size(const ndl_session *s)
{
    return NDL_SAVE_HEADER + s->geometry.num_layers * NDL_SAVE_LAYER + ndl_bytes(s) +
           NDL_SAVE_CHECKSUM;
}

static uint8_t *put_floats(uint8_t *at, const float *x, size_t n)
{
    ndl_put_f32(at, x, n);
    return at + 4 * n;
}

static uint8_t *put_codes(uint8_t *at, const int8_t *x, size_t n)
{
    ndl_put_i8(at, x, n);
    return at + n;
}

static void put_header(uint8_t *bytes, const ndl_session *s, size_t len)
{
    ndl_put_u64(bytes + AT_MAGIC, MAGIC);
    ndl_put_u64(bytes + AT_VERSION, VERSION);
    ndl_put_u64(bytes + AT_LENGTH, len);
    ndl_put_u64(bytes + AT_GEOMETRY, ndl_geometry_hash(&s->geometry));
    ndl_put_u64(bytes + AT_PRECISION, s->precision == NDL_INT8 ? 1 : 0);
    ndl_put_u64(bytes + AT_NUMERICS, s->numerics == NDL_UPSTREAM ? 1 : 0);
    ndl_put_u64(bytes + AT_HINT, s->hint);
    ndl_put_u64(bytes + AT_POS, s->pos);
    ndl_put_u64(bytes + AT_HELD, s->held);
}

static uint8_t *put_layer(uint8_t *at, const ndl_session *s, const ndl_layer *l)
{
    const size_t k = ndl_ring_at(l->slots, s->dim[NDL_K]);
    const size_t v = ndl_ring_at(l->slots, s->dim[NDL_V]);
    const size_t scales = ndl_ring_at(l->slots, s->geometry.num_kv_heads);

    if (s->precision == NDL_F32) {
        at = put_floats(at, l->k, k);
        at = put_floats(at, l->v, v);
    } else {
        at = put_codes(at, l->k_codes, k);
        at = put_floats(at, l->k_scales, scales);
        at = put_codes(at, l->v_codes, v);
        at = put_floats(at, l->v_scales, scales);
    }
    for (size_t which = 0; which < 3; which++)
        at = put_floats(at, l->tail[which], ndl_ring_at(s->tail_rows, s->dim[which]));
    return at;
}

ndl_status ndl_session_save(const ndl_session *s, uint8_t *bytes, size_t len)
{
    const ndl_geometry *g = &s->geometry;

    if (len != ndl_session_save_size(s))
        return NDL_E_LENGTH;
    uint8_t *at = bytes + NDL_SAVE_HEADER;

    put_header(bytes, s, len);
    for (size_t i = 0; i < g->num_layers; i++) {
        ndl_put_u64(at, s->layer[i].slots);
        ndl_put_u64(at + 8, s->layer[i].written);
        at += NDL_SAVE_LAYER;
    }
    for (size_t i = 0; i < s->held; i++) {
        ndl_put_u32(at, s->history[i]);
        at += 4;
    }
    for (size_t i = 0; i < g->num_layers; i++)
        at = put_layer(at, s, &s->layer[i]);
    for (size_t i = 0; i < g->engram.num_sites; i++)
        at = put_floats(at, s->site_tail[i], ndl_ring_at(s->reach, g->d_model));
    ndl_put_u64(at, ndl_fnv1a64(NDL_FNV1A64, bytes, len - NDL_SAVE_CHECKSUM));
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
static numbers get_numbers(const uint8_t *bytes)
{
    const numbers n = {
        .precision = ndl_get_u64(bytes + AT_PRECISION) == 1 ? NDL_INT8 : NDL_F32,
        .numerics = ndl_get_u64(bytes + AT_NUMERICS) == 1 ? NDL_UPSTREAM : NDL_NEEDLE_CORE,
        .hint = (size_t)ndl_get_u64(bytes + AT_HINT),
        .pos = (size_t)ndl_get_u64(bytes + AT_POS),
        .held = (size_t)ndl_get_u64(bytes + AT_HELD),
    };

    return n;
}

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

/* Whether everything behind the header is what a session can have, and as long as
 * the bytes are: `left` of them, the checksum not counted, from the first layer's
 * slots on. No sum overflows, since slots are held to their caps first. */
static bool contents_possible(const ndl_geometry *g, numbers n, const uint8_t *at, size_t left)
{
    const size_t heads = g->num_kv_heads, reach = ndl_geometry_reach(g);
    const size_t k_dim = ndl_geometry_k_dim(g), v_dim = ndl_geometry_v_dim(g);
    const size_t tail_rows = g->qkv_conv_taps > 0 ? g->qkv_conv_taps - 1 : 0;
    const size_t tails = 4 * tail_rows * (ndl_geometry_q_dim(g) + k_dim + v_dim);
    const uint8_t *const table = at;
    size_t bytes = g->num_layers * NDL_SAVE_LAYER + 4 * n.held;

    if (!rings_possible(g, n.hint, table))
        return false;
    for (size_t i = 0; i < g->num_layers; i++) {
        const size_t slots = (size_t)ndl_get_u64(table + i * NDL_SAVE_LAYER);

        bytes += slots * (n.precision == NDL_F32 ? 4 * (k_dim + v_dim) : k_dim + v_dim + 8 * heads);
        bytes += tails;
    }
    bytes += 4 * g->engram.num_sites * reach * g->d_model;
    if (bytes != left)
        return false;
    at += g->num_layers * NDL_SAVE_LAYER + 4 * n.held;
    for (size_t i = 0; n.precision == NDL_INT8 && i < g->num_layers; i++) {
        const size_t slots = (size_t)ndl_get_u64(table + i * NDL_SAVE_LAYER);

        at += slots * k_dim;
        if (!scales_possible(at, slots * heads))
            return false;
        at += 4 * slots * heads + slots * v_dim;
        if (!scales_possible(at, slots * heads))
            return false;
        at += 4 * slots * heads + tails;
    }
    return true;
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

static const uint8_t *get_layer(const ndl_session *s, const ndl_layer *l, const uint8_t *at)
{
    const size_t k = ndl_ring_at(l->slots, s->dim[NDL_K]);
    const size_t v = ndl_ring_at(l->slots, s->dim[NDL_V]);
    const size_t scales = ndl_ring_at(l->slots, s->geometry.num_kv_heads);

    if (s->precision == NDL_F32) {
        at = get_floats(l->k, at, k);
        at = get_floats(l->v, at, v);
    } else {
        at = get_codes(l->k_codes, at, k);
        at = get_floats(l->k_scales, at, scales);
        at = get_codes(l->v_codes, at, v);
        at = get_floats(l->v_scales, at, scales);
    }
    for (size_t which = 0; which < 3; which++)
        at = get_floats(l->tail[which], at, ndl_ring_at(s->tail_rows, s->dim[which]));
    return at;
}

/* Rings as large as those that were saved, and what was written to them. */
static bool get_rings(const ndl_session *s, const uint8_t *table)
{
    for (size_t i = 0; i < s->geometry.num_layers; i++) {
        ndl_layer *l = &s->layer[i];
        const size_t slots = (size_t)ndl_get_u64(table + i * NDL_SAVE_LAYER);

        l->written = (size_t)ndl_get_u64(table + i * NDL_SAVE_LAYER + 8);
        if (slots == l->slots)
            continue;
        ndl_stores_free(s, l);
        l->slots = slots;
        if (!ndl_stores_new(s, l))
            return false;
    }
    return true;
}

static void get_contents(ndl_session *s, numbers n, const uint8_t *at)
{
    const ndl_geometry *g = &s->geometry;

    s->pos = n.pos;
    s->held = n.held;
    for (size_t i = 0; i < s->held; i++) {
        s->history[i] = ndl_get_u32(at);
        at += 4;
    }
    for (size_t i = 0; i < g->num_layers; i++)
        at = get_layer(s, &s->layer[i], at);
    for (size_t i = 0; i < g->engram.num_sites; i++)
        at = get_floats(s->site_tail[i], at, ndl_ring_at(s->reach, g->d_model));
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
    const numbers n = get_numbers(bytes);
    if (!contents_possible(g, n, table, left))
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
    if (!get_rings(s, table)) {
        ndl_session_free(s);
        return NDL_E_MEMORY;
    }
    get_contents(s, n, table + table_bytes);
    ndl_session_give(s, out);
    return NDL_OK;
}
