/*
 * How kernels are compiled. A kernel is a plain loop over arrays; which
 * instructions it becomes is the compiler's choice. On x86-64 a kernel marked
 * NDL_LEVELS is compiled for the oldest processors and again for those with
 * AVX2, and the loader takes what the processor has. The bits are the same at
 * both: neither fuses, reassociates or widens an operation. A third, for
 * AVX-512, was no faster where it was measured.
 *
 * NDL_NO_CLONES leaves the one level that the compiler is called with, as do
 * sanitizers, whose run-time is not there yet when the loader chooses.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_LEVEL_H
#define NDL_LEVEL_H

#include <stdint.h>

/* The loader's part is glibc's; the compilers are those that it was seen with. */
#if defined(__FRAMAC__) || !defined(__x86_64__) || !defined(__GLIBC__)
#define NDL_ONE_LEVEL
#elif defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define NDL_ONE_LEVEL
#elif defined(__clang__)
#if __clang_major__ < 19 || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer) ||  \
    __has_feature(address_sanitizer)
#define NDL_ONE_LEVEL
#endif
#elif !defined(__GNUC__) || __GNUC__ < 12
#define NDL_ONE_LEVEL
#endif

/** Before the definition of a kernel. */
#if defined(NDL_NO_CLONES) || defined(NDL_ONE_LEVEL)
#define NDL_LEVELS
#else
#define NDL_LEVELS __attribute__((target_clones("default", "arch=x86-64-v3")))
#endif

/** A part of a kernel: it belongs to the level of the kernel that calls it. */
#if defined(__GNUC__) && !defined(__FRAMAC__)
#define NDL_PART static inline __attribute__((always_inline))
#else
#define NDL_PART static inline
#endif

/** Before a loop over lanes. gcc else unrolls it first and then finds no loop
 *  that it could vectorise. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__FRAMAC__)
#define NDL_LANES _Pragma("GCC unroll 1")
#else
#define NDL_LANES
#endif

#endif
