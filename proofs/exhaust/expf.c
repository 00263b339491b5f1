/*
 * Compares ndl_expf, and a row of exponentials, with MPFR's correctly rounded one, for
 * every binary32 or for a sample of them.
 *
 * Claims: ATT_002
 * Of: engine/src/trusted/expf.c engine/src/trusted/bits.h
 *
 * usage: exhaust-expf [STRIDE [THREADS]]   stride 1 (all inputs), 2 threads
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <mpfr.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ndl.h"
#include "trusted/expf.h"

#define INPUTS (UINT64_C(1) << 32)
#define MAX_THREADS 64
enum { ROW = 1000 }; /* more than a row takes at a time, and no multiple of it */

typedef struct job {
    uint64_t first, stride;
    uint64_t compared, differing;
    uint32_t worst; /* the first input that differed */
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

/* Binary32 in MPFR: 24 bits, exponents -148 to 128 by its count, and results
 * below 2^-126 rounded again with what MPFR knows of the first rounding. */
static float expected(float x, mpfr_t arg, mpfr_t result)
{
    if (isnan(x))
        return x;
    mpfr_set_flt(arg, x, MPFR_RNDN);
    int inexact = mpfr_exp(result, arg, MPFR_RNDN);
    mpfr_subnormalize(result, inexact, MPFR_RNDN);
    return mpfr_get_flt(result, MPFR_RNDN);
}

static void expect(job *j, float got, float want, uint32_t input)
{
    j->compared++;
    if (isnan(want) ? isnan(got) : bits_of(got) == bits_of(want))
        return;
    if (j->differing++ == 0)
        j->worst = input;
}

static void *run(void *argument)
{
    job *j = argument;
    mpfr_t arg, result;
    float row[ROW];

    mpfr_set_emin(-148);
    mpfr_set_emax(128);
    mpfr_init2(arg, 24);
    mpfr_init2(result, 24);
    for (uint64_t first = j->first; first < INPUTS; first += ROW * j->stride) {
        size_t n = 0;

        for (uint64_t i = first; n < ROW && i < INPUTS; i += j->stride)
            row[n++] = of_bits((uint32_t)i);
        ndl_exp_row(row, n);
        for (size_t k = 0; k < n; k++) {
            const uint32_t input = (uint32_t)(first + k * j->stride);
            const float x = of_bits(input), want = expected(x, arg, result);

            expect(j, ndl_expf(x), want, input);
            expect(j, row[k], want, input);
        }
    }
    mpfr_clear(arg);
    mpfr_clear(result);
    mpfr_free_cache();
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
        fprintf(stderr, "usage: exhaust-expf [STRIDE [THREADS]]\n");
        return 2;
    }
    for (unsigned t = 0; t < threads; t++) {
        jobs[t] = (job){.first = t * stride, .stride = threads * stride};
        if (pthread_create(&ids[t], NULL, run, &jobs[t]) != 0) {
            fprintf(stderr, "exhaust-expf: no thread\n");
            return 2;
        }
    }
    for (unsigned t = 0; t < threads; t++) {
        pthread_join(ids[t], NULL);
        compared += jobs[t].compared;
        differing += jobs[t].differing;
        if (jobs[t].differing > 0)
            printf("first of thread %u: bits %08" PRIx32 "\n", t, jobs[t].worst);
    }
    printf("expf: %" PRIu64 " compared, %" PRIu64 " differing\n", compared, differing);
    return differing == 0 ? 0 : 1;
}
