/*
 * A hint that memory will be read soon, so that it is on its way while something
 * else is computed. It changes no value, and reads nothing that the abstract machine
 * knows of: to proofs, and to compilers that have no such thing, it is nothing.
 *
 * A processor keeps only so many lines on their way: a hint beyond that waits, and
 * what is computed with it. So hints are spread over the work, a line or a few at a
 * time; and lines go to the second cache, which was a little faster where it was
 * measured.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_SOON_H
#define NDL_SOON_H

#include <stddef.h>
#include <stdint.h>

#define NDL_LINE 64 /* bytes that come together; more would do no harm but leave gaps */

/** The floats that come with *x. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
static inline void ndl_soon_f32(const float *x)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
    __builtin_prefetch(x, 0, 2);
#else
    (void)x;
#endif
}

/** A row of n codes. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
static inline void ndl_soon_i8(const int8_t *row, size_t n)
{
#if defined(__GNUC__) && !defined(__FRAMAC__)
    for (size_t i = 0; i < n; i += NDL_LINE)
        __builtin_prefetch(row + i, 0, 2);
#else
    (void)row, (void)n;
#endif
}

#endif
