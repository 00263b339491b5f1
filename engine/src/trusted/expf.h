/*
 * The correctly rounded exponential, one value at a time (ndl_expf,
 * in ndl.h) and over a row. Trusted: it works in binary64.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_TRUSTED_EXPF_H
#define NDL_TRUSTED_EXPF_H

#include <stddef.h>

/* x[i] = ndl_expf(x[i]) for i < n, in loops that compilers vectorise. No x[i] is above
 * 110, as no difference to a maximum is. */
void ndl_exp_row(float *x, size_t n);

#endif
