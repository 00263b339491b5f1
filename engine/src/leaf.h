/*
 * Every float operation of the engine, one to a function, so that proofs see it
 * alone and kernels are loops over integers and calls. What needs more than
 * binary32 is in trusted/.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_LEAF_H
#define NDL_LEAF_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each operation rounds once, to binary32, and says what IEEE 754 says. */
_Static_assert(FLT_EVAL_METHOD == 0, "float expressions must be evaluated as float");
_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && FLT_MAX_EXP == 128 && FLT_MIN_EXP == -125,
               "float must be IEEE 754 binary32");
#ifdef __FAST_MATH__
#error "the engine must be compiled without -ffast-math"
#endif

static inline float ndl_add(float a, float b)
{
    return a + b;
}

static inline float ndl_sub(float a, float b)
{
    return a - b;
}

static inline float ndl_mul(float a, float b)
{
    return a * b;
}

static inline float ndl_div(float a, float b)
{
    return a / b;
}

/* acc + a * b, rounded after each: never one fused operation. */
static inline float ndl_mac(float acc, float a, float b)
{
    return acc + a * b;
}

/* The greater of m and x, m where they do not compare: a NaN never enters. */
static inline float ndl_greater(float m, float x)
{
    return x > m ? x : m;
}

/* The greater of m and |x|; likewise. */
static inline float ndl_greater_abs(float m, float x)
{
    float a = x < 0.0f ? -x : x;
    return a > m ? a : m;
}

/* absmax / qmax, or 1 where absmax is not above 0; qmax below 2^24. */
static inline float ndl_scale(float absmax, int32_t qmax)
{
    return absmax > 0.0f ? absmax / (float)qmax : 1.0f;
}

/*
 * y rounded to an integer, halves away from zero, and clamped to
 * -qmax - 1 .. qmax; 0 for a NaN. 1 <= qmax < 2^15. The bounds are integers,
 * so clamping first gives the same, and then conversion cannot overflow; its
 * remainder is exact.
 */
static inline int32_t ndl_round_away(float y, int32_t qmax)
{
    float hi = (float)qmax, lo = -hi - 1.0f;
    float z = y > lo ? y : lo;
    z = z < hi ? z : hi;
    z = y == y ? z : 0.0f;
    int32_t t = (int32_t)z;
    float rest = z - (float)t;
    return t + (rest >= 0.5f) - (rest <= -0.5f);
}

/* The same with halves to even. */
static inline int32_t ndl_round_even(float y, int32_t qmax)
{
    float hi = (float)qmax, lo = -hi - 1.0f;
    float z = y > lo ? y : lo;
    z = z < hi ? z : hi;
    z = y == y ? z : 0.0f;
    int32_t t = (int32_t)z;
    float rest = z - (float)t;
    bool odd = t % 2 != 0;
    return t + (rest > 0.5f || (odd && rest == 0.5f)) - (rest < -0.5f || (odd && rest == -0.5f));
}

/* The rounded y as a float, times the scale. A y that rounds to 0 keeps its
 * sign, and a NaN, whose code is 0, stays one: y * 0 gives either. */
static inline float ndl_dequantised(float y, int32_t code, float scale)
{
    return (code == 0 ? y * 0.0f : (float)code) * scale;
}

/* Integers as floats, to nearest even. */
static inline float ndl_of_code(int8_t code)
{
    return (float)code;
}

static inline float ndl_of_u32(uint32_t n)
{
    return (float)n;
}

static inline float ndl_of_size(size_t n)
{
    return (float)n;
}

/* A whole number below 2^64 as an integer. */
static inline uint64_t ndl_whole(float x)
{
    return (uint64_t)x;
}

#endif
