/*
 * The passes over a block of channels that convolutions are made of.
 *
 * A block's sums are a local array. Each tap makes one pass over it, in which
 * the channels are computed side by side; a channel meets nothing but itself,
 * and its taps in their order, so its bits are those of a loop over channels.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_CONV_BLOCK_H
#define NDL_CONV_BLOCK_H

#include "index.h"
#include "leaf.h"
#include "level.h"

#include "../logic/conv.acsl"

/** The channels of a block. */
#define BLOCK 16

/* acc[i] becomes +0. */
/*@ requires to: \valid(acc + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns acc[0 .. n - 1];
    ensures zero: \forall integer i; 0 <= i < n ==> bits(acc[i]) == ZERO;
*/
NDL_PART void block_zero(float *restrict acc, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant zero: \forall integer k; 0 <= k < i ==> bits(acc[k]) == ZERO;
        loop assigns i, acc[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        acc[i] = ndl_of_int(0);
}

/* acc[i] becomes the product of taps[j + i] and rows[x + i]. */
/*@ requires fits: j + n <= SIZE_MAX && x + n <= SIZE_MAX;
    requires to: \valid(acc + (0 .. n - 1));
    requires taps: \valid_read(taps + (j .. j + n - 1));
    requires rows: \valid_read(rows + (x .. x + n - 1));
    requires apart: \separated(acc + (0 .. n - 1), taps + (j .. j + n - 1));
    requires apart: \separated(acc + (0 .. n - 1), rows + (x .. x + n - 1));
    terminates \true;
    exits \false;
    assigns acc[0 .. n - 1];
    ensures product: \forall integer i; 0 <= i < n ==>
      bits(acc[i]) == MUL(bits(taps[j + i]), bits(rows[x + i]));
*/
NDL_PART void block_first_tap(float *restrict acc, const float *restrict taps, size_t j,
                              const float *restrict rows, size_t x, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant product: \forall integer k; 0 <= k < i ==>
          bits(acc[k]) == MUL(bits(taps[j + k]), bits(rows[x + k]));
        loop assigns i, acc[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        acc[i] = ndl_mul(taps[j + i], rows[x + i]);
}

/* The product of taps[j + i] and rows[x + i] is added to acc[i]. */
/*@ requires fits: j + n <= SIZE_MAX && x + n <= SIZE_MAX;
    requires to: \valid(acc + (0 .. n - 1));
    requires taps: \valid_read(taps + (j .. j + n - 1));
    requires rows: \valid_read(rows + (x .. x + n - 1));
    requires apart: \separated(acc + (0 .. n - 1), taps + (j .. j + n - 1));
    requires apart: \separated(acc + (0 .. n - 1), rows + (x .. x + n - 1));
    terminates \true;
    exits \false;
    assigns acc[0 .. n - 1];
    ensures sum: \forall integer i; 0 <= i < n ==>
      bits(acc[i]) == ADD(\old(bits(acc[i])), MUL(bits(taps[j + i]), bits(rows[x + i])));
*/
NDL_PART void block_add_tap(float *restrict acc, const float *restrict taps, size_t j,
                            const float *restrict rows, size_t x, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant sum: \forall integer k; 0 <= k < i ==>
          bits(acc[k]) == ADD(\at(bits(acc[k]), Pre), MUL(bits(taps[j + k]), bits(rows[x + k])));
        loop invariant rest: kept{Pre, Here}(acc, i, n);
        loop assigns i, acc[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        acc[i] = ndl_mac(acc[i], taps[j + i], rows[x + i]);
}

/* dst[i] becomes src[i]. */
/*@ requires to: \valid(dst + (0 .. n - 1));
    requires from: \valid_read(src + (0 .. n - 1));
    requires apart: \separated(dst + (0 .. n - 1), src + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns dst[0 .. n - 1];
    ensures copied: \forall integer i; 0 <= i < n ==> bits(dst[i]) == \old(bits(src[i]));
*/
NDL_PART void block_put(float *restrict dst, const float *restrict src, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant copied: \forall integer k; 0 <= k < i ==>
          bits(dst[k]) == \at(bits(src[k]), Pre);
        loop assigns i, dst[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        dst[i] = src[i];
}

/* dst[d] becomes src[d] for the channels c .. c + n - 1. What a row was, this one is. */
/*@ requires fits: c + n <= SIZE_MAX;
    requires to: \valid(dst + (c .. c + n - 1));
    requires from: \valid_read(src + (c .. c + n - 1));
    requires apart: \separated(dst + (c .. c + n - 1), src + (c .. c + n - 1));
    terminates \true;
    exits \false;
    assigns dst[c .. c + n - 1];
    ensures row: \forall integer key, t, d; c <= d < c + n &&
      is_row_part{Pre}(src, key, t, c, c + n) ==> bits(dst[d]) == row_at(key, t, d);
*/
NDL_PART void block_move(float *restrict dst, const float *restrict src, size_t c, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant row: \forall integer key, t, d; c <= d < c + i &&
          is_row_part{Pre}(src, key, t, c, c + n) ==> bits(dst[d]) == row_at(key, t, d);
        loop assigns i, dst[c .. c + n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++)
        dst[c + i] = src[c + i];
}

/* Channels c .. c + n - 1 of a tail move up by a row; the last takes those of raw. */
/*@ requires some: c + n <= dim;
    requires fits: off(rows, dim) <= SIZE_MAX;
    requires to: \valid(tail + (0 .. off(rows, dim) - 1));
    requires from: \valid_read(raw + (0 .. dim - 1));
    requires apart: \separated(tail + (0 .. off(rows, dim) - 1), raw + (0 .. dim - 1));
    terminates \true;
    exits \false;
    assigns tail[0 .. off(rows, dim) - 1];
    ensures CONV_002: moved: \forall integer key, t;
      is_row_part{Pre}(raw, key, t, c, c + n) &&
      is_tail_part{Pre}(tail, rows, dim, key, t, c, c + n) ==>
      is_tail_part(tail, rows, dim, key, t + 1, c, c + n);
    ensures CONV_002: others: \forall integer key, t, lo, hi;
      is_tail_part{Pre}(tail, rows, dim, key, t, lo, hi) &&
      0 <= lo && hi <= dim && (hi <= c || c + n <= lo) ==>
      is_tail_part(tail, rows, dim, key, t, lo, hi);
*/
NDL_PART void block_push(float *tail, size_t rows, size_t dim, const float *raw, size_t c, size_t n)
{
    if (rows == 0)
        return;
    const size_t last = rows - 1;

    /*@ loop invariant some: 0 <= r <= last;
        loop invariant CONV_002: moved: \forall integer key, t, s, p, d;
          is_tail_part{Pre}(tail, rows, dim, key, t, c, c + n) &&
          0 <= s < r && p <= t + 1 - rows + s <= p && 0 <= p && c <= d < c + n ==>
          bits(tail[off(s, dim) + d]) == row_at(key, p, d);
        loop invariant CONV_002: rest: \forall integer key, t, s, p, d;
          is_tail_part{Pre}(tail, rows, dim, key, t, c, c + n) &&
          r <= s < rows && p <= t - rows + s <= p && 0 <= p && c <= d < c + n ==>
          bits(tail[off(s, dim) + d]) == row_at(key, p, d);
        loop invariant CONV_002: others: \forall integer key, t, lo, hi, s, p, d;
          is_tail_part{Pre}(tail, rows, dim, key, t, lo, hi) &&
          0 <= lo && hi <= dim && (hi <= c || c + n <= lo) &&
          0 <= s < rows && p <= t - rows + s <= p && 0 <= p && lo <= d < hi ==>
          bits(tail[off(s, dim) + d]) == row_at(key, p, d);
        loop assigns r, tail[0 .. off(rows, dim) - 1];
        loop variant last - r; */
    for (size_t r = 0; r < last; r++) {
        const size_t next = r + 1;
        /*@ assert next: next == r + 1; */
        /*@ assert row: 0 <= off(r, dim) && off(r, dim) + dim == off(next, dim); */
        /*@ assert end: off(next, dim) + dim <= off(rows, dim); */
        float *a = tail + ndl_at(r, dim, 0);
        const float *b = tail + ndl_at(next, dim, 0);
        /*@ assert places: a == tail + off(r, dim) && b == tail + off(next, dim); */
        /*@ assert up: \forall integer key, t, p;
              is_tail_part{Pre}(tail, rows, dim, key, t, c, c + n) &&
              p <= t - rows + next <= p && 0 <= p ==> is_row_part(b, key, p, c, c + n); */

        block_move(a, b, c, n);
        /*@ assert up: \forall integer key, t, p, d;
              is_tail_part{Pre}(tail, rows, dim, key, t, c, c + n) &&
              p <= t - rows + next <= p && 0 <= p && c <= d < c + n ==>
              bits(tail[off(r, dim) + d]) == row_at(key, p, d); */
    }
    /*@ assert last: 0 <= off(last, dim) && off(last, dim) + dim == off(rows, dim); */
    float *a = tail + ndl_at(last, dim, 0);
    /*@ assert place: a == tail + off(last, dim); */

    block_move(a, raw, c, n);
    /*@ assert new: \forall integer key, t, d;
          is_row_part{Pre}(raw, key, t, c, c + n) && c <= d < c + n ==>
          bits(tail[off(last, dim) + d]) == row_at(key, t, d); */
}

#endif
