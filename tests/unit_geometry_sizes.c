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
