/*
 * Rounding to an integer, and back. Trusted: that the results are those of
 * roundf and rintf is compared for every binary32 by proofs/exhaust/round.c.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_TRUSTED_ROUND_H
#define NDL_TRUSTED_ROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "../../logic/round.acsl"

#include "bits.h"

/** |y|, but at most qmax + 1; 0 for a NaN. The bound is an integer, so that
 *  clamping before rounding gives what clamping afterwards does. */
static inline float ndl_size_within(float y, int32_t qmax)
{
    const int32_t size = ndl_magnitude(y);
    const int32_t most = (int32_t)ndl_bits_of_float((float)(qmax + 1));

    return ndl_float_of_bits((uint32_t)(size < most ? size : most));
}

/** A rounded size with the sign of y, at most qmax. */
static inline int32_t ndl_signed_within(int32_t size, float y, int32_t qmax)
{
    const int32_t code = ndl_bits_of_float(y) >> 31 != 0 ? -size : size;

    return code < qmax ? code : qmax;
}

/** y rounded to an integer, halves away from zero, and clamped to
 *  -qmax - 1 .. qmax; 0 for a NaN. */
/*@ requires some: 1 <= qmax < 0x8000;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures QNT_001: range: -qmax - 1 <= \result <= qmax;
    ensures value: \result == ROUND_AWAY(bits(y), qmax);
*/
static inline int32_t ndl_round_away(float y, int32_t qmax)
{
    /* The largest float below 1/2 takes a half to the next integer, by the
     * rounding of the sum, and what is below a half not so far. */
    const float sum = ndl_size_within(y, qmax) + 0x1.fffffep-2f;

    return ndl_signed_within((int32_t)sum, y, qmax);
}

/** The same with halves to even. */
/*@ requires some: 1 <= qmax < 0x8000;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures QNT_001: range: -qmax - 1 <= \result <= qmax;
    ensures value: \result == ROUND_EVEN(bits(y), qmax);
*/
static inline int32_t ndl_round_even(float y, int32_t qmax)
{
    /* From 2^23 on floats are integers: the sum is rounded to one. */
    const float sum = ndl_size_within(y, qmax) + 0x1p23f;

    return ndl_signed_within((int32_t)(sum - 0x1p23f), y, qmax);
}

/** The integer that y was rounded to, times the scale. A y that rounds to 0
 *  keeps its sign, and a NaN, whose code is 0, stays one: y * 0 gives either. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures value: bits(\result) == DEQUANT(bits(y), code, bits(scale));
*/
static inline float ndl_dequantised(float y, int32_t code, float scale)
{
    const uint32_t whole = ndl_bits_of_float((float)code), none = ndl_bits_of_float(y * 0.0f);
    /* The bits of the code 0 are all 0. */
    const uint32_t where = 0u - (uint32_t)(code == 0);

    return ndl_float_of_bits(whole | (none & where)) * scale;
}

/** A whole number below 2^64 as an integer. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures value: \result == WHOLE(bits(x));
*/
static inline uint64_t ndl_whole(float x)
{
    return (uint64_t)x;
}

#endif
