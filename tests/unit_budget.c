/* ndl budget's formulas against a session that is stepped: what it says of its
 * bytes and slots, and the most that its allocator ever had out. */
#include "footprint.h"
#include "life.h"
#include "memory.h"

/* What a session may hold beyond its contents (SES_009). */
static size_t allowance(const ndl_geometry *g)
{
    return 1024 + 256 * (g->num_layers + g->engram.num_sites) + 4 * ndl_geometry_max_order(g);
}

static void expect_as_budgeted(const ndl_session *s, size_t hint, size_t tokens, const memory *m)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    footprint f;
    footprint_of(g, ndl_session_precision(s), hint, tokens, &f);
    cr_assert(f.total == ndl_bytes(s), "hint %zu, token %zu: %zu, not %zu", hint, tokens, f.total,
              ndl_bytes(s));
    for (size_t layer = 0; layer < g->num_layers; layer++)
        expect_size(f.slots[layer], slots_of(s, layer));
    cr_assert(f.peak <= m->peak, "hint %zu, token %zu: peak %zu of %zu", hint, tokens, f.peak,
              m->peak);
    cr_assert(m->peak <= f.peak + allowance(g), "hint %zu, token %zu: %zu beyond %zu", hint, tokens,
              m->peak, f.peak);
}

Test(budget, KV_007_SES_009_formulas_are_what_a_stepped_session_takes)
{
    for (size_t i = 0; i < KINDS; i++) {
        for (size_t hint = 0; hint < 7; hint++) {
            kind k = kind_of_session(i);
            memory m = {.pattern = 0};
            ndl_allocator a = memory_allocator(&m);
            k.options.allocator = &a;
            k.options.hint = hint;
            ndl_session *s = new_session(&k.geometry, &k.options);
            rng r = {hint};
            for (size_t token = 0; token < 2 * k.geometry.max_seq_len + 2 && token < 70; token++) {
                expect_as_budgeted(s, hint, token, &m);
                live_token(s, &r);
            }
            ndl_session_free(s);
        }
    }
}

/* The parts add up, and are those of the shipped model by hand: 20 layers of 2 kv
 * heads, 48 and 64 wide; 16 local layers of 1024 slots at most, 4 of 8192. */
Test(budget, KV_007_parts_of_the_shipped_geometry)
{
    const ndl_geometry g = shipped_geometry();
    const size_t slots = 16 * 1024 + 4 * 8192;
    footprint f;
    footprint_of(&g, NDL_INT8, 64, 8192, &f);
    expect_size(f.keys, slots * 96);
    expect_size(f.values, slots * 128);
    expect_size(f.scales, slots * 2 * 2 * 4);
    expect_size(f.tails, 4 * 20 * 2 * (576 + 96 + 128));
    expect_size(f.engram, 4 * 5 * 9 * 768);
    expect_size(f.tokens, 12);
    expect_size(f.total, f.keys + f.values + f.scales + f.tails + f.engram + f.tokens);
    /* The last ring to grow is there twice, the three before it have grown. */
    expect_size(f.peak, f.total + 4096 * (96 + 128 + 2 * 2 * 4));
    footprint_of(&g, NDL_F32, 64, 8192, &f);
    expect_size(f.keys, slots * 96 * 4);
    expect_size(f.scales, 0);
    expect_size(f.peak, f.total + 4096 * (96 + 128) * 4);
}
