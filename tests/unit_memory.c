/* How much memory a session takes, and when. */
#include "life.h"
#include "memory.h"

/* bytes, 1 KiB, 256 bytes a layer and site, and the buffer of M tokens. */
static size_t bound(const ndl_session *s)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    return ndl_bytes(s) + 1024 + 256 * (g->num_layers + g->engram.num_sites) +
           4 * ndl_geometry_max_order(g);
}

static void expect_bounded(ndl_geometry g, ndl_options options, size_t tokens)
{
    memory m = {.pattern = 0x3E3E3E3E};
    ndl_allocator a = memory_allocator(&m);
    options.allocator = &a;
    ndl_session *s = new_session(&g, &options);
    rng r = {1};
    cr_assert(m.live <= bound(s), "%zu of %zu", m.live, bound(s));
    for (size_t t = 0; t < tokens; t++) {
        live_token(s, &r);
        cr_assert(m.live <= bound(s), "%zu of %zu after token %zu", m.live, bound(s), t);
    }
    expect_ok(ndl_session_reset(s));
    cr_assert(m.live <= bound(s));
    ndl_session_free(s);
    expect_size(m.live, 0);
}

Test(memory, SES_009_a_session_keeps_to_its_bound)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        expect_bounded(k.geometry, k.options, 12);
    }
    ndl_options int8 = {.precision = NDL_INT8, .hint = 3}, f32 = {.hint = 3};
    expect_bounded(rung_2_geometry(), f32, 8);
    expect_bounded(rung_2_geometry(), int8, 8);
    /* as many layers and sites as there can be, with next to nothing in them */
    ndl_geometry many = small_geometry();
    many.num_layers = NDL_MAX_LAYERS;
    many.engram.num_sites = NDL_MAX_SITES;
    for (size_t i = 0; i < NDL_MAX_SITES; i++)
        many.engram.sites[i] = 63 - i;
    expect_bounded(many, f32, 8);
    expect_bounded(many, int8, 8);
    many.qkv_conv_taps = 0;
    many.engram.conv_taps = 1;
    expect_bounded(many, int8, 8);
}

/* A step asks for memory only when a ring grows. */
Test(memory, SES_009_a_step_allocates_only_to_grow)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        memory m = {.pattern = 0};
        ndl_allocator a = memory_allocator(&m);
        k.options.allocator = &a;
        ndl_session *s = new_session(&k.geometry, &k.options);
        rng r = {i};
        for (size_t t = 0; t < 20; t++) {
            size_t slots = 0, after = 0, asked = m.allocations;
            for (size_t layer = 0; layer < k.geometry.num_layers; layer++)
                slots += slots_of(s, layer);
            live_token(s, &r);
            for (size_t layer = 0; layer < k.geometry.num_layers; layer++)
                after += slots_of(s, layer);
            cr_assert((m.allocations > asked) == (after > slots), "%s, token %zu", k.name, t);
        }
        ndl_session_free(s);
    }
}

/* Growth holds the old store and the new one at once, and no more. */
Test(memory, SES_009_growth_peaks_at_old_plus_new)
{
    for (int precision = NDL_F32; precision <= NDL_INT8; precision++) {
        ndl_geometry g = rung_2_geometry();
        memory m = {.pattern = 0};
        ndl_allocator a = memory_allocator(&m);
        ndl_options options = {.precision = (ndl_precision)precision, .hint = 4, .allocator = &a};
        ndl_session *s = new_session(&g, &options);
        static const float k[96], v[128];
        for (size_t pos = 0; pos < 100; pos++) {
            size_t before = m.live, slots = slots_of(s, 1);
            m.peak = m.live;
            expect_ok(ndl_write_kv(s, 1, pos, k, 96, v, 128));
            size_t slot_bytes = precision == NDL_INT8 ? 96 + 128 + 4 * 4 : 4 * (96 + 128);
            if (slots_of(s, 1) > slots)
                cr_assert(m.peak <= before + slots_of(s, 1) * slot_bytes + 64);
            else
                cr_assert(m.peak == before);
            cr_assert(m.live <= bound(s));
        }
        ndl_session_free(s);
    }
}
