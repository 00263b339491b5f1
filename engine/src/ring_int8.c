/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "ring_int8.h"

#include "quant.h"
#include "ring.h"

void ndl_quantize_heads(ndl_numerics numerics, int8_t *codes, float *scales, size_t heads,
                        size_t width, const float *row)
{
    /*@ loop invariant some: 0 <= h <= heads;
        loop invariant KV_005: codes: \forall integer key, t, g, c;
          0 <= g < h && 0 <= c < width && is_row{Pre}(row + off(g, width), width, key, t) ==>
          codes[off(g, width) + c] == quant_code(numerics, key, t, width, c);
        loop invariant KV_005: scales: \forall integer key, t, g;
          0 <= g < h && is_row{Pre}(row + off(g, width), width, key, t) ==>
          bits(scales[g]) == quant_scale(key, t, width, 127);
        loop assigns h, codes[0 .. off(heads, width) - 1], scales[0 .. heads - 1];
        loop variant heads - h; */
    for (size_t h = 0; h < heads; h++) {
        /*@ assert place: 0 <= off(h, width) && off(h, width) + width <= off(heads, width); */
        const size_t at = ndl_ring_at(h, width);

        scales[h] = ndl_quantize_row(numerics, row + at, width, codes + at);
    }
}

void ndl_ring_write_int8(ndl_numerics numerics, int8_t *codes, float *scales, size_t slots,
                         size_t heads, size_t width, size_t pos, const float *row)
{
    const size_t slot = ndl_ring_slot(pos, slots), dim = ndl_ring_at(heads, width);

    ndl_quantize_heads(numerics, codes + ndl_ring_at(slot, dim), scales + ndl_ring_at(slot, heads),
                       heads, width, row);
}
