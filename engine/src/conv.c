/* Everything works in place: an element of a result depends on its own channel
 * alone, so one float holds what is overwritten.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "conv.h"

#include "geometry.h"
#include "index.h"
#include "leaf.h"

/* Drop the oldest row's channel c, move the others up and append x. */
static void column_push(float *tail, size_t rows, size_t dim, size_t c, float x)
{
    if (rows == 0)
        return;
    for (size_t r = 0; r < rows - 1; r++)
        tail[ndl_at(r, dim, c)] = tail[ndl_at(r + 1, dim, c)];
    tail[ndl_at(rows - 1, dim, c)] = x;
}

void ndl_conv_row(const float *taps, size_t n_taps, size_t dim, float *tail, float *raw, size_t pos)
{
    if (n_taps == 0)
        return;
    size_t rows = n_taps - 1;
    for (size_t c = 0; c < dim; c++) {
        float acc = ndl_mul(taps[c], raw[c]);
        for (size_t j = 1; j < n_taps && j <= pos; j++)
            acc = ndl_mac(acc, taps[ndl_at(j, dim, c)], tail[ndl_at(rows - j, dim, c)]);
        column_push(tail, rows, dim, c, raw[c]);
        raw[c] = acc;
    }
}

void ndl_conv_rows(const float *taps, size_t n_taps, size_t dim, float *buf, size_t seq)
{
    if (n_taps == 0)
        return;
    /* From the last row down: a row's convolution reads itself and rows above. */
    for (size_t t = seq; t-- > 0;) {
        for (size_t c = 0; c < dim; c++) {
            float acc = 0.0f;
            for (size_t j = 0; j < n_taps && j <= t; j++)
                acc = ndl_mac(acc, taps[ndl_at(j, dim, c)], buf[ndl_at(t - j, dim, c)]);
            buf[ndl_at(t, dim, c)] = acc;
        }
    }
}

/*
 * The engram convolution's gates. Tap j counts while j * dilation <= pos and
 * j * max_order <= pos. Both products grow with j, so the first tap that does
 * not count ends the sum; and each is the one before plus a constant, which is
 * compared with what is left: nothing overflows, whatever the arguments.
 */

void ndl_engram_row(const float *taps, size_t n_taps, size_t dim, size_t dilation, size_t max_order,
                    float *tail, size_t reach, float *raw, size_t pos)
{
    for (size_t c = 0; c < dim; c++) {
        float acc = 0.0f;
        size_t back = 0, gate = 0;
        for (size_t j = 0; j < n_taps; j++) {
            float x = back == 0 ? raw[c] : tail[ndl_at(reach - back, dim, c)];
            acc = ndl_mac(acc, taps[ndl_at(j, dim, c)], x);
            if (dilation > pos - back || max_order > pos - gate)
                break;
            back += dilation;
            gate += max_order;
        }
        column_push(tail, reach, dim, c, raw[c]);
        raw[c] = acc;
    }
}

void ndl_engram_rows(const float *taps, size_t n_taps, size_t dim, size_t dilation,
                     size_t max_order, float *buf, size_t seq)
{
    if (n_taps == 0)
        return;
    for (size_t t = seq; t-- > 0;) {
        for (size_t c = 0; c < dim; c++) {
            float acc = 0.0f;
            size_t back = 0, gate = 0;
            for (size_t j = 0; j < n_taps; j++) {
                acc = ndl_mac(acc, taps[ndl_at(j, dim, c)], buf[ndl_at(t - back, dim, c)]);
                if (dilation > t - back || max_order > t - gate)
                    break;
                back += dilation;
                gate += max_order;
            }
            buf[ndl_at(t, dim, c)] = acc;
        }
    }
}

void ndl_tail_seed(float *tail, size_t rows, size_t dim, const float *raw, size_t seq)
{
    size_t zeros = seq < rows ? rows - seq : 0;
    size_t first = seq < rows ? 0 : seq - rows;
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < dim; c++)
            tail[ndl_at(r, dim, c)] = r < zeros ? 0.0f : raw[ndl_at(first + (r - zeros), dim, c)];
    }
}

/* The lengths that both sequence forms ask for. */
static ndl_status check_rows(size_t seq, size_t dim, size_t n_taps, size_t taps_len, size_t buf_len)
{
    if (!ndl_fits(n_taps, dim) || !ndl_fits(seq, dim))
        return NDL_E_SIZE;
    if (taps_len != ndl_at(n_taps, dim, 0) || buf_len != ndl_at(seq, dim, 0))
        return NDL_E_LENGTH;
    return NDL_OK;
}

ndl_status ndl_causal_conv(size_t seq, size_t dim, size_t n_taps, const float *taps,
                           size_t taps_len, float *buf, size_t buf_len)
{
    const ndl_status status = check_rows(seq, dim, n_taps, taps_len, buf_len);

    if (status == NDL_OK)
        ndl_conv_rows(taps, n_taps, dim, buf, seq);
    return status;
}

ndl_status ndl_value_conv(size_t seq, size_t dim, size_t n_taps, size_t dilation, size_t max_order,
                          const float *taps, size_t taps_len, float *buf, size_t buf_len)
{
    const ndl_status status = check_rows(seq, dim, n_taps, taps_len, buf_len);

    if (status == NDL_OK)
        ndl_engram_rows(taps, n_taps, dim, dilation, max_order, buf, seq);
    return status;
}
