/*
 * Compares the rounding leaves with roundf and rintf, and magnitudes with fabsf,
 * for every binary32 or for a sample of them, and the square root with sqrtf.
 *
 * Claims: QNT_001 QNT_004
 * Of: engine/src/trusted/round.h engine/src/trusted/bits.h
 *
 * usage: exhaust-round [STRIDE [THREADS]]   stride 1 (all inputs), 2 threads
 *
 * Every y is rounded both ways for the qmax of 8 and of 16 bits, and for that
 * of one other width, which takes turns. Of each two neighbours among the bits of
 * numbers without a sign the larger is the larger number. The root is compared for every float
 * from 1 to 2^61 that is a whole number.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attend.h"
#include "trusted/round.h"

#define INPUTS (UINT64_C(1) << 32)
#define MAX_THREADS 64

typedef struct job {
    uint64_t first, stride;
    uint64_t compared, differing;
} job;

static float of_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool same(float a, float b)
{
    return isnan(b) ? isnan(a) : bits_of(a) == bits_of(b);
}

static void compare(job *j, float y, int32_t got, float rounded, int32_t qmax)
{
    const float hi = (float)qmax, lo = -hi - 1.0f;
    const float clamped = rounded < lo ? lo : rounded > hi ? hi : rounded;
    const int32_t want = isnan(clamped) ? 0 : (int32_t)clamped;

    j->compared++;
    if (got == want && same(ndl_dequantised(y, got, 1.0f), clamped))
        return;
    if (j->differing++ == 0)
        printf("round %08" PRIx32 " to +-%" PRId32 ": %" PRId32 ", not %" PRId32 "\n", bits_of(y),
               qmax, got, want);
}

static void magnitude(job *j, uint32_t bits)
{
    const float y = of_bits(bits);
    const uint32_t got = (uint32_t)ndl_magnitude(y), want = isnan(y) ? 0 : bits_of(fabsf(y));
    const bool ordered = bits >= bits_of(INFINITY) || y < of_bits(bits + 1);

    j->compared++;
    if (got == want && ordered)
        return;
    if (j->differing++ == 0)
        printf("magnitude %08" PRIx32 ": %08" PRIx32 ", not %08" PRIx32 "%s\n", bits, got, want,
               ordered ? "" : ", and the next is not larger");
}

static void *run(void *argument)
{
    job *j = argument;

    for (uint64_t i = j->first; i < INPUTS; i += j->stride) {
        const float y = of_bits((uint32_t)i);
        magnitude(j, (uint32_t)i);
        const float away = roundf(y), even = rintf(y);
        const unsigned other = 2 + (unsigned)(i / j->stride % 15);
        const int32_t qmax[3] = {127, 32767, (INT32_C(1) << (other - 1)) - 1};

        for (int q = 0; q < 3; q++) {
            compare(j, y, ndl_round_away(y, qmax[q]), away, qmax[q]);
            compare(j, y, ndl_round_even(y, qmax[q]), even, qmax[q]);
        }
    }
    return NULL;
}

static void roots(job *j)
{
    const uint32_t last = bits_of(0x1p61f);

    for (uint64_t i = bits_of(1.0f); i <= last; i += j->stride) {
        const float x = of_bits((uint32_t)i);

        if (rintf(x) != x || x > (float)(SIZE_MAX / 8))
            continue;
        j->compared++;
        if (same(ndl_root_of((size_t)x), sqrtf(x)))
            continue;
        if (j->differing++ == 0)
            printf("root of %a: %a, not %a\n", (double)x, (double)ndl_root_of((size_t)x),
                   (double)sqrtf(x));
    }
}

int main(int argc, char **argv)
{
    const uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const unsigned threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 2;
    static job jobs[MAX_THREADS];
    pthread_t ids[MAX_THREADS];
    job total = {.stride = stride};

    if (stride == 0 || threads == 0 || threads > MAX_THREADS) {
        fprintf(stderr, "usage: exhaust-round [STRIDE [THREADS]]\n");
        return 2;
    }
    for (unsigned t = 0; t < threads; t++) {
        jobs[t] = (job){.first = t * stride, .stride = threads * stride};
        if (pthread_create(&ids[t], NULL, run, &jobs[t]) != 0) {
            fprintf(stderr, "exhaust-round: no thread\n");
            return 2;
        }
    }
    roots(&total);
    for (unsigned t = 0; t < threads; t++) {
        pthread_join(ids[t], NULL);
        total.compared += jobs[t].compared;
        total.differing += jobs[t].differing;
    }
    printf("round: %" PRIu64 " compared, %" PRIu64 " differing\n", total.compared, total.differing);
    return total.differing == 0 ? 0 : 1;
}
