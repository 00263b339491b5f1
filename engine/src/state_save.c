/* Sessions as bytes, and back. The layout: state_save.h.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_save.h"

#include "state.h"

#include "geometry.h"
#include "little.h"
#include "ring.h"
#include "state_load.h"
#include "state_make.h"
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
