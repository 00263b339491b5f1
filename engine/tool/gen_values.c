#include "gen_values.h"

#include "text.h"

#include <string.h>

uint64_t random_next(random_state *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t random_below(random_state *r, uint64_t n)
{
    /* The last, incomplete run of n is thrown away, so that all are as likely. */
    uint64_t limit = UINT64_MAX - UINT64_MAX % n;
    uint64_t x;
    do
        x = random_next(r);
    while (x >= limit);
    return x % n;
}

static const char *const names[PAYLOADS] = {
    [PAYLOAD_NORMAL] = "normal",
    [PAYLOAD_TIES] = "ties",
    [PAYLOAD_HALF] = "half",
    [PAYLOAD_ODD254] = "odd254",
    [PAYLOAD_ZERO] = "zero",
    [PAYLOAD_NEGZERO] = "negzero",
    [PAYLOAD_SUBNORMAL] = "subnormal",
    [PAYLOAD_SUBSCALE] = "subscale",
    [PAYLOAD_LARGE] = "large",
    [PAYLOAD_FLTMAX] = "fltmax",
    [PAYLOAD_INF] = "inf",
    [PAYLOAD_NAN] = "nan",
};

const char *payload_name(payload p)
{
    return names[p];
}

payload payload_named(const char *name, size_t len)
{
    for (payload p = 0; p < PAYLOADS; p++)
        if (strlen(names[p]) == len && memcmp(names[p], name, len) == 0)
            return p;
    return PAYLOADS;
}

enum { SIGN_SHIFT = 31, EXPONENT_SHIFT = 23, FRACTION = (1 << EXPONENT_SHIFT) - 1, BIAS = 127 };

/* A float of random sign and fraction with an exponent field from first to last. */
static float of_exponents(random_state *r, uint32_t first, uint32_t last)
{
    uint32_t random = (uint32_t)random_next(r);
    uint32_t exponent = first + (uint32_t)random_below(r, last - first + 1);
    return float_from_bits((random & UINT32_C(0x80000000)) | exponent << EXPONENT_SHIFT |
                           (random & FRACTION));
}

static float with_random_sign(random_state *r, float x)
{
    return float_from_bits(float_bits(x) ^ (uint32_t)random_below(r, 2) << SIGN_SHIFT);
}

/* An integer of 24 bits times a power of two: exact. */
static float uniform(random_state *r)
{
    int32_t n = (int32_t)random_below(r, (1 << 24) - 1) - ((1 << 23) - 1);
    return (float)n * 0x1p-23f;
}

static float power_of_two(random_state *r, int first, int last)
{
    int e = first + (int)random_below(r, (unsigned)(last - first + 1));
    return float_from_bits((uint32_t)(e + BIAS) << EXPONENT_SHIFT);
}

/* n + 1/2 for a code n, as a multiple of the unit that one code stands for. */
static float tie(random_state *r, float unit)
{
    int n = (int)random_below(r, 253) - 126;
    return ((float)n + (n < 0 ? -0.5f : 0.5f)) * unit;
}

static float odd_multiple(random_state *r, float absmax)
{
    float odd = (float)(2 * (int)random_below(r, 127) + 1);
    return with_random_sign(r, absmax * odd / 254.0f);
}

void payload_fill(random_state *r, payload p, float *row, size_t count)
{
    /* The element of largest magnitude, where the class has one of its own. */
    size_t at = count > 0 ? (size_t)random_below(r, count) : 0;
    float unit = power_of_two(r, -12, 4), absmax = of_exponents(r, BIAS - 8, BIAS + 8);
    for (size_t i = 0; i < count; i++) {
        switch (p) {
        case PAYLOAD_TIES:
            row[i] = i == at ? with_random_sign(r, 127.0f * unit) : tie(r, unit);
            break;
        case PAYLOAD_HALF:
            row[i] =
                with_random_sign(r, i == at || random_below(r, 4) == 0 ? absmax : absmax * 0.5f);
            break;
        case PAYLOAD_ODD254:
            row[i] = i == at ? with_random_sign(r, absmax) : odd_multiple(r, absmax);
            break;
        case PAYLOAD_ZERO:
            row[i] = 0.0f;
            break;
        case PAYLOAD_NEGZERO:
            row[i] = -0.0f;
            break;
        case PAYLOAD_SUBNORMAL:
            row[i] = of_exponents(r, 0, 0);
            break;
        case PAYLOAD_SUBSCALE:
            /* absmax below 127 * 2^-126 makes the scale subnormal. */
            row[i] = of_exponents(r, 0, 6);
            break;
        case PAYLOAD_LARGE:
            row[i] = of_exponents(r, BIAS + 16, BIAS + 126);
            break;
        case PAYLOAD_FLTMAX:
            row[i] = i == at ? with_random_sign(r, float_from_bits(0x7f7fffff))
                             : of_exponents(r, BIAS, BIAS + 127);
            break;
        case PAYLOAD_INF:
            row[i] = i == at ? with_random_sign(r, float_from_bits(0x7f800000)) : uniform(r);
            break;
        case PAYLOAD_NAN:
            row[i] = i == at ? float_from_bits(0x7fc00000) : uniform(r);
            break;
        default:
            row[i] = uniform(r);
            break;
        }
    }
}
