/* Sizes that overflow. Each geometry below has one product or sum that wraps
 * around, most of them to something small. */
#include "support.h"

#define HALF (SIZE_MAX / 2 + 1)
/* The square root of SIZE_MAX + 1. */
#define ROOT ((size_t)1 << (sizeof(size_t) * 4))

static ndl_geometry base(void)
{
    ndl_geometry g = small_geometry();
    g.max_seq_len = 1;
    g.is_global[1] = 0;
    g.sliding_window = 0;
    return g;
}

static const struct {
    const char *name;
    change changes[3];
} large[] = {
    {"a row of keys", {SET(num_heads, ROOT), SET(num_kv_heads, ROOT), SET(qk_head_dim, ROOT)}},
    {"a row of values", {SET(num_heads, ROOT), SET(num_kv_heads, ROOT), SET(v_head_dim, ROOT)}},
    {"a row of queries", {SET(num_heads, ROOT), SET(qk_head_dim, ROOT)}},
    {"a row of output", {SET(num_heads, ROOT), SET(v_head_dim, ROOT)}},
    {"bytes of a key", {SET(qk_head_dim, HALF / 2)}},
    {"bytes of a value", {SET(v_head_dim, HALF / 2)}},
    {"a store", {SET(max_seq_len, HALF / 4), SET(qk_head_dim, 4)}},
    {"scales", {SET(max_seq_len, ROOT), SET(num_heads, ROOT / 4), SET(num_kv_heads, ROOT / 4)}},
    {"all layers, where one would fit", {SET(max_seq_len, HALF / 128), SET(num_layers, 64)}},
    {"tails", {SET(qkv_conv_taps, HALF / 4 + 1)}},
    {"the reach", {SET(engram.conv_taps, ROOT + 1), SET(engram.conv_dilation, ROOT)}},
    {"an engram tail",
     {SET(engram.conv_taps, 2), SET(engram.conv_dilation, ROOT), SET(d_model, ROOT)}},
    {"the gate by orders", {SET(engram.conv_taps, 17), SET(engram.orders[0], HALF / 16)}},
    {"engram taps", {SET(engram.conv_taps, 1), SET(d_model, HALF / 2)}},
    {"the history", {SET(engram.conv_taps, 1), SET(engram.orders[0], HALF / 2)}},
    {"tables", {SET(engram.heads, HALF)}},
    {"scratch of attention", {SET(num_heads, ROOT), SET(max_seq_len, ROOT / 2)}},
};

Test(geometry, GEO_005_sizes_that_overflow_are_refused)
{
    ndl_geometry good = base();
    expect_ok(ndl_geometry_validate(&good));
    good.max_seq_len = HALF / 128;
    expect_ok(ndl_geometry_validate(&good));
    for (size_t i = 0; i < COUNT(large); i++) {
        ndl_geometry g = base();
        for (size_t j = 0; j < 3; j++) /* one left out sets vocab_size to 0 */
            apply_change(&g, large[i].changes[j]);
        ndl_status got = ndl_geometry_validate(&g);
        cr_assert(got == NDL_E_SIZE, "%s: %s", large[i].name, ndl_status_name(got));
    }
}

/* The least that there is, in bytes of a session: 10 for a slot, in int8 with its two
 * scales, and 4 for the history. */
static ndl_geometry least(void)
{
    ndl_geometry g = {.num_heads = 1,
                      .num_kv_heads = 1,
                      .num_layers = 1,
                      .qk_head_dim = 1,
                      .v_head_dim = 1,
                      .max_seq_len = 1};
    g.engram.sites[1] = 1;
    return g;
}

/* The most bytes, and the most floats, that a number of the chapter's list may come to. */
#define BYTES (SIZE_MAX / 2)
#define FLOATS (BYTES / 4)
#define ORDER SET(engram.num_orders, 1), SET(engram.heads, 1), SET(engram.slots, 1)
#define SITE SET(engram.num_sites, 1), SET(d_model, 1), SET(engram.conv_dilation, 1)

/* For each term of each number a member of it, all else being small: the largest value
 * of that member. */
static const struct {
    const char *name;
    change changes[8];
    size_t field, last;
} limits[] = {
#define FIELD(member) offsetof(ndl_geometry, member)
    {"queries, output, scores", {SET(qkv_conv_taps, 1)}, FIELD(num_heads), FLOATS},
    {"queries", {SET(qkv_conv_taps, 1), SET(qk_head_dim, 2)}, FIELD(num_heads), FLOATS / 2},
    {"queries without taps", {SET(qk_head_dim, 2)}, FIELD(num_heads), FLOATS / 2},
    {"taps of queries", {SET(qkv_conv_taps, 2)}, FIELD(num_heads), FLOATS / 2},
    {"more taps of queries", {SET(qkv_conv_taps, 4)}, FIELD(num_heads), FLOATS / 4},
    {"output", {SET(v_head_dim, 2)}, FIELD(num_heads), FLOATS / 2},
    {"scores", {SET(max_seq_len, 2)}, FIELD(num_heads), FLOATS / 2},
    {"tables", {ORDER, SET(engram.orders[0], 1)}, FIELD(engram.heads), FLOATS},
    {"tables of two orders",
     {ORDER, SET(engram.num_orders, 2), SET(engram.orders[0], 1), SET(engram.orders[1], 1)},
     FIELD(engram.heads),
     FLOATS / 2},
    {"one engram tap", {SITE, SET(engram.conv_taps, 1)}, FIELD(d_model), FLOATS},
    {"two engram taps", {SITE, SET(engram.conv_taps, 2)}, FIELD(d_model), FLOATS / 2},
    {"the gate by orders",
     {SITE, ORDER, SET(engram.conv_taps, 5)},
     FIELD(engram.orders[0]),
     FLOATS / 4},
    {"slots with scales", {SET(num_layers, 1)}, FIELD(max_seq_len), (BYTES - 4) / 10},
    {"slots of floats, a wide key", {SET(qk_head_dim, 2)}, FIELD(max_seq_len), (BYTES - 4) / 12},
    {"slots of floats, a wide value", {SET(v_head_dim, 2)}, FIELD(max_seq_len), (BYTES - 4) / 12},
    {"slots of two heads",
     {SET(num_heads, 2), SET(num_kv_heads, 2)},
     FIELD(max_seq_len),
     (BYTES - 4) / 20},
    {"slots of three layers", {SET(num_layers, 3)}, FIELD(max_seq_len), (BYTES - 4) / 30},
    {"slots of a window",
     {SET(num_layers, 2), SET(max_seq_len, FLOATS)},
     FIELD(sliding_window),
     (BYTES - 4) / 20},
    {"tails", {SET(num_layers, 1)}, FIELD(qkv_conv_taps), (BYTES - 14) / 12 + 1},
    {"tails of two layers", {SET(num_layers, 2)}, FIELD(qkv_conv_taps), (BYTES - 24) / 24 + 1},
    {"tails of 12, 6 and 10 channels, slots of 64 bytes",
     {SET(num_heads, 4), SET(num_kv_heads, 2), SET(qk_head_dim, 3), SET(v_head_dim, 5)},
     FIELD(qkv_conv_taps),
     (BYTES - 68) / 112 + 1},
    {"an engram tail, its taps", {SITE}, FIELD(engram.conv_taps), (BYTES - 14) / 4 + 1},
    {"an engram tail, its channels",
     {SITE, SET(engram.conv_taps, 3), SET(engram.conv_dilation, 7)},
     FIELD(d_model),
     (BYTES - 14) / 56},
    {"two engram tails",
     {SITE, SET(engram.num_sites, 2), SET(num_layers, 2), SET(engram.conv_taps, 3),
      SET(d_model, 5)},
     FIELD(engram.conv_dilation),
     (BYTES - 24) / 80},
    {"the history", {ORDER}, FIELD(engram.orders[0]), (BYTES - 10) / 4},
};

Test(geometry, GEO_005_each_size_may_be_the_largest_and_no_more)
{
    for (size_t i = 0; i < COUNT(limits); i++) {
        ndl_geometry g = least();
        for (size_t j = 0; j < COUNT(limits[i].changes); j++)
            apply_change(&g, limits[i].changes[j]);
        apply_change(&g, (change){limits[i].field, limits[i].last});
        ndl_status got = ndl_geometry_validate(&g);
        cr_assert(got == NDL_OK, "%s: %s", limits[i].name, ndl_status_name(got));
        apply_change(&g, (change){limits[i].field, limits[i].last + 1});
        got = ndl_geometry_validate(&g);
        cr_assert(got == NDL_E_SIZE, "%s, one more: %s", limits[i].name, ndl_status_name(got));
    }
}

/* What is merely huge is accepted, and where the rings start small a session
 * of it can be had, stepped and asked about its far end. */
Test(geometry, GEO_005_huge_is_not_too_large)
{
    ndl_geometry g = small_geometry();
    g.max_seq_len = SIZE_MAX / 256;
    g.sliding_window = SIZE_MAX / 512;
    expect_ok(ndl_geometry_validate(&g));
    ndl_session *s = new_session(&g, NULL);
    write_number(s, 0, 0, 1, 1);
    write_number(s, 1, 0, 1, 1);
    expect_ok(ndl_set_pos(s, SIZE_MAX - 1));
    for (size_t layer = 0; layer < 2; layer++) {
        expect_size(slots_of(s, layer), 1);
        expect_size(span_of(s, layer, SIZE_MAX - 1).lo, SIZE_MAX - 1);
    }
    cr_assert(ndl_is_saturated(s));
    const float taps[4] = {1, 1, 1, 1};
    float raw = 1;
    expect_ok(ndl_conv_step(s, 0, NDL_Q, taps, 3, &raw, 1));
    expect_ok(ndl_engram_conv_step(s, 0, taps, 4, &raw, 1));
    ndl_session_free(s);
}

/* Memory that no machine has is refused when it is asked for, not before. */
Test(geometry, GEO_005_memory_that_cannot_be_had_is_another_refusal)
{
    ndl_geometry g = small_geometry();
    g.max_seq_len = SIZE_MAX / 256;
    ndl_options options = {.hint = SIZE_MAX};
    ndl_session *s = NULL;
    expect_status(ndl_session_new(&g, &options, &s), NDL_E_MEMORY);
    cr_assert(s == NULL);
    s = new_session(&g, NULL);
    const float x = 1;
    expect_status(ndl_write_kv(s, 1, SIZE_MAX - 1, &x, 1, &x, 1), NDL_E_MEMORY);
    expect_size(slots_of(s, 1), 1);
    expect_size(lost_of(s, 1), 0);
    ndl_session_free(s);
}
