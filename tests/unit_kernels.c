/* The sequence convolutions: what is refused, and that nothing changes then. */
#include "support.h"

#include <math.h>

#define FAR SIZE_MAX
#define HALF (SIZE_MAX / 2 + 1)

typedef struct sizes {
    size_t seq, dim, n_taps, dilation, max_order, taps_len, buf_len;
    ndl_status status;
} sizes;

static const sizes refused[] = {
    {3, 2, 4, 1, 1, 7, 6, NDL_E_LENGTH},      {3, 2, 4, 1, 1, 9, 6, NDL_E_LENGTH},
    {3, 2, 4, 1, 1, 8, 5, NDL_E_LENGTH},      {3, 2, 4, 1, 1, 8, 7, NDL_E_LENGTH},
    {3, 2, 4, 1, 1, 0, 6, NDL_E_LENGTH},      {3, 2, 4, 1, 1, 8, 0, NDL_E_LENGTH},
    {3, 2, 0, 1, 1, 1, 6, NDL_E_LENGTH},      {3, 2, 0, 1, 1, 0, 5, NDL_E_LENGTH},
    {0, 2, 4, 1, 1, 8, 1, NDL_E_LENGTH},      {3, 0, 4, 1, 1, 1, 0, NDL_E_LENGTH},
    {3, 2, 4, 1, 1, FAR, FAR, NDL_E_LENGTH},  {HALF, 2, 4, 1, 1, 8, 0, NDL_E_SIZE},
    {HALF + 1, 2, 4, 1, 1, 8, 2, NDL_E_SIZE}, {FAR, 2, 4, 1, 1, 8, FAR - 1, NDL_E_SIZE},
    {3, 2, HALF, 1, 1, 0, 6, NDL_E_SIZE},     {3, 2, HALF + 2, 1, 1, 4, 6, NDL_E_SIZE},
    {2, HALF, 1, 1, 1, HALF, 0, NDL_E_SIZE},  {2, HALF + 1, 2, 1, 1, 2, 2, NDL_E_SIZE},
};

Test(kernels, SES_001_sequence_convolutions_refused)
{
    for (size_t i = 0; i < COUNT(refused); i++) {
        const sizes *z = &refused[i];
        float taps[16] = {1, 2, 3}, buf[16], before[16];
        for (size_t j = 0; j < COUNT(buf); j++)
            buf[j] = before[j] = (float)j;
        ndl_status causal =
            ndl_causal_conv(z->seq, z->dim, z->n_taps, taps, z->taps_len, buf, z->buf_len);
        ndl_status value = ndl_value_conv(z->seq, z->dim, z->n_taps, z->dilation, z->max_order,
                                          taps, z->taps_len, buf, z->buf_len);
        cr_assert(causal == z->status, "call %zu: %s", i, ndl_status_name(causal));
        cr_assert(value == z->status, "call %zu: %s", i, ndl_status_name(value));
        expect_floats(buf, before, COUNT(buf));
    }
}

Test(kernels, CONV_005_empty_sequences_and_rows)
{
    const float taps[4] = {1, 2, 3, 4};
    expect_ok(ndl_causal_conv(0, 2, 2, taps, 4, NULL, 0));
    expect_ok(ndl_value_conv(0, 2, 2, 3, 3, taps, 4, NULL, 0));
    expect_ok(ndl_causal_conv(3, 0, 2, NULL, 0, NULL, 0));
    /* Rows without channels are none to go through, however many. */
    expect_ok(ndl_causal_conv(SIZE_MAX, 0, SIZE_MAX, NULL, 0, NULL, 0));
    expect_ok(ndl_value_conv(SIZE_MAX, 0, SIZE_MAX, 1, 1, NULL, 0, NULL, 0));
    expect_ok(ndl_value_conv(3, 0, 2, 3, 3, NULL, 0, NULL, 0));
}

/* More taps than rows: the others never meet one. */
Test(kernels, CONV_004_taps_beyond_the_start_are_not_met)
{
    const float taps[6] = {2, NAN, NAN, INFINITY, NAN, NAN};
    float one = 3, value = 3;
    expect_ok(ndl_causal_conv(1, 1, 6, taps, 6, &one, 1));
    expect_ok(ndl_value_conv(1, 1, 6, 1, 1, taps, 6, &value, 1));
    expect_bits(one, bits_of(6));
    expect_bits(value, bits_of(6));
}
