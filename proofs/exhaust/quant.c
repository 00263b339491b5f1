/*
 * The quantiser to 8 bits over every absmax and over every mantissa of a scale, or over
 * a sample of them, in both profiles:
 *   - the row A, -A for every finite A: the scale is A / 127, or 1 for 0. In needle-core
 *     1 / scale is finite from 02FE0004 on and the codes are 127 and -127; below, the
 *     inverse is infinite and the codes are 127 and -128. In upstream the codes are 127
 *     and -127 from 00003E44 on, but for the -128 at 00003EC1. From there on the scale of
 *     127 times the scale is the scale, but for FLT_MAX;
 *   - for the scale of every absmax from 64 to 256, in which every mantissa that
 *     a scale can have is, and for every scale that is subnormal where its absmax is one
 *     of those, the row of all codes times it gives that scale and these codes back.
 *     Larger scales differ from the first by a power of two, which changes no rounding.
 *
 * Claims: QNT_001 QNT_002 QNT_006 QNT_008
 * Of: engine/src/quant.c engine/src/leaf.h engine/src/trusted/round.h engine/src/trusted/bits.h
 *
 * usage: exhaust-quant [STRIDE [THREADS]]   stride 1 (all inputs), 2 threads
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ndl.h"

#define INFINITE UINT64_C(0x7f800000)
#define FIRST_FINITE_INVERSE UINT64_C(0x02fe0004)
#define FIRST_OF_UPSTREAM UINT64_C(0x00003e44)
#define LOWEST_CODE_OF_UPSTREAM UINT64_C(0x00003ec1)
#define FIRST_NORMAL_SCALE UINT64_C(0x03fe0000) /* 127 times the smallest normal number */
#define FIRST_ABSMAX UINT32_C(0x42800000)
#define END_ABSMAX UINT32_C(0x43800000)
#define MAX_THREADS 64
enum { CODES = 255 };

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

static void expect(job *j, bool right, const char *what, uint32_t bits)
{
    j->compared++;
    if (right)
        return;
    if (j->differing++ == 0)
        printf("quant %08" PRIx32 ": %s\n", bits, what);
}

static float quantise(ndl_numerics numerics, const float *x, size_t len, int8_t *codes)
{
    float scale;

    if (ndl_quantize_rows(numerics, len, x, len, codes, len, &scale, 1) != NDL_OK)
        abort();
    return scale;
}

/* From where on a profile's quantiser is regular. */
static uint64_t first_regular(ndl_numerics numerics)
{
    return numerics == NDL_NEEDLE_CORE ? FIRST_FINITE_INVERSE : FIRST_OF_UPSTREAM;
}

static void absmax(job *j, ndl_numerics numerics, uint32_t bits)
{
    const float x = of_bits(bits), row[2] = {x, -x};
    int8_t codes[2];
    const float scale = quantise(numerics, row, 2, codes);
    /* x / 127 is not 0 from 64 subnormal units on; below, x / 0 is infinite. */
    const float want = x > 0.0f ? x / 127.0f : 1.0f;
    const bool regular = bits >= first_regular(numerics);

    expect(j, scale == want, "scale", bits);
    if (bits == 0)
        expect(j, codes[0] == 0 && codes[1] == 0, "codes of zeros", bits);
    else if (numerics == NDL_NEEDLE_CORE) {
        expect(j, (isfinite(1.0f / scale) != 0) == regular, "inverse", bits);
        expect(j, codes[0] == 127 && codes[1] == (regular ? -127 : -128), "codes", bits);
    } else if (regular)
        expect(j, codes[0] == 127 && codes[1] == (bits == LOWEST_CODE_OF_UPSTREAM ? -128 : -127),
               "codes", bits);
    if (regular && x < FLT_MAX) {
        const float again = 127.0f * scale;
        int8_t code;

        expect(j, quantise(numerics, &again, 1, &code) == scale && code == 127, "scale again",
               bits);
    }
}

/* The codes of the scale of an absmax; not if they are those of the absmax before. */
static void codes_back(job *j, ndl_numerics numerics, uint32_t bits)
{
    const float largest = of_bits(bits), before = of_bits(bits - 1);
    float row[CODES];
    int8_t codes[CODES];
    const float scale = quantise(numerics, &largest, 1, codes);
    bool right;

    if (bits > first_regular(numerics) && quantise(numerics, &before, 1, codes) == scale)
        return;
    for (int k = 0; k < CODES; k++)
        row[k] = (float)(k - 127) * scale;
    right = quantise(numerics, row, CODES, codes) == scale;
    for (int k = 0; k < CODES; k++)
        right = right && codes[k] == k - 127;
    expect(j, right, "codes times scale", bits);
}

static void *run(void *argument)
{
    job *j = argument;

    for (int i = 0; i < 2; i++) {
        const ndl_numerics numerics = i == 0 ? NDL_NEEDLE_CORE : NDL_UPSTREAM;

        for (uint64_t a = j->first; a < INFINITE; a += j->stride)
            absmax(j, numerics, (uint32_t)a);
        for (uint64_t a = first_regular(numerics) + j->first; a < FIRST_NORMAL_SCALE;
             a += j->stride)
            codes_back(j, numerics, (uint32_t)a);
        for (uint64_t a = FIRST_ABSMAX + j->first; a < END_ABSMAX; a += j->stride)
            codes_back(j, numerics, (uint32_t)a);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const unsigned threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 2;
    static job jobs[MAX_THREADS];
    pthread_t ids[MAX_THREADS];
    job edges = {.stride = 1};
    uint64_t compared = 0, differing = 0;

    if (stride == 0 || threads == 0 || threads > MAX_THREADS) {
        fprintf(stderr, "usage: exhaust-quant [STRIDE [THREADS]]\n");
        return 2;
    }
    for (unsigned t = 0; t < threads; t++) {
        jobs[t] = (job){.first = t * stride, .stride = threads * stride};
        if (pthread_create(&ids[t], NULL, run, &jobs[t]) != 0) {
            fprintf(stderr, "exhaust-quant: no thread\n");
            return 2;
        }
    }
    /* Where something changes, whatever the stride. */
    for (uint32_t i = 0; i < 256; i++) {
        absmax(&edges, NDL_NEEDLE_CORE, i);
        absmax(&edges, NDL_NEEDLE_CORE, (uint32_t)FIRST_FINITE_INVERSE - 128 + i);
        absmax(&edges, NDL_NEEDLE_CORE, (uint32_t)INFINITE - 1 - i);
        absmax(&edges, NDL_UPSTREAM, (uint32_t)FIRST_OF_UPSTREAM - 64 + i);
        absmax(&edges, NDL_UPSTREAM, (uint32_t)INFINITE - 1 - i);
    }
    for (unsigned t = 0; t < threads; t++) {
        pthread_join(ids[t], NULL);
        compared += jobs[t].compared;
        differing += jobs[t].differing;
    }
    compared += edges.compared;
    differing += edges.differing;
    printf("quant: %" PRIu64 " compared, %" PRIu64 " differing\n", compared, differing);
    return differing == 0 ? 0 : 1;
}
