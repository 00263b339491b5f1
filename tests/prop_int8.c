/* The int8 round trip, on the domains that chapter 6 states: codes, the largest
 * element, store against fake_quant, the error, and quantising again. */
#include "payload.h"
#include "support.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Where each profile keeps its promises: absmax from `first` up. */
static const uint32_t first[2] = {0x02FE0004, 0x00003E44};
/* What the error may be, in scales. */
static const double error[2] = {0.5 + 0.000023, 0.500016};
/* Upstream's one exception: the ratio is the tie 127.5 there. */
#define TIE 0x00003EC1

#define ROOM 16

typedef struct row {
    ndl_numerics profile;
    size_t n;
    float x[ROOM], fake[ROOM], again[ROOM], scale, absmax;
    int8_t codes[ROOM];
    uint64_t seed;
} row;

#define EXPECT(condition, i)                                                                       \
    cr_assert(condition,                                                                           \
              "NDL_SEED=%llu NDL_CASES=1: profile %d, absmax %08x, element %08x: %s; code %d, "    \
              "fake_quant %08x, scale %08x",                                                       \
              (unsigned long long)w->seed, (int)w->profile, bits_of(w->absmax), bits_of(w->x[i]),  \
              #condition, w->codes[i], bits_of(w->fake[i]), bits_of(w->scale))

static void quantise(row *w)
{
    expect_ok(ndl_quantize_rows(w->profile, w->n, w->x, w->n, w->codes, w->n, &w->scale, 1));
    memcpy(w->fake, w->x, sizeof w->x);
    expect_ok(ndl_fake_quant(w->profile, 8, w->fake, w->n));
    memcpy(w->again, w->fake, sizeof w->fake);
    expect_ok(ndl_fake_quant(w->profile, 8, w->again, w->n));
    w->absmax = 0;
    for (size_t i = 0; i < w->n; i++)
        w->absmax = fabsf(w->x[i]) > w->absmax ? fabsf(w->x[i]) : w->absmax;
}

/* An element of a row with a finite absmax in the profile's domain. */
static void check_element(const row *w, size_t i)
{
    float x = w->x[i], stored = (float)w->codes[i] * w->scale;
    bool tie = w->profile == NDL_UPSTREAM && bits_of(w->absmax) == TIE;
    EXPECT(w->codes[i] >= (tie ? -128 : -127), i);
    /* QNT_004: as numbers, and as bits once -0 is read as +0 */
    EXPECT(same_number(stored, w->fake[i]), i);
    EXPECT(bits_of(stored + 0.0f) == bits_of(w->fake[i] + 0.0f), i);
    /* QNT_002, QNT_008 */
    if (fabsf(x) == w->absmax)
        EXPECT(w->codes[i] == (x > 0 ? 127 : tie ? -128 : -127), i);
    if (w->absmax == FLT_MAX || tie)
        return;
    /* QNT_005, exactly: the difference of two floats within a scale of each other */
    EXPECT(fabs((double)w->fake[i] - (double)x) <= error[w->profile] * (double)w->scale, i);
    /* QNT_006 */
    EXPECT(bits_of(w->again[i]) == bits_of(w->fake[i]), i);
}

static void check(row *w)
{
    bool finite = true;
    quantise(w);
    for (size_t i = 0; i < w->n; i++)
        finite = finite && isfinite(w->x[i]);
    if (w->absmax == 0) { /* QNT_003; NaNs may stand among the zeros */
        expect_bits(w->scale, 0x3F800000);
        for (size_t i = 0; i < w->n; i++)
            EXPECT(w->codes[i] == 0 && same_float(w->fake[i], w->x[i]), i);
        return;
    }
    EXPECT(bits_of(w->scale) == bits_of(w->absmax / 127.0f), 0);
    bool in_domain = finite && bits_of(w->absmax) >= first[w->profile];
    for (size_t i = 0; i < w->n; i++) {
        /* QNT_001: a NaN has code 0; -128 is for tiny rows */
        if (isnan(w->x[i]))
            EXPECT(w->codes[i] == 0 && isnan(w->fake[i]), i);
        if (w->codes[i] == -128 && w->profile == NDL_NEEDLE_CORE)
            EXPECT(bits_of(w->absmax) < first[NDL_NEEDLE_CORE], i);
        if (in_domain)
            check_element(w, i);
    }
}

static void both_profiles(row *w)
{
    for (int profile = NDL_NEEDLE_CORE; profile <= NDL_UPSTREAM; profile++) {
        w->profile = (ndl_numerics)profile;
        check(w);
    }
}

/* Beside an absmax: what lies about each half of a code, and each code. */
static void check_absmax(uint32_t bits, uint64_t seed)
{
    row w = {.seed = seed};
    float absmax = float_of(bits);
    for (int32_t half = 0; half <= 254; half++) {
        uint32_t middle = bits_of((float)((double)absmax * half / 254.0));
        w.n = 0;
        w.x[w.n++] = absmax;
        w.x[w.n++] = -absmax;
        w.x[w.n++] = 0.0f;
        w.x[w.n++] = -0.0f;
        for (uint32_t step = 0; step < 5; step++) {
            uint32_t about = middle + step < 2 ? 0 : middle + step - 2;
            about = about > bits ? bits : about;
            w.x[w.n++] = float_of(about);
            w.x[w.n++] = -float_of(about);
        }
        both_profiles(&w);
    }
}

Test(prop_int8, QNT_001_to_008_boundaries)
{
    static const uint32_t absmaxes[] = {0x00000001, 0x0000003F, 0x00000040, 0x00003E43, 0x00003E44,
                                        0x00003E45, 0x00003EC0, 0x00003EC1, 0x00003EC2, 0x00010204,
                                        0x007FFFFF, 0x00800000, 0x02FE0003, 0x02FE0004, 0x02FE0005,
                                        0x047DFFFF, 0x047E0000, 0x047E0001, 0x3F7FFFFF, 0x3F800000,
                                        0x3F800001, 0x42FDFFFF, 0x42FE0000, 0x42FE0001, 0x477FE000,
                                        0x477FE001, 0x7F7FFFFE, 0x7F7FFFFF, 0x7F800000};
    for (size_t i = 0; i < COUNT(absmaxes); i++)
        check_absmax(absmaxes[i], i);
    for (uint32_t exponent = 0; exponent < 255; exponent++)
        check_absmax(exponent << 23 | 0x2AAAAA, exponent);
}

/* Where upstream's promises begin, every absmax for a while: the scale is a
 * whole number of units there, and few of them. */
Test(prop_int8, QNT_008_every_absmax_where_the_domain_begins)
{
    for (uint32_t bits = 1; bits < 0x5000; bits++) {
        row w = {.n = 3, .seed = bits};
        w.x[0] = float_of(bits);
        w.x[1] = -float_of(bits);
        w.x[2] = float_of(bits / 2);
        both_profiles(&w);
    }
}

Test(prop_int8, QNT_001_to_008_random)
{
    size_t cases = case_count(300000);
    for (size_t i = 0; i < cases; i++) {
        rng r = {first_seed() + i};
        row w = {.n = rng_between(&r, 1, ROOM), .seed = first_seed() + i};
        case_begin(w.seed);
        fill_payload(&r, (payload)rng_below(&r, PAYLOADS), w.n, w.x, w.n);
        if (rng_one_in(&r, 2)) { /* an absmax of any magnitude, as likely as any */
            uint32_t bits = 1 + (uint32_t)rng_below(&r, 0x7F800000);
            for (size_t j = 0; j < w.n; j++)
                w.x[j] = (float)((double)float_of(bits) *
                                 ((double)rng_below(&r, 2000001) / 1000000.0 - 1.0));
            w.x[rng_below(&r, w.n)] = float_of(bits);
        }
        both_profiles(&w);
    }
}
