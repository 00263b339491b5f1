/* Quantising: the special inputs of both profiles, bit for bit, every width,
 * and what is refused. */
#include "quant_vectors.h"
#include "support.h"

#include <math.h>

static void expect_row(size_t i, ndl_numerics profile)
{
    size_t n = vectors[i].n;
    const result *want = &vectors[i].want[profile];
    float x[7], scale = 77;
    int8_t codes[7];
    for (size_t j = 0; j < n; j++)
        x[j] = float_of(vectors[i].x[j]);
    expect_ok(ndl_quantize_rows(profile, n, x, n, codes, n, &scale, 1));
    cr_assert(bits_of(scale) == want->scale, "%s: scale %08x", vectors[i].name, bits_of(scale));
    for (size_t j = 0; j < n; j++)
        cr_assert(codes[j] == want->codes[j], "%s: code %zu is %d", vectors[i].name, j, codes[j]);
    expect_ok(ndl_fake_quant(profile, 8, x, n));
    for (size_t j = 0; j < n; j++)
        cr_assert(same_float(x[j], float_of(want->out[j])), "%s: element %zu is %08x",
                  vectors[i].name, j, bits_of(x[j]));
}

Test(quant, QNT_007_special_inputs_of_needle_core)
{
    for (size_t i = 0; i < COUNT(vectors); i++)
        expect_row(i, NDL_NEEDLE_CORE);
}

Test(quant, QNT_008_special_inputs_of_upstream)
{
    for (size_t i = 0; i < COUNT(vectors); i++)
        expect_row(i, NDL_UPSTREAM);
}

Test(quant, QNT_009_every_width)
{
    for (unsigned bits = 2; bits <= 16; bits++) {
        for (int profile = NDL_NEEDLE_CORE; profile <= NDL_UPSTREAM; profile++) {
            float x[6] = {1.0f, 0.5f, -0.3f, -1.0f, 0.0f, 0.17f};
            expect_ok(ndl_fake_quant((ndl_numerics)profile, bits, x, COUNT(x)));
            for (size_t j = 0; j < COUNT(x); j++)
                cr_assert(bits_of(x[j]) == by_width[bits - 2][profile][j],
                          "%u bits, profile %d: element %zu is %08x", bits, profile, j,
                          bits_of(x[j]));
        }
    }
}

/* A row's scale is its own: the neighbours are larger, smaller and NaN. */
Test(quant, QNT_009_a_scale_a_row)
{
    const float x[8] = {1, -2, 100, 50, NAN, 0, 0x1p-100f, 0};
    const float want[4] = {2.0f / 127.0f, 100.0f / 127.0f, 1, 0x1p-100f / 127.0f};
    const int8_t codes[8] = {64, -127, 127, 64, 0, 0, 127, 0};
    for (int profile = NDL_NEEDLE_CORE; profile <= NDL_UPSTREAM; profile++) {
        int8_t got[8];
        float scales[4];
        expect_ok(ndl_quantize_rows((ndl_numerics)profile, 2, x, 8, got, 8, scales, 4));
        expect_floats(scales, want, 4);
        for (size_t i = 0; i < 8; i++)
            cr_assert(got[i] == codes[i], "code %zu is %d", i, got[i]);
    }
}

Test(quant, QNT_003_nothing_to_quantise)
{
    expect_ok(ndl_fake_quant(NDL_NEEDLE_CORE, 8, NULL, 0));
    expect_ok(ndl_quantize_rows(NDL_NEEDLE_CORE, 3, NULL, 0, NULL, 0, NULL, 0));
}

Test(quant, SES_001_refused_and_unchanged)
{
    static const unsigned bits[] = {0, 1, 17, 18, 32, 33, 64, UINT32_MAX};
    float x[4] = {0.3f, -0.2f, 0.1f, 0.7f};
    const float before[4] = {0.3f, -0.2f, 0.1f, 0.7f};
    for (size_t i = 0; i < COUNT(bits); i++)
        expect_status(ndl_fake_quant(NDL_NEEDLE_CORE, bits[i], x, 4), NDL_E_BITS);
    expect_status(ndl_fake_quant((ndl_numerics)2, 8, x, 4), NDL_E_NUMERICS);
    expect_status(ndl_fake_quant((ndl_numerics)-1, 8, x, 4), NDL_E_NUMERICS);
    expect_floats(x, before, 4);

    static const struct {
        int numerics;
        size_t head_dim, len, codes, scales;
        ndl_status status;
    } calls[] = {
        {2, 2, 4, 4, 2, NDL_E_NUMERICS}, {-1, 2, 4, 4, 2, NDL_E_NUMERICS},
        {0, 0, 4, 4, 2, NDL_E_LENGTH},   {0, 0, 0, 0, 0, NDL_E_LENGTH},
        {0, 3, 4, 4, 1, NDL_E_LENGTH},   {0, 8, 4, 4, 0, NDL_E_LENGTH},
        {0, 2, 4, 3, 2, NDL_E_LENGTH},   {0, 2, 4, 5, 2, NDL_E_LENGTH},
        {0, 2, 4, 4, 1, NDL_E_LENGTH},   {0, 2, 4, 4, 3, NDL_E_LENGTH},
        {0, 2, 4, 4, 4, NDL_E_LENGTH},   {0, SIZE_MAX, 4, 4, 2, NDL_E_LENGTH},
    };
    for (size_t i = 0; i < COUNT(calls); i++) {
        int8_t codes[8];
        float scales[8];
        memset(codes, 77, sizeof codes);
        for (size_t j = 0; j < 8; j++)
            scales[j] = 77;
        ndl_status got =
            ndl_quantize_rows((ndl_numerics)calls[i].numerics, calls[i].head_dim, x, calls[i].len,
                              codes, calls[i].codes, scales, calls[i].scales);
        cr_assert(got == calls[i].status, "call %zu: %s", i, ndl_status_name(got));
        for (size_t j = 0; j < 8; j++)
            cr_assert(codes[j] == 77 && scales[j] == 77);
    }
}
