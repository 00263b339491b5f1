/* Values: channels are lanes here. The sums of HEADS heads for COLUMNS channels
 * stay in registers, of every machine, while the rows of a chunk go by, and those
 * of MANY heads where there is room for them; an element takes its positions in
 * order.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"
#include "registers.h"
#include "trusted/soon.h"

#include <stdbool.h>

#define HEADS 3
#define MANY 6
#define COLUMNS RUN

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

/* acc[k] + row[k] * weight. columns: a multiple of LANES, or less than LANES; a
 * constant where this is called. */
NDL_PART void columns_mac(float *restrict acc, const float *restrict row, float weight,
                          size_t columns)
{
    if (columns < LANES)
        for (size_t k = 0; k < columns; k++)
            acc[k] = ndl_mac(acc[k], row[k], weight);
    else
        for (size_t k = 0; k < columns; k += LANES)
            lanes_mac(acc + k, row + k, weight);
}

/* The sums of `heads` heads, dim apart, for `columns` channels; the weights of a row
 * are next to each other. The row AHEAD of each is asked for if it is there. heads
 * and columns are constants where this is called. */
NDL_PART void add_strip(const float *restrict rows, size_t pitch, size_t n, bool ahead,
                        const float *restrict weights, size_t heads, size_t columns,
                        float *restrict sums, size_t dim)
{
    float acc[MANY * COLUMNS];

    for (size_t h = 0; h < heads; h++)
        for (size_t k = 0; k < columns; k++)
            acc[ndl_at(h, columns, k)] = sums[ndl_at(h, dim, k)];
    for (size_t i = 0; i < n; i++) {
        if (ahead)
            ndl_soon_f32(rows + ndl_at(AHEAD + i, pitch, 0));
        for (size_t h = 0; h < heads; h++)
            columns_mac(acc + ndl_at(h, columns, 0), rows + ndl_at(i, pitch, 0),
                        weights[ndl_at(i, LANES, h)], columns);
    }
    for (size_t h = 0; h < heads; h++)
        for (size_t k = 0; k < columns; k++)
            sums[ndl_at(h, dim, k)] = acc[ndl_at(h, columns, k)];
}

/* All heads of a pack, `most` of them at a time; the first of them ask. */
NDL_PART void add_columns(const float *restrict rows, size_t pitch, size_t n, bool ahead,
                          const float *restrict weights, size_t width, size_t most, size_t columns,
                          float *restrict sums, size_t dim)
{
    size_t h = 0;

    for (; width - h >= most; h += most)
        add_strip(rows, pitch, n, ahead && h == 0, weights + h, most, columns,
                  sums + ndl_at(h, dim, 0), dim);
    for (; width - h >= HEADS; h += HEADS)
        add_strip(rows, pitch, n, ahead && h == 0, weights + h, HEADS, columns,
                  sums + ndl_at(h, dim, 0), dim);
    for (; h < width; h++)
        add_strip(rows, pitch, n, ahead && h == 0, weights + h, 1, columns,
                  sums + ndl_at(h, dim, 0), dim);
}

/* All channels. most is a constant where this is called. */
NDL_PART void add_all(const float *restrict rows, size_t pitch, size_t n, bool ahead,
                      size_t channels, const float *restrict weights, size_t width, size_t most,
                      float *restrict sums, size_t dim)
{
    size_t c = 0;

    for (; channels - c >= COLUMNS; c += COLUMNS)
        add_columns(rows + c, pitch, n, ahead, weights, width, most, COLUMNS, sums + c, dim);
    for (; channels - c >= LANES; c += LANES)
        add_columns(rows + c, pitch, n, ahead, weights, width, HEADS, LANES, sums + c, dim);
    for (; c < channels; c++)
        add_columns(rows + c, pitch, n, false, weights, width, HEADS, 1, sums + c, dim);
}

NDL_LEVELS
void ndl_add_values(const float *restrict rows, size_t pitch, size_t n, size_t left,
                    size_t channels, const float *restrict weights, size_t width,
                    float *restrict sums, size_t dim)
{
    const bool ahead = left - n >= AHEAD;

    if (ndl_many_registers())
        add_all(rows, pitch, n, ahead, channels, weights, width, MANY, sums, dim);
    else
        add_all(rows, pitch, n, ahead, channels, weights, width, HEADS, sums, dim);
}
