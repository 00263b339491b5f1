/* Scores: the query heads of a pack are lanes, TILE rows of keys at once. A sum
 * takes its channels in order; that TILE of them go on side by side hides how
 * long an addition takes, and leaves them in registers on every machine.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"
#include "soon.h"

#include <stdbool.h>

#define TILE 6

void ndl_pack_queries(const float *q, size_t width, size_t dim, float *packed)
{
    /*@ loop invariant some: 0 <= c <= dim;
        loop invariant ATT_001: packed: \forall integer d, l; 0 <= d < c && 0 <= l < width ==>
          bits(packed[cell(d, width, l)]) == \at(bits(q[cell(l, dim, d)]), Pre);
        loop assigns c, packed[0 .. off(dim, width) - 1];
        loop variant dim - c; */
    for (size_t c = 0; c < dim; c++) {
        /*@ ghost size_t next = c + 1; */
        /*@ assert row: 0 <= off(c, width) && off(c, width) + width == off(next, width); */
        /*@ assert end: off(next, width) <= off(dim, width); */
        /*@ assert rows: \forall integer d; 0 <= d < c ==>
              0 <= off(d, width) && off(d, width) + width <= off(c, width); */

        /*@ loop invariant some: 0 <= l <= width;
            loop invariant ATT_001: packed: \forall integer d, k; 0 <= d < c && 0 <= k < width ==>
              bits(packed[cell(d, width, k)]) == \at(bits(q[cell(k, dim, d)]), Pre);
            loop invariant ATT_001: row: \forall integer k; 0 <= k < l ==>
              bits(packed[cell(c, width, k)]) == bits(q[cell(k, dim, c)]);
            loop invariant q: kept{Pre, Here}(q, 0, off(width, dim));
            loop assigns l, packed[off(c, width) .. off(c, width) + width - 1];
            loop variant width - l; */
        for (size_t l = 0; l < width; l++) {
            /*@ assert head: 0 <= off(l, dim) && off(l, dim) + dim <= off(width, dim); */
            packed[ndl_at(c, width, l)] = q[ndl_at(l, dim, c)];
        }
        /*@ assert places: \forall integer k; 0 <= k < width ==>
              0 <= off(k, dim) && off(k, dim) + dim <= off(width, dim); */
        /*@ assert row: \forall integer d, k; c <= d < next && 0 <= k < width ==>
              bits(packed[cell(d, width, k)]) == \at(bits(q[cell(k, dim, d)]), Pre); */
    }
    /*@ assert end: 0 <= off(dim, width); */
    /*@ assert rows: \forall integer d; 0 <= d < dim ==>
          0 <= off(d, width) && off(d, width) + width <= off(dim, width); */
    /*@ loop invariant some: 0 <= l <= LANES;
        loop assigns l, packed[off(dim, width) .. off(dim, width) + LANES - 1];
        loop variant LANES - l; */
    for (size_t l = 0; l < LANES; l++)
        packed[ndl_at(dim, width, l)] = ndl_of_int(0);
}

/* Some channels of n <= TILE rows. n is a constant where this is called. */
/*@ requires some: n <= TILE && 0 < width <= LANES && channels <= pitch;
    requires fits: off(n, pitch) <= SIZE_MAX && off(channels, width) + LANES <= SIZE_MAX;
    requires rows: n > 0 ==> \valid_read(rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires queries: \valid_read(packed + (0 .. off(channels, width) + LANES - 1));
    requires to: \valid(acc + (0 .. off(n, LANES) - 1));
    requires apart: n > 0 ==> \separated(acc + (0 .. off(n, LANES) - 1),
                                         rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires apart: \separated(acc + (0 .. off(n, LANES) - 1),
                               packed + (0 .. off(channels, width) + LANES - 1));
    requires channels: from + channels <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns acc[0 .. off(n, LANES) - 1];
    ensures ATT_001: dots: \forall integer a, i, r, l; 0 <= r < n && 0 <= l < width &&
      is_key{Pre}(rows + off(r, pitch), a, i, from, from + channels) &&
      is_query{Pre}(packed, width, l, a, from, from + channels) &&
      \old(bits(acc[cell(r, LANES, l)])) == dot(a, i, from) ==>
      bits(acc[cell(r, LANES, l)]) == dot(a, i, from + channels);
*/
NDL_PART void add_channels(const float *restrict rows, size_t pitch, size_t n, size_t channels,
                           const float *restrict packed, size_t width,
                           float *restrict acc) /*@ ghost (size_t from) */
{
    /*@ loop invariant some: 0 <= c <= channels;
        loop invariant ATT_001: dots: \forall integer a, i, r, l; 0 <= r < n && 0 <= l < width &&
          is_key{Pre}(rows + off(r, pitch), a, i, from, from + channels) &&
          is_query{Pre}(packed, width, l, a, from, from + channels) &&
          \at(bits(acc[cell(r, LANES, l)]), Pre) == dot(a, i, from) ==>
          bits(acc[cell(r, LANES, l)]) == dot(a, i, from + c);
        loop assigns c, acc[0 .. off(n, LANES) - 1];
        loop variant channels - c; */
    for (size_t c = 0; c < channels; c++) {
        /*@ assert row: 0 <= off(c, width) && off(c, width) + width <= off(channels, width); */
        /*@ assert query: \forall integer a, l; 0 <= l < width &&
              is_query{Pre}(packed, width, l, a, from, from + channels) ==>
              bits(packed[cell(c, width, l)]) == q_at(a, from + c); */

        /*@ loop invariant some: 0 <= r <= n;
            loop invariant ATT_001: done: \forall integer a, i, s, l; 0 <= s < r &&
              0 <= l < width &&
              is_key{Pre}(rows + off(s, pitch), a, i, from, from + channels) &&
              is_query{Pre}(packed, width, l, a, from, from + channels) &&
              \at(bits(acc[cell(s, LANES, l)]), Pre) == dot(a, i, from) ==>
              bits(acc[cell(s, LANES, l)]) == dot(a, i, from + c + 1);
            loop invariant ATT_001: rest: \forall integer a, i, s, l; r <= s < n &&
              0 <= l < width &&
              is_key{Pre}(rows + off(s, pitch), a, i, from, from + channels) &&
              is_query{Pre}(packed, width, l, a, from, from + channels) &&
              \at(bits(acc[cell(s, LANES, l)]), Pre) == dot(a, i, from) ==>
              bits(acc[cell(s, LANES, l)]) == dot(a, i, from + c);
            loop assigns r, acc[0 .. off(n, LANES) - 1];
            loop variant n - r; */
        for (size_t r = 0; r < n; r++) {
            /*@ assert place: 0 <= off(r, pitch) && off(r, pitch) <= off(n - 1, pitch); */
            /*@ assert end: off(n - 1, pitch) + pitch <= off(n, pitch); */
            /*@ assert key: \forall integer a, i;
                  is_key{Pre}(rows + off(r, pitch), a, i, from, from + channels) ==>
                  bits(rows[cell(r, pitch, c)]) == k_at(a, i, from + c); */
            /*@ assert query: \forall integer a, l; 0 <= l < width &&
                  is_query{Pre}(packed, width, l, a, from, from + channels) ==>
                  bits(packed[cell(c, width, l)]) == q_at(a, from + c); */

            lanes_mac(acc + ndl_at(r, LANES, 0), packed + ndl_at(c, width, 0),
                      rows[ndl_at(r, pitch, c)]);
            /*@ assert query: \forall integer a, l; 0 <= l < width &&
                  is_query{Pre}(packed, width, l, a, from, from + channels) ==>
                  bits(packed[cell(c, width, l)]) == q_at(a, from + c); */
            /*@ assert added: \forall integer l; 0 <= l < LANES ==>
                  bits(acc[cell(r, LANES, l)]) ==
                  ADD(bits(\at(acc[cell(r, LANES, l)], LoopCurrent)),
                      MUL(bits(packed[cell(c, width, l)]),
                          bits(\at(rows[cell(r, pitch, c)], LoopCurrent)))); */
            /*@ assert next: \forall integer a, i; dot(a, i, from + c + 1) ==
                  ADD(dot(a, i, from + c), MUL(q_at(a, from + c), k_at(a, i, from + c))); */
            /*@ assert others: \forall integer s, l;
                  0 <= s < n && s != r && 0 <= l < LANES ==>
                  bits(acc[cell(s, LANES, l)]) == bits(\at(acc[cell(s, LANES, l)], LoopCurrent)); */
        }
    }
}

/* The channels from c on of the rows AHEAD of n rows. */
/*@ requires some: n <= TILE && c < pitch;
    requires fits: off(AHEAD + n, pitch) <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
*/
NDL_PART void ask(const float *restrict rows, size_t pitch, size_t n, size_t c)
{
    /*@ loop invariant some: 0 <= r <= n;
        loop assigns r;
        loop variant n - r; */
    for (size_t r = 0; r < n; r++) {
        /*@ assert row: 0 <= off(AHEAD + r, pitch) &&
              off(AHEAD + r, pitch) + pitch <= off(AHEAD + n, pitch); */
        ndl_soon_f32(rows + ndl_at(AHEAD + r, pitch, c));
    }
}

/* The dot products of n <= TILE rows, RUN channels at a time; the rows AHEAD of them
 * are asked for if they are there. n is a constant where this is called. */
/*@ requires some: n <= TILE && 0 < width <= LANES && channels <= pitch;
    requires fits: off(n, pitch) <= SIZE_MAX && off(channels, width) + LANES <= SIZE_MAX;
    requires ahead: ahead ==> off(AHEAD + n, pitch) <= SIZE_MAX;
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
NDL_PART void add_tile(const float *restrict rows, size_t pitch, size_t n, bool ahead,
                       size_t channels, const float *restrict packed, size_t width,
                       float *restrict dots) /*@ ghost (size_t from) */
{
    float acc[TILE * LANES];
    size_t c = 0;

    /*@ assert all: off(n, LANES) == n * LANES; */
    /*@ loop invariant some: 0 <= k <= n * LANES;
        loop invariant copied: \forall integer e; 0 <= e < k ==>
          bits(acc[e]) == \at(bits(dots[e]), Pre);
        loop assigns k, acc[0 .. n * LANES - 1];
        loop variant n * LANES - k; */
    for (size_t k = 0; k < n * LANES; k++)
        acc[k] = dots[k];
    /*@ assert zero: off(0, width) == 0; */
    /*@ loop invariant some: 0 <= c <= channels;
        loop invariant ATT_001: dots: \forall integer a, i, r, l; 0 <= r < n && 0 <= l < width &&
          is_key{Pre}(rows + off(r, pitch), a, i, from, from + channels) &&
          is_query{Pre}(packed, width, l, a, from, from + channels) &&
          \at(bits(dots[cell(r, LANES, l)]), Pre) == dot(a, i, from) ==>
          bits(acc[cell(r, LANES, l)]) == dot(a, i, from + c);
        loop assigns c, acc[0 .. n * LANES - 1];
        loop variant channels - c; */
    for (; channels - c >= RUN; c += RUN) {
        if (ahead)
            ask(rows, pitch, n, c);
        /*@ assert place: 0 <= off(c, width) &&
              off(c, width) + off(RUN, width) <= off(channels, width); */
        /*@ assert rows: n > 0 ==> kept{Pre, Here}(rows, 0, off(n - 1, pitch) + channels); */
        /*@ assert places: \forall integer r; 0 <= r < n ==>
              0 <= off(r, pitch) <= off(n - 1, pitch); */
        /*@ assert key: \forall integer a, i, r; 0 <= r < n &&
              is_key{Pre}(rows + off(r, pitch), a, i, from, from + channels) ==>
              is_key(rows + c + off(r, pitch), a, i, from + c, from + c + RUN); */
        /*@ assert query: \forall integer a, l; 0 <= l < width &&
              is_query{Pre}(packed, width, l, a, from, from + channels) ==>
              is_query(packed + off(c, width), width, l, a, from + c, from + c + RUN); */
        add_channels(rows + c, pitch, n, RUN, packed + ndl_at(c, width, 0), width,
                     acc) /*@ ghost (from + c) */;
    }
    /*@ assert place: 0 <= off(c, width) &&
          off(c, width) + off(channels - c, width) <= off(channels, width); */
    /*@ assert rows: n > 0 ==> kept{Pre, Here}(rows, 0, off(n - 1, pitch) + channels); */
    /*@ assert places: \forall integer r; 0 <= r < n ==>
          0 <= off(r, pitch) <= off(n - 1, pitch); */
    /*@ assert key: \forall integer a, i, r; 0 <= r < n &&
          is_key{Pre}(rows + off(r, pitch), a, i, from, from + channels) ==>
          is_key(rows + c + off(r, pitch), a, i, from + c, from + channels); */
    /*@ assert query: \forall integer a, l; 0 <= l < width &&
          is_query{Pre}(packed, width, l, a, from, from + channels) ==>
          is_query(packed + off(c, width), width, l, a, from + c, from + channels); */
    add_channels(rows + c, pitch, n, channels - c, packed + ndl_at(c, width, 0), width,
                 acc) /*@ ghost (from + c) */;
    /*@ loop invariant some: 0 <= k <= n * LANES;
        loop invariant copied: \forall integer e; 0 <= e < k ==> bits(dots[e]) == bits(acc[e]);
        loop assigns k, dots[0 .. n * LANES - 1];
        loop variant n * LANES - k; */
    for (size_t k = 0; k < n * LANES; k++)
        dots[k] = acc[k];
}

NDL_LEVELS
void ndl_add_dots(const float *restrict rows, size_t pitch, size_t n, size_t left, size_t channels,
                  const float *restrict packed, size_t width,
                  float *restrict dots) /*@ ghost (size_t from) */
{
    size_t i = 0;

    /*@ loop invariant some: 0 <= i <= n;
        loop invariant ATT_001: done: \forall integer a, p, r, l; 0 <= r < i && 0 <= l < width &&
          is_key{Pre}(rows + off(r, pitch), a, p, from, from + channels) &&
          is_query{Pre}(packed, width, l, a, from, from + channels) &&
          \at(bits(dots[cell(r, LANES, l)]), Pre) == dot(a, p, from) ==>
          bits(dots[cell(r, LANES, l)]) == dot(a, p, from + channels);
        loop invariant rest: kept{Pre, Here}(dots, off(i, LANES), off(n, LANES));
        loop assigns i, dots[0 .. off(n, LANES) - 1];
        loop variant n - i; */
    for (; n - i >= TILE; i += TILE) {
        /*@ assert part: 0 <= off(i, pitch) && off(i, pitch) + off(TILE, pitch) <= off(n, pitch); */
        /*@ assert last: off(i, pitch) + off(TILE - 1, pitch) <= off(n - 1, pitch); */
        /*@ assert fits: off(n - 1, pitch) + pitch <= off(n, pitch) <= off(left, pitch); */
        /*@ assert ahead: i + AHEAD + TILE <= left ==>
              off(AHEAD + TILE, pitch) <= off(left, pitch); */
        /*@ assert sum: \forall integer r, l; i <= r < i + TILE ==>
              off(i, pitch) + off(r - i, pitch) == off(r, pitch) &&
              off(i, LANES) + cell(r - i, LANES, l) == cell(r, LANES, l); */
        /*@ assert rows: kept{Pre, Here}(rows, 0, off(n - 1, pitch) + channels); */
        /*@ assert places: \forall integer r; 0 <= r < n ==>
              0 <= off(r, pitch) <= off(n - 1, pitch); */
        /*@ assert key: \forall integer a, p, r; i <= r < i + TILE &&
              is_key{Pre}(rows + off(r, pitch), a, p, from, from + channels) ==>
              is_key(rows + off(i, pitch) + off(r - i, pitch), a, p, from, from + channels); */
        /*@ assert old: \forall integer r, l; i <= r < i + TILE && 0 <= l < width ==>
              bits(dots[off(i, LANES) + cell(r - i, LANES, l)]) ==
              \at(bits(dots[cell(r, LANES, l)]), Pre); */
        /*@ assert query: \forall integer a, l; 0 <= l < width &&
              is_query{Pre}(packed, width, l, a, from, from + channels) ==>
              is_query(packed, width, l, a, from, from + channels); */
        add_tile(rows + ndl_at(i, pitch, 0), pitch, TILE, left - i >= AHEAD + TILE, channels,
                 packed, width, dots + ndl_at(i, LANES, 0)) /*@ ghost (from) */;
        /*@ assert new: \forall integer a, p, r, l; i <= r < i + TILE && 0 <= l < width &&
              is_key{Pre}(rows + off(r, pitch), a, p, from, from + channels) &&
              is_query{Pre}(packed, width, l, a, from, from + channels) &&
              \at(bits(dots[cell(r, LANES, l)]), Pre) == dot(a, p, from) ==>
              bits(dots[cell(r, LANES, l)]) == dot(a, p, from + channels); */
    }
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant ATT_001: done: \forall integer a, p, r, l; 0 <= r < i && 0 <= l < width &&
          is_key{Pre}(rows + off(r, pitch), a, p, from, from + channels) &&
          is_query{Pre}(packed, width, l, a, from, from + channels) &&
          \at(bits(dots[cell(r, LANES, l)]), Pre) == dot(a, p, from) ==>
          bits(dots[cell(r, LANES, l)]) == dot(a, p, from + channels);
        loop invariant rest: kept{Pre, Here}(dots, off(i, LANES), off(n, LANES));
        loop assigns i, dots[0 .. off(n, LANES) - 1];
        loop variant n - i; */
    for (; i < n; i++) {
        /*@ assert part: 0 <= off(i, pitch) && off(i, pitch) + off(1, pitch) <= off(n, pitch); */
        /*@ assert last: off(i, pitch) + off(1 - 1, pitch) <= off(n - 1, pitch); */
        /*@ assert fits: off(n - 1, pitch) + pitch <= off(n, pitch) <= off(left, pitch); */
        /*@ assert sum: \forall integer r, l; i <= r < i + 1 ==>
              off(i, pitch) + off(r - i, pitch) == off(r, pitch) &&
              off(i, LANES) + cell(r - i, LANES, l) == cell(r, LANES, l); */
        /*@ assert rows: kept{Pre, Here}(rows, 0, off(n - 1, pitch) + channels); */
        /*@ assert places: \forall integer r; 0 <= r < n ==>
              0 <= off(r, pitch) <= off(n - 1, pitch); */
        /*@ assert key: \forall integer a, p, r; i <= r < i + 1 &&
              is_key{Pre}(rows + off(r, pitch), a, p, from, from + channels) ==>
              is_key(rows + off(i, pitch) + off(r - i, pitch), a, p, from, from + channels); */
        /*@ assert old: \forall integer r, l; i <= r < i + 1 && 0 <= l < width ==>
              bits(dots[off(i, LANES) + cell(r - i, LANES, l)]) ==
              \at(bits(dots[cell(r, LANES, l)]), Pre); */
        /*@ assert query: \forall integer a, l; 0 <= l < width &&
              is_query{Pre}(packed, width, l, a, from, from + channels) ==>
              is_query(packed, width, l, a, from, from + channels); */
        add_tile(rows + ndl_at(i, pitch, 0), pitch, 1, false, channels, packed, width,
                 dots + ndl_at(i, LANES, 0)) /*@ ghost (from) */;
        /*@ assert new: \forall integer a, p, r, l; i <= r < i + 1 && 0 <= l < width &&
              is_key{Pre}(rows + off(r, pitch), a, p, from, from + channels) &&
              is_query{Pre}(packed, width, l, a, from, from + channels) &&
              \at(bits(dots[cell(r, LANES, l)]), Pre) == dot(a, p, from) ==>
              bits(dots[cell(r, LANES, l)]) == dot(a, p, from + channels); */
    }
}

/* Move n rows of LANES together: of each only the first `width`, a constant
 * where this is called, so that a row is moved at once. */
/*@ requires some: n <= CHUNK && 0 < width <= LANES;
    requires from: \valid_read(from + (0 .. off(n, LANES) - 1));
    requires to: \valid(to + (0 .. off(n, width) - 1));
    requires apart: \separated(to + (0 .. off(n, width) - 1), from + (0 .. off(n, LANES) - 1));
    terminates \true;
    exits \false;
    assigns to[0 .. off(n, width) - 1];
    ensures ATT_001: packed: \forall integer i, l; 0 <= i < n && 0 <= l < width ==>
      bits(to[cell(i, width, l)]) == \old(bits(from[cell(i, LANES, l)]));
*/
NDL_PART void pack_rows(const float *restrict from, size_t n, size_t width, float *restrict to)
{
    /*@ assert fits: off(n, width) <= off(n, LANES); */
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant ATT_001: packed: \forall integer r, l; 0 <= r < i && 0 <= l < width ==>
          bits(to[cell(r, width, l)]) == \at(bits(from[cell(r, LANES, l)]), Pre);
        loop assigns i, to[0 .. off(n, width) - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        /*@ assert row: 0 <= off(i, width) && off(i, width) + width <= off(n, width); */
        /*@ assert rows: \forall integer r; 0 <= r < i ==>
              0 <= off(r, width) && off(r, width) + width <= off(i, width); */

        /*@ loop invariant some: 0 <= l <= width;
            loop invariant ATT_001: packed: \forall integer r, k; 0 <= r < i && 0 <= k < width ==>
              bits(to[cell(r, width, k)]) == \at(bits(from[cell(r, LANES, k)]), Pre);
            loop invariant ATT_001: row: \forall integer r, k; i <= r <= i && 0 <= k < l ==>
              bits(to[cell(r, width, k)]) == \at(bits(from[cell(r, LANES, k)]), Pre);
            loop assigns l, to[off(i, width) .. off(i, width) + width - 1];
            loop variant width - l; */
        for (size_t l = 0; l < width; l++)
            to[ndl_at(i, width, l)] = from[ndl_at(i, LANES, l)];
    }
}

/*@ requires some: n <= CHUNK && 0 < width <= LANES;
    requires from: \valid_read(from + (0 .. off(n, LANES) - 1));
    requires to: \valid(to + (0 .. off(n, width) - 1));
    requires apart: \separated(to + (0 .. off(n, width) - 1), from + (0 .. off(n, LANES) - 1));
    terminates \true;
    exits \false;
    assigns to[0 .. off(n, width) - 1];
    ensures ATT_001: packed: \forall integer i, l; 0 <= i < n && 0 <= l < width ==>
      bits(to[cell(i, width, l)]) == \old(bits(from[cell(i, LANES, l)]));
*/
NDL_PART void pack_scores(const float *restrict from, size_t n, size_t width, float *restrict to)
{
    switch (width) {
    case 1:
        pack_rows(from, n, 1, to);
        break;
    case 2:
        pack_rows(from, n, 2, to);
        break;
    case 3:
        pack_rows(from, n, 3, to);
        break;
    case 4:
        pack_rows(from, n, 4, to);
        break;
    case 5:
        pack_rows(from, n, 5, to);
        break;
    case 6:
        pack_rows(from, n, 6, to);
        break;
    case 7:
        pack_rows(from, n, 7, to);
        break;
    default:
        pack_rows(from, n, LANES, to);
        break;
    }
}

NDL_LEVELS
void ndl_put_scores(float *restrict dots, const float *restrict scales, float s, size_t n,
                    size_t width, float *restrict scores,
                    float *restrict max) /*@ ghost (size_t first) */
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant ATT_001: scaled: \forall integer r, l; 0 <= r < i && 0 <= l < LANES ==>
          bits(dots[cell(r, LANES, l)]) == MUL(MUL(\at(bits(dots[cell(r, LANES, l)]), Pre),
                                                   \at(bits(scales[r]), Pre)), bits(s));
        loop invariant rest: kept{Pre, Here}(dots, off(i, LANES), off(n, LANES));
        loop invariant scales: kept{Pre, Here}(scales, 0, n);
        loop invariant ATT_001: max: \forall integer a, l; 0 <= l < LANES &&
          are_scores{Pre}(dots, scales, s, l, a, first, n) &&
          \at(bits(max[l]), Pre) == most(a, first) ==> bits(max[l]) == most(a, first + i);
        loop assigns i, dots[0 .. off(n, LANES) - 1], max[0 .. LANES - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        float *row = dots + ndl_at(i, LANES, 0);
        /*@ assert place: row == dots + off(i, LANES); */
        /*@ assert in: 0 <= off(i, LANES) && off(i, LANES) + LANES <= off(n, LANES); */

        /*@ loop invariant some: 0 <= l <= LANES;
            loop invariant ATT_001: scaled: \forall integer r, k; 0 <= r < i && 0 <= k < LANES ==>
              bits(dots[cell(r, LANES, k)]) == MUL(MUL(\at(bits(dots[cell(r, LANES, k)]), Pre),
                                                       \at(bits(scales[r]), Pre)), bits(s));
            loop invariant ATT_001: row: \forall integer r, k; i <= r <= i && 0 <= k < l ==>
              bits(dots[cell(r, LANES, k)]) == MUL(MUL(\at(bits(dots[cell(r, LANES, k)]), Pre),
                                                       \at(bits(scales[r]), Pre)), bits(s));
            loop invariant rest: kept{Pre, Here}(dots, off(i, LANES) + l, off(n, LANES));
            loop invariant scales: kept{Pre, Here}(scales, 0, n);
            loop invariant ATT_001: done: \forall integer a, k; 0 <= k < l &&
              are_scores{Pre}(dots, scales, s, k, a, first, n) &&
              \at(bits(max[k]), Pre) == most(a, first) ==> bits(max[k]) == most(a, first + i + 1);
            loop invariant ATT_001: max: \forall integer a, k; l <= k < LANES &&
              are_scores{Pre}(dots, scales, s, k, a, first, n) &&
              \at(bits(max[k]), Pre) == most(a, first) ==> bits(max[k]) == most(a, first + i);
            loop assigns l, dots[off(i, LANES) .. off(i, LANES) + LANES - 1],
              max[0 .. LANES - 1];
            loop variant LANES - l; */
        NDL_LANES
        for (size_t l = 0; l < LANES; l++) {
            /*@ assert cell: cell(i, LANES, l) == off(i, LANES) + l; */
            row[l] = ndl_mul(ndl_mul(row[l], scales[i]), s);
            max[l] = ndl_greater(max[l], row[l]);
            /*@ assert new: \forall integer r, k; i <= r <= i && l <= k <= l ==>
                  bits(dots[cell(r, LANES, k)]) ==
                  MUL(MUL(\at(bits(dots[cell(r, LANES, k)]), Pre), \at(bits(scales[r]), Pre)),
                      bits(s)); */
            /*@ assert score: \forall integer a, k; l <= k <= l &&
                  are_scores{Pre}(dots, scales, s, k, a, first, n) ==>
                  bits(dots[cell(i, LANES, k)]) == score(a, first + i); */
            /*@ assert next: \forall integer a; most(a, first + i + 1) ==
                  GREATER(most(a, first + i), score(a, first + i)); */
            /*@ assert largest: \forall integer a, k; l <= k <= l &&
                  are_scores{Pre}(dots, scales, s, k, a, first, n) &&
                  \at(bits(max[k]), Pre) == most(a, first) ==>
                  bits(max[k]) == most(a, first + i + 1); */
        }
    }
    pack_scores(dots, n, width, scores);
}
