/*
 * The quantiser to 8 bits over every absmax and over every mantissa of a scale,
 * or over a sample of them:
 *   - the row A, -A for every finite A: the scale is A / 127, or 1 for 0; from
 *     02FE0004 on 1 / scale is finite and the codes are 127 and -127; below, the
 *     inverse is infinite and the codes are 127 and -128; the scale of 127
 *     times the scale is the scale, but for FLT_MAX;
 *   - for the scale of every absmax from 64 to 256, in which every mantissa that
 *     a scale can have is, the row of all codes times it gives that scale and
 *     these codes back.
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

static float quantise(const float *x, size_t len, int8_t *codes)
{
    float scale;

    if (ndl_quantize_rows(NDL_NEEDLE_CORE, len, x, len, codes, len, &scale, 1) != NDL_OK)
        abort();
    return scale;
}

static void absmax(job *j, uint32_t bits)
{
    const float x = of_bits(bits), row[2] = {x, -x};
    int8_t codes[2];
    const float scale = quantise(row, 2, codes);
    /* x / 127 is not 0 from 64 subnormal units on; below, x / 0 is infinite. */
    const float want = x > 0.0f ? x / 127.0f : 1.0f;
    const bool finite = bits == 0 || bits >= FIRST_FINITE_INVERSE;

    expect(j, scale == want, "scale", bits);
    expect(j, (isfinite(1.0f / scale) != 0) == finite, "inverse", bits);
    if (bits == 0)
        expect(j, codes[0] == 0 && codes[1] == 0, "codes of zeros", bits);
    else
        expect(j, codes[0] == 127 && codes[1] == (finite ? -127 : -128), "codes", bits);
    if (bits >= FIRST_FINITE_INVERSE && x < FLT_MAX) {
        const float again = 127.0f * scale;
        int8_t code;

        expect(j, quantise(&again, 1, &code) == scale && code == 127, "scale again", bits);
    }
}

static void codes_back(job *j, uint32_t bits)
{
    const float largest = of_bits(bits);
    float row[CODES];
    int8_t codes[CODES];
    const float scale = quantise(&largest, 1, codes);
    bool right;

    for (int k = 0; k < CODES; k++)
        row[k] = (float)(k - 127) * scale;
    right = quantise(row, CODES, codes) == scale;
    for (int k = 0; k < CODES; k++)
        right = right && codes[k] == k - 127;
    expect(j, right, "codes times scale", bits);
}

static void *run(void *argument)
{
    job *j = argument;

    for (uint64_t i = j->first; i < INFINITE; i += j->stride)
        absmax(j, (uint32_t)i);
    for (uint64_t i = FIRST_ABSMAX + j->first; i < END_ABSMAX; i += j->stride)
        codes_back(j, (uint32_t)i);
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
        absmax(&edges, i);
        absmax(&edges, (uint32_t)FIRST_FINITE_INVERSE - 128 + i);
        absmax(&edges, (uint32_t)INFINITE - 1 - i);
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
