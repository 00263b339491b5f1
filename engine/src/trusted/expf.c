/*
 * The exponential in binary64, rounded once more to binary32.
 *
 *     x = k * ln 2 + r,  |r| <= ln 2 / 2,     e^x = 2^k * e^r
 *
 * k comes out of adding a constant so large that the sum is rounded to an
 * integer, whose bits are the low ones of the sum's. The upper part of ln 2 has
 * 40 bits, so that its product with k, and the difference to x, are exact. e^r
 * is 1 + r + r^2 * q(r), q the polynomial of degree 8 whose error is smallest
 * on the interval: below 2^-51.5. Nothing of this depends on a fused or a
 * wider operation, and nothing branches.
 *
 * That the result is the correctly rounded one is not derived from these
 * bounds: proofs/exhaust/expf.c compares every binary32 with MPFR.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "expf.h"

#include "ndl.h"

#include "../leaf.h"
#include "../level.h"
#include "bits.h"

#define SHIFT 0x1.8p52
#define BLOCK 64 /* elements that go through each pass while they are close */

/* Its low bits are those of k. */
NDL_PART double shifted(float x)
{
    return (double)x * 0x1.71547652b82fep+0 + SHIFT;
}

NDL_PART double rest(float x, double t)
{
    const double k = t - SHIFT;

    return ((double)x - k * 0x1.62e42fefa2p-1) - k * 0x1.9ef35793c7673p-41;
}

/* 2^k * e^r */
NDL_PART float power(double t, double r)
{
    const double r2 = r * r, r4 = r2 * r2;
    const double q0 = 0x1.000000000000ep-1 + r * 0x1.55555555505fbp-3;
    const double q2 = 0x1.555555554ec7bp-5 + r * 0x1.1111112603df2p-7;
    const double q4 = 0x1.6c16c18a5cacdp-10 + r * 0x1.a0198c4ddc682p-13;
    const double q6 = 0x1.a01989954d019p-16 + r * 0x1.72ea2dafc0825p-19;
    const double q = (q0 + r2 * q2) + r4 * ((q4 + r2 * q6) + r4 * 0x1.28bc2c2933776p-22);
    const double y = 1.0 + (r + r2 * q);
    /* k + 1023 moved to where the exponent is; the bits above fall off. */
    const double scale = ndl_double_of_bits((ndl_bits_of_double(t) + 1023) << 52);

    return (float)(y * scale);
}

/* Beyond these bounds the result is +0 and infinity; a NaN passes. */
NDL_PART float not_below(float x)
{
    return x < -110.0f ? -110.0f : x;
}

NDL_PART float not_above(float x)
{
    return x > 110.0f ? 110.0f : x;
}

float ndl_expf(float x)
{
    const float near = not_above(not_below(x));
    const double t = shifted(near);

    return power(t, rest(near, t));
}

/* n <= BLOCK elements. Passes of their own: compilers do not vectorise the first with
 * another, and one chain of all that follows is longer than processors look ahead. */
NDL_PART void exp_block(float *restrict x, size_t n)
{
    double t[BLOCK], r[BLOCK];

    for (size_t i = 0; i < n; i++)
        x[i] = not_above(not_below(x[i]));
    for (size_t i = 0; i < n; i++) {
        t[i] = shifted(x[i]);
        r[i] = rest(x[i], t[i]);
    }
    for (size_t i = 0; i < n; i++)
        x[i] = power(t[i], r[i]);
}

NDL_LEVELS
void ndl_exp_row(float *x, size_t n)
{
    for (size_t i = 0; i < n; i += BLOCK)
        exp_block(x + i, n - i < BLOCK ? n - i : BLOCK);
}
