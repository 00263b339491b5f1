#include "payload.h"

#include <float.h>

const char *payload_text(payload p)
{
    static const char *const texts[] = {
#define X(id, text) text,
        PAYLOAD_LIST(X)
#undef X
    };
    return texts[p];
}

/* In [-1, 1), with 24 random bits. */
static float fraction(rng *r)
{
    return (float)(rng_next(r) >> 40) * 0x1p-23f - 1.0f;
}

static float sign(rng *r)
{
    return rng_one_in(r, 2) ? -1.0f : 1.0f;
}

/* 2 to a power between lo and hi. */
static float power(rng *r, int lo, int hi)
{
    int e = lo + (int)rng_below(r, (unsigned)(hi - lo + 1));
    float p = 1.0f, step = e < 0 ? 0.5f : 2.0f;
    for (int i = 0; i < (e < 0 ? -e : e); i++)
        p *= step;
    return p;
}

/* x, or the float before or after it; x is finite and not 0. */
static float near(rng *r, float x)
{
    return float_of(bits_of(x) + (uint32_t)rng_below(r, 3) - 1);
}

/* Thresholds of absmax: where the scale is 0, where codes fall short, where the
 * reciprocal of the scale is infinite, where the scale is subnormal. */
static float tiny(rng *r)
{
    static const uint32_t thresholds[] = {1,          64,         0x3E44,    0x00800000,
                                          0x02FE0004, 0x047E0000, 0x00010204};
    uint32_t bits = thresholds[rng_below(r, COUNT(thresholds))];
    return float_of(bits + (bits > 1 ? (uint32_t)rng_below(r, 3) - 1 : 0));
}

/* The row's absmax, or what stands for it. */
static float largest(rng *r, payload p)
{
    switch (p) {
    case PAY_WIDE:
        return power(r, -60, 60);
    case PAY_TIES:
        return 127.0f * power(r, -20, 20);
    case PAY_TINY_SCALE:
        return tiny(r);
    case PAY_ABOVE_HALF:
        return near(r, 65504.0f) * power(r, 0, 4);
    case PAY_LARGE:
        return rng_one_in(r, 2) ? FLT_MAX : FLT_MAX * (1.0f - 0x1p-20f);
    default:
        return 2.0f * near(r, 0.5f + 0.25f * fraction(r));
    }
}

static float element(rng *r, payload p, float absmax)
{
    static const uint32_t nans[] = {0x7FC00000, 0xFFC00000, 0x7FA00000, 0xFF800001, 0x7FFFFFFF};
    float small = (float)rng_below(r, 127);
    switch (p) {
    case PAY_DIGITS:
        return (float)rng_below(r, 10);
    case PAY_TIES: /* scale = absmax / 127, exactly */
        return sign(r) * (small + 0.5f) * (absmax / 127.0f);
    case PAY_HALF:
        return sign(r) * near(r, absmax * 0.5f);
    case PAY_ODD254:
        return sign(r) * near(r, absmax * ((2.0f * small + 1.0f) / 254.0f));
    case PAY_ZERO:
        return 0.0f;
    case PAY_MINUS_ZERO:
        return sign(r) * 0.0f;
    case PAY_SUBNORMAL:
        return float_of((uint32_t)rng_next(r) & 0x807FFFFF);
    case PAY_TINY_SCALE:
        return rng_one_in(r, 4) ? 0.0f : fraction(r) * absmax;
    case PAY_INF:
        return rng_one_in(r, 4) ? sign(r) * float_of(0x7F800000) : fraction(r);
    case PAY_NAN:
        return rng_one_in(r, 4) ? float_of(nans[rng_below(r, COUNT(nans))]) : fraction(r);
    case PAY_BITS:
        return float_of((uint32_t)rng_next(r));
    default:
        return fraction(r) * absmax;
    }
}

/* Classes whose rows hold their absmax somewhere. */
static bool has_largest(payload p)
{
    return p == PAY_TIES || p == PAY_HALF || p == PAY_ODD254 || p == PAY_TINY_SCALE ||
           p == PAY_ABOVE_HALF || p == PAY_LARGE;
}

void fill_payload(rng *r, payload p, size_t width, float *x, size_t len)
{
    /* A geometry without sites may have rows of no width: d_model 0. */
    const size_t row = width > 0 ? width : len;
    for (size_t start = 0; start < len; start += row) {
        size_t n = len - start < row ? len - start : row;
        float absmax = largest(r, p);
        for (size_t i = 0; i < n; i++)
            x[start + i] = element(r, p, absmax);
        if (has_largest(p))
            x[start + rng_below(r, n)] = sign(r) * absmax;
    }
}
