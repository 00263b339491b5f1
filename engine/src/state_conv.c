/* The convolutions of a session and the tails that carry them.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_conv.h"

#include "conv.h"
#include "geometry.h"
#include "index.h"
#include "ring.h"

/*@ requires session: tails_ok(s);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures status: \result == (layer >= s->geometry.num_layers ? NDL_E_LAYER
      : NDL_V < which ? NDL_E_PROJECTION : NDL_OK);
*/
static ndl_status check_layer(const ndl_session *s, size_t layer, ndl_projection which)
{
    if (layer >= s->geometry.num_layers)
        return NDL_E_LAYER;
    if (which != NDL_Q && which != NDL_K && which != NDL_V)
        return NDL_E_PROJECTION;
    return NDL_OK;
}

/* Whether len elements are n rows of dim, for any n. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures rows: \result <==> 4 * off(n, dim) <= NDL_MAX_BYTES && len == off(n, dim);
*/
static bool are_rows(size_t n, size_t dim, size_t len)
{
    return ndl_fits(n, dim) && len == ndl_at(n, dim, 0);
}

ndl_status ndl_conv_step(ndl_session *s, size_t layer, ndl_projection which, const float *taps,
                         size_t taps_len, float *raw, size_t raw_len)
{
    const ndl_status status = check_layer(s, layer, which);

    if (status != NDL_OK)
        return status;
    const size_t n_taps = s->geometry.qkv_conv_taps, dim = s->dim[which];
    if (taps_len != ndl_at(n_taps, dim, 0) || raw_len != dim)
        return NDL_E_LENGTH;
    ndl_conv_row(taps, n_taps, dim, s->layer[layer].tail[which], raw, s->pos);
    return NDL_OK;
}

ndl_status ndl_prefill_conv(ndl_session *s, size_t layer, ndl_projection which, const float *taps,
                            size_t taps_len, size_t n, float *buf, size_t buf_len)
{
    const ndl_status status = check_layer(s, layer, which);

    if (status != NDL_OK)
        return status;
    const size_t n_taps = s->geometry.qkv_conv_taps, dim = s->dim[which];
    if (taps_len != ndl_at(n_taps, dim, 0) || !are_rows(n, dim, buf_len))
        return NDL_E_LENGTH;
    /* The tail first: it takes the rows as they are before the convolution. */
    ndl_tail_seed(s->layer[layer].tail[which], s->tail_rows, dim, buf, n);
    //@ assert same_taps: \forall integer e; bits(taps[e]) == bits(\at(taps[e], Pre));
    //@ assert same_rows: \forall integer e; bits(buf[e]) == bits(\at(buf[e], Pre));
    /*@ assert taps: \forall integer w;
          are_taps{Pre}(taps, n_taps, dim, w) ==> are_taps(taps, n_taps, dim, w); */
    /*@ assert rows: \forall integer key;
          are_rows{Pre}(buf, n, dim, key) ==> are_rows(buf, n, dim, key); */
    //@ assert sites: other_sites{Pre, Here}(s, -1);
    ndl_conv_rows(taps, n_taps, dim, buf, n);
    return NDL_OK;
}

ndl_status ndl_seed_conv_tail(ndl_session *s, size_t layer, ndl_projection which, const float *rows,
                              size_t rows_len)
{
    const ndl_status status = check_layer(s, layer, which);

    if (status != NDL_OK)
        return status;
    if (rows_len != ndl_at(s->tail_rows, s->dim[which], 0))
        return NDL_E_LENGTH;
    ndl_copy_f32(s->layer[layer].tail[which], rows, rows_len);
    return NDL_OK;
}

ndl_status ndl_conv_tail(const ndl_session *s, size_t layer, ndl_projection which, ndl_rows *out)
{
    const ndl_status status = check_layer(s, layer, which);

    if (status != NDL_OK)
        return status;
    out->data = s->layer[layer].tail[which];
    out->rows = s->tail_rows;
    out->dim = s->dim[which];
    return NDL_OK;
}

ndl_status ndl_engram_conv_step(ndl_session *s, size_t site, const float *taps, size_t taps_len,
                                float *raw, size_t raw_len)
{
    const ndl_engram *e = &s->geometry.engram;
    const size_t dim = s->geometry.d_model;

    if (site >= e->num_sites)
        return NDL_E_SITE;
    if (taps_len != ndl_at(e->conv_taps, dim, 0) || raw_len != dim)
        return NDL_E_LENGTH;
    ndl_engram_row(taps, e->conv_taps, dim, e->conv_dilation, s->max_order, s->site_tail[site],
                   s->reach, raw, s->pos);
    return NDL_OK;
}

ndl_status ndl_prefill_engram(ndl_session *s, size_t site, const float *taps, size_t taps_len,
                              size_t n, float *buf, size_t buf_len)
{
    const ndl_engram *e = &s->geometry.engram;
    const size_t dim = s->geometry.d_model;

    if (site >= e->num_sites)
        return NDL_E_SITE;
    if (taps_len != ndl_at(e->conv_taps, dim, 0) || !are_rows(n, dim, buf_len))
        return NDL_E_LENGTH;
    ndl_tail_seed(s->site_tail[site], s->reach, dim, buf, n);
    //@ assert same_taps: \forall integer e; bits(taps[e]) == bits(\at(taps[e], Pre));
    //@ assert same_rows: \forall integer e; bits(buf[e]) == bits(\at(buf[e], Pre));
    /*@ assert taps: \forall integer w;
          are_taps{Pre}(taps, e->conv_taps, dim, w) ==> are_taps(taps, e->conv_taps, dim, w); */
    /*@ assert rows: \forall integer key;
          are_rows{Pre}(buf, n, dim, key) ==> are_rows(buf, n, dim, key); */
    ndl_engram_rows(taps, e->conv_taps, dim, e->conv_dilation, s->max_order, buf, n);
    return NDL_OK;
}

ndl_status ndl_seed_engram_tail(ndl_session *s, size_t site, const float *rows, size_t rows_len)
{
    if (site >= s->geometry.engram.num_sites)
        return NDL_E_SITE;
    if (rows_len != ndl_at(s->reach, s->geometry.d_model, 0))
        return NDL_E_LENGTH;
    ndl_copy_f32(s->site_tail[site], rows, rows_len);
    return NDL_OK;
}

ndl_status ndl_engram_tail(const ndl_session *s, size_t site, ndl_rows *out)
{
    if (site >= s->geometry.engram.num_sites)
        return NDL_E_SITE;
    out->data = s->site_tail[site];
    out->rows = s->reach;
    out->dim = s->geometry.d_model;
    return NDL_OK;
}
