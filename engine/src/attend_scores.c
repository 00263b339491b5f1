/* Scores: the query heads of a pack are lanes, TILE rows of keys at once. A sum
 * takes its channels in order; that TILE of them go on side by side hides how
 * long an addition takes, and leaves them in registers on every machine.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"
#include "trusted/soon.h"

#include <stdbool.h>

#define TILE 6

void ndl_pack_queries(const float *q, size_t width, size_t dim, float *packed)
{
    for (size_t c = 0; c < dim; c++)
        for (size_t l = 0; l < width; l++)
            packed[ndl_at(c, width, l)] = q[ndl_at(l, dim, c)];
    for (size_t l = 0; l < LANES; l++)
        packed[ndl_at(dim, width, l)] = ndl_of_int(0);
}

/* Some channels of n <= TILE rows. n is a constant where this is called. */
NDL_PART void add_channels(const float *restrict rows, size_t pitch, size_t n, size_t channels,
                           const float *restrict packed, size_t width, float *restrict acc)
{
    for (size_t c = 0; c < channels; c++)
        for (size_t r = 0; r < n; r++)
            lanes_mac(acc + ndl_at(r, LANES, 0), packed + ndl_at(c, width, 0),
                      rows[ndl_at(r, pitch, c)]);
}

/* The channels from c on of the rows AHEAD of n rows. */
NDL_PART void ask(const float *restrict rows, size_t pitch, size_t n, size_t c)
{
    for (size_t r = 0; r < n; r++)
        ndl_soon_f32(rows + ndl_at(AHEAD + r, pitch, c));
}

/* The dot products of n <= TILE rows, RUN channels at a time; the rows AHEAD of them
 * are asked for if they are there. n is a constant where this is called. */
NDL_PART void add_tile(const float *restrict rows, size_t pitch, size_t n, bool ahead,
                       size_t channels, const float *restrict packed, size_t width,
                       float *restrict dots)
{
    float acc[TILE * LANES];
    size_t c = 0;

    for (size_t k = 0; k < n * LANES; k++)
        acc[k] = dots[k];
    for (; channels - c >= RUN; c += RUN) {
        if (ahead)
            ask(rows, pitch, n, c);
        add_channels(rows + c, pitch, n, RUN, packed + ndl_at(c, width, 0), width, acc);
    }
    add_channels(rows + c, pitch, n, channels - c, packed + ndl_at(c, width, 0), width, acc);
    for (size_t k = 0; k < n * LANES; k++)
        dots[k] = acc[k];
}

NDL_LEVELS
void ndl_add_dots(const float *restrict rows, size_t pitch, size_t n, size_t left, size_t channels,
                  const float *restrict packed, size_t width, float *restrict dots)
{
    size_t i = 0;

    for (; n - i >= TILE; i += TILE)
        add_tile(rows + ndl_at(i, pitch, 0), pitch, TILE, left - i >= AHEAD + TILE, channels,
                 packed, width, dots + ndl_at(i, LANES, 0));
    for (; i < n; i++)
        add_tile(rows + ndl_at(i, pitch, 0), pitch, 1, false, channels, packed, width,
                 dots + ndl_at(i, LANES, 0));
}

/* Move n rows of LANES together: of each only the first `width`, a constant
 * where this is called, so that a row is moved at once. */
NDL_PART void pack_rows(const float *restrict from, size_t n, size_t width, float *restrict to)
{
    for (size_t i = 0; i < n; i++)
        for (size_t l = 0; l < width; l++)
            to[ndl_at(i, width, l)] = from[ndl_at(i, LANES, l)];
}

NDL_PART void pack_scores(const float *restrict from, size_t n, size_t width, float *restrict to)
{
    switch (width) {
    case 1:
        pack_rows(from, n, 1, to);
        break;
    case 2:
        pack_rows(from, n, 2, to);
        break;
    case 3:
        pack_rows(from, n, 3, to);
        break;
    case 4:
        pack_rows(from, n, 4, to);
        break;
    case 5:
        pack_rows(from, n, 5, to);
        break;
    case 6:
        pack_rows(from, n, 6, to);
        break;
    case 7:
        pack_rows(from, n, 7, to);
        break;
    default:
        pack_rows(from, n, LANES, to);
        break;
    }
}

NDL_LEVELS
void ndl_put_scores(float *restrict dots, const float *restrict scales, float s, size_t n,
                    size_t width, float *restrict scores, float *restrict max)
{
    for (size_t i = 0; i < n; i++) {
        float *row = dots + ndl_at(i, LANES, 0);

        NDL_LANES
        for (size_t l = 0; l < LANES; l++) {
            row[l] = ndl_mul(ndl_mul(row[l], scales[i]), s);
            max[l] = ndl_greater(max[l], row[l]);
        }
    }
    pack_scores(dots, n, width, scores);
}
