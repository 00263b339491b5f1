/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "ring_int8.h"

#include "quant.h"
#include "ring.h"

void ndl_quantize_heads(ndl_numerics numerics, int8_t *codes, float *scales, size_t heads,
                        size_t width, const float *row)
{
    for (size_t h = 0; h < heads; h++) {
        const size_t at = ndl_ring_at(h, width);

        scales[h] = ndl_quantize_row(numerics, row + at, width, codes + at);
    }
}

void ndl_ring_write_int8(ndl_numerics numerics, int8_t *codes, float *scales, size_t slots,
                         size_t heads, size_t width, size_t pos, const float *row)
{
    const size_t slot = ndl_ring_slot(pos, slots);

    ndl_quantize_heads(numerics, codes + ndl_ring_at(slot, heads * width),
                       scales + ndl_ring_at(slot, heads), heads, width, row);
}
