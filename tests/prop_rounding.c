/* Rounding to an integer, through the kernels: with 127 in the row the scale is
 * 1 and a code is the rounded element itself. Against roundf and rintf. */
#include "support.h"

#include <math.h>

#define BATCH 4096

/* A batch of elements, each in a row with its 127 (8 bits) or, for fake_quant,
 * one 32767 for all (16 bits). */
static void expect_batch(const float *x, size_t n, ndl_numerics profile)
{
    static float rows[2 * BATCH], scales[BATCH], fake[BATCH + 1];
    static int8_t codes[2 * BATCH];
    for (size_t i = 0; i < n; i++) {
        rows[2 * i] = 127.0f;
        rows[2 * i + 1] = x[i];
        fake[i] = x[i];
    }
    fake[n] = 32767.0f;
    expect_ok(ndl_quantize_rows(profile, 2, rows, 2 * n, codes, 2 * n, scales, n));
    expect_ok(ndl_fake_quant(profile, 16, fake, n + 1));
    for (size_t i = 0; i < n; i++) {
        float want = profile == NDL_UPSTREAM ? rintf(x[i]) : roundf(x[i]);
        int code = x[i] == x[i] ? (int)want : 0;
        cr_assert(codes[2 * i + 1] == code, "%08x becomes code %d, not %d", bits_of(x[i]),
                  codes[2 * i + 1], code);
        cr_assert(same_float(fake[i], want), "%08x becomes %08x, not %08x", bits_of(x[i]),
                  bits_of(fake[i]), bits_of(want));
    }
}

/* Every float of [first, last], both signs; all at most 127. */
static void expect_range(uint32_t from, uint32_t to, ndl_numerics profile)
{
    static float x[BATCH];
    size_t n = 0;
    for (uint32_t bits = from; bits <= to; bits++) {
        x[n++] = float_of(bits);
        x[n++] = float_of(bits | 0x80000000);
        if (n == BATCH || bits == to) {
            expect_batch(x, n, profile);
            n = 0;
        }
    }
}

/* About each half and each whole number up to 127, where rounding turns. */
static void expect_boundaries(ndl_numerics profile)
{
    for (int half = 0; half <= 254; half++) {
        uint32_t bits = bits_of((float)half / 2.0f);
        uint32_t to = bits + 40 < 0x42FE0000 ? bits + 40 : 0x42FE0000;
        expect_range(bits > 40 ? bits - 40 : 0, to, profile);
    }
    expect_range(0x007FFFC0, 0x00800040, profile); /* where subnormals end */
    const float nans[4] = {float_of(0x7FC00000), float_of(0xFFC00000), float_of(0x7FA00000),
                           float_of(0xFF800001)};
    expect_batch(nans, 4, profile);
}

Test(prop_rounding, QNT_001_boundaries_half_away_from_zero)
{
    expect_boundaries(NDL_NEEDLE_CORE);
}

Test(prop_rounding, QNT_008_boundaries_half_to_even)
{
    expect_boundaries(NDL_UPSTREAM);
}

/* A binade in full, [1, 2): all fractions that 23 bits can hold. Under a
 * sanitizer a sixteenth of it. */
static uint32_t last(void)
{
    return instrumented() ? 0x3F87FFFF : 0x3FFFFFFF;
}

Test(prop_rounding, QNT_001_a_binade_half_away_from_zero)
{
    expect_range(0x3F800000, last(), NDL_NEEDLE_CORE);
}

Test(prop_rounding, QNT_008_a_binade_half_to_even)
{
    expect_range(0x3F800000, last(), NDL_UPSTREAM);
}
