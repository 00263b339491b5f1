/* Engine and reference on geometries about the limits of what is accepted:
 * status, widths, windows, caps and table starts. */
#include "ref.h"
#include "support.h"

#define HALF (SIZE_MAX / 2 + 1)

/* A number near something: a small one mostly, or a power of two and about. */
static size_t number(rng *r, size_t small)
{
    if (!rng_one_in(r, 6))
        return rng_below(r, small);
    size_t power = (size_t)1 << rng_below(r, sizeof(size_t) * 8);
    const size_t values[] = {power, power - 1, power + 1, HALF, SIZE_MAX, SIZE_MAX / 3, HALF / 127};
    return values[rng_below(r, COUNT(values))];
}

static ndl_geometry random_geometry(rng *r)
{
    ndl_geometry g = {.vocab_size = number(r, 10),
                      .d_model = number(r, 8),
                      .num_kv_heads = number(r, 4),
                      .num_layers = rng_one_in(r, 20) ? number(r, 80) : rng_between(r, 1, 64),
                      .qk_head_dim = number(r, 8),
                      .v_head_dim = number(r, 8),
                      .max_seq_len = number(r, 30),
                      .sliding_window = number(r, 30),
                      .qkv_conv_taps = number(r, 6)};
    g.num_heads = rng_one_in(r, 10) ? number(r, 9) : g.num_kv_heads * rng_between(r, 1, 3);
    for (size_t i = 0; i < g.num_layers && i < NDL_MAX_LAYERS; i++)
        g.is_global[i] = rng_one_in(r, 3);
    if (rng_one_in(r, 30))
        g.is_global[rng_below(r, NDL_MAX_LAYERS)] = 1;
    ndl_engram *e = &g.engram;
    e->num_orders = rng_one_in(r, 20) ? number(r, 8) : rng_below(r, 5);
    for (size_t i = 0; i < NDL_MAX_ORDERS; i++)
        e->orders[i] = rng_one_in(r, 8) ? number(r, 5) : rng_between(r, 1, 5);
    e->heads = number(r, 6);
    e->slots = number(r, 100);
    e->sub_dim = number(r, 100);
    e->num_sites = rng_one_in(r, 20) ? number(r, 30) : rng_below(r, 6);
    for (size_t i = 0; i < NDL_MAX_SITES; i++)
        e->sites[i] = rng_one_in(r, 40) ? number(r, 70) : i;
    e->conv_taps = number(r, 6);
    e->conv_dilation = number(r, 6);
    e->seed_heads = number(r, 9);
    return g;
}

/* The ways to be small everywhere make most geometries valid but for one thing. */
static void expect_agreement(const ndl_geometry *g, uint64_t seed)
{
    size_t a = 0, b = 0;
#define SAME(call)                                                                                 \
    cr_assert(ndl_##call == ref_##call, "NDL_SEED=%llu NDL_CASES=1: %s", (unsigned long long)seed, \
              #call)
    SAME(geometry_q_dim(g));
    SAME(geometry_k_dim(g));
    SAME(geometry_v_dim(g));
    SAME(geometry_out_dim(g));
    SAME(geometry_max_order(g));
    SAME(geometry_reach(g));
    SAME(geometry_tables(g));
    for (size_t layer = 0; layer < 66; layer++) {
        cr_assert(ndl_geometry_window(g, layer, &a) == ref_geometry_window(g, layer, &b));
        cr_assert(a == b, "window of layer %zu", layer);
        cr_assert(ndl_geometry_cap(g, layer, &a) == ref_geometry_cap(g, layer, &b));
        cr_assert(a == b, "cap of layer %zu", layer);
    }
    for (size_t i = 0; i < 8; i++) {
        size_t table = i < 4 ? i : ndl_geometry_tables(g) - 6 + i;
        cr_assert(ndl_geometry_table_start(g, table, &a) == ref_geometry_table_start(g, table, &b));
        cr_assert(a == b, "start of table %zu", table);
    }
}

Test(prop_geometry, GEO_001_to_008_engine_and_reference_agree)
{
    size_t cases = case_count(200000), seen[NDL_E_SIZE + 1] = {0};
    for (size_t i = 0; i < cases; i++) {
        uint64_t seed = first_seed() + i;
        rng r = {seed};
        case_begin(seed);
        ndl_geometry g = random_geometry(&r);
        ndl_status engine = ndl_geometry_validate(&g), reference = ref_geometry_validate(&g);
        cr_assert(engine == reference,
                  "NDL_SEED=%llu NDL_CASES=1: the engine says %s, the "
                  "reference %s",
                  (unsigned long long)seed, ndl_status_name(engine), ndl_status_name(reference));
        seen[engine]++;
        if (engine == NDL_OK)
            expect_agreement(&g, seed);
    }
    for (size_t status = 0; cases >= 100000 && status < COUNT(seen); status++)
        cr_assert(seen[status] > 0, "never produced: %s", ndl_status_name((ndl_status)status));
}

/* The largest value of a field that a validate accepts, all else being small. */
static size_t largest(ndl_status (*validate)(const ndl_geometry *g), ndl_geometry g, size_t field)
{
    size_t good = 1, bad = SIZE_MAX;
    while (bad - good > 1) {
        change c = {field, good + (bad - good) / 2};
        apply_change(&g, c);
        if (validate(&g) == NDL_OK)
            good = c.value;
        else
            bad = c.value;
    }
    return good;
}

/* Where sizes end is one number, and the same for engine and reference. */
Test(prop_geometry, GEO_005_sizes_end_at_the_same_number)
{
    static const size_t fields[] = {
        offsetof(ndl_geometry, max_seq_len),      offsetof(ndl_geometry, num_heads),
        offsetof(ndl_geometry, qk_head_dim),      offsetof(ndl_geometry, v_head_dim),
        offsetof(ndl_geometry, qkv_conv_taps),    offsetof(ndl_geometry, d_model),
        offsetof(ndl_geometry, engram.conv_taps), offsetof(ndl_geometry, engram.conv_dilation),
        offsetof(ndl_geometry, engram.orders[0]), offsetof(ndl_geometry, engram.heads)};
    size_t cases = case_count(1000);
    for (size_t i = 0; i < cases; i++) {
        rng r = {first_seed() + i};
        ndl_geometry g = small_geometry();
        g.num_heads = g.num_kv_heads = 1;
        g.num_layers = rng_between(&r, 2, 64);
        g.qk_head_dim = rng_between(&r, 1, 4);
        g.v_head_dim = rng_between(&r, 1, 4);
        g.max_seq_len = rng_between(&r, 1, 9);
        g.sliding_window = rng_below(&r, 9);
        g.d_model = rng_between(&r, 1, 4);
        g.qkv_conv_taps = rng_below(&r, 4);
        g.engram.conv_taps = rng_between(&r, 1, 4);
        g.engram.orders[0] = rng_between(&r, 1, 5);
        for (size_t f = 0; f < COUNT(fields); f++) {
            size_t engine = largest(ndl_geometry_validate, g, fields[f]);
            size_t reference = largest(ref_geometry_validate, g, fields[f]);
            cr_assert(engine == reference,
                      "NDL_SEED=%llu NDL_CASES=1: field %zu ends at %zu, in the reference at %zu",
                      (unsigned long long)first_seed() + i, f, engine, reference);
        }
    }
}
