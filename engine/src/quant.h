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

#include "../logic/quant.acsl"

/** Quantise a row to 8 bits: codes, len of them, and the scale, which is
 *  returned. A NaN becomes code 0. Codes and scale depend on the bits of the row
 *  and on numerics alone. len may be 0: the scale is 1 then.
 *  Claims: QNT_001 QNT_009. */
/*@ requires from: \valid_read(x + (0 .. len - 1));
    requires to: \valid(codes + (0 .. len - 1));
    terminates \true;
    exits \false;
    assigns codes[0 .. len - 1];
    ensures QNT_009: scale: \forall integer key, t; is_row{Pre}(x, len, key, t) ==>
      bits(\result) == quant_scale(key, t, len, 127);
    ensures QNT_001: range: \forall integer i; 0 <= i < len ==> -128 <= codes[i] <= 127;
    ensures QNT_009: codes: \forall integer key, t, i; is_row{Pre}(x, len, key, t) && 0 <= i < len ==>
      codes[i] == quant_code(numerics, key, t, len, i);
*/
float ndl_quantize_row(ndl_numerics numerics, const float *x, size_t len, int8_t *codes);

/** Replace a row by code times scale. Claims: QNT_009. */
/*@ requires bits: 2 <= bits <= 16;
    requires to: \valid(x + (0 .. len - 1));
    terminates \true;
    exits \false;
    assigns x[0 .. len - 1];
    ensures QNT_009: fake: \let qmax = (1 << (bits - 1)) - 1;
      \forall integer key, t, i; is_row{Pre}(x, len, key, t) && 0 <= i < len ==>
      bits(x[i]) == quant_fake(numerics, quant_scale(key, t, len, qmax), row_at(key, t, i), qmax);
*/
void ndl_fake_quant_row(ndl_numerics numerics, unsigned bits, float *x, size_t len);

#endif
