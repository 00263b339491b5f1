/*
 * The bits of a float, as a number, and a float of given bits: how a largest
 * magnitude is found among integers, and how a sign or a power of two is made
 * without a branch. Trusted: the memory models of proofs do not see one object
 * as two types.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_TRUSTED_BITS_H
#define NDL_TRUSTED_BITS_H

#include <float.h>
#include <stdint.h>

#include "../../logic/magnitude.acsl"

_Static_assert(FLT_MANT_DIG == 24 && FLT_MAX_EXP == 128 && sizeof(float) == sizeof(uint32_t),
               "float must be IEEE 754 binary32");
_Static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024 && sizeof(double) == sizeof(uint64_t),
               "double must be IEEE 754 binary64");

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: \result == bits(x);
*/
static inline uint32_t ndl_bits_of_float(float x)
{
    const union {
        float x;
        uint32_t bits;
    } u = {.x = x};

    return u.bits;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures bits: bits(\result) == bits;
*/
static inline float ndl_float_of_bits(uint32_t bits)
{
    const union {
        uint32_t bits;
        float x;
    } u = {.bits = bits};

    return u.x;
}

/** The bits of |x|, and 0 for a NaN. Magnitudes are ordered as their bits are. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures value: \result == MAGNITUDE(bits(x));
    ensures range: 0 <= \result <= 0x7f800000;
*/
static inline int32_t ndl_magnitude(float x)
{
    const uint32_t bits = ndl_bits_of_float(x) & 0x7fffffff;
    /* A mask, not a choice: compilers do not vectorise a branch. */
    const uint32_t number = 0u - (uint32_t)(bits <= 0x7f800000);

    return (int32_t)(bits & number);
}

static inline uint64_t ndl_bits_of_double(double x)
{
    const union {
        double x;
        uint64_t bits;
    } u = {.x = x};

    return u.bits;
}

static inline double ndl_double_of_bits(uint64_t bits)
{
    const union {
        uint64_t bits;
        double x;
    } u = {.bits = bits};

    return u.x;
}

#endif
