#include "oracle.h"

#include <mpfr.h>

/*
 * binary32 in MPFR's terms: 24 bits, and exponents such that the smallest
 * subnormal, 2^-149, is 0.5 * 2^-148, and FLT_MAX is below 2^128. MPFR rounds
 * as if the exponent had no end; mpfr_check_range then overflows, and
 * mpfr_subnormalize rounds again to the bits that a subnormal has, without
 * rounding twice: it knows from `inexact` on which side the result lies.
 */
float oracle_expf(float x)
{
    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    mpfr_t y;
    mpfr_init2(y, 24);
    mpfr_set_flt(y, x, MPFR_RNDN);
    int inexact = mpfr_exp(y, y, MPFR_RNDN);
    inexact = mpfr_check_range(y, inexact, MPFR_RNDN);
    mpfr_subnormalize(y, inexact, MPFR_RNDN);
    float result = mpfr_get_flt(y, MPFR_RNDN);
    mpfr_clear(y);
    return result;
}
