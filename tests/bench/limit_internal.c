/*
 * Compiled once for each instruction set: multiply-adds as fast as they go, a
 * plain read, and the engine's own exponentials, which are compiled beside it.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "trusted/expf.h"

#include <stdint.h>

size_t limit_macs(size_t width, size_t rounds, float *out);
uint64_t limit_read(const void *p, size_t bytes);
void limit_exps(float *x, size_t n);

/* Twelve sums hide the latency of a multiplication and an addition, and leave two
 * of SSE2's sixteen registers for the factor and the summand. *out holds the
 * factor, which is below 1, and gets the result. Subscripts that are not constant
 * once unrolled would keep the sums in memory. */
enum { SUMS = 12 };

#define MACS(bytes)                                                                                \
    typedef float lanes_##bytes __attribute__((vector_size(bytes)));                               \
    static size_t macs_##bytes(size_t rounds, float *out)                                          \
    {                                                                                              \
        enum { LANES = (bytes) / sizeof(float) };                                                  \
        const lanes_##bytes zero = {0.0f}, factor = zero + *out, summand = 1.0f - factor;          \
        lanes_##bytes sum[SUMS], all = zero;                                                       \
                                                                                                   \
        for (size_t i = 0; i < SUMS; i++)                                                          \
            sum[i] = zero + (float)i;                                                              \
        for (size_t r = 0; r < rounds; r++)                                                        \
            for (size_t i = 0; i < SUMS; i++)                                                      \
                sum[i] = sum[i] * factor + summand;                                                \
        for (size_t i = 0; i < SUMS; i++)                                                          \
            all += sum[i];                                                                         \
        *out = all[0];                                                                             \
        return rounds * SUMS * LANES;                                                              \
    }

MACS(16)
#if defined __AVX__
MACS(32)
#endif
#if defined __AVX512F__
MACS(64)
#endif

/* Multiply-adds done with vectors of the width-th size, 0 if there is none. */
size_t limit_macs(size_t width, size_t rounds, float *out)
{
    switch (width) {
    case 0:
        return macs_16(rounds, out);
#if defined __AVX__
    case 1:
        return macs_32(rounds, out);
#endif
#if defined __AVX512F__
    case 2:
        return macs_64(rounds, out);
#endif
    default:
        return 0;
    }
}

/* A sum of words, which nothing but memory holds up. */
uint64_t limit_read(const void *p, size_t bytes)
{
    const uint32_t *x = p;
    uint64_t rest = 0;
    uint32_t sum = 0;

    for (size_t i = 0; i < bytes / sizeof *x; i++)
        sum += x[i];
    for (size_t i = bytes / sizeof *x * sizeof *x; i < bytes; i++)
        rest += ((const unsigned char *)p)[i];
    return sum + rest;
}

void limit_exps(float *x, size_t n)
{
    ndl_exp_row(x, n);
}
