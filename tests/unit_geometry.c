/* What validate refuses, what it accepts, and which refusal comes first. */
#include "support.h"

/* A geometry with something of everything: 20 layers, the last one global and
 * without a site, 3 sites, 2 orders, 2 kv heads. Places that are not in use
 * are filled, so that raising a count alone is one fault and not several. */
static ndl_geometry base(void)
{
    ndl_geometry g = shipped_geometry();
    g.engram.num_sites = 3;
    for (size_t i = 0; i < NDL_MAX_SITES; i++)
        g.engram.sites[i] = i;
    g.engram.orders[2] = g.engram.orders[3] = 1;
    return g;
}

static const struct {
    change fault;
    ndl_status status;
} faults[] = {
    {SET(num_layers, 0), NDL_E_NUM_LAYERS},
    {SET(num_heads, 0), NDL_E_NUM_HEADS},
    {SET(num_kv_heads, 0), NDL_E_NUM_KV_HEADS},
    {SET(qk_head_dim, 0), NDL_E_QK_HEAD_DIM},
    {SET(v_head_dim, 0), NDL_E_V_HEAD_DIM},
    {SET(max_seq_len, 0), NDL_E_MAX_SEQ_LEN},
    {SET(d_model, 0), NDL_E_D_MODEL},
    {SET(engram.heads, 0), NDL_E_TABLE_HEADS},
    {SET(engram.slots, 0), NDL_E_TABLE_SLOTS},
    {SET(num_heads, 13), NDL_E_HEAD_GROUPS},
    {SET(num_heads, 1), NDL_E_HEAD_GROUPS},
    {SET(engram.orders[0], 0), NDL_E_ORDER_ZERO},
    {SET(engram.orders[1], 0), NDL_E_ORDER_ZERO},
    {SET(engram.sites[2], 20), NDL_E_SITE_LAYER},
    {SET(engram.sites[0], SIZE_MAX), NDL_E_SITE_LAYER},
    {SET(num_layers, 19), NDL_E_GLOBAL_LAYER},
    {SET(engram.sites[1], 0), NDL_E_SITE_TWICE},
    {SET(engram.sites[2], 1), NDL_E_SITE_TWICE},
    {SET(engram.conv_taps, 0), NDL_E_CONV_TAPS},
    {SET(engram.conv_dilation, 0), NDL_E_DILATION},
    {SET(num_layers, NDL_MAX_LAYERS + 1), NDL_E_MANY_LAYERS},
    {SET(num_layers, SIZE_MAX), NDL_E_MANY_LAYERS},
    {SET(engram.num_orders, NDL_MAX_ORDERS + 1), NDL_E_MANY_ORDERS},
    {SET(engram.num_orders, SIZE_MAX), NDL_E_MANY_ORDERS},
    {SET(engram.num_sites, NDL_MAX_SITES + 1), NDL_E_MANY_SITES},
    {SET(engram.num_sites, SIZE_MAX), NDL_E_MANY_SITES},
    {SET(max_seq_len, SIZE_MAX), NDL_E_SIZE},
};

Test(geometry, GEO_001_to_005_each_fault_has_its_status)
{
    ndl_geometry good = base();
    expect_ok(ndl_geometry_validate(&good));
    for (size_t i = 0; i < COUNT(faults); i++) {
        ndl_geometry g = base();
        apply_change(&g, faults[i].fault);
        ndl_status got = ndl_geometry_validate(&g);
        cr_assert(got == faults[i].status, "fault %zu: %s", i, ndl_status_name(got));
        ndl_session *s = NULL;
        expect_status(ndl_session_new(&g, NULL, &s), faults[i].status);
        cr_assert(s == NULL);
    }
}

/* Whether one change undoes the fault that another makes: 65 layers have room
 * for site 20, and so on. */
static bool interfere(size_t i, size_t j)
{
    static const ndl_status pairs[][2] = {{NDL_E_SITE_LAYER, NDL_E_SITE_TWICE},
                                          {NDL_E_SITE_LAYER, NDL_E_MANY_LAYERS}};
    for (size_t p = 0; p < COUNT(pairs); p++) {
        if (faults[i].status == pairs[p][0] && faults[j].status == pairs[p][1])
            return true;
    }
    return faults[i].fault.offset == faults[j].fault.offset;
}

Test(geometry, GEO_001_to_005_of_two_faults_the_first_in_the_list_is_reported)
{
    size_t pairs = 0;
    for (size_t j = 0; j < COUNT(faults); j++) {
        for (size_t i = 0; i < j; i++) {
            if (interfere(i, j))
                continue;
            ndl_geometry g = base();
            apply_change(&g, faults[i].fault);
            apply_change(&g, faults[j].fault);
            ndl_status got = ndl_geometry_validate(&g);
            cr_assert(got == faults[i].status, "faults %zu and %zu: %s", i, j,
                      ndl_status_name(got));
            pairs++;
        }
    }
    cr_assert(pairs > 300, "%zu", pairs);
}

/* The least that asks for a width, heads and slots is one site and one order. */
Test(geometry, GEO_003_one_site_or_order_is_enough_to_refuse_a_zero)
{
    ndl_geometry one = base();
    one.engram.num_sites = one.engram.num_orders = 1;
    expect_ok(ndl_geometry_validate(&one));
    ndl_geometry g = one;
    g.d_model = 0;
    expect_status(ndl_geometry_validate(&g), NDL_E_D_MODEL);
    g = one;
    g.engram.heads = 0;
    expect_status(ndl_geometry_validate(&g), NDL_E_TABLE_HEADS);
    g = one;
    g.engram.slots = 0;
    expect_status(ndl_geometry_validate(&g), NDL_E_TABLE_SLOTS);
    g = one;
    g.engram.conv_taps = 0;
    expect_status(ndl_geometry_validate(&g), NDL_E_CONV_TAPS);
    g = one;
    g.engram.conv_taps = 2; /* the least with a distance between them */
    g.engram.conv_dilation = 0;
    expect_status(ndl_geometry_validate(&g), NDL_E_DILATION);
}

/* A foreign site and twins together: the foreign one is named first. */
Test(geometry, GEO_003_a_foreign_site_goes_before_twins)
{
    ndl_geometry g = base();
    g.engram.sites[0] = g.engram.sites[1];
    g.engram.sites[2] = g.num_layers;
    expect_status(ndl_geometry_validate(&g), NDL_E_SITE_LAYER);
}

static const change accepted[][4] = {
    {SET(qkv_conv_taps, 0)},
    {SET(qkv_conv_taps, 1)},
    {SET(sliding_window, 0)},
    {SET(sliding_window, 1)},
    {SET(sliding_window, 8193)},
    {SET(sliding_window, SIZE_MAX)},
    {SET(vocab_size, 0)},
    {SET(vocab_size, SIZE_MAX)},
    {SET(num_heads, 2)},
    {SET(max_seq_len, 1)},
    {SET(num_layers, NDL_MAX_LAYERS)},
    {SET(num_layers, 20)},
    {SET(engram.num_orders, NDL_MAX_ORDERS)},
    {SET(engram.num_sites, NDL_MAX_SITES)},
    {SET(engram.sub_dim, 0)},
    {SET(engram.sub_dim, SIZE_MAX)},
    {SET(engram.slots, 1)},
    {SET(engram.slots, SIZE_MAX)},
    {SET(engram.seed_heads, SIZE_MAX)},
    {SET(engram.orders[0], 1)},
    {SET(engram.orders[0], 3)},
    {SET(engram.sites[0], 19)},
    {SET(engram.conv_taps, 1), SET(engram.conv_dilation, 0)},
    {SET(engram.conv_taps, 1), SET(engram.conv_dilation, SIZE_MAX)},
    {SET(engram.num_orders, 0), SET(engram.heads, 0), SET(engram.slots, 0),
     SET(engram.orders[0], 0)},
    {SET(engram.num_sites, 0), SET(engram.conv_taps, 0), SET(d_model, 0),
     SET(engram.sites[0], SIZE_MAX)},
    {SET(engram.num_sites, 0), SET(engram.conv_dilation, 0)},
    {SET(engram.num_sites, 0), SET(engram.conv_taps, SIZE_MAX), SET(engram.conv_dilation, SIZE_MAX),
     SET(d_model, SIZE_MAX)},
    {SET(engram.orders[2], 0), SET(engram.orders[3], SIZE_MAX), SET(engram.sites[3], SIZE_MAX),
     SET(engram.sites[4], 0)},
};

Test(geometry, GEO_004_and_006_what_is_accepted)
{
    for (size_t i = 0; i < COUNT(accepted); i++) {
        ndl_geometry g = base();
        for (size_t j = 0; j < 4; j++) {
            /* An entry left out is all zero, and so would set vocab_size to 0. */
            apply_change(&g, accepted[i][j]);
        }
        ndl_status got = ndl_geometry_validate(&g);
        cr_assert(got == NDL_OK, "geometry %zu: %s", i, ndl_status_name(got));
        ndl_session_free(new_session(&g, NULL));
    }
}

Test(geometry, GEO_006_global_layers_of_any_number)
{
    ndl_geometry g = base();
    for (size_t i = 0; i < g.num_layers; i++)
        g.is_global[i] = 255;
    expect_ok(ndl_geometry_validate(&g));
    for (size_t i = 0; i < g.num_layers; i++)
        g.is_global[i] = 0;
    expect_ok(ndl_geometry_validate(&g));
}

Test(geometry, GEO_006_no_engram_at_all)
{
    ndl_geometry g = base();
    ndl_engram none = {.num_orders = 0};
    g.engram = none;
    expect_ok(ndl_geometry_validate(&g));
    ndl_session *s = new_session(&g, NULL);
    ndl_push_token(s, 5);
    ndl_push_token(s, 6);
    size_t held = 0;
    cr_assert(ndl_history(s, &held)[0] == 6);
    expect_size(held, 1);
    ndl_session_free(s);
}
