#include "digest.h"

#include "base.h"
#include "observe.h"

#include <stdlib.h>

/* The library's header alone: machines without the library compile it, too. */
#define XXH_INLINE_ALL
#include <xxhash.h>

/* Each hash is the seed of the next. */
static void add_bytes(uint64_t *hash, const void *data, size_t size)
{
    *hash = XXH3_64bits_withSeed(data, size, *hash);
}

static void add_number(uint64_t *hash, size_t number)
{
    add_bytes(hash, &number, sizeof number);
}

static void add_array(uint64_t *hash, const void *data, size_t count, size_t size)
{
    add_number(hash, data != NULL);
    if (data)
        add_bytes(hash, data, count * size);
}

static void add_layer(uint64_t *hash, const ndl_session *s, size_t layer)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    size_t k_dim = ndl_geometry_k_dim(g), v_dim = ndl_geometry_v_dim(g);
    ndl_kv kv = {.slots = 0};
    must(ndl_kv_at(s, layer, &kv) == NDL_OK);
    must(kv.slots == slots_of(s, layer));
    add_number(hash, kv.precision);
    add_number(hash, kv.slots);
    add_array(hash, kv.k, kv.slots * k_dim, sizeof *kv.k);
    add_array(hash, kv.v, kv.slots * v_dim, sizeof *kv.v);
    add_array(hash, kv.k_codes, kv.slots * k_dim, sizeof *kv.k_codes);
    add_array(hash, kv.v_codes, kv.slots * v_dim, sizeof *kv.v_codes);
    add_array(hash, kv.k_scales, kv.slots * g->num_kv_heads, sizeof *kv.k_scales);
    add_array(hash, kv.v_scales, kv.slots * g->num_kv_heads, sizeof *kv.v_scales);
    add_number(hash, lost_of(s, layer));

    size_t pos = ndl_pos(s);
    const size_t positions[] = {0, pos, pos / 2, g->max_seq_len, SIZE_MAX - 1};
    for (size_t i = 0; i < COUNT(positions); i++) {
        ndl_span span = {0, 0};
        must(ndl_span_at(s, layer, positions[i], &span) == NDL_OK);
        add_number(hash, span.lo);
        add_number(hash, span.hi);
    }
    for (int which = NDL_Q; which <= NDL_V; which++) {
        ndl_rows tail = {NULL, 0, 0};
        must(ndl_conv_tail(s, layer, (ndl_projection)which, &tail) == NDL_OK);
        add_number(hash, tail.rows);
        add_number(hash, tail.dim);
        add_bytes(hash, tail.data, tail.rows * tail.dim * sizeof *tail.data);
    }
}

static void add_save(uint64_t *hash, const ndl_session *s)
{
    size_t size = ndl_session_save_size(s);
    uint8_t *bytes = must_have(size);
    must(ndl_session_save(s, bytes, size) == NDL_OK);
    add_bytes(hash, bytes, size);
    free(bytes);
}

uint64_t digest_of(const ndl_session *s)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    uint64_t hash = 0;
    add_number(&hash, ndl_session_precision(s));
    add_number(&hash, ndl_session_numerics(s));
    add_number(&hash, ndl_session_hint(s));
    add_number(&hash, ndl_pos(s));
    add_number(&hash, ndl_len(s));
    add_number(&hash, ndl_is_empty(s));
    add_number(&hash, ndl_bytes(s));
    add_number(&hash, ndl_is_saturated(s));
    size_t held = 0;
    const uint32_t *history = ndl_history(s, &held);
    add_number(&hash, held);
    add_bytes(&hash, history, held * sizeof *history);
    for (size_t t = 0; t < ndl_geometry_tables(g); t++) {
        uint32_t index = 0;
        must(ndl_engram_index(s, t, &index) == NDL_OK);
        add_bytes(&hash, &index, sizeof index);
    }
    for (size_t layer = 0; layer < g->num_layers; layer++)
        add_layer(&hash, s, layer);
    for (size_t site = 0; site < g->engram.num_sites; site++) {
        ndl_rows tail = {NULL, 0, 0};
        must(ndl_engram_tail(s, site, &tail) == NDL_OK);
        add_number(&hash, tail.rows);
        add_number(&hash, tail.dim);
        add_bytes(&hash, tail.data, tail.rows * tail.dim * sizeof *tail.data);
    }
    add_save(&hash, s);
    return hash;
}
