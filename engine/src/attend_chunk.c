/* Chunks: rows of codes as floats, next to each other.
 *
 * A chunk is read many times, by every head of a pack, so that it pays to widen it
 * once. With each row the one that the next chunk has in its place is asked for,
 * which comes while this chunk is worked on. Of the widths that stores have, RUN
 * channels and its multiples, each has its own loop over rows: a row whose width is a
 * constant is moved without a loop. Of other rows LANES channels go at once; a row
 * seldom has a few more, which go one by one.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"
#include "soon.h"

/* n is a constant where it can be, so that these are moved at once. */
/*@ requires from: \valid_read(src + (0 .. n - 1));
    requires to: \valid(dst + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns dst[0 .. n - 1];
    ensures ATT_003: wide: \forall float *p; within(p, dst, 0, n) ==>
      bits(*p) == OF_INT(src[p - dst]);
*/
NDL_PART void widen(const int8_t *restrict src, size_t n, float *restrict dst)
{
    /*@ loop invariant some: 0 <= l <= n;
        loop invariant ATT_003: wide: \forall float *p; within(p, dst, 0, l) ==>
          bits(*p) == OF_INT(src[p - dst]);
        loop assigns l, dst[0 .. n - 1];
        loop variant n - l; */
    for (size_t l = 0; l < n; l++)
        dst[l] = ndl_of_code(src[l]);
}

/* Rows of `channels`, a constant where this is called. */
/*@ requires some: n <= CHUNK && n <= left && channels <= STRIP && channels <= pitch;
    requires fits: off(left, pitch) <= SIZE_MAX;
    requires from: n > 0 ==> \valid_read(src + (0 .. off(n - 1, pitch) + channels - 1));
    requires to: \valid(rows + (0 .. off(n, channels) - 1));
    terminates \true;
    exits \false;
    assigns rows[0 .. off(n, channels) - 1];
    ensures ATT_003: rows: \forall integer i, c; 0 <= i < n && 0 <= c < channels ==>
      bits(rows[cell(i, channels, c)]) == OF_INT(src[cell(i, pitch, c)]);
*/
NDL_PART void widen_whole(const int8_t *restrict src, size_t pitch, size_t n, size_t left,
                          size_t channels, float *restrict rows)
{
    /*@ assert fits: off(n, channels) <= off(n, pitch) <= off(left, pitch); */
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant ATT_003: rows: \forall integer r, c; 0 <= r < i && 0 <= c < channels ==>
          bits(rows[cell(r, channels, c)]) == OF_INT(src[cell(r, pitch, c)]);
        loop assigns i, rows[0 .. off(n, channels) - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const int8_t *from = src + ndl_at(i, pitch, 0);
        /*@ assert from: from == src + off(i, pitch) && 0 <= off(i, pitch) <= off(n - 1, pitch); */
        /*@ assert row: 0 <= off(i, channels) &&
              off(i, channels) + channels <= off(n, channels); */
        /*@ assert rows: \forall integer r; 0 <= r < i ==>
              0 <= off(r, channels) && off(r, channels) + channels <= off(i, channels); */
        /*@ assert ahead: left - i > AHEAD ==> 0 <= off(AHEAD, pitch) <= off(left, pitch); */

        if (left - i > AHEAD)
            ndl_soon_i8(from + ndl_at(AHEAD, pitch, 0), channels);
        widen(from, channels, rows + ndl_at(i, channels, 0));
        /*@ assert new: \forall integer c; 0 <= c < channels ==>
              bits(rows[cell(i, channels, c)]) == OF_INT(src[cell(i, pitch, c)]); */
    }
}

/* Rows of any width. */
/*@ requires some: n <= CHUNK && n <= left && channels <= STRIP && channels <= pitch;
    requires fits: off(left, pitch) <= SIZE_MAX;
    requires from: n > 0 ==> \valid_read(src + (0 .. off(n - 1, pitch) + channels - 1));
    requires to: \valid(rows + (0 .. off(n, channels) - 1));
    terminates \true;
    exits \false;
    assigns rows[0 .. off(n, channels) - 1];
    ensures ATT_003: rows: \forall integer i, c; 0 <= i < n && 0 <= c < channels ==>
      bits(rows[cell(i, channels, c)]) == OF_INT(src[cell(i, pitch, c)]);
*/
NDL_PART void widen_parts(const int8_t *restrict src, size_t pitch, size_t n, size_t left,
                          size_t channels, float *restrict rows)
{
    /*@ assert fits: off(n, channels) <= off(n, pitch) <= off(left, pitch); */
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant ATT_003: rows: \forall integer r, c; 0 <= r < i && 0 <= c < channels ==>
          bits(rows[cell(r, channels, c)]) == OF_INT(src[cell(r, pitch, c)]);
        loop assigns i, rows[0 .. off(n, channels) - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const int8_t *from = src + ndl_at(i, pitch, 0);
        float *to = rows + ndl_at(i, channels, 0);
        size_t c = 0;
        /*@ assert to: to == rows + off(i, channels); */
        /*@ assert from: from == src + off(i, pitch) && 0 <= off(i, pitch) <= off(n - 1, pitch); */
        /*@ assert row: 0 <= off(i, channels) &&
              off(i, channels) + channels <= off(n, channels); */
        /*@ assert rows: \forall integer r; 0 <= r < i ==>
              0 <= off(r, channels) && off(r, channels) + channels <= off(i, channels); */
        /*@ assert ahead: left - i > AHEAD ==> 0 <= off(AHEAD, pitch) <= off(left, pitch); */

        if (left - i > AHEAD)
            ndl_soon_i8(from + ndl_at(AHEAD, pitch, 0), channels);
        /*@ loop invariant some: 0 <= c <= channels;
            loop invariant ATT_003: before: \forall integer r, k; 0 <= r < i &&
              0 <= k < channels ==>
              bits(rows[cell(r, channels, k)]) == OF_INT(src[cell(r, pitch, k)]);
            loop invariant ATT_003: row: \forall integer k; 0 <= k < c ==>
              bits(rows[cell(i, channels, k)]) == OF_INT(src[cell(i, pitch, k)]);
            loop assigns c, rows[off(i, channels) .. off(i, channels) + channels - 1];
            loop variant channels - c; */
        for (; channels - c >= LANES; c += LANES)
            widen(from + c, LANES, to + c);
        if (c < channels) {
            widen(from + c, channels - c, to + c);
            /*@ assert last: \forall integer k; c <= k < channels ==>
                  bits(rows[cell(i, channels, k)]) == OF_INT(src[cell(i, pitch, k)]); */
            /*@ assert row: \forall integer k; 0 <= k < c ==>
                  bits(rows[cell(i, channels, k)]) == OF_INT(src[cell(i, pitch, k)]); */
        }
        /*@ assert new: \forall integer k; 0 <= k < channels ==>
              bits(rows[cell(i, channels, k)]) == OF_INT(src[cell(i, pitch, k)]); */
    }
}

NDL_LEVELS
void ndl_widen_rows(const int8_t *restrict src, size_t pitch, size_t n, size_t left,
                    size_t channels, float *restrict rows)
{
    switch (channels) {
    case RUN:
        widen_whole(src, pitch, n, left, RUN, rows);
        break;
    case 2 * RUN:
        widen_whole(src, pitch, n, left, (size_t)2 * RUN, rows);
        break;
    case 3 * RUN:
        widen_whole(src, pitch, n, left, (size_t)3 * RUN, rows);
        break;
    case STRIP:
        widen_whole(src, pitch, n, left, STRIP, rows);
        break;
    default:
        widen_parts(src, pitch, n, left, channels, rows);
        break;
    }
}
