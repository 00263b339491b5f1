/*
 * What a geometry must be, and what follows from it.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "geometry.h"

size_t ndl_sat_add(size_t a, size_t b)
{
    return a <= SIZE_MAX - b ? a + b : SIZE_MAX;
}

size_t ndl_sat_mul(size_t a, size_t b)
{
    if (a == 0 || b == 0)
        return 0;
    return a <= SIZE_MAX / b ? a * b : SIZE_MAX;
}

bool ndl_fits(size_t rows, size_t dim)
{
    return ndl_sat_mul(ndl_sat_mul(rows, dim), 4) <= NDL_MAX_BYTES;
}

size_t ndl_window_of(const ndl_geometry *g, size_t layer)
{
    return g->is_global[layer] != 0 ? 0 : g->sliding_window;
}

size_t ndl_cap_of(const ndl_geometry *g, size_t layer)
{
    size_t window = ndl_window_of(g, layer);
    return window != 0 && window < g->max_seq_len ? window : g->max_seq_len;
}

size_t ndl_geometry_q_dim(const ndl_geometry *g)
{
    return g->num_heads * g->qk_head_dim;
}

size_t ndl_geometry_k_dim(const ndl_geometry *g)
{
    return g->num_kv_heads * g->qk_head_dim;
}

size_t ndl_geometry_v_dim(const ndl_geometry *g)
{
    return g->num_kv_heads * g->v_head_dim;
}

size_t ndl_geometry_out_dim(const ndl_geometry *g)
{
    return g->num_heads * g->v_head_dim;
}

size_t ndl_geometry_max_order(const ndl_geometry *g)
{
    size_t max = 1;
    for (size_t i = 0; i < g->engram.num_orders; i++) {
        if (g->engram.orders[i] > max)
            max = g->engram.orders[i];
    }
    return max;
}

size_t ndl_geometry_reach(const ndl_geometry *g)
{
    if (g->engram.num_sites == 0)
        return 0;
    return (g->engram.conv_taps - 1) * g->engram.conv_dilation;
}

size_t ndl_geometry_tables(const ndl_geometry *g)
{
    return g->engram.num_orders * g->engram.heads;
}

ndl_status ndl_geometry_window(const ndl_geometry *g, size_t layer, size_t *window)
{
    if (layer >= g->num_layers)
        return NDL_E_LAYER;
    *window = ndl_window_of(g, layer);
    return NDL_OK;
}

ndl_status ndl_geometry_cap(const ndl_geometry *g, size_t layer, size_t *cap)
{
    if (layer >= g->num_layers)
        return NDL_E_LAYER;
    *cap = ndl_cap_of(g, layer);
    return NDL_OK;
}

ndl_status ndl_geometry_table_start(const ndl_geometry *g, size_t table, size_t *pos)
{
    if (table >= ndl_geometry_tables(g))
        return NDL_E_TABLE;
    *pos = g->engram.orders[table / g->engram.heads] - 1;
    return NDL_OK;
}

/* ------------------------------------------------------------- validation */

/* What must not be zero, in the order of NDL_STATUS_LIST. */
static ndl_status check_zeros(const ndl_geometry *g)
{
    const ndl_engram *e = &g->engram;
    if (g->num_layers == 0)
        return NDL_E_NUM_LAYERS;
    if (g->num_heads == 0)
        return NDL_E_NUM_HEADS;
    if (g->num_kv_heads == 0)
        return NDL_E_NUM_KV_HEADS;
    if (g->qk_head_dim == 0)
        return NDL_E_QK_HEAD_DIM;
    if (g->v_head_dim == 0)
        return NDL_E_V_HEAD_DIM;
    if (g->max_seq_len == 0)
        return NDL_E_MAX_SEQ_LEN;
    if (e->num_sites > 0 && g->d_model == 0)
        return NDL_E_D_MODEL;
    if (e->num_orders > 0 && e->heads == 0)
        return NDL_E_TABLE_HEADS;
    if (e->num_orders > 0 && e->slots == 0)
        return NDL_E_TABLE_SLOTS;
    return NDL_OK;
}

/* The elements in use of an array that has room for `limit`: a count above the
 * limit is refused later, so that refusals keep their order. */
static size_t used(size_t count, size_t limit)
{
    return count < limit ? count : limit;
}

static bool has_zero_order(const ndl_engram *e)
{
    size_t n = used(e->num_orders, NDL_MAX_ORDERS);
    for (size_t i = 0; i < n; i++) {
        if (e->orders[i] == 0)
            return true;
    }
    return false;
}

static bool has_foreign_site(const ndl_geometry *g)
{
    size_t n = used(g->engram.num_sites, NDL_MAX_SITES);
    for (size_t i = 0; i < n; i++) {
        if (g->engram.sites[i] >= g->num_layers)
            return true;
    }
    return false;
}

static bool has_foreign_global(const ndl_geometry *g)
{
    for (size_t i = g->num_layers; i < NDL_MAX_LAYERS; i++) {
        if (g->is_global[i] != 0)
            return true;
    }
    return false;
}

static bool has_twin_sites(const ndl_engram *e)
{
    size_t n = used(e->num_sites, NDL_MAX_SITES);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            if (e->sites[i] == e->sites[j])
                return true;
        }
    }
    return false;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Bytes of all rings at their caps, in the precision that takes more: four an
 * element, or one an element and four for each of a head's two scales. */
static size_t ring_bytes(const ndl_geometry *g)
{
    const size_t width = ndl_sat_add(g->qk_head_dim, g->v_head_dim);
    const size_t head = larger(ndl_sat_mul(width, 4), ndl_sat_add(width, 8));
    const size_t slot = ndl_sat_mul(g->num_kv_heads, head);
    size_t bytes = 0;

    for (size_t l = 0; l < g->num_layers; l++)
        bytes = ndl_sat_add(bytes, ndl_sat_mul(ndl_cap_of(g, l), slot));
    return bytes;
}

/* Floats in the tails of all layers. */
static size_t conv_floats(const ndl_geometry *g)
{
    const size_t rows = g->qkv_conv_taps > 0 ? g->qkv_conv_taps - 1 : 0;
    const size_t q = ndl_sat_mul(g->num_heads, g->qk_head_dim);
    const size_t k = ndl_sat_mul(g->num_kv_heads, g->qk_head_dim);
    const size_t v = ndl_sat_mul(g->num_kv_heads, g->v_head_dim);
    const size_t width = ndl_sat_add(ndl_sat_add(q, k), v);

    return ndl_sat_mul(g->num_layers, ndl_sat_mul(rows, width));
}

/* Rows of a site's tail. */
static size_t reach_of(const ndl_engram *e)
{
    return e->num_sites == 0 ? 0 : ndl_sat_mul(e->conv_taps - 1, e->conv_dilation);
}

/* Whether a session keeps to NDL_MAX_BYTES with all rings at their caps. */
static bool session_fits(const ndl_geometry *g)
{
    const ndl_engram *e = &g->engram;
    const size_t sites = ndl_sat_mul(e->num_sites, ndl_sat_mul(reach_of(e), g->d_model));
    const size_t tails = ndl_sat_add(conv_floats(g), sites);
    const size_t floats = ndl_sat_add(tails, ndl_geometry_max_order(g));

    return ndl_sat_add(ring_bytes(g), ndl_sat_mul(floats, 4)) <= NDL_MAX_BYTES;
}

/* Whether what callers hand in and what indices are made of does so, too. */
static bool arrays_fit(const ndl_geometry *g)
{
    const ndl_engram *e = &g->engram;
    const size_t taps = larger(g->qkv_conv_taps, 1);

    if (!ndl_fits(taps, ndl_sat_mul(g->num_heads, g->qk_head_dim)) ||
        !ndl_fits(taps, ndl_sat_mul(g->num_kv_heads, g->qk_head_dim)) ||
        !ndl_fits(taps, ndl_sat_mul(g->num_kv_heads, g->v_head_dim)) ||
        !ndl_fits(g->num_heads, g->v_head_dim) || !ndl_fits(g->num_heads, g->max_seq_len) ||
        !ndl_fits(e->num_orders, e->heads))
        return false;
    if (e->num_sites == 0)
        return true;
    return ndl_fits(e->conv_taps, g->d_model) && ndl_fits(1, reach_of(e)) &&
           ndl_fits(e->conv_taps - 1, ndl_geometry_max_order(g));
}

ndl_status ndl_geometry_validate(const ndl_geometry *g)
{
    const ndl_engram *e = &g->engram;
    ndl_status zeros = check_zeros(g);
    if (zeros != NDL_OK)
        return zeros;
    if (g->num_heads % g->num_kv_heads != 0)
        return NDL_E_HEAD_GROUPS;
    if (has_zero_order(e))
        return NDL_E_ORDER_ZERO;
    if (has_foreign_site(g))
        return NDL_E_SITE_LAYER;
    if (has_foreign_global(g))
        return NDL_E_GLOBAL_LAYER;
    if (has_twin_sites(e))
        return NDL_E_SITE_TWICE;
    if (e->num_sites > 0 && e->conv_taps == 0)
        return NDL_E_CONV_TAPS;
    if (e->num_sites > 0 && e->conv_taps > 1 && e->conv_dilation == 0)
        return NDL_E_DILATION;
    if (g->num_layers > NDL_MAX_LAYERS)
        return NDL_E_MANY_LAYERS;
    if (e->num_orders > NDL_MAX_ORDERS)
        return NDL_E_MANY_ORDERS;
    if (e->num_sites > NDL_MAX_SITES)
        return NDL_E_MANY_SITES;
    return session_fits(g) && arrays_fit(g) ? NDL_OK : NDL_E_SIZE;
}
