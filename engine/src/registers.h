/*
 * What a kernel is told of the machine's registers: the shape of its loops may
 * depend on it, and no result. Proofs see either answer, and hold for both.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_REGISTERS_H
#define NDL_REGISTERS_H

#include "level.h"

#include <stdbool.h>

/** Do they hold twice the lanes that SSE2's do? */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
*/
static inline bool ndl_many_registers(void)
{
#if defined(__FRAMAC__)
    extern volatile int ndl_either;

    return ndl_either != 0;
#elif defined(__AVX2__) || defined(__aarch64__)
    return true;
#elif defined(NDL_NO_CLONES) || defined(NDL_ONE_LEVEL)
    return false;
#else
    return __builtin_cpu_supports("x86-64-v3") != 0; /* as the loader decides */
#endif
}

#endif
