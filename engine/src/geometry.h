/*
 * Widths, windows and caps of a valid geometry, for functions
 * that have checked their layer already, and the arithmetic of sizes.
 *
 * The rule of sizes (GEO_005). A geometry is accepted when each of these is at
 * most NDL_MAX_BYTES:
 *   - the bytes of all rings at their caps, once as floats and once as codes
 *     with scales, plus all tails, plus M tokens;
 *   - the bytes of qkv_conv_taps rows of queries, keys and values together, and
 *     of a row of attention's output;
 *   - the bytes of a float for each query head and position up to max_seq_len,
 *     which is room for attention's scratch;
 *   - four bytes for each table;
 *   - with sites: the bytes of conv_taps rows of d_model; (conv_taps - 1) * M,
 *     where the last tap's gate stands. The other gate, R, is a tail's rows.
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
