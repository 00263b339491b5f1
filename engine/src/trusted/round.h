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

/** y within -qmax - 1 .. qmax, 0 for a NaN. The bounds are integers, so that
 *  clamping before rounding gives what clamping afterwards does. */
static inline float ndl_within(float y, float qmax)
{
    const float hi = y < qmax ? y : qmax;
    const float lo = hi > -qmax - 1.0f ? hi : -qmax - 1.0f;

    return y == y ? lo : 0.0f;
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
    const float z = ndl_within(y, (float)qmax);
    const int32_t t = (int32_t)z;
    /* Exact: z has at most 15 bits before the point. */
    const float rest = z - (float)t;

    return t + (rest >= 0.5f) - (rest <= -0.5f);
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
    const float z = ndl_within(y, (float)qmax);
    const int32_t t = (int32_t)z;
    const float rest = z - (float)t;
    const bool odd = t % 2 != 0;
    const bool up = rest > 0.5f || (odd && rest == 0.5f);
    const bool down = rest < -0.5f || (odd && rest == -0.5f);

    return t + up - down;
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
    return (code == 0 ? y * 0.0f : (float)code) * scale;
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
