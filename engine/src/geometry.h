/*
 * Widths, windows and caps of a valid geometry, for functions
 * that have checked their layer already, and the arithmetic of sizes.
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

/* a + b and a * b, or SIZE_MAX where that does not fit. */
size_t ndl_sat_add(size_t a, size_t b);
size_t ndl_sat_mul(size_t a, size_t b);

/* Whether rows * dim elements of 4 bytes keep to NDL_MAX_BYTES. */
bool ndl_fits(size_t rows, size_t dim);

/* ndl_geometry_window and ndl_geometry_cap for a layer below num_layers. */
size_t ndl_window_of(const ndl_geometry *g, size_t layer);
size_t ndl_cap_of(const ndl_geometry *g, size_t layer);

#endif
