/*
 * The correctly rounded exponential, one value at a time (ndl_expf,
 * in ndl.h) and over a row. Trusted: it works in binary64.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_TRUSTED_EXPF_H
#define NDL_TRUSTED_EXPF_H

#include <stddef.h>

#include "../../logic/exp.acsl"

/* x[i] = ndl_expf(x[i]) for i < n, in loops that compilers vectorise. */
/*@ requires to: \valid(x + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns x[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> bits(x[i]) == EXP(\old(bits(x[i])));
*/
void ndl_exp_row(float *x, size_t n);

#endif
