/*
 * The special inputs of the quantiser to 8 bits, as the tables of chapter 6 have them, over
 * every element that can stand beside an absmax, or over a sample of them, in both profiles:
 *   - all signs of a row of zeros: scale 1, codes 0, and fake quantisation to any number
 *     of bits changes nothing;
 *   - beside one absmax of each line of the tables every element from -absmax to absmax,
 *     and every NaN. What becomes of an element depends on absmax through the scale alone
 *     (QNT_009), and where the inverse is infinite not even through that;
 *   - every absmax whose inverse is infinite, with itself, the smallest elements, zeros and
 *     a NaN; and in upstream, up to 00003E43, with every element.
 * In a row of its own each absmax gives what exhaust-quant compares.
 *
 * Claims: QNT_003 QNT_007
 * Of: engine/src/quant.c engine/src/leaf.h engine/src/trusted/round.h engine/src/trusted/bits.h
 *
 * usage: exhaust-special [STRIDE [THREADS]]   stride 1 (all inputs), 2 threads
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ndl.h"

#define SIGN UINT32_C(0x80000000)
#define INFINITE UINT32_C(0x7f800000)
#define LARGEST UINT32_C(0x7f7fffff)
#define FIRST_SCALE UINT32_C(0x00000040)          /* below, the scale is 0 */
#define FIRST_FINITE_INVERSE UINT32_C(0x02fe0004) /* needle-core */
#define FIRST_OF_UPSTREAM UINT32_C(0x00003e44)
#define MAX_THREADS 64
enum { ROW = 1024 }; /* elements beside an absmax */

typedef struct job {
    uint64_t first, step; /* of elements, as bits */
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

/* The same bits, or both NaN. */
static bool same(float a, float b)
{
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

static float scale_of(uint32_t absmax)
{
    return absmax > 0 ? of_bits(absmax) / 127.0f : 1.0f;
}

typedef struct outcome {
    float fake;
    int code;
} outcome;

/* By the line of the tables in which an absmax is, for an element beside it. */
static outcome expected(ndl_numerics numerics, uint32_t absmax, float x)
{
    const float scale = scale_of(absmax);
    float c;

    if (absmax == INFINITE || isnan(x))
        return (outcome){NAN, 0};
    if (absmax == 0)
        return (outcome){x, 0};
    if (absmax < FIRST_SCALE || (numerics == NDL_NEEDLE_CORE && absmax < FIRST_FINITE_INVERSE)) {
        if (x == 0.0f)
            return (outcome){NAN, 0};
        return x > 0.0f ? (outcome){127.0f * scale, 127} : (outcome){-128.0f * scale, -128};
    }
    c = numerics == NDL_UPSTREAM ? rintf(x / scale) : roundf(x * (1.0f / scale));
    c = fmaxf(fminf(c, 127.0f), -128.0f);
    return (outcome){c * scale, (int)c};
}

static void differs(job *j, ndl_numerics numerics, uint32_t absmax, float x)
{
    if (j->differing++ == 0)
        printf("special %08" PRIx32 ": element %08" PRIx32 ", %s\n", absmax, bits_of(x),
               numerics == NDL_UPSTREAM ? "upstream" : "needle-core");
}

/* Elements x, n of them, beside an absmax. */
static void beside(job *j, ndl_numerics numerics, uint32_t absmax, const float *x, size_t n)
{
    float row[ROW + 1], scale;
    int8_t codes[ROW + 1];

    row[0] = of_bits(absmax);
    memcpy(row + 1, x, n * sizeof *x);
    if (ndl_quantize_rows(numerics, n + 1, row, n + 1, codes, n + 1, &scale, 1) != NDL_OK ||
        ndl_fake_quant(numerics, 8, row, n + 1) != NDL_OK)
        abort();
    if (scale != scale_of(absmax))
        differs(j, numerics, absmax, of_bits(absmax));
    for (size_t i = 0; i < n; i++) {
        const outcome want = expected(numerics, absmax, x[i]);
        /* Larger codes belong to an infinite inverse, and to FLT_MAX no finite result. */
        const bool line = absmax != LARGEST || isnan(x[i]) ||
                          (want.code >= -127 &&
                           (isinf(want.fake) != 0) == (want.code == 127 || want.code == -127));

        if (!line || codes[i + 1] != want.code || !same(row[i + 1], want.fake))
            differs(j, numerics, absmax, x[i]);
    }
    j->compared += n;
}

/* All elements that a job has of those whose bits are from..end-1, with both signs. */
static void elements(job *j, ndl_numerics numerics, uint32_t absmax, uint64_t from, uint64_t end)
{
    float x[ROW];
    size_t n = 0;

    for (uint64_t e = from + j->first; e < end; e += j->step) {
        x[n++] = of_bits((uint32_t)e);
        x[n++] = of_bits((uint32_t)e | SIGN);
        if (n == ROW) {
            beside(j, numerics, absmax, x, n);
            n = 0;
        }
    }
    if (n > 0)
        beside(j, numerics, absmax, x, n);
}

/* An absmax of each line; at the beginning and at the end of those with a bound. */
static const uint32_t lines[] = {0x0,       0x1,       0x3f,    0x40,    0x3ec1,
                                 0x2fe0003, 0x2fe0004, LARGEST, INFINITE};

static void each_line(job *j, ndl_numerics numerics)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        /* A quiet NaN's bits are those of a number of its sign above infinity. */
        elements(j, numerics, lines[i], INFINITE + 1, SIGN);
        elements(j, numerics, lines[i], 0, (uint64_t)lines[i] + 1);
    }
}

static void each_absmax(job *j)
{
    for (uint64_t a = 1 + j->first; a < FIRST_FINITE_INVERSE; a += j->step) {
        const float x = of_bits((uint32_t)a), least = of_bits(1);
        const float some[] = {x, -x, least, -least, 0.0f, -0.0f, NAN};

        beside(j, NDL_NEEDLE_CORE, (uint32_t)a, some, sizeof some / sizeof *some);
        if (a < FIRST_OF_UPSTREAM) {
            job whole = {.step = 1};

            elements(&whole, NDL_UPSTREAM, (uint32_t)a, 0, a + 1);
            j->compared += whole.compared;
            j->differing += whole.differing;
        }
    }
}

static void *run(void *argument)
{
    job *j = argument;

    each_line(j, NDL_NEEDLE_CORE);
    each_line(j, NDL_UPSTREAM);
    each_absmax(j);
    return NULL;
}

/* Rows of eight zeros, each sign of each. */
static void zeros(job *j, ndl_numerics numerics)
{
    for (unsigned signs = 0; signs < 256; signs++) {
        float row[8], scale;
        int8_t codes[8];

        for (unsigned i = 0; i < 8; i++)
            row[i] = (signs >> i & 1) != 0 ? -0.0f : 0.0f;
        if (ndl_quantize_rows(numerics, 8, row, 8, codes, 8, &scale, 1) != NDL_OK)
            abort();
        for (unsigned bits = 2; bits <= 16; bits++)
            if (ndl_fake_quant(numerics, bits, row, 8) != NDL_OK)
                abort();
        for (unsigned i = 0; i < 8; i++)
            if (scale != 1.0f || codes[i] != 0 || bits_of(row[i]) != (signs >> i & 1) * SIGN)
                differs(j, numerics, 0, row[i]);
        j->compared += 8;
    }
}

int main(int argc, char **argv)
{
    const uint64_t stride = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const unsigned threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 2;
    static job jobs[MAX_THREADS];
    pthread_t ids[MAX_THREADS];
    uint64_t compared = 0, differing = 0;

    if (stride == 0 || threads == 0 || threads > MAX_THREADS) {
        fprintf(stderr, "usage: exhaust-special [STRIDE [THREADS]]\n");
        return 2;
    }
    for (unsigned t = 0; t < threads; t++)
        jobs[t] = (job){.first = t * stride, .step = threads * stride};
    zeros(&jobs[0], NDL_NEEDLE_CORE);
    zeros(&jobs[0], NDL_UPSTREAM);
    for (unsigned t = 0; t < threads; t++)
        if (pthread_create(&ids[t], NULL, run, &jobs[t]) != 0) {
            fprintf(stderr, "exhaust-special: no thread\n");
            return 2;
        }
    for (unsigned t = 0; t < threads; t++) {
        pthread_join(ids[t], NULL);
        compared += jobs[t].compared;
        differing += jobs[t].differing;
    }
    printf("special: %" PRIu64 " compared, %" PRIu64 " differing\n", compared, differing);
    return differing == 0 ? 0 : 1;
}
