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

#include "../logic/float.acsl"

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == ADD(bits(a), bits(b));
*/
static inline float ndl_add(float a, float b)
{
    return a + b;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == SUB(bits(a), bits(b));
*/
static inline float ndl_sub(float a, float b)
{
    return a - b;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == MUL(bits(a), bits(b));
*/
static inline float ndl_mul(float a, float b)
{
    return a * b;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == DIV(bits(a), bits(b));
*/
static inline float ndl_div(float a, float b)
{
    return a / b;
}

/** acc + a * b, rounded after each: never one fused operation. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == ADD(bits(acc), MUL(bits(a), bits(b)));
*/
static inline float ndl_mac(float acc, float a, float b)
{
    return ndl_add(acc, ndl_mul(a, b));
}

/** x where it compares greater than m, else m: a NaN never enters. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == GREATER(bits(m), bits(x));
*/
static inline float ndl_greater(float m, float x)
{
    return x > m ? x : m;
}

/** absmax / qmax, or 1 where absmax is not above 0. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == SCALE(bits(absmax), bits(qmax));
*/
static inline float ndl_scale(float absmax, float qmax)
{
    return absmax > 0.0f ? absmax / qmax : 1.0f;
}

/** Integers as floats, to nearest even. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == OF_INT(code);
*/
static inline float ndl_of_code(int8_t code)
{
    return (float)code;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == OF_INT(n);
*/
static inline float ndl_of_int(int32_t n)
{
    return (float)n;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == OF_INT(n);
*/
static inline float ndl_of_u32(uint32_t n)
{
    return (float)n;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == OF_INT(n);
*/
static inline float ndl_of_size(size_t n)
{
    return (float)n;
}

#endif
