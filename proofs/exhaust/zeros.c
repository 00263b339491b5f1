/*
 * What proofs/laws/zeros.h takes for granted of binary32 addition, for every x
 * or for a sample: +0 + x is x, -0 + x is +0 + x and NaN + x is NaN, where both
 * zeros count as one and so do all NaN.
 *
 * Axioms: z_start z_add
 * Of: engine/src/leaf.h
 *
 * usage: exhaust-zeros [STRIDE [THREADS]]   stride 1 (all inputs), 2 threads
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "leaf.h"

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

/* Z of the law. */
static uint32_t z(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        return 0x7fc00000;
    return bits == 0x80000000 ? 0 : bits;
}

static void compare(job *j, float got, float want, uint32_t x)
{
    j->compared++;
    if (z(got) == z(want))
        return;
    if (j->differing++ == 0)
        printf("zeros %08" PRIx32 ": %08" PRIx32 ", not %08" PRIx32 "\n", x, z(got), z(want));
}

static void *run(void *argument)
{
    job *j = argument;

    for (uint64_t i = j->first; i < INPUTS; i += j->stride) {
        const float x = of_bits((uint32_t)i);

        compare(j, ndl_add(0.0f, x), x, (uint32_t)i);
        compare(j, ndl_add(-0.0f, x), ndl_add(0.0f, x), (uint32_t)i);
        compare(j, ndl_add(NAN, x), -NAN, (uint32_t)i);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const unsigned threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 2;
    static job jobs[MAX_THREADS];
    pthread_t ids[MAX_THREADS];
    uint64_t compared = 0, differing = 0;

    if (stride == 0 || threads == 0 || threads > MAX_THREADS) {
        fprintf(stderr, "usage: exhaust-zeros [STRIDE [THREADS]]\n");
        return 2;
    }
    for (unsigned t = 0; t < threads; t++) {
        jobs[t] = (job){.first = t * stride, .stride = threads * stride};
        if (pthread_create(&ids[t], NULL, run, &jobs[t]) != 0) {
            fprintf(stderr, "exhaust-zeros: no thread\n");
            return 2;
        }
    }
    for (unsigned t = 0; t < threads; t++) {
        pthread_join(ids[t], NULL);
        compared += jobs[t].compared;
        differing += jobs[t].differing;
    }
    printf("zeros: %" PRIu64 " compared, %" PRIu64 " differing\n", compared, differing);
    return differing == 0 ? 0 : 1;
}
