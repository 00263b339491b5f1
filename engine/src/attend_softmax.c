/* The softmax of a pack. Its scores are flat for what takes each by itself, the
 * difference and the exponential, and lanes for the sums, whose positions come
 * in order.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"
#include "trusted/expf.h"

#define TURN 8   /* positions after which the maxima, laid flat, start anew */
#define BLOCK 64 /* positions that go through both passes while they are close */

/* x[k] - max[k], which is not above 0 or a NaN. */
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

/* Scores of n positions become e, which is added to the sums. flat: the maxima of
 * the lanes, TURN times one after the other. */
NDL_PART void exp_and_sum(float *restrict x, size_t n, size_t width, const float *restrict flat,
                          float *restrict sum)
{
    for (size_t i = 0; i < n; i += TURN)
        subtract(x + ndl_at(i, width, 0), flat, ndl_at(n - i < TURN ? n - i : TURN, width, 0));
    ndl_exp_row(x, ndl_at(n, width, 0));
    sum_up(x, n, width, sum);
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
    for (size_t i = 0; i < n; i += BLOCK)
        exp_and_sum(scores + ndl_at(i, width, 0), n - i < BLOCK ? n - i : BLOCK, width, flat, sum);
    for (size_t l = 0; l < LANES; l++)
        inv[l] = ndl_div(ndl_of_int(1), sum[l]);
}
