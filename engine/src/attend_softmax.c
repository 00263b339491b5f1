/* The softmax of a pack. Its scores are flat for what takes each by itself, the
 * difference and the exponential, and lanes for the sums, whose positions come
 * in order.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"
#include "trusted/expf.h"

#define TURN 8   /* positions after which the maxima, laid flat, start anew */
#define BLOCK 64 /* positions that go through both passes while they are close */

/* x[k] - max[k]. */
NDL_PART void subtract(float *restrict x, const float *restrict max, size_t n)
{
    for (size_t k = 0; k < n; k++)
        x[k] = ndl_sub(x[k], max[k]);
}

/* Add the e of n positions to the sums. */
NDL_PART void sum_up(const float *restrict e, size_t n, size_t width, float *restrict sum)
{
    float acc[LANES];

    for (size_t l = 0; l < LANES; l++)
        acc[l] = sum[l];
    for (size_t i = 0; i < n; i++) {
        const float *row = e + ndl_at(i, width, 0);

        NDL_LANES
        for (size_t l = 0; l < LANES; l++)
            acc[l] = ndl_add(acc[l], row[l]);
    }
    for (size_t l = 0; l < LANES; l++)
        sum[l] = acc[l];
}

NDL_LEVELS
void ndl_softmax(float *restrict scores, size_t n, size_t width, const float *restrict max,
                 float *restrict inv)
{
    float flat[TURN * LANES], sum[LANES];

    for (size_t i = 0; i < TURN; i++)
        for (size_t l = 0; l < width; l++)
            flat[ndl_at(i, width, l)] = max[l];
    for (size_t l = 0; l < LANES; l++) {
        sum[l] = ndl_of_int(0);
        scores[ndl_at(n, width, l)] = ndl_of_int(0); /* what is read behind the last row */
    }
    for (size_t i = 0; i < n;) {
        const size_t part = n - i < BLOCK ? n - i : BLOCK;
        float *x = scores + ndl_at(i, width, 0);

        for (size_t k = 0; k < part; k += TURN)
            subtract(x + ndl_at(k, width, 0), flat,
                     ndl_at(part - k < TURN ? part - k : TURN, width, 0));
        ndl_exp_row(x, ndl_at(part, width, 0));
        sum_up(x, part, width, sum);
        i += part;
    }
    for (size_t l = 0; l < LANES; l++)
        inv[l] = ndl_div(ndl_of_int(1), sum[l]);
}
