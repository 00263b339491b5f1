/* Values: channels are lanes here. The sums of HEADS heads for COLUMNS channels
 * stay in registers, of every machine, while the rows of a chunk go by; an
 * element takes its positions in order.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"

#define HEADS 2
#define COLUMNS 16

NDL_LEVELS
void ndl_put_weights(const float *restrict e, const float *restrict inv,
                     const float *restrict scales, size_t n, size_t width, float *restrict weights)
{
    for (size_t i = 0; i < n; i++) {
        const float *row = e + ndl_at(i, width, 0);
        float *to = weights + ndl_at(i, LANES, 0);

        NDL_LANES
        for (size_t l = 0; l < LANES; l++)
            to[l] = ndl_mul(ndl_mul(row[l], inv[l]), scales[i]);
    }
}

/* The sums of `heads` heads, `stride` apart, for `columns` channels; the weights of
 * a row are next to each other. heads and columns are constants where this is
 * called. */
NDL_PART void add_strip(const float *restrict rows, size_t n, size_t stride,
                        const float *restrict weights, size_t heads, size_t columns,
                        float *restrict sums)
{
    float acc[HEADS * COLUMNS];

    for (size_t h = 0; h < heads; h++)
        for (size_t k = 0; k < columns; k++)
            acc[ndl_at(h, columns, k)] = sums[ndl_at(h, stride, k)];
    for (size_t i = 0; i < n; i++)
        for (size_t h = 0; h < heads; h++)
            for (size_t k = 0; k < columns; k += LANES)
                lanes_mac(acc + ndl_at(h, columns, k), rows + ndl_at(i, stride, k),
                          weights[ndl_at(i, LANES, h)]);
    for (size_t h = 0; h < heads; h++)
        for (size_t k = 0; k < columns; k++)
            sums[ndl_at(h, stride, k)] = acc[ndl_at(h, columns, k)];
}

/* All heads of a pack. */
NDL_PART void add_columns(const float *restrict rows, size_t n, size_t stride,
                          const float *restrict weights, size_t width, size_t columns,
                          float *restrict sums)
{
    size_t h = 0;

    for (; width - h >= HEADS; h += HEADS)
        add_strip(rows, n, stride, weights + h, HEADS, columns, sums + ndl_at(h, stride, 0));
    for (; h < width; h++)
        add_strip(rows, n, stride, weights + h, 1, columns, sums + ndl_at(h, stride, 0));
}

NDL_LEVELS
void ndl_add_values(const float *restrict rows, size_t n, size_t stride,
                    const float *restrict weights, size_t width, float *restrict sums)
{
    size_t c = 0;

    for (; stride - c >= COLUMNS; c += COLUMNS)
        add_columns(rows + c, n, stride, weights, width, COLUMNS, sums + c);
    for (; c < stride; c += LANES)
        add_columns(rows + c, n, stride, weights, width, LANES, sums + c);
}
