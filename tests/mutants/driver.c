/*
 * How a caller hands a prompt over by hand: the sequence convolution, and a tail seeded
 * with rows that are taken from the prompt beforehand. It stands in for the engine's own
 * prefills, which it must equal in everything; what callers do wrong here are patches of
 * this file (`Target: driver`), so that all that tries an engine tries a caller, too.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "ndl.h"

#include <stdlib.h>

/* The last rows of a prompt of n, oldest first, those before the start zero; n * dim
 * floats fit in memory. NULL when there is no memory for them. */
static float *last_rows(const float *raw, size_t n, size_t rows, size_t dim)
{
    float *tail = calloc(rows * dim + 1, sizeof *tail);

    for (size_t r = 0; tail != NULL && r < rows; r++) {
        if (rows - r > n)
            continue;
        for (size_t c = 0; c < dim; c++)
            tail[r * dim + c] = raw[(n - rows + r) * dim + c];
    }
    return tail;
}

static bool are_rows(size_t n, size_t dim, size_t len)
{
    return n == 0 || dim == 0 ? len == 0 : len / dim == n && len % dim == 0;
}

ndl_status ndl_prefill_conv(ndl_session *s, size_t layer, ndl_projection which, const float *taps,
                            size_t taps_len, size_t n, float *buf, size_t buf_len)
{
    const size_t n_taps = ndl_session_geometry(s)->qkv_conv_taps;
    ndl_rows old;
    ndl_status status = ndl_conv_tail(s, layer, which, &old);

    if (status != NDL_OK)
        return status;
    if (taps_len != n_taps * old.dim || !are_rows(n, old.dim, buf_len))
        return NDL_E_LENGTH;
    float *tail = last_rows(buf, n, old.rows, old.dim);
    if (tail == NULL)
        return NDL_E_MEMORY;
    status = ndl_causal_conv(n, old.dim, n_taps, taps, taps_len, buf, buf_len);
    if (status == NDL_OK)
        status = ndl_seed_conv_tail(s, layer, which, tail, old.rows * old.dim);
    free(tail);
    return status;
}

ndl_status ndl_prefill_engram(ndl_session *s, size_t site, const float *taps, size_t taps_len,
                              size_t n, float *buf, size_t buf_len)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    const ndl_engram *e = &g->engram;
    ndl_rows old;
    ndl_status status = ndl_engram_tail(s, site, &old);

    if (status != NDL_OK)
        return status;
    if (taps_len != e->conv_taps * old.dim || !are_rows(n, old.dim, buf_len))
        return NDL_E_LENGTH;
    float *tail = last_rows(buf, n, old.rows, old.dim);
    if (tail == NULL)
        return NDL_E_MEMORY;
    status = ndl_value_conv(n, old.dim, e->conv_taps, e->conv_dilation, ndl_geometry_max_order(g),
                            taps, taps_len, buf, buf_len);
    if (status == NDL_OK)
        status = ndl_seed_engram_tail(s, site, tail, old.rows * old.dim);
    free(tail);
    return status;
}
