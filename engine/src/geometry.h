/*
 * geometry.h - widths, windows and caps of a valid geometry, for functions
 * that have checked their layer already, and the arithmetic of sizes.
 *
 * The rule of sizes (GEO_005). Sizes are added and multiplied in saturating
 * arithmetic, so a sum that does not fit is SIZE_MAX and fails every bound.
 * A geometry is accepted when each of these is at most NDL_MAX_BYTES:
 *   - the bytes of all rings at their caps, as floats and as codes at once,
 *     with scales, plus all tails, plus the tokens held;
 *   - the bytes of qkv_conv_taps rows of each projection, of conv_taps rows of
 *     d_model, of a row of queries and of attention's output;
 *   - the bytes of attention's scratch over max_seq_len positions;
 *   - conv_taps * conv_dilation and conv_taps * M, which the gates of the
 *     engram convolution stay below; the number of tables.
 * What has to do with sites counts only when there are sites.
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
