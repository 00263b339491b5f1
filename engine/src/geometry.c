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
    /*@ assert most: SIZE_MAX / b * b <= SIZE_MAX < (SIZE_MAX / b + 1) * b; */
    /*@ assert below: a <= SIZE_MAX / b ==> a * b <= SIZE_MAX / b * b; */
    /*@ assert above: a > SIZE_MAX / b ==> (SIZE_MAX / b + 1) * b <= a * b; */
    return a <= SIZE_MAX / b ? a * b : SIZE_MAX;
}

bool ndl_fits(size_t rows, size_t dim)
{
    return ndl_sat_mul(rows, dim) <= NDL_MAX_BYTES / 4;
}

size_t ndl_window_of(const ndl_geometry *g, size_t layer)
{
    return g->is_global[layer] != 0 ? 0 : g->sliding_window;
}

size_t ndl_cap_of(const ndl_geometry *g, size_t layer)
{
    const size_t window = ndl_window_of(g, layer);

    return window != 0 && window < g->max_seq_len ? window : g->max_seq_len;
}

size_t ndl_geometry_q_dim(const ndl_geometry *g)
{
    /*@ assert fits: 4 * off(\max(g->qkv_conv_taps, 1), geo_q(g)) <= NDL_MAX_BYTES; */
    /*@ assert row: 0 <= geo_q(g) <= off(\max(g->qkv_conv_taps, 1), geo_q(g)); */
    return g->num_heads * g->qk_head_dim;
}

size_t ndl_geometry_k_dim(const ndl_geometry *g)
{
    /*@ assert fits: 4 * off(\max(g->qkv_conv_taps, 1), geo_k(g)) <= NDL_MAX_BYTES; */
    /*@ assert row: 0 <= geo_k(g) <= off(\max(g->qkv_conv_taps, 1), geo_k(g)); */
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

    /*@ loop invariant some: 0 <= i <= g->engram.num_orders;
        loop invariant GEO_007: order: max == max_order(g, i) && 1 <= max;
        loop assigns i, max;
        loop variant g->engram.num_orders - i; */
    for (size_t i = 0; i < g->engram.num_orders; i++)
        if (g->engram.orders[i] > max)
            max = g->engram.orders[i];
    return max;
}

size_t ndl_geometry_reach(const ndl_geometry *g)
{
    if (g->engram.num_sites == 0)
        return 0;
    /*@ assert some: 0 < g->engram.conv_taps; */
    const size_t taps = g->engram.conv_taps - 1;
    /*@ assert fits: 4 * off(taps, g->engram.conv_dilation) <= NDL_MAX_BYTES; */

    return taps * g->engram.conv_dilation;
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
    /*@ assert table: table < off(g->engram.num_orders, g->engram.heads); */
    /*@ assert order: 0 < g->engram.heads && table / g->engram.heads < g->engram.num_orders; */
    /*@ assert some: g->engram.orders[table / g->engram.heads] != 0; */
    *pos = g->engram.orders[table / g->engram.heads] - 1;
    return NDL_OK;
}

/* ------------------------------------------------------------- validation */

/* What must not be zero, in the order of NDL_STATUS_LIST. */
/*@ requires g: \valid_read(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_001: zero: \result == zero_status(g);
*/
static ndl_status check_zeros(const ndl_geometry *g)
{
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
    if (g->engram.num_sites > 0 && g->d_model == 0)
        return NDL_E_D_MODEL;
    if (g->engram.num_orders > 0 && g->engram.heads == 0)
        return NDL_E_TABLE_HEADS;
    if (g->engram.num_orders > 0 && g->engram.slots == 0)
        return NDL_E_TABLE_SLOTS;
    return NDL_OK;
}

/* The elements in use of an array that has room for `limit`: a count above the
 * limit is refused later, so that refusals keep their order. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures used: \result == \min(count, limit);
*/
static size_t used(size_t count, size_t limit)
{
    return count < limit ? count : limit;
}

/*@ requires g: \valid_read(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_003: zero: \result <==> zero_order(g);
*/
static bool has_zero_order(const ndl_geometry *g)
{
    const size_t n = used(g->engram.num_orders, NDL_MAX_ORDERS);

    /*@ loop invariant some: 0 <= i <= n;
        loop invariant none: \forall integer k; 0 <= k < i ==> g->engram.orders[k] != 0;
        loop assigns i;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        if (g->engram.orders[i] == 0)
            return true;
    return false;
}

/*@ requires g: \valid_read(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_003: foreign: \result <==> foreign_site(g);
*/
static bool has_foreign_site(const ndl_geometry *g)
{
    const size_t n = used(g->engram.num_sites, NDL_MAX_SITES);

    /*@ loop invariant some: 0 <= i <= n;
        loop invariant none: \forall integer k; 0 <= k < i ==> g->engram.sites[k] < g->num_layers;
        loop assigns i;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        if (g->engram.sites[i] >= g->num_layers)
            return true;
    return false;
}

/*@ requires g: \valid_read(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_004: foreign: \result <==> foreign_global(g);
*/
static bool has_foreign_global(const ndl_geometry *g)
{
    /*@ loop invariant some: g->num_layers <= l && (l <= NDL_MAX_LAYERS || l == g->num_layers);
        loop invariant none: \forall integer k; g->num_layers <= k < l ==> g->is_global[k] == 0;
        loop assigns l;
        loop variant NDL_MAX_LAYERS - l; */
    for (size_t l = g->num_layers; l < NDL_MAX_LAYERS; l++)
        if (g->is_global[l] != 0)
            return true;
    return false;
}

/*@ requires g: \valid_read(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_003: twins: \result <==> twin_sites(g);
*/
static bool has_twin_sites(const ndl_geometry *g)
{
    const size_t n = used(g->engram.num_sites, NDL_MAX_SITES);

    /*@ loop invariant some: 0 <= i <= n;
        loop invariant none: \forall integer k, m; 0 <= m < k < i ==>
          g->engram.sites[k] != g->engram.sites[m];
        loop assigns i;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        /*@ loop invariant some: 0 <= j <= i;
            loop invariant none: \forall integer m; 0 <= m < j ==>
              g->engram.sites[i] != g->engram.sites[m];
            loop assigns j;
            loop variant i - j; */
        for (size_t j = 0; j < i; j++)
            if (g->engram.sites[i] == g->engram.sites[j])
                return true;
    return false;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures larger: \result == \max(a, b);
*/
static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* a * b * c and SIZE_MAX, whichever is less. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_005: product: \result == \min(off(a, off(b, c)), SIZE_MAX);
*/
static size_t sat_mul3(size_t a, size_t b, size_t c)
{
    return ndl_sat_mul(a, ndl_sat_mul(b, c));
}

/* Bytes of a slot of a ring in the precision that takes more: four an element,
 * or one an element and four for each of a head's two scales. */
/*@ requires g: \valid_read(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_005: slot: \result == \min(slot_bytes(g), SIZE_MAX);
*/
static size_t slot_of(const ndl_geometry *g)
{
    const size_t width = ndl_sat_add(g->qk_head_dim, g->v_head_dim);
    const size_t head = larger(ndl_sat_mul(4, width), ndl_sat_add(width, 8));
    /*@ assert GEO_005: head:
          head == \min(\max(4 * (g->qk_head_dim + g->v_head_dim),
                            g->qk_head_dim + g->v_head_dim + 8), SIZE_MAX); */

    return ndl_sat_mul(g->num_kv_heads, head);
}

/* Bytes of all rings at their caps. */
/*@ requires g: \valid_read(g) && g->num_layers <= NDL_MAX_LAYERS;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_005: rings: \result == \min(ring_bytes(g, g->num_layers), SIZE_MAX);
*/
static size_t rings_of(const ndl_geometry *g)
{
    const size_t slot = slot_of(g);
    size_t bytes = 0;

    /*@ loop invariant some: 0 <= l <= g->num_layers;
        loop invariant GEO_005: rings: bytes == \min(ring_bytes(g, l), SIZE_MAX);
        loop invariant least: 0 <= ring_bytes(g, l);
        loop assigns l, bytes;
        loop variant g->num_layers - l; */
    for (size_t l = 0; l < g->num_layers; l++) {
        /*@ assert ring: 0 <= off(geo_cap(g, l), slot_bytes(g)); */
        /*@ assert next: ring_bytes(g, l + 1) ==
              ring_bytes(g, l) + off(geo_cap(g, l), slot_bytes(g)); */
        bytes = ndl_sat_add(bytes, ndl_sat_mul(ndl_cap_of(g, l), slot));
    }
    return bytes;
}

/* Floats in the tails of all layers. */
/*@ requires g: \valid_read(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_005: tails: \result == \min(conv_floats(g), SIZE_MAX) && 0 <= conv_floats(g);
*/
static size_t conv_of(const ndl_geometry *g)
{
    const size_t rows = larger(g->qkv_conv_taps, 1) - 1;
    const size_t q = ndl_sat_mul(g->num_heads, g->qk_head_dim);
    const size_t k = ndl_sat_mul(g->num_kv_heads, g->qk_head_dim);
    const size_t v = ndl_sat_mul(g->num_kv_heads, g->v_head_dim);
    const size_t width = ndl_sat_add(ndl_sat_add(q, k), v);
    /*@ assert GEO_005: width: width == \min(geo_q(g) + geo_k(g) + geo_v(g), SIZE_MAX); */
    /*@ assert rows: rows == \max(g->qkv_conv_taps - 1, 0); */
    /*@ assert least: 0 <= off(rows, geo_q(g) + geo_k(g) + geo_v(g)); */
    const size_t layer = ndl_sat_mul(rows, width);
    /*@ assert GEO_005: layer:
          layer == \min(off(rows, geo_q(g) + geo_k(g) + geo_v(g)), SIZE_MAX); */

    return ndl_sat_mul(g->num_layers, layer);
}

/* Rows of a site's tail. */
/*@ requires g: \valid_read(g);
    requires taps: g->engram.num_sites > 0 ==> g->engram.conv_taps > 0;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_005: reach: \result == \min(geo_reach(g), SIZE_MAX) && 0 <= geo_reach(g);
*/
static size_t reach_of(const ndl_geometry *g)
{
    if (g->engram.num_sites == 0)
        return 0;
    return ndl_sat_mul(g->engram.conv_taps - 1, g->engram.conv_dilation);
}

/* Whether a session keeps to NDL_MAX_BYTES with all rings at their caps. */
/*@ requires g: \valid_read(g) && to_sizes(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_005: session: \result <==> session_bytes(g) <= NDL_MAX_BYTES;
*/
static bool session_fits(const ndl_geometry *g)
{
    const size_t rings = rings_of(g), convs = conv_of(g), reach = reach_of(g);
    const size_t sites = sat_mul3(g->engram.num_sites, reach, g->d_model);
    /*@ assert least: 0 <= off(geo_reach(g), g->d_model) && 0 <= site_floats(g); */
    /*@ assert GEO_005: site: \min(off(reach, g->d_model), SIZE_MAX) ==
          \min(off(geo_reach(g), g->d_model), SIZE_MAX); */
    /*@ assert GEO_005: sites: sites == \min(site_floats(g), SIZE_MAX) && 0 <= site_floats(g); */
    const size_t order = ndl_geometry_max_order(g);
    const size_t floats = ndl_sat_add(ndl_sat_add(convs, sites), order);
    /*@ assert GEO_005: floats: floats ==
          \min(conv_floats(g) + site_floats(g) + geo_max_order(g), SIZE_MAX); */

    return ndl_sat_add(rings, ndl_sat_mul(4, floats)) <= NDL_MAX_BYTES;
}

/* ndl_fits for rows of heads * width. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_005: fits: \result <==> bytes_fit(off(rows, off(heads, width)));
*/
static bool heads_fit(size_t rows, size_t heads, size_t width)
{
    return sat_mul3(rows, heads, width) <= NDL_MAX_BYTES / 4;
}

/* Whether what callers hand in and what indices are made of does so, too. */
/*@ requires g: \valid_read(g) && to_sizes(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_005: arrays: \result <==> arrays_fit(g);
*/
static bool arrays_do(const ndl_geometry *g)
{
    const size_t taps = larger(g->qkv_conv_taps, 1);

    if (!heads_fit(taps, g->num_heads, g->qk_head_dim))
        return false;
    if (!heads_fit(taps, g->num_kv_heads, g->qk_head_dim))
        return false;
    if (!heads_fit(taps, g->num_kv_heads, g->v_head_dim))
        return false;
    if (!ndl_fits(g->num_heads, g->v_head_dim))
        return false;
    if (!ndl_fits(g->num_heads, g->max_seq_len))
        return false;
    if (!ndl_fits(g->engram.num_orders, g->engram.heads))
        return false;
    if (g->engram.num_sites == 0)
        return true;
    if (!ndl_fits(g->engram.conv_taps, g->d_model))
        return false;
    if (!ndl_fits(g->engram.conv_taps - 1, g->engram.conv_dilation))
        return false;
    return ndl_fits(g->engram.conv_taps - 1, ndl_geometry_max_order(g));
}

ndl_status ndl_geometry_validate(const ndl_geometry *g)
{
    const ndl_status zeros = check_zeros(g);

    if (zeros != NDL_OK)
        return zeros;
    if (g->num_heads % g->num_kv_heads != 0)
        return NDL_E_HEAD_GROUPS;
    if (has_zero_order(g))
        return NDL_E_ORDER_ZERO;
    if (has_foreign_site(g))
        return NDL_E_SITE_LAYER;
    if (has_foreign_global(g))
        return NDL_E_GLOBAL_LAYER;
    if (has_twin_sites(g))
        return NDL_E_SITE_TWICE;
    if (g->engram.num_sites > 0 && g->engram.conv_taps == 0)
        return NDL_E_CONV_TAPS;
    if (g->engram.num_sites > 0 && g->engram.conv_taps > 1 && g->engram.conv_dilation == 0)
        return NDL_E_DILATION;
    if (g->num_layers > NDL_MAX_LAYERS)
        return NDL_E_MANY_LAYERS;
    if (g->engram.num_orders > NDL_MAX_ORDERS)
        return NDL_E_MANY_ORDERS;
    if (g->engram.num_sites > NDL_MAX_SITES)
        return NDL_E_MANY_SITES;
    if (!session_fits(g))
        return NDL_E_SIZE;
    return arrays_do(g) ? NDL_OK : NDL_E_SIZE;
}
