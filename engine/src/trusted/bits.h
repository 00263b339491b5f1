/*
 * The bits of a binary64, which is how a power of two is made without a branch.
 * Trusted: the memory models of proofs do not see one object as two types.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_TRUSTED_BITS_H
#define NDL_TRUSTED_BITS_H

#include <float.h>
#include <stdint.h>

_Static_assert(DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024 && sizeof(double) == sizeof(uint64_t),
               "double must be IEEE 754 binary64");

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
