/* The exponential is the correctly rounded one: special values exactly, the
 * edges and a binade against MPFR. */
#include "oracle.h"
#include "support.h"

static void expect_rounded(uint32_t bits)
{
    float x = float_of(bits), got = ndl_expf(x), want = oracle_expf(x);
    cr_assert(same_float(got, want), "exp(%.9g = %08x) is %.9g (%08x), not %.9g (%08x)", (double)x,
              bits, (double)got, bits_of(got), (double)want, bits_of(want));
}

static const struct {
    uint32_t x, y;
} special[] = {
    {0x00000000, 0x3F800000},                           /* 0 */
    {0x80000000, 0x3F800000}, {0x7F800000, 0x7F800000}, /* infinities */
    {0xFF800000, 0x00000000}, {0x00000001, 0x3F800000}, /* subnormals */
    {0x807FFFFF, 0x3F800000}, {0x3F800000, 0x402DF854}, /* e, 1/e */
    {0xBF800000, 0x3EBC5AB2}, {0x7F7FFFFF, 0x7F800000}, /* FLT_MAX */
    {0xFF7FFFFF, 0x00000000}, {0x42B17217, 0x7F7FFF84}, /* the largest that does not overflow, the next */
    {0x42B17218, 0x7F800000}, {0xC2AEAC4F, 0x00800026}, /* the last normal result, the first subnormal */
    {0xC2AEAC50, 0x007FFFE6}, {0xC2CFF1B4, 0x00000001}, /* the last that is not 0, and the next */
    {0xC2CFF1B5, 0x00000000}, {0x33000000, 0x3F800000}, /* halfway to the float after 1, exclusive */
    {0x33800000, 0x3F800001}, {0xB3000000, 0x3F800000}, {0xB3000001, 0x3F7FFFFF},
};

Test(expf, ATT_002_special_values)
{
    for (size_t i = 0; i < COUNT(special); i++) {
        uint32_t got = bits_of(ndl_expf(float_of(special[i].x)));
        cr_assert(got == special[i].y, "exp(%08x) is %08x, not %08x", special[i].x, got,
                  special[i].y);
        expect_rounded(special[i].x);
    }
}

Test(expf, ATT_002_a_nan_gives_a_nan)
{
    const uint32_t nans[] = {0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFFFFFFF, 0x7FA00000};
    for (size_t i = 0; i < COUNT(nans); i++) {
        float y = ndl_expf(float_of(nans[i]));
        cr_assert(y != y);
    }
}

/* Every power of two, and each special value, with its neighbours. */
Test(expf, ATT_002_boundaries)
{
    for (uint32_t exponent = 0; exponent < 256; exponent++) {
        for (uint32_t step = 0; step < 9; step++) {
            uint32_t bits = (exponent << 23) + step - 4;
            expect_rounded(bits & 0x7FFFFFFF);
            expect_rounded(bits | 0x80000000);
        }
    }
    for (size_t i = 0; i < COUNT(special); i++) {
        for (uint32_t step = 0; step < 2000; step++)
            expect_rounded(special[i].x + step - 1000);
    }
}

/* One binade in full, [1, 2), in four parts that run side by side. */
static void expect_binade(uint32_t part)
{
    uint32_t quarter = 1u << 21, first = 0x3F800000 + part * quarter;
    uint32_t stride = instrumented() ? 101 : 1;
    for (uint32_t bits = first; bits < first + quarter; bits += stride)
        expect_rounded(bits);
}

Test(expf, ATT_002_a_binade_1)
{
    expect_binade(0);
}

Test(expf, ATT_002_a_binade_2)
{
    expect_binade(1);
}

Test(expf, ATT_002_a_binade_3)
{
    expect_binade(2);
}

Test(expf, ATT_002_a_binade_4)
{
    expect_binade(3);
}

/* Any bits; and more of those whose result is neither 1, 0 nor infinite. */
Test(expf, ATT_002_random_values)
{
    size_t cases = case_count(300000);
    for (size_t i = 0; i < cases; i++) {
        rng r = {first_seed() + i};
        uint32_t any = (uint32_t)rng_next(&r), exponent = (uint32_t)rng_between(&r, 102, 133);
        expect_rounded(any);
        expect_rounded((any & 0x807FFFFF) | exponent << 23);
    }
}
