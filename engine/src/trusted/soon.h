/*
 * A hint that memory will be read soon, so that it is on its way while something
 * else is computed. It changes no value, and reads nothing that the abstract machine
 * knows of. Trusted: proofs have no notion of it. Where a compiler has none either it
 * is nothing at all.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_TRUSTED_SOON_H
#define NDL_TRUSTED_SOON_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that come together; more would do no harm but leave gaps. */
#define NDL_LINE 64

/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
static inline void ndl_soon_f32(const float *row, size_t n)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
    for (size_t i = 0; i < n; i += NDL_LINE / sizeof(float))
        __builtin_prefetch(row + i);
#else
    (void)row, (void)n;
#endif
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
static inline void ndl_soon_i8(const int8_t *row, size_t n)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
    for (size_t i = 0; i < n; i += NDL_LINE)
        __builtin_prefetch(row + i);
#else
    (void)row, (void)n;
#endif
}

#endif
