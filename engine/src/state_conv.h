/*
 * What ndl.h declares of a session's convolutions, with its contracts.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_CONV_H
#define NDL_STATE_CONV_H

#include "geometry.h"
#include "state.h"

#include "../logic/tails.acsl"

/*@ predicate is_projection(integer which) = which <= NDL_V;

    // Rows that a caller hands in: no tail of the session.
    predicate off_all_tails{L}(ndl_session *s, float *p) =
      (\forall integer j, w; 0 <= j < s->geometry.num_layers && 0 <= w < 3 ==>
        \base_addr(s->layer[j].tail[w]) != \base_addr(p)) &&
      (\forall integer t; 0 <= t < s->geometry.engram.num_sites ==>
        \base_addr(s->site_tail[t]) != \base_addr(p));
*/

/*@ requires session: tails_ok(s);
    requires taps: \valid_read(taps + (0 .. taps_len - 1)) && off_all_tails(s, taps);
    requires raw: \valid(raw + (0 .. raw_len - 1)) && off_all_tails(s, raw);
    requires apart: \separated(raw + (0 .. raw_len - 1), taps + (0 .. taps_len - 1));
    terminates \true;
    exits \false;
    assigns raw[0 .. raw_len - 1],
      s->layer[layer].tail[which][0 .. off(s->tail_rows, s->dim[which]) - 1];
    ensures session: tails_ok(s);
    ensures SES_001: layer: \result == NDL_E_LAYER <==> layer >= s->geometry.num_layers;
    ensures SES_001: projection: \result == NDL_E_PROJECTION <==>
      layer < s->geometry.num_layers && !is_projection(which);
    ensures SES_001: length: \result == NDL_E_LENGTH <==>
      layer < s->geometry.num_layers && is_projection(which) &&
      !(taps_len == off(s->geometry.qkv_conv_taps, s->dim[which]) &&
        raw_len == s->dim[which]);
    ensures SES_001: status: \result == NDL_OK || \result == NDL_E_LAYER ||
      \result == NDL_E_PROJECTION || \result == NDL_E_LENGTH;
    ensures SES_001: unchanged: \result != NDL_OK ==> floats_kept{Pre, Post};
    ensures CONV_001: step: \result == NDL_OK && s->geometry.qkv_conv_taps > 0 ==>
      \forall integer key, w, c; 0 <= c < raw_len &&
      are_taps{Pre}(taps, s->geometry.qkv_conv_taps, raw_len, w) &&
      is_row{Pre}(raw, raw_len, key, s->pos) &&
      is_tail{Pre}(s->layer[layer].tail[which], s->tail_rows, raw_len, key, s->pos) ==>
      bits(raw[c]) ==
      conv_step(key, w, s->pos, c, taps_live(s->geometry.qkv_conv_taps, 1, 0, s->pos));
    ensures CONV_006: pushed: \result == NDL_OK && s->tail_rows > 0 ==>
      \forall integer key, t; is_row{Pre}(raw, raw_len, key, t) &&
      is_tail{Pre}(s->layer[layer].tail[which], s->tail_rows, raw_len, key, t) ==>
      is_tail(s->layer[layer].tail[which], s->tail_rows, raw_len, key, t + 1);
    ensures CONV_006: others: other_tails{Pre, Post}(s, layer, which);
    ensures CONV_006: sites: other_sites{Pre, Post}(s, -1);
*/
ndl_status ndl_conv_step(ndl_session *s, size_t layer, ndl_projection which, const float *taps,
                         size_t taps_len, float *raw, size_t raw_len);

/*@ requires session: tails_ok(s);
    requires taps: \valid_read(taps + (0 .. taps_len - 1)) && off_all_tails(s, taps);
    requires buf: \valid(buf + (0 .. buf_len - 1)) && off_all_tails(s, buf);
    requires apart: \separated(buf + (0 .. buf_len - 1), taps + (0 .. taps_len - 1));
    terminates \true;
    exits \false;
    assigns buf[0 .. buf_len - 1],
      s->layer[layer].tail[which][0 .. off(s->tail_rows, s->dim[which]) - 1];
    ensures session: tails_ok(s);
    ensures SES_001: layer: \result == NDL_E_LAYER <==> layer >= s->geometry.num_layers;
    ensures SES_001: projection: \result == NDL_E_PROJECTION <==>
      layer < s->geometry.num_layers && !is_projection(which);
    ensures SES_001: length: \result == NDL_E_LENGTH <==>
      layer < s->geometry.num_layers && is_projection(which) &&
      !(taps_len == off(s->geometry.qkv_conv_taps, s->dim[which]) &&
        4 * off(n, s->dim[which]) <= NDL_MAX_BYTES && buf_len == off(n, s->dim[which]));
    ensures SES_001: status: \result == NDL_OK || \result == NDL_E_LAYER ||
      \result == NDL_E_PROJECTION || \result == NDL_E_LENGTH;
    ensures SES_001: unchanged: \result != NDL_OK ==> floats_kept{Pre, Post};
    ensures CONV_001: sequence: \result == NDL_OK && s->geometry.qkv_conv_taps > 0 ==>
      \forall integer key, w, t, c; 0 <= t < n && 0 <= c < s->dim[which] &&
      are_taps{Pre}(taps, s->geometry.qkv_conv_taps, s->dim[which], w) &&
      are_rows{Pre}(buf, n, s->dim[which], key) ==>
      bits(buf[off(t, s->dim[which]) + c]) ==
      conv_sum(key, w, 1, t, c, taps_live(s->geometry.qkv_conv_taps, 1, 0, t));
    ensures CONV_003: seeded: \result == NDL_OK ==>
      \forall integer key; are_rows{Pre}(buf, n, s->dim[which], key) ==>
      is_tail(s->layer[layer].tail[which], s->tail_rows, s->dim[which], key, n);
    ensures CONV_006: others: other_tails{Pre, Post}(s, layer, which);
    ensures CONV_006: sites: other_sites{Pre, Post}(s, -1);
*/
ndl_status ndl_prefill_conv(ndl_session *s, size_t layer, ndl_projection which, const float *taps,
                            size_t taps_len, size_t n, float *buf, size_t buf_len);

/*@ requires session: tails_ok(s);
    requires rows: \valid_read(rows + (0 .. rows_len - 1)) && off_all_tails(s, rows);
    terminates \true;
    exits \false;
    assigns s->layer[layer].tail[which][0 .. off(s->tail_rows, s->dim[which]) - 1];
    ensures session: tails_ok(s);
    ensures SES_001: layer: \result == NDL_E_LAYER <==> layer >= s->geometry.num_layers;
    ensures SES_001: projection: \result == NDL_E_PROJECTION <==>
      layer < s->geometry.num_layers && !is_projection(which);
    ensures SES_001: length: \result == NDL_E_LENGTH <==>
      layer < s->geometry.num_layers && is_projection(which) &&
      !(rows_len == off(s->tail_rows, s->dim[which]));
    ensures SES_001: status: \result == NDL_OK || \result == NDL_E_LAYER ||
      \result == NDL_E_PROJECTION || \result == NDL_E_LENGTH;
    ensures SES_001: unchanged: \result != NDL_OK ==> floats_kept{Pre, Post};
    ensures CONV_007: seeded: \result == NDL_OK ==> \forall integer e; 0 <= e < rows_len ==>
      bits(s->layer[layer].tail[which][e]) == \old(bits(rows[e]));
    ensures CONV_007: others: other_tails{Pre, Post}(s, layer, which);
    ensures CONV_007: sites: other_sites{Pre, Post}(s, -1);
*/
ndl_status ndl_seed_conv_tail(ndl_session *s, size_t layer, ndl_projection which, const float *rows,
                              size_t rows_len);

/*@ requires session: tails_ok(s);
    requires out: \valid(out) && \base_addr(out) != \base_addr(s) &&
      \base_addr(out) != \base_addr(s->layer) && \base_addr(out) != \base_addr(s->site_tail);
    terminates \true;
    exits \false;
    assigns *out;
    ensures SES_001: status: \result == (layer >= s->geometry.num_layers ? NDL_E_LAYER
      : NDL_V < which ? NDL_E_PROJECTION : NDL_OK);
    ensures SES_001: unchanged: \result != NDL_OK ==> out->data == \old(out->data) &&
      out->rows == \old(out->rows) && out->dim == \old(out->dim);
    ensures CONV_002: view: \result == NDL_OK ==> out->data == s->layer[layer].tail[which] &&
      out->rows == s->tail_rows && out->dim == s->dim[which];
*/
ndl_status ndl_conv_tail(const ndl_session *s, size_t layer, ndl_projection which, ndl_rows *out);

/*@ requires session: tails_ok(s);
    requires taps: \valid_read(taps + (0 .. taps_len - 1)) && off_all_tails(s, taps);
    requires raw: \valid(raw + (0 .. raw_len - 1)) && off_all_tails(s, raw);
    requires apart: \separated(raw + (0 .. raw_len - 1), taps + (0 .. taps_len - 1));
    terminates \true;
    exits \false;
    assigns raw[0 .. raw_len - 1],
      s->site_tail[site][0 .. off(s->reach, s->geometry.d_model) - 1];
    ensures session: tails_ok(s);
    ensures SES_001: site: \result == NDL_E_SITE <==> site >= s->geometry.engram.num_sites;
    ensures SES_001: length: \result == NDL_E_LENGTH <==>
      site < s->geometry.engram.num_sites &&
      !(taps_len == off(s->geometry.engram.conv_taps, s->geometry.d_model) &&
        raw_len == s->geometry.d_model);
    ensures SES_001: status: \result == NDL_OK || \result == NDL_E_SITE ||
      \result == NDL_E_LENGTH;
    ensures SES_001: unchanged: \result != NDL_OK ==> floats_kept{Pre, Post};
    ensures ENG_001: step: \result == NDL_OK ==> \forall integer key, w, c; 0 <= c < raw_len &&
      are_taps{Pre}(taps, s->geometry.engram.conv_taps, raw_len, w) &&
      is_row{Pre}(raw, raw_len, key, s->pos) &&
      is_tail{Pre}(s->site_tail[site], s->reach, raw_len, key, s->pos) ==>
      bits(raw[c]) == conv_sum(key, w, s->geometry.engram.conv_dilation, s->pos, c,
        taps_live(s->geometry.engram.conv_taps, s->geometry.engram.conv_dilation, s->max_order,
                  s->pos));
    ensures ENG_005: pushed: \result == NDL_OK && s->reach > 0 ==>
      \forall integer key, t; is_row{Pre}(raw, raw_len, key, t) &&
      is_tail{Pre}(s->site_tail[site], s->reach, raw_len, key, t) ==>
      is_tail(s->site_tail[site], s->reach, raw_len, key, t + 1);
    ensures ENG_005: tails: other_tails{Pre, Post}(s, -1, -1);
    ensures ENG_005: others: other_sites{Pre, Post}(s, site);
*/
ndl_status ndl_engram_conv_step(ndl_session *s, size_t site, const float *taps, size_t taps_len,
                                float *raw, size_t raw_len);

/*@ requires session: tails_ok(s);
    requires taps: \valid_read(taps + (0 .. taps_len - 1)) && off_all_tails(s, taps);
    requires buf: \valid(buf + (0 .. buf_len - 1)) && off_all_tails(s, buf);
    requires apart: \separated(buf + (0 .. buf_len - 1), taps + (0 .. taps_len - 1));
    terminates \true;
    exits \false;
    assigns buf[0 .. buf_len - 1],
      s->site_tail[site][0 .. off(s->reach, s->geometry.d_model) - 1];
    ensures session: tails_ok(s);
    ensures SES_001: site: \result == NDL_E_SITE <==> site >= s->geometry.engram.num_sites;
    ensures SES_001: length: \result == NDL_E_LENGTH <==>
      site < s->geometry.engram.num_sites &&
      !(taps_len == off(s->geometry.engram.conv_taps, s->geometry.d_model) &&
        4 * off(n, s->geometry.d_model) <= NDL_MAX_BYTES && buf_len == off(n, s->geometry.d_model));
    ensures SES_001: status: \result == NDL_OK || \result == NDL_E_SITE ||
      \result == NDL_E_LENGTH;
    ensures SES_001: unchanged: \result != NDL_OK ==> floats_kept{Pre, Post};
    ensures ENG_001: sequence: \result == NDL_OK ==>
      \forall integer key, w, t, c; 0 <= t < n && 0 <= c < s->geometry.d_model &&
      are_taps{Pre}(taps, s->geometry.engram.conv_taps, s->geometry.d_model, w) &&
      are_rows{Pre}(buf, n, s->geometry.d_model, key) ==>
      bits(buf[off(t, s->geometry.d_model) + c]) ==
      conv_sum(key, w, s->geometry.engram.conv_dilation, t, c,
        taps_live(s->geometry.engram.conv_taps, s->geometry.engram.conv_dilation, s->max_order, t));
    ensures ENG_003: seeded: \result == NDL_OK ==>
      \forall integer key; are_rows{Pre}(buf, n, s->geometry.d_model, key) ==>
      is_tail(s->site_tail[site], s->reach, s->geometry.d_model, key, n);
    ensures ENG_005: tails: other_tails{Pre, Post}(s, -1, -1);
    ensures ENG_005: others: other_sites{Pre, Post}(s, site);
*/
ndl_status ndl_prefill_engram(ndl_session *s, size_t site, const float *taps, size_t taps_len,
                              size_t n, float *buf, size_t buf_len);

/*@ requires session: tails_ok(s);
    requires rows: \valid_read(rows + (0 .. rows_len - 1)) && off_all_tails(s, rows);
    terminates \true;
    exits \false;
    assigns s->site_tail[site][0 .. off(s->reach, s->geometry.d_model) - 1];
    ensures session: tails_ok(s);
    ensures SES_001: site: \result == NDL_E_SITE <==> site >= s->geometry.engram.num_sites;
    ensures SES_001: length: \result == NDL_E_LENGTH <==>
      site < s->geometry.engram.num_sites &&
      !(rows_len == off(s->reach, s->geometry.d_model));
    ensures SES_001: status: \result == NDL_OK || \result == NDL_E_SITE ||
      \result == NDL_E_LENGTH;
    ensures SES_001: unchanged: \result != NDL_OK ==> floats_kept{Pre, Post};
    ensures ENG_002: seeded: \result == NDL_OK ==> \forall integer e; 0 <= e < rows_len ==>
      bits(s->site_tail[site][e]) == \old(bits(rows[e]));
    ensures ENG_002: tails: other_tails{Pre, Post}(s, -1, -1);
    ensures ENG_002: others: other_sites{Pre, Post}(s, site);
*/
ndl_status ndl_seed_engram_tail(ndl_session *s, size_t site, const float *rows, size_t rows_len);

/*@ requires session: tails_ok(s);
    requires out: \valid(out) && \base_addr(out) != \base_addr(s) &&
      \base_addr(out) != \base_addr(s->layer) && \base_addr(out) != \base_addr(s->site_tail);
    terminates \true;
    exits \false;
    assigns *out;
    ensures SES_001: status:
      \result == (site >= s->geometry.engram.num_sites ? NDL_E_SITE : NDL_OK);
    ensures SES_001: unchanged: \result != NDL_OK ==> out->data == \old(out->data) &&
      out->rows == \old(out->rows) && out->dim == \old(out->dim);
    ensures ENG_002: view: \result == NDL_OK ==> out->data == s->site_tail[site] &&
      out->rows == s->reach && out->dim == s->geometry.d_model;
*/
ndl_status ndl_engram_tail(const ndl_session *s, size_t site, ndl_rows *out);

#endif
