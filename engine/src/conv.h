/*
 * Causal depthwise convolutions on plain arrays, and their tails.
 *
 * taps: n_taps rows of dim; tap j meets the row j (engram: j * dilation) rows
 * back. A tail holds the last raw rows pushed on it, oldest first. Rows before
 * the start are masked by the position, never read.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_CONV_H
#define NDL_CONV_H

#include <stddef.h>
#include <stdint.h>

#include "../logic/conv.acsl"

/** One step of the q/k/v convolution at pos, in place: raw, a row of dim,
 *  becomes its convolution; tail, n_taps - 1 rows, takes the row as it was.
 *  n_taps may be 0: nothing happens then. The sum starts with the first product.
 *  Claims: CONV_001 CONV_002 CONV_004 CONV_005 CONV_006. */
/*@ requires fits: off(n_taps, dim) <= SIZE_MAX && pos < SIZE_MAX;
    requires from: \valid_read(taps + (0 .. off(n_taps, dim) - 1));
    requires raw: \valid(raw + (0 .. dim - 1));
    requires tail: n_taps > 0 ==> \valid(tail + (0 .. off(n_taps - 1, dim) - 1));
    requires apart: n_taps > 0 ==>
      \separated(tail + (0 .. off(n_taps - 1, dim) - 1), raw + (0 .. dim - 1),
                 taps + (0 .. off(n_taps, dim) - 1));
    terminates \true;
    exits \false;
    assigns raw[0 .. dim - 1], tail[0 .. off(n_taps - 1, dim) - 1];
    ensures CONV_005: none: n_taps == 0 ==> kept{Pre, Post}(raw, 0, dim);
    ensures CONV_001: step: n_taps > 0 ==> \forall integer key, w, c; 0 <= c < dim &&
      are_taps{Pre}(taps, n_taps, dim, w) && is_row{Pre}(raw, dim, key, pos) &&
      is_tail{Pre}(tail, n_taps - 1, dim, key, pos) ==>
      bits(raw[c]) == conv_step(key, w, pos, c, taps_live(n_taps, 1, 0, pos));
    ensures CONV_002: tail: n_taps > 1 ==> \forall integer key, t;
      is_row{Pre}(raw, dim, key, t) && is_tail{Pre}(tail, n_taps - 1, dim, key, t) ==>
      is_tail(tail, n_taps - 1, dim, key, t + 1);
*/
void ndl_conv_row(const float *taps, size_t n_taps, size_t dim, float *tail, float *raw,
                  size_t pos);

/** The same over seq rows from position 0, in place. The sum starts at +0, so
 *  that a result which is a zero may differ from the step's in its sign.
 *  Claims: CONV_001 CONV_004 CONV_005. */
/*@ requires fits: off(n_taps, dim) <= SIZE_MAX && off(seq, dim) <= SIZE_MAX;
    requires from: \valid_read(taps + (0 .. off(n_taps, dim) - 1));
    requires to: \valid(buf + (0 .. off(seq, dim) - 1));
    requires apart: \separated(buf + (0 .. off(seq, dim) - 1), taps + (0 .. off(n_taps, dim) - 1));
    terminates \true;
    exits \false;
    assigns buf[0 .. off(seq, dim) - 1];
    ensures CONV_005: none: n_taps == 0 ==> kept{Pre, Post}(buf, 0, off(seq, dim));
    ensures CONV_001: sequence: n_taps > 0 ==> \forall integer key, w, t, c;
      0 <= t < seq && 0 <= c < dim &&
      are_taps{Pre}(taps, n_taps, dim, w) && are_rows{Pre}(buf, seq, dim, key) ==>
      bits(buf[off(t, dim) + c]) == conv_sum(key, w, 1, t, c, taps_live(n_taps, 1, 0, t));
*/
void ndl_conv_rows(const float *taps, size_t n_taps, size_t dim, float *buf, size_t seq);

/** One step of the engram convolution at pos, in place; tail: reach rows, at
 *  least (n_taps - 1) * dilation. Tap j counts from positions j * dilation and
 *  j * max_order on; any dilation and max_order will do.
 *  Claims: ENG_001 ENG_002 ENG_004 ENG_005. */
/*@ requires fits: off(n_taps, dim) <= SIZE_MAX && off(reach, dim) <= SIZE_MAX && pos < SIZE_MAX;
    requires some: 0 < n_taps;
    requires reach: off(n_taps - 1, dilation) <= reach;
    requires from: \valid_read(taps + (0 .. off(n_taps, dim) - 1));
    requires raw: \valid(raw + (0 .. dim - 1));
    requires tail: \valid(tail + (0 .. off(reach, dim) - 1));
    requires apart: \separated(tail + (0 .. off(reach, dim) - 1), raw + (0 .. dim - 1),
                               taps + (0 .. off(n_taps, dim) - 1));
    terminates \true;
    exits \false;
    assigns raw[0 .. dim - 1], tail[0 .. off(reach, dim) - 1];
    ensures ENG_001: step: \forall integer key, w, c; 0 <= c < dim &&
      are_taps{Pre}(taps, n_taps, dim, w) && is_row{Pre}(raw, dim, key, pos) &&
      is_tail{Pre}(tail, reach, dim, key, pos) ==>
      bits(raw[c]) ==
      conv_sum(key, w, dilation, pos, c, taps_live(n_taps, dilation, max_order, pos));
    ensures ENG_002: tail: reach > 0 ==> \forall integer key, t;
      is_row{Pre}(raw, dim, key, t) && is_tail{Pre}(tail, reach, dim, key, t) ==>
      is_tail(tail, reach, dim, key, t + 1);
*/
void ndl_engram_row(const float *taps, size_t n_taps, size_t dim, size_t dilation, size_t max_order,
                    float *tail, size_t reach, float *raw, size_t pos);

/** The same over seq rows from position 0, in place. n_taps may be 0: nothing
 *  happens then. Claims: ENG_001 ENG_004. */
/*@ requires fits: off(n_taps, dim) <= SIZE_MAX && off(seq, dim) <= SIZE_MAX;
    requires from: \valid_read(taps + (0 .. off(n_taps, dim) - 1));
    requires to: \valid(buf + (0 .. off(seq, dim) - 1));
    requires apart: \separated(buf + (0 .. off(seq, dim) - 1), taps + (0 .. off(n_taps, dim) - 1));
    terminates \true;
    exits \false;
    assigns buf[0 .. off(seq, dim) - 1];
    ensures ENG_001: none: n_taps == 0 ==> kept{Pre, Post}(buf, 0, off(seq, dim));
    ensures ENG_001: sequence: n_taps > 0 ==> \forall integer key, w, t, c;
      0 <= t < seq && 0 <= c < dim &&
      are_taps{Pre}(taps, n_taps, dim, w) && are_rows{Pre}(buf, seq, dim, key) ==>
      bits(buf[off(t, dim) + c]) ==
      conv_sum(key, w, dilation, t, c, taps_live(n_taps, dilation, max_order, t));
*/
void ndl_engram_rows(const float *taps, size_t n_taps, size_t dim, size_t dilation,
                     size_t max_order, float *buf, size_t seq);

/** What a tail of `rows` rows holds after seq raw rows from an empty start: the
 *  last of them, oldest first, after zero rows where there are fewer.
 *  Claims: CONV_003 ENG_003. */
/*@ requires fits: off(rows, dim) <= SIZE_MAX && off(seq, dim) <= SIZE_MAX;
    requires from: \valid_read(raw + (0 .. off(seq, dim) - 1));
    requires to: \valid(tail + (0 .. off(rows, dim) - 1));
    requires apart: \separated(tail + (0 .. off(rows, dim) - 1), raw + (0 .. off(seq, dim) - 1));
    terminates \true;
    exits \false;
    assigns tail[0 .. off(rows, dim) - 1];
    ensures CONV_003: last: \forall integer key; are_rows{Pre}(raw, seq, dim, key) ==>
      is_tail(tail, rows, dim, key, seq);
    ensures CONV_003: zero: \forall integer e; seq < rows && 0 <= e < off(rows - seq, dim) ==>
      bits(tail[e]) == ZERO;
*/
void ndl_tail_seed(float *tail, size_t rows, size_t dim, const float *raw, size_t seq);

#endif
