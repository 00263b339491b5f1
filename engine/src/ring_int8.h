/*
 * Rings of rows that are kept as codes with a scale a head: a row of heads *
 * width floats takes heads * width codes and heads scales of the same slot.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_RING_INT8_H
#define NDL_RING_INT8_H

#include "ndl.h"

/** Quantise a row, each head on its own: codes, heads * width of them, and
 *  scales, heads of them. Claims: KV_005. */
void ndl_quantize_heads(ndl_numerics numerics, int8_t *codes, float *scales, size_t heads,
                        size_t width, const float *row);

/** Quantise a row into slot pos mod slots of codes and scales. Claims: KV_001 KV_005. */
void ndl_ring_write_int8(ndl_numerics numerics, int8_t *codes, float *scales, size_t slots,
                         size_t heads, size_t width, size_t pos, const float *row);

#endif
