/* Chunks: rows of a store, brought close.
 *
 * A chunk is read many times, by every head of a pack, so that it pays to have
 * it next to each other and as floats; and while it is copied nothing waits for
 * a sum, so that a cold store is read as fast as memory gives. With each row the one
 * that the next chunk has in its place is asked for, which comes while this chunk is
 * worked on. LANES channels go at once; a row seldom has a few more, which go one by
 * one.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"
#include "trusted/soon.h"

/* n is LANES where it can be: a constant, so that these are moved at once. */
NDL_PART void copy(const float *restrict src, size_t n, float *restrict dst)
{
    for (size_t l = 0; l < n; l++)
        dst[l] = src[l];
}

NDL_PART void widen(const int8_t *restrict src, size_t n, float *restrict dst)
{
    for (size_t l = 0; l < n; l++)
        dst[l] = ndl_of_code(src[l]);
}

/* +0 from one channel to the stride. */
NDL_PART void pad(float *restrict row, size_t from, size_t stride)
{
    for (size_t c = from; c < stride; c++)
        row[c] = ndl_of_int(0);
}

NDL_LEVELS
void ndl_chunk_f32(const float *restrict src, size_t pitch, size_t n, size_t left, size_t channels,
                   size_t stride, float *restrict rows)
{
    for (size_t i = 0; i < n; i++) {
        const float *from = src + ndl_at(i, pitch, 0);
        float *to = rows + ndl_at(i, stride, 0);
        size_t c = 0;

        if (left - i > CHUNK)
            ndl_soon_f32(from + ndl_at(CHUNK, pitch, 0), channels);
        for (; channels - c >= LANES; c += LANES)
            copy(from + c, LANES, to + c);
        if (c < stride) {
            copy(from + c, channels - c, to + c);
            pad(to, channels, stride);
        }
    }
}

NDL_LEVELS
void ndl_chunk_i8(const int8_t *restrict src, size_t pitch, size_t n, size_t left, size_t channels,
                  size_t stride, float *restrict rows)
{
    for (size_t i = 0; i < n; i++) {
        const int8_t *from = src + ndl_at(i, pitch, 0);
        float *to = rows + ndl_at(i, stride, 0);
        size_t c = 0;

        if (left - i > CHUNK)
            ndl_soon_i8(from + ndl_at(CHUNK, pitch, 0), channels);
        for (; channels - c >= LANES; c += LANES)
            widen(from + c, LANES, to + c);
        if (c < stride) {
            widen(from + c, channels - c, to + c);
            pad(to, channels, stride);
        }
    }
}
