/* Chunks: rows of codes as floats, next to each other.
 *
 * A chunk is read many times, by every head of a pack, so that it pays to widen it
 * once. With each row the one that the next chunk has in its place is asked for,
 * which comes while this chunk is worked on. Of the widths that stores have, RUN
 * channels and its multiples, each has its own loop over rows: a row whose width is a
 * constant is moved without a loop. Of other rows LANES channels go at once; a row
 * seldom has a few more, which go one by one.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"
#include "trusted/soon.h"

/* n is a constant where it can be, so that these are moved at once. */
NDL_PART void widen(const int8_t *restrict src, size_t n, float *restrict dst)
{
    for (size_t l = 0; l < n; l++)
        dst[l] = ndl_of_code(src[l]);
}

/* Rows of `channels`, a constant where this is called. */
NDL_PART void widen_whole(const int8_t *restrict src, size_t pitch, size_t n, size_t left,
                          size_t channels, float *restrict rows)
{
    for (size_t i = 0; i < n; i++) {
        const int8_t *from = src + ndl_at(i, pitch, 0);

        if (left - i > AHEAD)
            ndl_soon_i8(from + ndl_at(AHEAD, pitch, 0), channels);
        widen(from, channels, rows + ndl_at(i, channels, 0));
    }
}

/* Rows of any width. */
NDL_PART void widen_parts(const int8_t *restrict src, size_t pitch, size_t n, size_t left,
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

NDL_LEVELS
void ndl_widen_rows(const int8_t *restrict src, size_t pitch, size_t n, size_t left,
                    size_t channels, float *restrict rows)
{
    switch (channels) {
    case RUN:
        widen_whole(src, pitch, n, left, RUN, rows);
        break;
    case 2 * RUN:
        widen_whole(src, pitch, n, left, (size_t)2 * RUN, rows);
        break;
    case 3 * RUN:
        widen_whole(src, pitch, n, left, (size_t)3 * RUN, rows);
        break;
    case STRIP:
        widen_whole(src, pitch, n, left, STRIP, rows);
        break;
    default:
        widen_parts(src, pitch, n, left, channels, rows);
        break;
    }
}
