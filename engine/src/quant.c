/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "quant.h"

#include "leaf.h"

/* The largest magnitude in a row; 0 for an empty one. */
static float absmax_of(const float *x, size_t len)
{
    float m = 0.0f;

    for (size_t i = 0; i < len; i++)
        m = ndl_greater_abs(m, x[i]);
    return m;
}

float ndl_quantize_row(ndl_numerics numerics, const float *x, size_t len, int8_t *codes)
{
    const float scale = ndl_scale(absmax_of(x, len), 127);
    const float inv = ndl_div(1.0f, scale);

    if (numerics == NDL_UPSTREAM)
        for (size_t i = 0; i < len; i++)
            codes[i] = (int8_t)ndl_round_even(ndl_div(x[i], scale), 127);
    else
        for (size_t i = 0; i < len; i++)
            codes[i] = (int8_t)ndl_round_away(ndl_mul(x[i], inv), 127);
    return scale;
}

void ndl_fake_quant_row(ndl_numerics numerics, unsigned bits, float *x, size_t len)
{
    const int32_t qmax = (INT32_C(1) << (bits - 1)) - 1;
    const float scale = ndl_scale(absmax_of(x, len), qmax);
    const float inv = ndl_div(1.0f, scale);

    if (numerics == NDL_UPSTREAM)
        for (size_t i = 0; i < len; i++) {
            const float y = ndl_div(x[i], scale);

            x[i] = ndl_dequantised(y, ndl_round_even(y, qmax), scale);
        }
    else
        for (size_t i = 0; i < len; i++) {
            const float y = ndl_mul(x[i], inv);

            x[i] = ndl_dequantised(y, ndl_round_away(y, qmax), scale);
        }
}

static bool known(ndl_numerics numerics)
{
    return numerics == NDL_NEEDLE_CORE || numerics == NDL_UPSTREAM;
}

ndl_status ndl_fake_quant(ndl_numerics numerics, unsigned bits, float *x, size_t len)
{
    if (bits < 2 || bits > 16)
        return NDL_E_BITS;
    if (!known(numerics))
        return NDL_E_NUMERICS;
    ndl_fake_quant_row(numerics, bits, x, len);
    return NDL_OK;
}

ndl_status ndl_quantize_rows(ndl_numerics numerics, size_t head_dim, const float *x, size_t len,
                             int8_t *codes, size_t codes_len, float *scales, size_t scales_len)
{
    if (!known(numerics))
        return NDL_E_NUMERICS;
    if (head_dim == 0 || len % head_dim != 0)
        return NDL_E_LENGTH;
    if (codes_len != len || scales_len != len / head_dim)
        return NDL_E_LENGTH;
    for (size_t r = 0, at = 0; r < scales_len; r++, at += head_dim)
        scales[r] = ndl_quantize_row(numerics, x + at, head_dim, codes + at);
    return NDL_OK;
}
