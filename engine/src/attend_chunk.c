/* Chunks: rows of codes as floats, next to each other.
 *
 * A chunk is read many times, by every head of a pack, so that it pays to widen it
 * once. With each row the one that the next chunk has in its place is asked for,
 * which comes while this chunk is worked on. LANES channels go at once; a row seldom
 * has a few more, which go one by one.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"
#include "trusted/soon.h"

/* n is LANES where it can be: a constant, so that these are moved at once. */
NDL_PART void widen(const int8_t *restrict src, size_t n, float *restrict dst)
{
    for (size_t l = 0; l < n; l++)
        dst[l] = ndl_of_code(src[l]);
}

NDL_LEVELS
void ndl_widen_rows(const int8_t *restrict src, size_t pitch, size_t n, size_t left,
                    size_t channels, float *restrict rows)
{
    for (size_t i = 0; i < n; i++) {
        const int8_t *from = src + ndl_at(i, pitch, 0);
        float *to = rows + ndl_at(i, channels, 0);
        size_t c = 0;

        if (left - i > AHEAD)
            ndl_soon_i8(from + ndl_at(AHEAD, pitch, 0), channels);
        for (; channels - c >= LANES; c += LANES)
            widen(from + c, LANES, to + c);
        if (c < channels)
            widen(from + c, channels - c, to + c);
    }
}
