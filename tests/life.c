#include "life.h"

#include <stdlib.h>

void random_floats(rng *r, float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (float)(rng_next(r) >> 40) * 0x1p-22f - 2.0f;
}

float *new_floats(rng *r, size_t n)
{
    float *x = malloc((n ? n : 1) * sizeof *x);
    cr_assert(x != NULL);
    random_floats(r, x, n);
    return x;
}

float *copy_floats(const float *x, size_t n)
{
    float *copy = malloc((n ? n : 1) * sizeof *copy);
    cr_assert(copy != NULL);
    for (size_t i = 0; i < n; i++)
        copy[i] = x[i];
    return copy;
}

static void add_floats(uint64_t *hash, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        *hash = (*hash ^ bits_of(x[i])) * 0x100000001B3u;
}

void attend(const ndl_session *s, size_t layer, size_t pos, const float *q, float *out)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    ndl_span span = span_of(s, layer, pos);
    size_t scratch_len = ndl_attend_scratch(g, span.hi - span.lo + 1);
    float *scratch = malloc((scratch_len ? scratch_len : 1) * sizeof *scratch);
    cr_assert(scratch != NULL);
    expect_ok(ndl_attend_step(s, layer, pos, q, ndl_geometry_q_dim(g), scratch, scratch_len, out,
                              ndl_geometry_out_dim(g)));
    free(scratch);
}

/* A layer's share of a token. */
static void live_layer(ndl_session *s, rng *r, size_t layer, uint64_t *hash)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    const size_t dim[3] = {ndl_geometry_q_dim(g), ndl_geometry_k_dim(g), ndl_geometry_v_dim(g)};
    float *row[3];
    for (int which = NDL_Q; which <= NDL_V; which++) {
        size_t width = dim[which], taps_len = g->qkv_conv_taps * width;
        float *taps = new_floats(r, taps_len);
        row[which] = new_floats(r, width);
        expect_ok(
            ndl_conv_step(s, layer, (ndl_projection)which, taps, taps_len, row[which], width));
        add_floats(hash, row[which], width);
        free(taps);
    }
    expect_ok(ndl_write_kv(s, layer, ndl_pos(s), row[1], dim[1], row[2], dim[2]));
    float *out = new_floats(r, ndl_geometry_out_dim(g));
    attend(s, layer, ndl_pos(s), row[0], out);
    add_floats(hash, out, ndl_geometry_out_dim(g));
    free(out);
    for (int which = NDL_Q; which <= NDL_V; which++)
        free(row[which]);
}

uint64_t live_token(ndl_session *s, rng *r)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    uint64_t hash = 0xCBF29CE484222325u;
    ndl_push_token(s, (uint32_t)rng_next(r));
    for (size_t layer = 0; layer < g->num_layers; layer++)
        live_layer(s, r, layer, &hash);
    for (size_t site = 0; site < g->engram.num_sites; site++) {
        size_t taps_len = g->engram.conv_taps * g->d_model;
        float *taps = new_floats(r, taps_len), *raw = new_floats(r, g->d_model);
        expect_ok(ndl_engram_conv_step(s, site, taps, taps_len, raw, g->d_model));
        add_floats(&hash, raw, g->d_model);
        free(taps);
        free(raw);
    }
    expect_ok(ndl_advance(s));
    return hash;
}

uint64_t live(ndl_session *s, rng *r, size_t tokens)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < tokens; i++)
        hash = hash * 31 + live_token(s, r);
    return hash;
}

kind kind_of_session(size_t i)
{
    ndl_geometry plain = small_geometry(), wide = small_geometry(), bare = small_geometry();
    wide.num_heads = 4;
    wide.num_kv_heads = 2;
    wide.qk_head_dim = 3;
    wide.v_head_dim = 5;
    wide.d_model = 3;
    wide.num_layers = 3;
    wide.is_global[1] = 1;
    wide.sliding_window = 3;
    wide.engram.num_sites = 2;
    wide.engram.sites[1] = 2;
    /* No tails, no engram, no layer with a window. */
    bare.qkv_conv_taps = 0;
    bare.sliding_window = 0;
    ndl_engram none = {.num_orders = 0};
    bare.engram = none;
    const kind kinds[KINDS] = {
        {"plain f32", plain, {.precision = NDL_F32}},
        {"plain int8, upstream", plain, {.precision = NDL_INT8, .numerics = NDL_UPSTREAM}},
        {"wide f32, hint 2", wide, {.precision = NDL_F32, .hint = 2}},
        {"wide int8, hint 3", wide, {.precision = NDL_INT8, .hint = 3}},
        {"bare f32, hint SIZE_MAX", bare, {.precision = NDL_F32, .hint = SIZE_MAX}},
        {"bare int8", bare, {.precision = NDL_INT8}},
    };
    return kinds[i];
}
