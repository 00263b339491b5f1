/* Everything works in place, a block of channels after the other: what a block
 * reads is its own, and has been read before any of it is replaced.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "conv.h"

#include "conv_block.h"
#include "geometry.h"
#include "index.h"
#include "leaf.h"
#include "level.h"
#include "ring.h"

/* How many taps count at pos: the first so many, and at least one of them. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures ENG_004: live: \result == taps_live(n_taps, dilation, max_order, pos);
    ensures ENG_004: some: \result <= n_taps && (0 < n_taps ==> 0 < \result);
*/
static size_t taps_at(size_t n_taps, size_t dilation, size_t max_order, size_t pos)
{
    size_t live = n_taps;

    /* j * d <= pos says j <= pos / d, which cannot overflow. */
    if (dilation != 0 && pos / dilation < live)
        live = pos / dilation + 1;
    if (max_order != 0 && pos / max_order < live)
        live = pos / max_order + 1;
    return live;
}

/* Channels c .. c + n - 1 of a step of the q/k/v convolution. */
/*@ requires some: 0 < live <= rows + 1 && n <= BLOCK && c + n <= dim && live - 1 <= pos;
    requires fits: off(rows + 1, dim) <= SIZE_MAX;
    requires from: \valid_read(taps + (0 .. off(rows + 1, dim) - 1));
    requires raw: \valid(raw + (0 .. dim - 1));
    requires tail: \valid(tail + (0 .. off(rows, dim) - 1));
    requires apart: \separated(tail + (0 .. off(rows, dim) - 1), raw + (0 .. dim - 1),
                               taps + (0 .. off(rows + 1, dim) - 1));
    terminates \true;
    exits \false;
    assigns raw[c .. c + n - 1], tail[0 .. off(rows, dim) - 1];
    ensures CONV_001: step: \forall integer key, w, d; c <= d < c + n &&
      are_taps{Pre}(taps, rows + 1, dim, w) && is_row_part{Pre}(raw, key, pos, c, c + n) &&
      is_tail_part{Pre}(tail, rows, dim, key, pos, c, c + n) ==>
      bits(raw[d]) == conv_step(key, w, pos, d, live);
    ensures CONV_002: moved: \forall integer key, t;
      is_row_part{Pre}(raw, key, t, c, c + n) &&
      is_tail_part{Pre}(tail, rows, dim, key, t, c, c + n) ==>
      is_tail_part(tail, rows, dim, key, t + 1, c, c + n);
    ensures CONV_002: others: \forall integer key, t, lo, hi;
      is_tail_part{Pre}(tail, rows, dim, key, t, lo, hi) &&
      0 <= lo && hi <= dim && (hi <= c || c + n <= lo) ==>
      is_tail_part(tail, rows, dim, key, t, lo, hi);
*/
NDL_PART void conv_block(const float *restrict taps, size_t live, size_t dim, float *restrict tail,
                         size_t rows, float *restrict raw, size_t c, size_t n)
/*@ ghost (size_t pos) */
{
    float acc[BLOCK];
    /*@ assert zero: off(0, dim) == 0; */
    /*@ assert first: dim <= off(rows + 1, dim); */

    block_first_tap(acc, taps, c, raw, c, n);
    /*@ loop invariant some: 1 <= j <= live;
        loop invariant CONV_001: sum: \forall integer key, w, d; c <= d < c + n &&
          are_taps{Pre}(taps, rows + 1, dim, w) && is_row_part{Pre}(raw, key, pos, c, c + n) &&
          is_tail_part{Pre}(tail, rows, dim, key, pos, c, c + n) ==>
          bits(acc[d - c]) == conv_step(key, w, pos, d, j);
        loop assigns j, acc[0 .. n - 1];
        loop variant live - j; */
    for (size_t j = 1; j < live; j++) {
        const size_t s = rows - j;
        /*@ assert CONV_004: masked: j <= pos; */
        /*@ assert tap: 0 <= off(j, dim) && off(j, dim) + dim <= off(rows + 1, dim); */
        /*@ assert row: 0 <= off(s, dim) && off(s, dim) + dim <= off(rows, dim); */

        /*@ assert tap: \forall integer w, d; c <= d < c + n &&
              are_taps{Pre}(taps, rows + 1, dim, w) ==>
              bits(taps[off(j, dim) + d]) == tap_at(w, j, d); */
        /*@ assert row: \forall integer key, p, d; c <= d < c + n && p <= pos - j <= p &&
              is_tail_part{Pre}(tail, rows, dim, key, pos, c, c + n) ==>
              bits(tail[off(s, dim) + d]) == row_at(key, p, d); */

        block_add_tap(acc, taps, ndl_at(j, dim, c), tail, ndl_at(s, dim, c), n);
        /*@ assert added: \forall integer d; c <= d < c + n ==>
              bits(acc[d - c]) == ADD(bits(\at(acc[d - c], LoopCurrent)),
                                      MUL(bits(taps[off(j, dim) + d]),
                                          bits(tail[off(s, dim) + d]))); */
    }
    block_push(tail, rows, dim, raw, c, n);
    block_put(raw + c, acc, n);
}

NDL_LEVELS
void ndl_conv_row(const float *restrict taps, size_t n_taps, size_t dim, float *restrict tail,
                  float *restrict raw, size_t pos)
{
    if (n_taps == 0)
        return;
    const size_t rows = n_taps - 1;
    const size_t live = taps_at(n_taps, 1, 0, pos);
    size_t c = 0;
    /*@ assert rows: rows == n_taps - 1; */

    /*@ loop invariant some: 0 <= c <= dim;
        loop invariant CONV_001: step: \forall integer key, w, d; 0 <= d < c &&
          are_taps{Pre}(taps, n_taps, dim, w) && is_row{Pre}(raw, dim, key, pos) &&
          is_tail{Pre}(tail, rows, dim, key, pos) ==>
          bits(raw[d]) == conv_step(key, w, pos, d, live);
        loop invariant raw: kept{Pre, Here}(raw, c, dim);
        loop invariant CONV_002: moved: \forall integer key, t;
          is_row{Pre}(raw, dim, key, t) && is_tail{Pre}(tail, rows, dim, key, t) ==>
          is_tail_part(tail, rows, dim, key, t + 1, 0, c);
        loop invariant CONV_002: rest: \forall integer key, t;
          is_tail{Pre}(tail, rows, dim, key, t) ==>
          is_tail_part(tail, rows, dim, key, t, c, dim);
        loop assigns c, raw[0 .. dim - 1], tail[0 .. off(rows, dim) - 1];
        loop variant dim - c; */
    for (; dim - c >= BLOCK; c += BLOCK) {
        /*@ assert taps: \forall integer w; are_taps{Pre}(taps, n_taps, dim, w) ==>
              are_taps(taps, rows + 1, dim, w); */
        /*@ assert row: \forall integer key, t; is_row{Pre}(raw, dim, key, t) ==>
              is_row_part(raw, key, t, c, c + BLOCK); */
        /*@ assert part: \forall integer key, t; is_tail{Pre}(tail, rows, dim, key, t) ==>
              is_tail_part(tail, rows, dim, key, t, c, c + BLOCK); */
        conv_block(taps, live, dim, tail, rows, raw, c, BLOCK) /*@ ghost (pos) */;
    }
    /*@ assert taps: \forall integer w; are_taps{Pre}(taps, n_taps, dim, w) ==>
          are_taps(taps, rows + 1, dim, w); */
    /*@ assert row: \forall integer key, t; is_row{Pre}(raw, dim, key, t) ==>
          is_row_part(raw, key, t, c, c + (dim - c)); */
    /*@ assert part: \forall integer key, t; is_tail{Pre}(tail, rows, dim, key, t) ==>
          is_tail_part(tail, rows, dim, key, t, c, c + (dim - c)); */
    conv_block(taps, live, dim, tail, rows, raw, c, dim - c) /*@ ghost (pos) */;
}

/* Channels c .. c + n - 1 of a step of the engram convolution. */
/*@ requires some: live <= n_taps && n <= BLOCK && c + n <= dim;
    requires fits: off(n_taps, dim) <= SIZE_MAX && off(reach, dim) <= SIZE_MAX && pos < SIZE_MAX;
    requires reach: 0 < n_taps && off(n_taps - 1, dilation) <= reach;
    requires gates: 0 < live ==> off(live - 1, dilation) <= pos;
    requires from: \valid_read(taps + (0 .. off(n_taps, dim) - 1));
    requires raw: \valid(raw + (0 .. dim - 1));
    requires tail: \valid(tail + (0 .. off(reach, dim) - 1));
    requires apart: \separated(tail + (0 .. off(reach, dim) - 1), raw + (0 .. dim - 1),
                               taps + (0 .. off(n_taps, dim) - 1));
    terminates \true;
    exits \false;
    assigns raw[c .. c + n - 1], tail[0 .. off(reach, dim) - 1];
    ensures ENG_001: step: \forall integer key, w, d; c <= d < c + n &&
      are_taps{Pre}(taps, n_taps, dim, w) && is_row_part{Pre}(raw, key, pos, c, c + n) &&
      is_tail_part{Pre}(tail, reach, dim, key, pos, c, c + n) ==>
      bits(raw[d]) == conv_sum(key, w, dilation, pos, d, live);
    ensures ENG_002: moved: \forall integer key, t;
      is_row_part{Pre}(raw, key, t, c, c + n) &&
      is_tail_part{Pre}(tail, reach, dim, key, t, c, c + n) ==>
      is_tail_part(tail, reach, dim, key, t + 1, c, c + n);
    ensures ENG_002: others: \forall integer key, t, lo, hi;
      is_tail_part{Pre}(tail, reach, dim, key, t, lo, hi) &&
      0 <= lo && hi <= dim && (hi <= c || c + n <= lo) ==>
      is_tail_part(tail, reach, dim, key, t, lo, hi);
*/
NDL_PART void engram_block(const float *restrict taps, size_t live, size_t dim, size_t dilation,
                           float *restrict tail, size_t reach, float *restrict raw, size_t c,
                           size_t n) /*@ ghost (size_t n_taps, size_t pos) */
{
    float acc[BLOCK];
    size_t j = 0;

    block_zero(acc, n);
    /* Taps without a distance: the first, or all where the dilation is 0. */
    /*@ loop invariant some: 0 <= j <= live;
        loop invariant ENG_001: sum: \forall integer key, w, d; c <= d < c + n &&
          are_taps{Pre}(taps, n_taps, dim, w) && is_row_part{Pre}(raw, key, pos, c, c + n) &&
          is_tail_part{Pre}(tail, reach, dim, key, pos, c, c + n) ==>
          bits(acc[d - c]) == conv_sum(key, w, dilation, pos, d, j);
        loop assigns j, acc[0 .. n - 1];
        loop variant live - j; */
    for (; j < live && ndl_at(j, dilation, 0) == 0; j++) {
        /*@ assert ENG_004: gates: 0 <= off(j, dilation) <= pos; */
        /*@ assert place: 0 <= off(j, dim) && off(j, dim) + dim <= off(n_taps, dim); */
        /*@ assert tap: \forall integer w, d; c <= d < c + n &&
              are_taps{Pre}(taps, n_taps, dim, w) ==>
              bits(taps[off(j, dim) + d]) == tap_at(w, j, d); */
        /*@ assert row: \forall integer key, p, d; c <= d < c + n &&
              p <= pos - off(j, dilation) <= p && is_row_part{Pre}(raw, key, pos, c, c + n) ==>
              bits(raw[d]) == row_at(key, p, d); */

        block_add_tap(acc, taps, ndl_at(j, dim, c), raw, c, n);
        /*@ assert added: \forall integer d; c <= d < c + n ==>
              bits(acc[d - c]) == ADD(bits(\at(acc[d - c], LoopCurrent)),
                                      MUL(bits(taps[off(j, dim) + d]), bits(raw[d]))); */
    }
    /*@ loop invariant some: 0 <= j <= live;
        loop invariant back: j < live ==> 0 < off(j, dilation);
        loop invariant ENG_001: sum: \forall integer key, w, d; c <= d < c + n &&
          are_taps{Pre}(taps, n_taps, dim, w) && is_row_part{Pre}(raw, key, pos, c, c + n) &&
          is_tail_part{Pre}(tail, reach, dim, key, pos, c, c + n) ==>
          bits(acc[d - c]) == conv_sum(key, w, dilation, pos, d, j);
        loop assigns j, acc[0 .. n - 1];
        loop variant live - j; */
    for (; j < live; j++) {
        /*@ assert ENG_004: gates: 0 <= off(j, dilation) <= pos; */
        /*@ assert place: 0 <= off(j, dim) && off(j, dim) + dim <= off(n_taps, dim); */
        /*@ assert tap: \forall integer w, d; c <= d < c + n &&
              are_taps{Pre}(taps, n_taps, dim, w) ==>
              bits(taps[off(j, dim) + d]) == tap_at(w, j, d); */
        /*@ assert reach: off(j, dilation) <= off(n_taps - 1, dilation) <= reach; */
        /*@ assert on: off(j, dilation) <= off(j + 1, dilation); */
        const size_t s = reach - ndl_at(j, dilation, 0);
        /*@ assert s: s == reach - off(j, dilation); */
        /*@ assert from: 0 <= off(s, dim) && off(s, dim) + dim <= off(reach, dim); */
        /*@ assert row: \forall integer key, p, d; c <= d < c + n &&
              p <= pos - off(j, dilation) <= p &&
              is_tail_part{Pre}(tail, reach, dim, key, pos, c, c + n) ==>
              bits(tail[off(s, dim) + d]) == row_at(key, p, d); */

        block_add_tap(acc, taps, ndl_at(j, dim, c), tail, ndl_at(s, dim, c), n);
        /*@ assert added: \forall integer d; c <= d < c + n ==>
              bits(acc[d - c]) == ADD(bits(\at(acc[d - c], LoopCurrent)),
                                      MUL(bits(taps[off(j, dim) + d]), bits(tail[off(s, dim) + d]))); */
    }
    block_push(tail, reach, dim, raw, c, n);
    block_put(raw + c, acc, n);
}

NDL_LEVELS
void ndl_engram_row(const float *restrict taps, size_t n_taps, size_t dim, size_t dilation,
                    size_t max_order, float *restrict tail, size_t reach, float *restrict raw,
                    size_t pos)
{
    const size_t live = taps_at(n_taps, dilation, max_order, pos);
    size_t c = 0;

    /*@ loop invariant some: 0 <= c <= dim;
        loop invariant ENG_001: step: \forall integer key, w, d; 0 <= d < c &&
          are_taps{Pre}(taps, n_taps, dim, w) && is_row{Pre}(raw, dim, key, pos) &&
          is_tail{Pre}(tail, reach, dim, key, pos) ==>
          bits(raw[d]) == conv_sum(key, w, dilation, pos, d, live);
        loop invariant raw: kept{Pre, Here}(raw, c, dim);
        loop invariant ENG_002: moved: \forall integer key, t;
          is_row{Pre}(raw, dim, key, t) && is_tail{Pre}(tail, reach, dim, key, t) ==>
          is_tail_part(tail, reach, dim, key, t + 1, 0, c);
        loop invariant ENG_002: rest: \forall integer key, t;
          is_tail{Pre}(tail, reach, dim, key, t) ==>
          is_tail_part(tail, reach, dim, key, t, c, dim);
        loop assigns c, raw[0 .. dim - 1], tail[0 .. off(reach, dim) - 1];
        loop variant dim - c; */
    for (; dim - c >= BLOCK; c += BLOCK) {
        /*@ assert taps: \forall integer w; are_taps{Pre}(taps, n_taps, dim, w) ==>
              are_taps(taps, n_taps, dim, w); */
        /*@ assert row: \forall integer key, t; is_row{Pre}(raw, dim, key, t) ==>
              is_row_part(raw, key, t, c, c + BLOCK); */
        /*@ assert part: \forall integer key, t; is_tail{Pre}(tail, reach, dim, key, t) ==>
              is_tail_part(tail, reach, dim, key, t, c, c + BLOCK); */
        engram_block(taps, live, dim, dilation, tail, reach, raw, c, BLOCK)
            /*@ ghost (n_taps, pos) */;
    }
    /*@ assert taps: \forall integer w; are_taps{Pre}(taps, n_taps, dim, w) ==>
          are_taps(taps, n_taps, dim, w); */
    /*@ assert row: \forall integer key, t; is_row{Pre}(raw, dim, key, t) ==>
          is_row_part(raw, key, t, c, c + (dim - c)); */
    /*@ assert part: \forall integer key, t; is_tail{Pre}(tail, reach, dim, key, t) ==>
          is_tail_part(tail, reach, dim, key, t, c, c + (dim - c)); */
    engram_block(taps, live, dim, dilation, tail, reach, raw, c,
                 dim - c) /*@ ghost (n_taps, pos) */;
}

/* Channels c .. c + n - 1 of row t of a sequence, whose rows up to it are raw. */
/*@ requires some: live <= n_taps && n <= BLOCK && c + n <= dim && t < seq;
    requires fits: off(n_taps, dim) <= SIZE_MAX && off(seq, dim) <= SIZE_MAX;
    requires gates: 0 < live ==> off(live - 1, dilation) <= t;
    requires from: \valid_read(taps + (0 .. off(n_taps, dim) - 1));
    requires to: \valid(buf + (0 .. off(seq, dim) - 1));
    requires apart: \separated(buf + (0 .. off(seq, dim) - 1), taps + (0 .. off(n_taps, dim) - 1));
    terminates \true;
    exits \false;
    assigns buf[off(t, dim) + c .. off(t, dim) + c + n - 1];
    ensures ENG_001: row: \forall integer key, w, d; c <= d < c + n &&
      are_taps{Pre}(taps, n_taps, dim, w) &&
      are_rows_part{Pre}(buf, t, dim, key, c, c + n) ==>
      bits(buf[off(t, dim) + d]) == conv_sum(key, w, dilation, t, d, live);
*/
NDL_PART void rows_block(const float *restrict taps, size_t live, size_t dim, size_t dilation,
                         float *restrict buf, size_t t, size_t c, size_t n)
/*@ ghost (size_t n_taps, size_t seq) */
{
    float acc[BLOCK];
    /*@ assert place: 0 <= off(t, dim) && off(t, dim) + dim <= off(seq, dim); */

    block_zero(acc, n);
    /*@ loop invariant some: 0 <= j <= live;
        loop invariant ENG_001: sum: \forall integer key, w, d; c <= d < c + n &&
          are_taps{Pre}(taps, n_taps, dim, w) &&
          are_rows_part{Pre}(buf, t, dim, key, c, c + n) ==>
          bits(acc[d - c]) == conv_sum(key, w, dilation, t, d, j);
        loop assigns j, acc[0 .. n - 1];
        loop variant live - j; */
    for (size_t j = 0; j < live; j++) {
        /*@ assert ENG_004: gates: 0 <= off(j, dilation) <= t; */
        /*@ assert tap: 0 <= off(j, dim) && off(j, dim) + dim <= off(n_taps, dim); */
        const size_t p = t - ndl_at(j, dilation, 0);
        /*@ assert row: 0 <= off(p, dim) && off(p, dim) + dim <= off(seq, dim); */

        block_add_tap(acc, taps, ndl_at(j, dim, c), buf, ndl_at(p, dim, c), n);
    }
    block_put(buf + ndl_at(t, dim, c), acc, n);
}

NDL_LEVELS
void ndl_engram_rows(const float *restrict taps, size_t n_taps, size_t dim, size_t dilation,
                     size_t max_order, float *restrict buf, size_t seq)
{
    if (n_taps == 0)
        return;
    /* From the last row down: what a row's convolution reads is itself and the
     * rows before it, which are still raw. */
    /*@ loop invariant some: 0 <= left <= seq;
        loop invariant ENG_001: done: \forall integer key, w, u, d;
          left <= u < seq && 0 <= d < dim &&
          are_taps{Pre}(taps, n_taps, dim, w) && are_rows{Pre}(buf, seq, dim, key) ==>
          bits(buf[off(u, dim) + d]) ==
          conv_sum(key, w, dilation, u, d, taps_live(n_taps, dilation, max_order, u));
        loop invariant raw: kept{Pre, Here}(buf, 0, off(left, dim));
        loop assigns left, buf[0 .. off(seq, dim) - 1];
        loop variant left; */
    for (size_t left = seq; left > 0; left--) {
        const size_t t = left - 1;
        const size_t live = taps_at(n_taps, dilation, max_order, t);
        size_t c = 0;
        /*@ assert row: 0 <= off(t, dim) && off(t, dim) + dim <= off(seq, dim); */

        /*@ loop invariant some: 0 <= c <= dim;
            loop invariant ENG_001: row: \forall integer key, w, d; 0 <= d < c &&
              are_taps{Pre}(taps, n_taps, dim, w) && are_rows{Pre}(buf, seq, dim, key) ==>
              bits(buf[off(t, dim) + d]) == conv_sum(key, w, dilation, t, d, live);
            loop invariant raw: kept{Pre, Here}(buf, 0, off(t, dim)) &&
              kept{Pre, Here}(buf, off(t, dim) + c, off(t, dim) + dim);
            loop invariant done: kept{LoopEntry, Here}(buf, off(t, dim) + dim, off(seq, dim));
            loop assigns c, buf[off(t, dim) .. off(t, dim) + dim - 1];
            loop variant dim - c; */
        for (; dim - c >= BLOCK; c += BLOCK) {
            /*@ assert taps: \forall integer w; are_taps{Pre}(taps, n_taps, dim, w) ==>
                  are_taps(taps, n_taps, dim, w); */
            /*@ assert raw: \forall integer key; are_rows{Pre}(buf, seq, dim, key) ==>
                  are_rows_part(buf, t, dim, key, c, c + BLOCK); */
            rows_block(taps, live, dim, dilation, buf, t, c, BLOCK) /*@ ghost (n_taps, seq) */;
        }
        /*@ assert taps: \forall integer w; are_taps{Pre}(taps, n_taps, dim, w) ==>
              are_taps(taps, n_taps, dim, w); */
        /*@ assert raw: \forall integer key; are_rows{Pre}(buf, seq, dim, key) ==>
              are_rows_part(buf, t, dim, key, c, c + (dim - c)); */
        rows_block(taps, live, dim, dilation, buf, t, c, dim - c) /*@ ghost (n_taps, seq) */;
        /*@ assert ENG_001: row: \forall integer key, w, d; 0 <= d < dim &&
              are_taps{Pre}(taps, n_taps, dim, w) && are_rows{Pre}(buf, seq, dim, key) ==>
              bits(buf[off(t, dim) + d]) ==
              conv_sum(key, w, dilation, t, d, taps_live(n_taps, dilation, max_order, t)); */
        /*@ assert ENG_001: below: \forall integer key, w, u, d;
              left <= u < seq && 0 <= d < dim &&
              are_taps{Pre}(taps, n_taps, dim, w) && are_rows{Pre}(buf, seq, dim, key) ==>
              bits(buf[off(u, dim) + d]) ==
              conv_sum(key, w, dilation, u, d, taps_live(n_taps, dilation, max_order, u)); */
    }
}

void ndl_conv_rows(const float *taps, size_t n_taps, size_t dim, float *buf, size_t seq)
{
    ndl_engram_rows(taps, n_taps, dim, 1, 0, buf, seq);
}

/* Copy a row of n elements; what it is the copy is. */
/*@ requires to: \valid(dst + (0 .. n - 1));
    requires from: \valid_read(src + (0 .. n - 1));
    requires apart: \separated(dst + (0 .. n - 1), src + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns dst[0 .. n - 1];
    ensures row: \forall integer key, t, i; is_row{Pre}(src, n, key, t) && 0 <= i < n ==>
      bits(dst[i]) == row_at(key, t, i);
*/
static void copy_row(float *dst, const float *src, size_t n)
{
    ndl_copy_f32(dst, src, n);
}

void ndl_tail_seed(float *tail, size_t rows, size_t dim, const float *raw, size_t seq)
{
    const size_t zeros = seq < rows ? rows - seq : 0;
    const size_t first = seq < rows ? 0 : seq - rows;
    /*@ assert none: off(0, dim) == 0; */
    /*@ assert zeros: 0 <= off(zeros, dim) <= off(rows, dim); */

    ndl_fill_f32(tail, 0, ndl_at(zeros, dim, 0), ndl_of_int(0));
    /*@ loop invariant some: zeros <= r <= rows;
        loop invariant CONV_003: last: \forall integer key, s, p, c;
          are_rows{Pre}(raw, seq, dim, key) &&
          0 <= s < r && p <= seq - rows + s <= p && 0 <= p && 0 <= c < dim ==>
          bits(tail[off(s, dim) + c]) == row_at(key, p, c);
        loop invariant CONV_003: zero: \forall integer e; 0 <= e < off(zeros, dim) ==>
          bits(tail[e]) == ZERO;
        loop assigns r, tail[0 .. off(rows, dim) - 1];
        loop variant rows - r; */
    for (size_t r = zeros; r < rows; r++) {
        const size_t t = first + (r - zeros);
        /*@ assert t: t == seq - rows + r; */
        /*@ assert to: off(zeros, dim) <= off(r, dim) && off(r, dim) + dim <= off(rows, dim); */
        /*@ assert from: 0 <= off(t, dim) && off(t, dim) + dim <= off(seq, dim); */
        /*@ assert is: \forall integer key; are_rows{Pre}(raw, seq, dim, key) ==>
              is_row(raw + off(t, dim), dim, key, t); */
        float *dst = tail + ndl_at(r, dim, 0);
        const float *src = raw + ndl_at(t, dim, 0);
        /*@ assert places: dst == tail + off(r, dim) && src == raw + off(t, dim); */

        copy_row(dst, src, dim);
        /*@ assert before: \forall integer key, s, p, c;
              are_rows{Pre}(raw, seq, dim, key) &&
              0 <= s < r && p <= seq - rows + s <= p && 0 <= p && 0 <= c < dim ==>
              bits(tail[off(s, dim) + c]) == row_at(key, p, c); */
        /*@ assert here: \forall integer key, c;
              are_rows{Pre}(raw, seq, dim, key) && 0 <= c < dim ==>
              bits(tail[off(r, dim) + c]) == row_at(key, t, c); */
    }
}

/* The lengths that both sequence forms ask for. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_001: status: \result ==
      (4 * off(n_taps, dim) > NDL_MAX_BYTES || 4 * off(seq, dim) > NDL_MAX_BYTES ? NDL_E_SIZE
       : taps_len != off(n_taps, dim) || buf_len != off(seq, dim) ? NDL_E_LENGTH : NDL_OK);
*/
static ndl_status check_rows(size_t seq, size_t dim, size_t n_taps, size_t taps_len, size_t buf_len)
{
    if (!ndl_fits(n_taps, dim) || !ndl_fits(seq, dim))
        return NDL_E_SIZE;
    /*@ assert rows: 0 <= off(n_taps, dim) && 0 <= off(seq, dim); */
    if (taps_len != ndl_at(n_taps, dim, 0) || buf_len != ndl_at(seq, dim, 0))
        return NDL_E_LENGTH;
    return NDL_OK;
}

/*@ requires from: \valid_read(taps + (0 .. taps_len - 1));
    requires to: \valid(buf + (0 .. buf_len - 1));
    requires apart: \separated(buf + (0 .. buf_len - 1), taps + (0 .. taps_len - 1));
    terminates \true;
    exits \false;
    assigns buf[0 .. buf_len - 1];
    ensures SES_001: kept: \result != NDL_OK ==> kept{Pre, Post}(buf, 0, buf_len);
    ensures CONV_001: sequence: \result == NDL_OK && n_taps > 0 ==>
      \forall integer key, w, t, c; 0 <= t < seq && 0 <= c < dim &&
      are_taps{Pre}(taps, n_taps, dim, w) && are_rows{Pre}(buf, seq, dim, key) ==>
      bits(buf[off(t, dim) + c]) == conv_sum(key, w, 1, t, c, taps_live(n_taps, 1, 0, t));
*/
ndl_status ndl_causal_conv(size_t seq, size_t dim, size_t n_taps, const float *taps,
                           size_t taps_len, float *buf, size_t buf_len)
{
    const ndl_status status = check_rows(seq, dim, n_taps, taps_len, buf_len);

    /* Rows without channels take no memory, and so may be more than one can count. */
    if (status == NDL_OK && dim != 0)
        ndl_conv_rows(taps, n_taps, dim, buf, seq);
    return status;
}

/*@ requires from: \valid_read(taps + (0 .. taps_len - 1));
    requires to: \valid(buf + (0 .. buf_len - 1));
    requires apart: \separated(buf + (0 .. buf_len - 1), taps + (0 .. taps_len - 1));
    terminates \true;
    exits \false;
    assigns buf[0 .. buf_len - 1];
    ensures SES_001: kept: \result != NDL_OK ==> kept{Pre, Post}(buf, 0, buf_len);
    ensures ENG_001: sequence: \result == NDL_OK && n_taps > 0 ==>
      \forall integer key, w, t, c; 0 <= t < seq && 0 <= c < dim &&
      are_taps{Pre}(taps, n_taps, dim, w) && are_rows{Pre}(buf, seq, dim, key) ==>
      bits(buf[off(t, dim) + c]) ==
      conv_sum(key, w, dilation, t, c, taps_live(n_taps, dilation, max_order, t));
*/
ndl_status ndl_value_conv(size_t seq, size_t dim, size_t n_taps, size_t dilation, size_t max_order,
                          const float *taps, size_t taps_len, float *buf, size_t buf_len)
{
    const ndl_status status = check_rows(seq, dim, n_taps, taps_len, buf_len);

    if (status == NDL_OK && dim != 0)
        ndl_engram_rows(taps, n_taps, dim, dilation, max_order, buf, seq);
    return status;
}
