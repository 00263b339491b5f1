/*
 * Windows and caps of a valid geometry, for functions that have checked their
 * layer already, and the arithmetic of sizes.
 *
 * The rule of sizes (GEO_005). A geometry is accepted when each of these takes
 * at most NDL_MAX_BYTES:
 *   - all rings at their caps, in the precision that takes more, with all tails
 *     and M tokens;
 *   - qkv_conv_taps rows, and one row, of queries, of keys and of values; a row
 *     of attention's output;
 *   - a float for each query head and position up to max_seq_len: room for
 *     attention's scratch;
 *   - four bytes a table; with sites: conv_taps rows of d_model, and four bytes
 *     for each of R and (conv_taps - 1) * M, where the last tap's gates stand.
 * Sums and products saturate, so that one which does not fit fails its bound.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_SRC_GEOMETRY_H
#define NDL_SRC_GEOMETRY_H

#include "ndl.h"

/* Half of the address space: no object is larger (PTRDIFF_MAX), and the sum of
 * two sizes below it still fits. */
#define NDL_MAX_BYTES (SIZE_MAX / 2)

#include "../logic/geometry.acsl"

/** a + b, or SIZE_MAX where that does not fit. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_005: sum: \result == \min(a + b, SIZE_MAX);
*/
size_t ndl_sat_add(size_t a, size_t b);

/** a * b, or SIZE_MAX where that does not fit. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_005: product: \result == \min(off(a, b), SIZE_MAX);
*/
size_t ndl_sat_mul(size_t a, size_t b);

/** Whether rows * dim elements of 4 bytes keep to NDL_MAX_BYTES. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_005: fits: \result <==> 4 * off(rows, dim) <= NDL_MAX_BYTES;
*/
bool ndl_fits(size_t rows, size_t dim);

/** ndl_geometry_window for a layer below num_layers. Claims: GEO_008. */
/*@ requires g: \valid_read(g);
    requires layer: layer < NDL_MAX_LAYERS;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_008: window: \result == geo_window(g, layer);
*/
size_t ndl_window_of(const ndl_geometry *g, size_t layer);

/** ndl_geometry_cap for a layer below num_layers. Claims: GEO_008. */
/*@ requires g: \valid_read(g);
    requires layer: layer < NDL_MAX_LAYERS;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_008: cap: \result == geo_cap(g, layer);
*/
size_t ndl_cap_of(const ndl_geometry *g, size_t layer);

/* What ndl.h declares of geometries, with its contracts. */

/*@ requires g: \valid_read(g) && geometry_ok(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_007: width: \result == geo_q(g);
*/
size_t ndl_geometry_q_dim(const ndl_geometry *g);

/*@ requires g: \valid_read(g) && geometry_ok(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_007: width: \result == geo_k(g);
*/
size_t ndl_geometry_k_dim(const ndl_geometry *g);

/*@ requires g: \valid_read(g) && geometry_ok(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_007: width: \result == geo_v(g);
*/
size_t ndl_geometry_v_dim(const ndl_geometry *g);

/*@ requires g: \valid_read(g) && geometry_ok(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_007: width: \result == geo_out(g);
*/
size_t ndl_geometry_out_dim(const ndl_geometry *g);

/*@ requires g: \valid_read(g) && g->engram.num_orders <= NDL_MAX_ORDERS;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_007: order: \result == geo_max_order(g) && 1 <= \result;
*/
size_t ndl_geometry_max_order(const ndl_geometry *g);

/*@ requires g: \valid_read(g) && geometry_ok(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_007: reach: \result == geo_reach(g);
*/
size_t ndl_geometry_reach(const ndl_geometry *g);

/*@ requires g: \valid_read(g) && geometry_ok(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_007: tables: \result == geo_tables(g);
*/
size_t ndl_geometry_tables(const ndl_geometry *g);

/*@ requires g: \valid_read(g) && geometry_ok(g);
    requires to: \valid(window);
    requires apart: \separated(window, g);
    terminates \true;
    exits \false;
    assigns *window;
    ensures SES_001: status: \result == (layer < g->num_layers ? NDL_OK : NDL_E_LAYER);
    ensures SES_001: kept: \result != NDL_OK ==> *window == \old(*window);
    ensures GEO_008: window: \result == NDL_OK ==> *window == geo_window(g, layer);
*/
ndl_status ndl_geometry_window(const ndl_geometry *g, size_t layer, size_t *window);

/*@ requires g: \valid_read(g) && geometry_ok(g);
    requires to: \valid(cap);
    requires apart: \separated(cap, g);
    terminates \true;
    exits \false;
    assigns *cap;
    ensures SES_001: status: \result == (layer < g->num_layers ? NDL_OK : NDL_E_LAYER);
    ensures SES_001: kept: \result != NDL_OK ==> *cap == \old(*cap);
    ensures GEO_008: cap: \result == NDL_OK ==> *cap == geo_cap(g, layer);
*/
ndl_status ndl_geometry_cap(const ndl_geometry *g, size_t layer, size_t *cap);

/*@ requires g: \valid_read(g) && geometry_ok(g);
    requires to: \valid(pos);
    requires apart: \separated(pos, g);
    terminates \true;
    exits \false;
    assigns *pos;
    ensures SES_001: status: \result == (table < geo_tables(g) ? NDL_OK : NDL_E_TABLE);
    ensures SES_001: kept: \result != NDL_OK ==> *pos == \old(*pos);
    ensures TOK_005: start: \result == NDL_OK ==>
      *pos == g->engram.orders[table / g->engram.heads] - 1;
*/
ndl_status ndl_geometry_table_start(const ndl_geometry *g, size_t table, size_t *pos);

/*@ requires g: \valid_read(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures GEO_001: zeros: zero_status(g) != NDL_OK ==> \result == zero_status(g);
    ensures GEO_002: groups: \result == NDL_E_HEAD_GROUPS <==>
      to_groups(g) && g->num_heads % g->num_kv_heads != 0;
    ensures GEO_003: order: \result == NDL_E_ORDER_ZERO <==> to_orders(g) && zero_order(g);
    ensures GEO_003: site: \result == NDL_E_SITE_LAYER <==> to_sites(g) && foreign_site(g);
    ensures GEO_004: global: \result == NDL_E_GLOBAL_LAYER <==>
      to_globals(g) && foreign_global(g);
    ensures GEO_003: twins: \result == NDL_E_SITE_TWICE <==> to_twins(g) && twin_sites(g);
    ensures GEO_003: taps: \result == NDL_E_CONV_TAPS <==> to_taps(g) && no_taps(g);
    ensures GEO_003: dilation: \result == NDL_E_DILATION <==> to_dilation(g) && no_dilation(g);
    ensures GEO_004: layers: \result == NDL_E_MANY_LAYERS <==>
      to_many_layers(g) && g->num_layers > NDL_MAX_LAYERS;
    ensures GEO_004: orders: \result == NDL_E_MANY_ORDERS <==>
      to_many_orders(g) && g->engram.num_orders > NDL_MAX_ORDERS;
    ensures GEO_004: sites: \result == NDL_E_MANY_SITES <==>
      to_many_sites(g) && g->engram.num_sites > NDL_MAX_SITES;
    ensures GEO_005: sizes: \result == NDL_E_SIZE <==> to_sizes(g) && !geometry_ok(g);
    ensures GEO_006: accepted: \result == NDL_OK <==> geometry_ok(g);
*/
ndl_status ndl_geometry_validate(const ndl_geometry *g);

#endif
