/*
 * The loops of attention, on plain arrays.
 *
 * A pack is up to LANES query heads that read one kv head: `width` of them are
 * used. A chunk is up to CHUNK rows of that head: rows of a store of floats where
 * they are, every kv head's in its place, or rows of codes, widened to a local array,
 * STRIP channels of them at a time. `pitch` elements lie from one row to the next,
 * and of rows of that pitch the array has `left`: while some are worked on, those
 * that come AHEAD rows later are asked for.
 *
 * Packed arrays (queries, scores) have a row of `width` floats for a channel or
 * position, the next row right behind it. Kernels read and write LANES floats
 * from the start of a row: what is too much is the beginning of the rows behind
 * and not used, or written anew before it is; after the last row LANES floats
 * more belong to the array.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_ATTEND_KERNELS_H
#define NDL_ATTEND_KERNELS_H

#include "lanes.h"

#include "../logic/attend.acsl"
#include "../logic/off.acsl"

#define CHUNK 24    /* rows: four tiles of scores */
#define AHEAD CHUNK /* rows that are asked for before they are needed */
#define STRIP 64    /* channels: a widened chunk of them is 6 KiB */
#define RUN 16      /* channels: as many floats as come from memory at once */

/** Bring n rows of `channels` codes to rows, next to each other as floats. */
/*@ requires some: n <= CHUNK && n <= left && channels <= STRIP && channels <= pitch;
    requires fits: off(left, pitch) <= SIZE_MAX;
    requires from: n > 0 ==> \valid_read(src + (0 .. off(n - 1, pitch) + channels - 1));
    requires to: \valid(rows + (0 .. off(n, channels) - 1));
    terminates \true;
    exits \false;
    assigns rows[0 .. off(n, channels) - 1];
    ensures ATT_003: rows: \forall integer i, c; 0 <= i < n && 0 <= c < channels ==>
      bits(rows[cell(i, channels, c)]) == OF_INT(\old(src[cell(i, pitch, c)]));
*/
void ndl_widen_rows(const int8_t *src, size_t pitch, size_t n, size_t left, size_t channels,
                    float *rows);

/** Pack the queries of `width` heads, each of dim channels. */
/*@ requires some: 0 < width <= LANES;
    requires fits: off(width, dim) <= SIZE_MAX && off(dim, width) + LANES <= SIZE_MAX;
    requires from: \valid_read(q + (0 .. off(width, dim) - 1));
    requires to: \valid(packed + (0 .. off(dim, width) + LANES - 1));
    requires apart: \separated(packed + (0 .. off(dim, width) + LANES - 1),
                               q + (0 .. off(width, dim) - 1));
    terminates \true;
    exits \false;
    assigns packed[0 .. off(dim, width) + LANES - 1];
    ensures ATT_001: packed: \forall integer c, l; 0 <= c < dim && 0 <= l < width ==>
      bits(packed[cell(c, width, l)]) == \old(bits(q[cell(l, dim, c)]));
*/
void ndl_pack_queries(const float *q, size_t width, size_t dim, float *packed);

/** Add to the dot products of n rows, a row of LANES of them each, those of
 *  `channels` more channels, one after the other. */
/*@ requires some: n <= CHUNK && n <= left && 0 < width <= LANES && channels <= pitch;
    requires fits: off(left, pitch) <= SIZE_MAX && off(channels, width) + LANES <= SIZE_MAX;
    requires rows: n > 0 ==> \valid_read(rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires queries: \valid_read(packed + (0 .. off(channels, width) + LANES - 1));
    requires to: \valid(dots + (0 .. off(n, LANES) - 1));
    requires apart: n > 0 ==> \separated(dots + (0 .. off(n, LANES) - 1),
                                         rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires apart: \separated(dots + (0 .. off(n, LANES) - 1),
                               packed + (0 .. off(channels, width) + LANES - 1));
    requires channels: from + channels <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns dots[0 .. off(n, LANES) - 1];
    ensures ATT_001: dots: \forall integer a, i, r, l; 0 <= r < n && 0 <= l < width &&
      is_key{Pre}(rows + off(r, pitch), a, i, from, from + channels) &&
      is_query{Pre}(packed, width, l, a, from, from + channels) &&
      \old(bits(dots[cell(r, LANES, l)])) == dot(a, i, from) ==>
      bits(dots[cell(r, LANES, l)]) == dot(a, i, from + channels);
*/
void ndl_add_dots(const float *rows, size_t pitch, size_t n, size_t left, size_t channels,
                  const float *packed, size_t width, float *dots) /*@ ghost (size_t from) */;

/** Scores of n rows, from position `first` on: a dot product times the row's scale
 *  times s, which dots has, too, afterwards. max[l] takes each score of its lane that
 *  compares greater. */
/*@ requires some: n <= CHUNK && 0 < width <= LANES;
    requires from: \valid(dots + (0 .. off(n, LANES) - 1));
    requires from: \valid_read(scales + (0 .. n - 1));
    requires to: \valid(scores + (0 .. off(n, width) + LANES - 1));
    requires to: \valid(max + (0 .. LANES - 1));
    requires apart: \separated(scores + (0 .. off(n, width) + LANES - 1), max + (0 .. LANES - 1),
                               dots + (0 .. off(n, LANES) - 1), scales + (0 .. n - 1));
    requires positions: first + n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns scores[0 .. off(n, width) - 1], max[0 .. LANES - 1], dots[0 .. off(n, LANES) - 1];
    ensures ATT_001: scores: \forall integer i, l; 0 <= i < n && 0 <= l < width ==>
      bits(scores[cell(i, width, l)]) ==
      MUL(MUL(\old(bits(dots[cell(i, LANES, l)])), \old(bits(scales[i]))), bits(s));
    ensures ATT_001: max: \forall integer a, l; 0 <= l < LANES &&
      are_scores{Pre}(dots, scales, s, l, a, first, n) && \old(bits(max[l])) == most(a, first) ==>
      bits(max[l]) == most(a, first + n);
*/
void ndl_put_scores(float *dots, const float *scales, float s, size_t n, size_t width,
                    float *scores, float *max) /*@ ghost (size_t first) */;

/** Scores of n positions become e = exp(score - max); inv[l] is one over their sum. */
/*@ requires some: 0 < width <= LANES;
    requires fits: n <= SIZE_MAX / 4 && off(n, width) + LANES <= SIZE_MAX;
    requires scores: \valid(scores + (0 .. off(n, width) + LANES - 1));
    requires from: \valid_read(max + (0 .. LANES - 1));
    requires to: \valid(inv + (0 .. LANES - 1));
    requires apart: \separated(scores + (0 .. off(n, width) + LANES - 1), max + (0 .. LANES - 1),
                               inv + (0 .. LANES - 1));
    terminates \true;
    exits \false;
    assigns scores[0 .. off(n, width) + LANES - 1], inv[0 .. LANES - 1];
    ensures ATT_001: e: \forall integer a, i, l; 0 <= i < n && 0 <= l < width &&
      positions(a) == n && are_lane{Pre}(scores, width, l, a, 0, n) &&
      \old(bits(max[l])) == most(a, n) ==> bits(scores[cell(i, width, l)]) == e_of(a, i);
    ensures ATT_001: inv: \forall integer a, l; 0 <= l < width &&
      positions(a) == n && are_lane{Pre}(scores, width, l, a, 0, n) &&
      \old(bits(max[l])) == most(a, n) ==> bits(inv[l]) == DIV(OF_INT(1), e_sum(a, n));
*/
void ndl_softmax(float *scores, size_t n, size_t width, const float *max, float *inv);

/** The weights of n rows, a row of LANES of them each: e times inv times the
 *  row's scale. */
/*@ requires some: n <= CHUNK && 0 < width <= LANES;
    requires from: \valid_read(e + (0 .. off(n, width) + LANES - 1));
    requires from: \valid_read(inv + (0 .. LANES - 1));
    requires from: \valid_read(scales + (0 .. n - 1));
    requires to: \valid(weights + (0 .. off(n, LANES) - 1));
    requires apart: \separated(weights + (0 .. off(n, LANES) - 1),
                               e + (0 .. off(n, width) + LANES - 1));
    requires apart: \separated(weights + (0 .. off(n, LANES) - 1), inv + (0 .. LANES - 1),
                               scales + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns weights[0 .. off(n, LANES) - 1];
    ensures ATT_001: weights: \forall integer i, l; 0 <= i < n && 0 <= l < width ==>
      bits(weights[cell(i, LANES, l)]) ==
      MUL(MUL(bits(e[cell(i, width, l)]), bits(inv[l])), bits(scales[i]));
*/
void ndl_put_weights(const float *e, const float *inv, const float *scales, size_t n, size_t width,
                     float *weights);

/** Add to the sums of `width` heads, dim from one head's to the next, `channels`
 *  channels of n rows of values, from position `first` on, by their weights, one after
 *  the other. */
/*@ requires some: n <= CHUNK && n <= left && width <= LANES && channels <= pitch &&
      channels <= dim;
    requires fits: off(left, pitch) <= SIZE_MAX && off(width, dim) <= SIZE_MAX;
    requires rows: n > 0 ==> \valid_read(rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires from: \valid_read(weights + (0 .. off(n, LANES) - 1));
    requires to: width > 0 ==> \valid(sums + (0 .. off(width - 1, dim) + channels - 1));
    requires positions: first + n <= SIZE_MAX;
    requires apart: n > 0 && width > 0 ==>
      \separated(sums + (0 .. off(width - 1, dim) + channels - 1),
                 rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires apart: width > 0 ==> \separated(sums + (0 .. off(width - 1, dim) + channels - 1),
                                             weights + (0 .. off(n, LANES) - 1));
    terminates \true;
    exits \false;
    assigns sums[0 .. off(width - 1, dim) + channels - 1];
    ensures ATT_001: sums: \forall integer a, h, k, d; 0 <= h < width && 0 <= k < channels &&
      are_values{Pre}(rows, pitch, k, a, d, first, n) &&
      are_weights{Pre}(weights, h, a, first, n) &&
      \old(bits(sums[cell(h, dim, k)])) == mixed(a, d, first) ==>
      bits(sums[cell(h, dim, k)]) == mixed(a, d, first + n);
    ensures ATT_001: others: \forall integer h, k; 0 <= h < width - 1 && channels <= k < dim ==>
      bits(sums[cell(h, dim, k)]) == \old(bits(sums[cell(h, dim, k)]));
*/
void ndl_add_values(const float *rows, size_t pitch, size_t n, size_t left, size_t channels,
                    const float *weights, size_t width, float *sums,
                    size_t dim) /*@ ghost (size_t first) */;

#endif
