/*
 * Rings of rows that are kept as codes with a scale a head: a row of heads *
 * width floats takes heads * width codes and heads scales of the same slot.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_RING_INT8_H
#define NDL_RING_INT8_H

#include "ndl.h"

#include "../logic/kv.acsl"

/** Quantise a row, each head on its own: codes, heads * width of them, and
 *  scales, heads of them. Claims: KV_005. */
/*@ requires some: 0 < heads && 0 < width;
    requires fits: off(heads, width) <= SIZE_MAX;
    requires codes: \valid(codes + (0 .. off(heads, width) - 1));
    requires scales: \valid(scales + (0 .. heads - 1));
    requires row: \valid_read(row + (0 .. off(heads, width) - 1));
    requires apart: \separated(row + (0 .. off(heads, width) - 1), scales + (0 .. heads - 1));
    terminates \true;
    exits \false;
    assigns codes[0 .. off(heads, width) - 1], scales[0 .. heads - 1];
    ensures KV_005: codes: \forall integer key, t, h, c;
      0 <= h < heads && 0 <= c < width && is_row{Pre}(row + off(h, width), width, key, t) ==>
      codes[off(h, width) + c] == quant_code(numerics, key, t, width, c);
    ensures KV_005: scales: \forall integer key, t, h;
      0 <= h < heads && is_row{Pre}(row + off(h, width), width, key, t) ==>
      bits(scales[h]) == quant_scale(key, t, width, 127);
*/
void ndl_quantize_heads(ndl_numerics numerics, int8_t *codes, float *scales, size_t heads,
                        size_t width, const float *row);

/** Quantise a row into slot pos mod slots of codes and scales. Claims: KV_001 KV_005. */
/*@ requires some: 0 < slots && 0 < heads && 0 < width;
    requires fits: off(slots, off(heads, width)) <= SIZE_MAX && off(slots, heads) <= SIZE_MAX;
    requires codes: \valid(codes + (0 .. off(slots, off(heads, width)) - 1));
    requires scales: \valid(scales + (0 .. off(slots, heads) - 1));
    requires row: \valid_read(row + (0 .. off(heads, width) - 1));
    requires apart: \separated(row + (0 .. off(heads, width) - 1),
                               scales + (0 .. off(slots, heads) - 1));
    terminates \true;
    exits \false;
    assigns
      codes[off(md(pos, slots), off(heads, width)) ..
        off(md(pos, slots), off(heads, width)) + off(heads, width) - 1],
      scales[off(md(pos, slots), heads) .. off(md(pos, slots), heads) + heads - 1];
    ensures KV_005: codes: row_codes{Pre, Post}(numerics, row, codes, slots, heads, width, pos);
    ensures KV_005: scales: row_scales{Pre, Post}(row, scales, slots, heads, width, pos);
*/
void ndl_ring_write_int8(ndl_numerics numerics, int8_t *codes, float *scales, size_t slots,
                         size_t heads, size_t width, size_t pos, const float *row);

#endif
