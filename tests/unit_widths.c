/* Widths, windows and caps that follow from a geometry. */
#include "support.h"

Test(geometry, GEO_007_widths_of_the_shipped_model)
{
    ndl_geometry g = shipped_geometry();
    expect_size(ndl_geometry_q_dim(&g), 576);
    expect_size(ndl_geometry_k_dim(&g), 96);
    expect_size(ndl_geometry_v_dim(&g), 128);
    expect_size(ndl_geometry_out_dim(&g), 768);
    expect_size(ndl_geometry_max_order(&g), 3);
    expect_size(ndl_geometry_reach(&g), 9);
    expect_size(ndl_geometry_tables(&g), 6);
}

/* Four different numbers, so that none can stand for another. */
Test(geometry, GEO_007_each_width_takes_its_own_factors)
{
    ndl_geometry g = small_geometry();
    g.num_heads = 6;
    g.num_kv_heads = 2;
    g.qk_head_dim = 5;
    g.v_head_dim = 7;
    expect_size(ndl_geometry_q_dim(&g), 30);
    expect_size(ndl_geometry_k_dim(&g), 10);
    expect_size(ndl_geometry_v_dim(&g), 14);
    expect_size(ndl_geometry_out_dim(&g), 42);
}

Test(geometry, GEO_007_the_largest_order_wherever_it_stands)
{
    static const size_t orders[][NDL_MAX_ORDERS] = {
        {5, 2, 3, 4}, {2, 5, 3, 4}, {2, 3, 5, 4}, {2, 3, 4, 5}, {5, 5, 5, 5}};
    for (size_t i = 0; i < COUNT(orders); i++) {
        ndl_geometry g = small_geometry();
        g.engram.num_orders = NDL_MAX_ORDERS;
        for (size_t j = 0; j < NDL_MAX_ORDERS; j++)
            g.engram.orders[j] = orders[i][j];
        expect_size(ndl_geometry_max_order(&g), 5);
        expect_size(ndl_geometry_tables(&g), 4);
    }
}

Test(geometry, GEO_007_without_orders_or_sites)
{
    ndl_geometry g = small_geometry();
    g.engram.num_orders = 0;
    expect_size(ndl_geometry_max_order(&g), 1);
    expect_size(ndl_geometry_tables(&g), 0);
    expect_size(ndl_geometry_reach(&g), 9);
    g.engram.num_sites = 0;
    expect_size(ndl_geometry_reach(&g), 0);
    g.engram.conv_taps = 0;
    expect_size(ndl_geometry_reach(&g), 0);
}

Test(geometry, GEO_007_reach_of_one_tap_is_0)
{
    ndl_geometry g = small_geometry();
    g.engram.conv_taps = 1;
    g.engram.conv_dilation = SIZE_MAX;
    expect_size(ndl_geometry_reach(&g), 0);
    g.engram.conv_taps = 2;
    g.engram.conv_dilation = 5;
    expect_size(ndl_geometry_reach(&g), 5);
}

static void expect_layer(const ndl_geometry *g, size_t layer, size_t window, size_t cap)
{
    size_t w = 77, c = 77;
    expect_ok(ndl_geometry_window(g, layer, &w));
    expect_ok(ndl_geometry_cap(g, layer, &c));
    cr_assert(w == window && c == cap, "layer %zu: window %zu, cap %zu", layer, w, c);
}

Test(geometry, GEO_008_windows_and_caps_of_the_shipped_model)
{
    ndl_geometry g = shipped_geometry();
    for (size_t layer = 0; layer < g.num_layers; layer++) {
        bool global = layer % 5 == 4;
        expect_layer(&g, layer, global ? 0 : 1024, global ? 8192 : 1024);
    }
}

Test(geometry, GEO_008_a_window_of_0_is_none)
{
    ndl_geometry g = small_geometry();
    g.sliding_window = 0;
    expect_layer(&g, 0, 0, 8);
    expect_layer(&g, 1, 0, 8);
}

Test(geometry, GEO_008_the_cap_is_the_smaller_of_window_and_max_seq_len)
{
    static const size_t windows[] = {1, 7, 8, 9, SIZE_MAX};
    for (size_t i = 0; i < COUNT(windows); i++) {
        ndl_geometry g = small_geometry();
        g.sliding_window = windows[i];
        expect_layer(&g, 0, windows[i], windows[i] < 8 ? windows[i] : 8);
        expect_layer(&g, 1, 0, 8);
    }
}

Test(geometry, GEO_008_a_layer_there_is_not_is_refused)
{
    ndl_geometry g = small_geometry();
    const size_t layers[] = {2, 3, NDL_MAX_LAYERS, SIZE_MAX};
    for (size_t i = 0; i < COUNT(layers); i++) {
        size_t untouched = 77;
        expect_status(ndl_geometry_window(&g, layers[i], &untouched), NDL_E_LAYER);
        expect_status(ndl_geometry_cap(&g, layers[i], &untouched), NDL_E_LAYER);
        expect_size(untouched, 77);
    }
}

Test(geometry, TOK_005_a_row_counts_from_position_order_minus_1_on)
{
    ndl_geometry g = shipped_geometry();
    static const size_t starts[] = {1, 1, 1, 2, 2, 2};
    for (size_t table = 0; table < COUNT(starts); table++) {
        size_t pos = 77;
        expect_ok(ndl_geometry_table_start(&g, table, &pos));
        expect_size(pos, starts[table]);
    }
    g.engram.orders[0] = 1;
    size_t pos = 77;
    expect_ok(ndl_geometry_table_start(&g, 2, &pos));
    expect_size(pos, 0);
}

Test(geometry, TOK_005_a_table_there_is_not_is_refused)
{
    ndl_geometry g = shipped_geometry();
    size_t pos = 77;
    expect_status(ndl_geometry_table_start(&g, 6, &pos), NDL_E_TABLE);
    expect_status(ndl_geometry_table_start(&g, SIZE_MAX, &pos), NDL_E_TABLE);
    g.engram.num_orders = 0;
    expect_status(ndl_geometry_table_start(&g, 0, &pos), NDL_E_TABLE);
    expect_size(pos, 77);
}
