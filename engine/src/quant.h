/*
 * Quantising rows of floats.
 *
 * scale = absmax / qmax, or 1 for a row of zeros; qmax = 2^(bits - 1) - 1.
 * What is divided by the scale, or multiplied by its reciprocal, is rounded to
 * an integer and clamped to -qmax - 1 .. qmax; a NaN passes both.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_QUANT_H
#define NDL_QUANT_H

#include "ndl.h"

/*
 * Quantise a row to 8 bits: codes, len of them, and the scale, which is
 * returned. A NaN becomes code 0. Codes and scale depend on the bits of the row
 * and on numerics alone. len may be 0: the scale is 1 then.
 */
float ndl_quantize_row(ndl_numerics numerics, const float *x, size_t len, int8_t *codes);

/* Replace a row by code times scale; bits in 2..16. */
void ndl_fake_quant_row(ndl_numerics numerics, unsigned bits, float *x, size_t len);

#endif
