/* Values: channels are lanes here. The sums of HEADS heads for COLUMNS channels
 * stay in registers, of every machine, while the rows of a chunk go by, and those
 * of MANY heads where there is room for them; an element takes its positions in
 * order.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"
#include "registers.h"
#include "soon.h"

#include <stdbool.h>

#define HEADS 3
#define MANY 6
#define COLUMNS RUN

NDL_LEVELS
void ndl_put_weights(const float *restrict e, const float *restrict inv,
                     const float *restrict scales, size_t n, size_t width, float *restrict weights)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant ATT_001: weights: \forall integer r, l; 0 <= r < i && 0 <= l < width ==>
          bits(weights[cell(r, LANES, l)]) == MUL(MUL(\at(bits(e[cell(r, width, l)]), Pre),
                                                      \at(bits(inv[l]), Pre)),
                                                  \at(bits(scales[r]), Pre));
        loop invariant e: kept{Pre, Here}(e, 0, off(n, width) + LANES);
        loop invariant inv: kept{Pre, Here}(inv, 0, LANES);
        loop invariant scales: kept{Pre, Here}(scales, 0, n);
        loop assigns i, weights[0 .. off(n, LANES) - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const float *row = e + ndl_at(i, width, 0);
        float *to = weights + ndl_at(i, LANES, 0);
        /*@ assert from: row == e + off(i, width) && 0 <= off(i, width) &&
              off(i, width) + width <= off(n, width); */
        /*@ assert to: to == weights + off(i, LANES) && 0 <= off(i, LANES) &&
              off(i, LANES) + LANES <= off(n, LANES); */

        /*@ loop invariant some: 0 <= l <= LANES;
            loop invariant ATT_001: weights: \forall integer r, k; 0 <= r < i && 0 <= k < width ==>
              bits(weights[cell(r, LANES, k)]) == MUL(MUL(\at(bits(e[cell(r, width, k)]), Pre),
                                                          \at(bits(inv[k]), Pre)),
                                                      \at(bits(scales[r]), Pre));
            loop invariant ATT_001: row: \forall integer r, k;
              i <= r <= i && 0 <= k < l && k < width ==>
              bits(weights[cell(r, LANES, k)]) == MUL(MUL(\at(bits(e[cell(r, width, k)]), Pre),
                                                          \at(bits(inv[k]), Pre)),
                                                      \at(bits(scales[r]), Pre));
            loop invariant e: kept{Pre, Here}(e, 0, off(n, width) + LANES);
            loop invariant inv: kept{Pre, Here}(inv, 0, LANES);
            loop invariant scales: kept{Pre, Here}(scales, 0, n);
            loop assigns l, weights[off(i, LANES) .. off(i, LANES) + LANES - 1];
            loop variant LANES - l; */
        NDL_LANES
        for (size_t l = 0; l < LANES; l++) {
            /*@ assert cell: cell(i, LANES, l) == off(i, LANES) + l &&
                  cell(i, width, l) == off(i, width) + l; */
            to[l] = ndl_mul(ndl_mul(row[l], inv[l]), scales[i]);
            /*@ assert new: \forall integer r, k; i <= r <= i && l <= k <= l && k < width ==>
                  bits(weights[cell(r, LANES, k)]) == MUL(MUL(\at(bits(e[cell(r, width, k)]), Pre),
                                                              \at(bits(inv[k]), Pre)),
                                                          \at(bits(scales[r]), Pre)); */
        }
    }
}

/* acc[at + k] + row[k] * weight. columns: a multiple of LANES, or less than LANES; a
 * constant where this is called. */
/*@ requires some: columns < LANES || columns == LANES || columns == COLUMNS;
    requires fits: at + columns <= SIZE_MAX;
    requires to: \valid(acc + (at .. at + columns - 1));
    requires from: \valid_read(row + (0 .. columns - 1));
    requires apart: \separated(acc + (at .. at + columns - 1), row + (0 .. columns - 1));
    terminates \true;
    exits \false;
    assigns acc[at .. at + columns - 1];
    ensures ATT_001: sum: \forall integer e; at <= e < at + columns ==>
      bits(acc[e]) == ADD(\old(bits(acc[e])), MUL(bits(row[e - at]), bits(weight)));
*/
NDL_PART void columns_mac(float *restrict acc, size_t at, const float *restrict row, float weight,
                          size_t columns)
{
    if (columns < LANES)
        /*@ loop invariant some: 0 <= k <= columns;
            loop invariant ATT_001: sum: \forall integer e; at <= e < at + k ==>
              bits(acc[e]) == ADD(\at(bits(acc[e]), Pre), MUL(bits(row[e - at]), bits(weight)));
            loop invariant rest: kept{Pre, Here}(acc, at + k, at + columns);
            loop assigns k, acc[at .. at + columns - 1];
            loop variant columns - k; */
        for (size_t k = 0; k < columns; k++)
            acc[at + k] = ndl_mac(acc[at + k], row[k], weight);
    else
        /*@ loop invariant some: 0 <= k <= columns && (k == 0 || k == LANES || k == COLUMNS);
            loop invariant ATT_001: sum: \forall integer e; at <= e < at + k ==>
              bits(acc[e]) == ADD(\at(bits(acc[e]), Pre), MUL(bits(row[e - at]), bits(weight)));
            loop invariant rest: kept{Pre, Here}(acc, at + k, at + columns);
            loop assigns k, acc[at .. at + columns - 1];
            loop variant columns - k; */
        for (size_t k = 0; k < columns; k += LANES)
            lanes_mac(acc + at + k, row + k, weight);
}

/* The sums of `heads` heads, dim apart, for `columns` channels; the weights of a row
 * are next to each other. The row AHEAD of each is asked for if it is there. heads
 * and columns are constants where this is called. */
/*@ requires some: n <= CHUNK && heads <= MANY && columns <= pitch && columns <= dim;
    requires columns: 0 < columns < LANES || columns == LANES || columns == COLUMNS;
    requires fits: off(n, pitch) <= SIZE_MAX && off(heads, dim) <= SIZE_MAX;
    requires ahead: ahead ==> off(AHEAD + n, pitch) <= SIZE_MAX;
    requires rows: n > 0 ==> \valid_read(rows + (0 .. off(n - 1, pitch) + columns - 1));
    requires from: n > 0 ==> \valid_read(weights + (0 .. off(n - 1, LANES) + heads - 1));
    requires to: heads > 0 ==> \valid(sums + (0 .. off(heads - 1, dim) + columns - 1));
    requires apart: n > 0 && heads > 0 ==>
      \separated(sums + (0 .. off(heads - 1, dim) + columns - 1),
                 rows + (0 .. off(n - 1, pitch) + columns - 1));
    requires apart: n > 0 && heads > 0 ==>
      \separated(sums + (0 .. off(heads - 1, dim) + columns - 1),
                 weights + (0 .. off(n - 1, LANES) + heads - 1));
    requires positions: first + n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns sums[0 .. off(heads - 1, dim) + columns - 1];
    ensures ATT_001: sums: \forall integer a, h, k, d; 0 <= h < heads && 0 <= k < columns &&
      are_values{Pre}(rows, pitch, k, a, d, first, n) &&
      are_weights{Pre}(weights, h, a, first, n) &&
      \old(bits(sums[cell(h, dim, k)])) == mixed(a, d, first) ==>
      bits(sums[cell(h, dim, k)]) == mixed(a, d, first + n);
    ensures ATT_001: others: \forall integer h, k; 0 <= h < heads - 1 && columns <= k < dim ==>
      bits(sums[cell(h, dim, k)]) == \old(bits(sums[cell(h, dim, k)]));
*/
NDL_PART void add_strip(const float *restrict rows, size_t pitch, size_t n, bool ahead,
                        const float *restrict weights, size_t heads, size_t columns,
                        float *restrict sums, size_t dim) /*@ ghost (size_t first) */
{
    float acc[MANY * COLUMNS];

    /*@ assert room: off(heads, columns) <= MANY * COLUMNS; */
    /*@ assert places: \forall integer h; 0 <= h < heads ==>
          0 <= off(h, dim) <= off(heads - 1, dim) &&
          0 <= off(h, columns) && off(h, columns) + columns <= off(heads, columns); */
    /*@ assert end: heads > 0 ==> off(heads - 1, dim) + dim <= off(heads, dim); */
    /*@ assert apart: \forall integer g, h; 0 <= g < h < heads ==>
          off(g, dim) + dim <= off(h, dim) && off(g, columns) + columns <= off(h, columns); */
    /*@ loop invariant some: 0 <= h <= heads;
        loop invariant ATT_001: taken: \forall integer g, k; 0 <= g < h && 0 <= k < columns ==>
          bits(acc[cell(g, columns, k)]) == \at(bits(sums[cell(g, dim, k)]), Pre);
        loop assigns h, acc[0 .. MANY * COLUMNS - 1];
        loop variant heads - h; */
    for (size_t h = 0; h < heads; h++)
        /*@ loop invariant some: 0 <= k <= columns;
            loop invariant ATT_001: taken: \forall integer g, j; 0 <= g < h && 0 <= j < columns ==>
              bits(acc[cell(g, columns, j)]) == \at(bits(sums[cell(g, dim, j)]), Pre);
            loop invariant ATT_001: row: \forall integer g, j; h <= g <= h && 0 <= j < k ==>
              bits(acc[cell(g, columns, j)]) == \at(bits(sums[cell(g, dim, j)]), Pre);
            loop assigns k, acc[off(h, columns) .. off(h, columns) + columns - 1];
            loop variant columns - k; */
        for (size_t k = 0; k < columns; k++)
            acc[ndl_at(h, columns, k)] = sums[ndl_at(h, dim, k)];
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant ATT_001: sums: \forall integer a, h, k, d;
          0 <= h < heads && 0 <= k < columns &&
          are_values{Pre}(rows, pitch, k, a, d, first, n) &&
          are_weights{Pre}(weights, h, a, first, n) &&
          \at(bits(sums[cell(h, dim, k)]), Pre) == mixed(a, d, first) ==>
          bits(acc[cell(h, columns, k)]) == mixed(a, d, first + i);
        loop assigns i, acc[0 .. MANY * COLUMNS - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        /*@ assert row: 0 <= off(i, pitch) <= off(n - 1, pitch); */
        /*@ assert fits: off(n - 1, pitch) + pitch <= off(n, pitch); */
        /*@ assert ahead: ahead ==> 0 <= off(AHEAD + i, pitch) <= off(AHEAD + n, pitch); */
        /*@ assert weights: 0 <= off(i, LANES) <= off(n - 1, LANES); */
        if (ahead)
            ndl_soon_f32(rows + ndl_at(AHEAD + i, pitch, 0));
        /*@ loop invariant some: 0 <= h <= heads;
            loop invariant ATT_001: done: \forall integer a, g, k, d;
              0 <= g < h && 0 <= k < columns &&
              are_values{Pre}(rows, pitch, k, a, d, first, n) &&
              are_weights{Pre}(weights, g, a, first, n) &&
              \at(bits(sums[cell(g, dim, k)]), Pre) == mixed(a, d, first) ==>
              bits(acc[cell(g, columns, k)]) == mixed(a, d, first + i + 1);
            loop invariant ATT_001: rest: \forall integer a, g, k, d;
              h <= g < heads && 0 <= k < columns &&
              are_values{Pre}(rows, pitch, k, a, d, first, n) &&
              are_weights{Pre}(weights, g, a, first, n) &&
              \at(bits(sums[cell(g, dim, k)]), Pre) == mixed(a, d, first) ==>
              bits(acc[cell(g, columns, k)]) == mixed(a, d, first + i);
            loop assigns h, acc[0 .. MANY * COLUMNS - 1];
            loop variant heads - h; */
        for (size_t h = 0; h < heads; h++) {
            /*@ assert cell: cell(i, LANES, h) == off(i, LANES) + h; */
            /*@ assert value: \forall integer a, k, d; 0 <= k < columns &&
                  are_values{Pre}(rows, pitch, k, a, d, first, n) ==>
                  bits(rows[cell(i, pitch, k)]) == v_at(a, first + i, d); */
            /*@ assert weight: \forall integer a; are_weights{Pre}(weights, h, a, first, n) ==>
                  bits(weights[cell(i, LANES, h)]) == weight(a, first + i); */
            columns_mac(acc, ndl_at(h, columns, 0), rows + ndl_at(i, pitch, 0),
                        weights[ndl_at(i, LANES, h)], columns);
            /*@ assert value: \forall integer a, k, d; 0 <= k < columns &&
                  are_values{Pre}(rows, pitch, k, a, d, first, n) ==>
                  bits(rows[cell(i, pitch, k)]) == v_at(a, first + i, d); */
            /*@ assert added: \forall integer k; 0 <= k < columns ==>
                  bits(acc[cell(h, columns, k)]) ==
                  ADD(bits(\at(acc[cell(h, columns, k)], LoopCurrent)),
                      MUL(bits(rows[cell(i, pitch, k)]),
                          bits(\at(weights[cell(i, LANES, h)], LoopCurrent)))); */
            /*@ assert others: \forall integer g, k;
                  0 <= g < heads && g != h && 0 <= k < columns ==>
                  bits(acc[cell(g, columns, k)]) ==
                  bits(\at(acc[cell(g, columns, k)], LoopCurrent)); */
            /*@ assert next: \forall integer a, d; mixed(a, d, first + i + 1) ==
                  ADD(mixed(a, d, first + i), MUL(v_at(a, first + i, d), weight(a, first + i))); */
        }
    }
    /*@ loop invariant some: 0 <= h <= heads;
        loop invariant ATT_001: put: \forall integer g, k; 0 <= g < h && 0 <= k < columns ==>
          bits(sums[cell(g, dim, k)]) == bits(acc[cell(g, columns, k)]);
        loop invariant ATT_001: others: \forall integer g, k;
          0 <= g < heads - 1 && columns <= k < dim ==>
          bits(sums[cell(g, dim, k)]) == \at(bits(sums[cell(g, dim, k)]), Pre);
        loop assigns h, sums[0 .. off(heads - 1, dim) + columns - 1];
        loop variant heads - h; */
    for (size_t h = 0; h < heads; h++)
        /*@ loop invariant some: 0 <= k <= columns;
            loop invariant ATT_001: put: \forall integer g, j; 0 <= g < h && 0 <= j < columns ==>
              bits(sums[cell(g, dim, j)]) == bits(acc[cell(g, columns, j)]);
            loop invariant ATT_001: row: \forall integer g, j; h <= g <= h && 0 <= j < k ==>
              bits(sums[cell(g, dim, j)]) == bits(acc[cell(g, columns, j)]);
            loop invariant ATT_001: others: \forall integer g, j;
              0 <= g < heads - 1 && columns <= j < dim ==>
              bits(sums[cell(g, dim, j)]) == \at(bits(sums[cell(g, dim, j)]), Pre);
            loop assigns k, sums[off(h, dim) .. off(h, dim) + columns - 1];
            loop variant columns - k; */
        for (size_t k = 0; k < columns; k++)
            sums[ndl_at(h, dim, k)] = acc[ndl_at(h, columns, k)];
}

/* Heads of a pack from h on, `step` at a time, as long as there are so many; the head
 * after them. The first head asks. */
/*@ requires some: n <= CHUNK && 0 < step <= MANY && h <= width <= LANES && columns <= pitch &&
      columns <= dim;
    requires columns: 0 < columns < LANES || columns == LANES || columns == COLUMNS;
    requires fits: off(n, pitch) <= SIZE_MAX && off(width, dim) <= SIZE_MAX;
    requires ahead: ahead ==> off(AHEAD + n, pitch) <= SIZE_MAX;
    requires rows: n > 0 ==> \valid_read(rows + (0 .. off(n - 1, pitch) + columns - 1));
    requires from: n > 0 ==> \valid_read(weights + (0 .. off(n - 1, LANES) + width - 1));
    requires to: width > 0 ==> \valid(sums + (0 .. off(width - 1, dim) + columns - 1));
    requires apart: n > 0 && width > 0 ==>
      \separated(sums + (0 .. off(width - 1, dim) + columns - 1),
                 rows + (0 .. off(n - 1, pitch) + columns - 1));
    requires apart: n > 0 && width > 0 ==>
      \separated(sums + (0 .. off(width - 1, dim) + columns - 1),
                 weights + (0 .. off(n - 1, LANES) + width - 1));
    requires positions: first + n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns sums[0 .. off(width - 1, dim) + columns - 1];
    ensures next: h <= \result <= width && width - \result < step;
    ensures ATT_001: sums: \forall integer a, g, k, d;
      h <= g < \result && 0 <= k < columns &&
      are_values{Pre}(rows, pitch, k, a, d, first, n) &&
      are_weights{Pre}(weights, g, a, first, n) &&
      \old(bits(sums[cell(g, dim, k)])) == mixed(a, d, first) ==>
      bits(sums[cell(g, dim, k)]) == mixed(a, d, first + n);
    ensures ATT_001: rest: \forall integer g, k;
      0 <= g < width && (g < h || \result <= g) && 0 <= k < columns ==>
      bits(sums[cell(g, dim, k)]) == \old(bits(sums[cell(g, dim, k)]));
    ensures ATT_001: others: \forall integer g, k; 0 <= g < width - 1 && columns <= k < dim ==>
      bits(sums[cell(g, dim, k)]) == \old(bits(sums[cell(g, dim, k)]));
*/
NDL_PART size_t add_heads(const float *restrict rows, size_t pitch, size_t n, bool ahead,
                          const float *restrict weights, size_t width, size_t h, size_t step,
                          size_t columns, float *restrict sums,
                          size_t dim) /*@ ghost (size_t first) */
{
    /*@ loop invariant some: \at(h, Pre) <= h <= width;
        loop invariant ATT_001: done: \forall integer a, g, k, d;
          \at(h, Pre) <= g < h && 0 <= k < columns &&
          are_values{Pre}(rows, pitch, k, a, d, first, n) &&
          are_weights{Pre}(weights, g, a, first, n) &&
          \at(bits(sums[cell(g, dim, k)]), Pre) == mixed(a, d, first) ==>
          bits(sums[cell(g, dim, k)]) == mixed(a, d, first + n);
        loop invariant rest: \forall integer g, k;
          0 <= g < width && (g < \at(h, Pre) || h <= g) && 0 <= k < columns ==>
          bits(sums[cell(g, dim, k)]) == \at(bits(sums[cell(g, dim, k)]), Pre);
        loop invariant ATT_001: others: \forall integer g, k;
          0 <= g < width - 1 && columns <= k < dim ==>
          bits(sums[cell(g, dim, k)]) == \at(bits(sums[cell(g, dim, k)]), Pre);
        loop assigns h, sums[0 .. off(width - 1, dim) + columns - 1];
        loop variant width - h; */
    for (; width - h >= step; h += step) {
        /*@ assert part: 0 <= off(h, dim) && off(h, dim) + off(step, dim) <= off(width, dim); */
        /*@ assert last: off(h, dim) + off(step - 1, dim) <= off(width - 1, dim); */
        /*@ assert sum: \forall integer g, k; h <= g < h + step ==>
              off(h, dim) + cell(g - h, dim, k) == cell(g, dim, k); */
        /*@ assert apart: \forall integer g; 0 <= g < h ==> 0 <= off(g, dim) &&
              off(g, dim) + dim <= off(h, dim); */
        /*@ assert behind: \forall integer g; h + step <= g ==>
              off(h, dim) + off(step - 1, dim) + dim <= off(g, dim); */
        /*@ assert rows: n > 0 ==> kept{Pre, Here}(rows, 0, off(n - 1, pitch) + columns); */
        /*@ assert weights: n > 0 ==> kept{Pre, Here}(weights, 0, off(n - 1, LANES) + width); */
        /*@ assert places: \forall integer i; 0 <= i < n ==>
              0 <= off(i, pitch) <= off(n - 1, pitch); */
        /*@ assert value: \forall integer a, k, d; 0 <= k < columns &&
              are_values{Pre}(rows, pitch, k, a, d, first, n) ==>
              are_values(rows, pitch, k, a, d, first, n); */
        /*@ assert weight: \forall integer a, g; h <= g < h + step &&
              are_weights{Pre}(weights, g, a, first, n) ==>
              are_weights(weights + h, g - h, a, first, n); */
        /*@ assert old: \forall integer g, k; h <= g < h + step && 0 <= k < columns ==>
              bits(sums[off(h, dim) + cell(g - h, dim, k)]) ==
              \at(bits(sums[cell(g, dim, k)]), Pre); */
        /*@ assert first: \forall integer g, k; h <= g < h + step - 1 && columns <= k < dim ==>
              bits(sums[off(h, dim) + cell(g - h, dim, k)]) ==
              \at(bits(sums[cell(g, dim, k)]), Pre); */
        add_strip(rows, pitch, n, ahead && h == 0, weights + h, step, columns,
                  sums + ndl_at(h, dim, 0), dim) /*@ ghost (first) */;
        /*@ assert new: \forall integer a, g, k, d;
              h <= g < h + step && 0 <= k < columns &&
              are_values{Pre}(rows, pitch, k, a, d, first, n) &&
              are_weights{Pre}(weights, g, a, first, n) &&
              \at(bits(sums[cell(g, dim, k)]), Pre) == mixed(a, d, first) ==>
              bits(sums[cell(g, dim, k)]) == mixed(a, d, first + n); */
    }
    return h;
}

/* All heads of a pack, `most` of them at a time; the first of them ask. */
/*@ requires some: n <= CHUNK && 0 < most <= MANY && width <= LANES && columns <= pitch &&
      columns <= dim;
    requires columns: 0 < columns < LANES || columns == LANES || columns == COLUMNS;
    requires fits: off(n, pitch) <= SIZE_MAX && off(width, dim) <= SIZE_MAX;
    requires ahead: ahead ==> off(AHEAD + n, pitch) <= SIZE_MAX;
    requires rows: n > 0 ==> \valid_read(rows + (0 .. off(n - 1, pitch) + columns - 1));
    requires from: n > 0 ==> \valid_read(weights + (0 .. off(n - 1, LANES) + width - 1));
    requires to: width > 0 ==> \valid(sums + (0 .. off(width - 1, dim) + columns - 1));
    requires apart: n > 0 && width > 0 ==>
      \separated(sums + (0 .. off(width - 1, dim) + columns - 1),
                 rows + (0 .. off(n - 1, pitch) + columns - 1));
    requires apart: n > 0 && width > 0 ==>
      \separated(sums + (0 .. off(width - 1, dim) + columns - 1),
                 weights + (0 .. off(n - 1, LANES) + width - 1));
    requires positions: first + n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns sums[0 .. off(width - 1, dim) + columns - 1];
    ensures ATT_001: sums: \forall integer a, h, k, d; 0 <= h < width && 0 <= k < columns &&
      are_values{Pre}(rows, pitch, k, a, d, first, n) &&
      are_weights{Pre}(weights, h, a, first, n) &&
      \old(bits(sums[cell(h, dim, k)])) == mixed(a, d, first) ==>
      bits(sums[cell(h, dim, k)]) == mixed(a, d, first + n);
    ensures ATT_001: others: \forall integer h, k; 0 <= h < width - 1 && columns <= k < dim ==>
      bits(sums[cell(h, dim, k)]) == \old(bits(sums[cell(h, dim, k)]));
*/
NDL_PART void add_columns(const float *restrict rows, size_t pitch, size_t n, bool ahead,
                          const float *restrict weights, size_t width, size_t most, size_t columns,
                          float *restrict sums, size_t dim) /*@ ghost (size_t first) */
{
    const size_t many = add_heads(rows, pitch, n, ahead, weights, width, 0, most, columns, sums,
                                  dim) /*@ ghost (first) */;
    /*@ assert rows: n > 0 && width > 0 ==>
          kept{Pre, Here}(rows, 0, off(n - 1, pitch) + columns); */
    /*@ assert weights: n > 0 && width > 0 ==>
          kept{Pre, Here}(weights, 0, off(n - 1, LANES) + width); */
    /*@ assert places: \forall integer i; 0 <= i < n ==>
          0 <= off(i, pitch) <= off(n - 1, pitch); */
    /*@ assert value: \forall integer a, k, d; width > 0 && 0 <= k < columns &&
          are_values{Pre}(rows, pitch, k, a, d, first, n) ==>
          are_values(rows, pitch, k, a, d, first, n); */
    /*@ assert weight: \forall integer a, g; 0 <= g < width &&
          are_weights{Pre}(weights, g, a, first, n) ==>
          are_weights(weights, g, a, first, n); */
    const size_t some = add_heads(rows, pitch, n, ahead, weights, width, many, HEADS, columns, sums,
                                  dim) /*@ ghost (first) */;
    /*@ assert rows: n > 0 && width > 0 ==>
          kept{Pre, Here}(rows, 0, off(n - 1, pitch) + columns); */
    /*@ assert weights: n > 0 && width > 0 ==>
          kept{Pre, Here}(weights, 0, off(n - 1, LANES) + width); */
    /*@ assert places: \forall integer i; 0 <= i < n ==>
          0 <= off(i, pitch) <= off(n - 1, pitch); */
    /*@ assert value: \forall integer a, k, d; width > 0 && 0 <= k < columns &&
          are_values{Pre}(rows, pitch, k, a, d, first, n) ==>
          are_values(rows, pitch, k, a, d, first, n); */
    /*@ assert weight: \forall integer a, g; 0 <= g < width &&
          are_weights{Pre}(weights, g, a, first, n) ==>
          are_weights(weights, g, a, first, n); */
    (void)add_heads(rows, pitch, n, ahead, weights, width, some, 1, columns, sums,
                    dim) /*@ ghost (first) */;
}

/* The channels from c on, `columns` of them, of `channels`. */
/*@ requires some: n <= CHUNK && 0 < most <= MANY && width <= LANES && channels <= pitch &&
      channels <= dim;
    requires columns: 0 < columns < LANES || columns == LANES || columns == COLUMNS;
    requires part: c + columns <= channels;
    requires fits: off(n, pitch) <= SIZE_MAX && off(width, dim) <= SIZE_MAX;
    requires ahead: ahead ==> off(AHEAD + n, pitch) <= SIZE_MAX;
    requires rows: n > 0 ==> \valid_read(rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires from: \valid_read(weights + (0 .. off(n, LANES) - 1));
    requires to: width > 0 ==> \valid(sums + (0 .. off(width - 1, dim) + channels - 1));
    requires apart: n > 0 && width > 0 ==>
      \separated(sums + (0 .. off(width - 1, dim) + channels - 1),
                 rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires apart: width > 0 ==>
      \separated(sums + (0 .. off(width - 1, dim) + channels - 1),
                 weights + (0 .. off(n, LANES) - 1));
    requires positions: first + n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns sums[0 .. off(width - 1, dim) + channels - 1];
    ensures ATT_001: sums: \forall integer a, h, k, d; 0 <= h < width && c <= k < c + columns &&
      are_values{Pre}(rows, pitch, k, a, d, first, n) &&
      are_weights{Pre}(weights, h, a, first, n) &&
      \old(bits(sums[cell(h, dim, k)])) == mixed(a, d, first) ==>
      bits(sums[cell(h, dim, k)]) == mixed(a, d, first + n);
    ensures ATT_001: others: \forall integer h, k; 0 <= h < width && 0 <= k < dim &&
      (k < c || c + columns <= k && (k < channels || h < width - 1)) ==>
      bits(sums[cell(h, dim, k)]) == \old(bits(sums[cell(h, dim, k)]));
*/
NDL_PART void add_part(const float *restrict rows, size_t pitch, size_t n, bool ahead,
                       const float *restrict weights, size_t width, size_t most, size_t c,
                       size_t columns, float *restrict sums,
                       size_t dim) /*@ ghost (size_t channels, size_t first) */
{
    /*@ assert places: \forall integer i; 0 <= i < n ==>
          0 <= off(i, pitch) <= off(n - 1, pitch); */
    /*@ assert weights: n > 0 ==> off(n - 1, LANES) + LANES <= off(n, LANES); */
    /*@ assert sum: \forall integer h, k; c + cell(h, dim, k - c) == cell(h, dim, k); */
    /*@ assert turn: \forall integer h, k;
          c + cell(h - 1, dim, k - c + dim) == cell(h, dim, k); */
    /*@ assert heads: \forall integer h; 0 <= h < width ==>
          0 <= off(h, dim) <= off(width - 1, dim); */
    /*@ assert value: \forall integer a, k, d; c <= k < c + columns &&
          are_values{Pre}(rows, pitch, k, a, d, first, n) ==>
          are_values(rows + c, pitch, k - c, a, d, first, n); */
    /*@ assert old: \forall integer h, k; 0 <= h < width && c <= k < c + columns ==>
          bits(sums[c + cell(h, dim, k - c)]) == \at(bits(sums[cell(h, dim, k)]), Pre); */
    add_columns(rows + c, pitch, n, ahead, weights, width, most, columns, sums + c,
                dim) /*@ ghost (first) */;
    /*@ assert new: \forall integer a, h, k, d; 0 <= h < width && c <= k < c + columns &&
          are_values{Pre}(rows, pitch, k, a, d, first, n) &&
          are_weights{Pre}(weights, h, a, first, n) &&
          \at(bits(sums[cell(h, dim, k)]), Pre) == mixed(a, d, first) ==>
          bits(sums[c + cell(h, dim, k - c)]) == mixed(a, d, first + n); */
    /*@ assert behind: \forall integer h, k; 0 <= h < width - 1 && c + columns <= k < dim ==>
          bits(sums[cell(h, dim, k)]) == \at(bits(sums[cell(h, dim, k)]), Pre); */
    /*@ assert before: \forall integer h, k; 0 < h < width && 0 <= k < c ==>
          bits(sums[cell(h, dim, k)]) == \at(bits(sums[cell(h, dim, k)]), Pre); */
    /*@ assert first: \forall integer h, k; 0 <= h < 1 && h < width && 0 <= k < c ==>
          bits(sums[cell(h, dim, k)]) == \at(bits(sums[cell(h, dim, k)]), Pre); */
    /*@ assert last: \forall integer h, k; width - 1 <= h < width && c + columns <= k < channels ==>
          bits(sums[cell(h, dim, k)]) == \at(bits(sums[cell(h, dim, k)]), Pre); */
}

/* Channels from c on, `columns` at a time, as long as there are so many; the channel
 * after them. */
/*@ requires some: n <= CHUNK && 0 < most <= MANY && width <= LANES && channels <= pitch &&
      channels <= dim && c <= channels;
    requires columns: columns == 1 || columns == LANES || columns == COLUMNS;
    requires fits: off(n, pitch) <= SIZE_MAX && off(width, dim) <= SIZE_MAX;
    requires ahead: ahead ==> off(AHEAD + n, pitch) <= SIZE_MAX;
    requires rows: n > 0 ==> \valid_read(rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires from: \valid_read(weights + (0 .. off(n, LANES) - 1));
    requires to: width > 0 ==> \valid(sums + (0 .. off(width - 1, dim) + channels - 1));
    requires apart: n > 0 && width > 0 ==>
      \separated(sums + (0 .. off(width - 1, dim) + channels - 1),
                 rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires apart: width > 0 ==>
      \separated(sums + (0 .. off(width - 1, dim) + channels - 1),
                 weights + (0 .. off(n, LANES) - 1));
    requires positions: first + n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns sums[0 .. off(width - 1, dim) + channels - 1];
    ensures next: c <= \result <= channels && channels - \result < columns;
    ensures ATT_001: sums: \forall integer a, h, k, d; 0 <= h < width && c <= k < \result &&
      are_values{Pre}(rows, pitch, k, a, d, first, n) &&
      are_weights{Pre}(weights, h, a, first, n) &&
      \old(bits(sums[cell(h, dim, k)])) == mixed(a, d, first) ==>
      bits(sums[cell(h, dim, k)]) == mixed(a, d, first + n);
    ensures ATT_001: rest: \forall integer h, k;
      0 <= h < width && 0 <= k < channels && (k < c || \result <= k) ==>
      bits(sums[cell(h, dim, k)]) == \old(bits(sums[cell(h, dim, k)]));
    ensures ATT_001: others: \forall integer h, k; 0 <= h < width - 1 && channels <= k < dim ==>
      bits(sums[cell(h, dim, k)]) == \old(bits(sums[cell(h, dim, k)]));
*/
NDL_PART size_t add_run(const float *restrict rows, size_t pitch, size_t n, bool ahead,
                        size_t channels, const float *restrict weights, size_t width, size_t most,
                        size_t c, size_t columns, float *restrict sums,
                        size_t dim) /*@ ghost (size_t first) */
{
    /*@ loop invariant some: \at(c, Pre) <= c <= channels;
        loop invariant ATT_001: done: \forall integer a, h, k, d; 0 <= h < width &&
          \at(c, Pre) <= k < c &&
          are_values{Pre}(rows, pitch, k, a, d, first, n) &&
          are_weights{Pre}(weights, h, a, first, n) &&
          \at(bits(sums[cell(h, dim, k)]), Pre) == mixed(a, d, first) ==>
          bits(sums[cell(h, dim, k)]) == mixed(a, d, first + n);
        loop invariant rest: \forall integer h, k;
          0 <= h < width && 0 <= k < channels && (k < \at(c, Pre) || c <= k) ==>
          bits(sums[cell(h, dim, k)]) == \at(bits(sums[cell(h, dim, k)]), Pre);
        loop invariant ATT_001: others: \forall integer h, k;
          0 <= h < width - 1 && channels <= k < dim ==>
          bits(sums[cell(h, dim, k)]) == \at(bits(sums[cell(h, dim, k)]), Pre);
        loop assigns c, sums[0 .. off(width - 1, dim) + channels - 1];
        loop variant channels - c; */
    for (; channels - c >= columns; c += columns) {
        /*@ assert rows: n > 0 && width > 0 ==>
              kept{Pre, Here}(rows, 0, off(n - 1, pitch) + channels); */
        /*@ assert weights: width > 0 ==> kept{Pre, Here}(weights, 0, off(n, LANES)); */
        /*@ assert places: \forall integer i; 0 <= i < n ==>
              0 <= off(i, pitch) <= off(n - 1, pitch); */
        /*@ assert value: \forall integer a, k, d; width > 0 && 0 <= k < channels &&
              are_values{Pre}(rows, pitch, k, a, d, first, n) ==>
              are_values(rows, pitch, k, a, d, first, n); */
        /*@ assert weight: \forall integer a, h; 0 <= h < width &&
              are_weights{Pre}(weights, h, a, first, n) ==>
              are_weights(weights, h, a, first, n); */
        add_part(rows, pitch, n, ahead, weights, width, most, c, columns, sums,
                 dim) /*@ ghost (channels, first) */;
    }
    return c;
}

/* All channels. most is a constant where this is called. */
/*@ requires some: n <= CHUNK && 0 < most <= MANY && width <= LANES && channels <= pitch &&
      channels <= dim;
    requires fits: off(n, pitch) <= SIZE_MAX && off(width, dim) <= SIZE_MAX;
    requires ahead: ahead ==> off(AHEAD + n, pitch) <= SIZE_MAX;
    requires rows: n > 0 ==> \valid_read(rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires from: \valid_read(weights + (0 .. off(n, LANES) - 1));
    requires to: width > 0 ==> \valid(sums + (0 .. off(width - 1, dim) + channels - 1));
    requires apart: n > 0 && width > 0 ==>
      \separated(sums + (0 .. off(width - 1, dim) + channels - 1),
                 rows + (0 .. off(n - 1, pitch) + channels - 1));
    requires apart: width > 0 ==>
      \separated(sums + (0 .. off(width - 1, dim) + channels - 1),
                 weights + (0 .. off(n, LANES) - 1));
    requires positions: first + n <= SIZE_MAX;
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
NDL_PART void add_all(const float *restrict rows, size_t pitch, size_t n, bool ahead,
                      size_t channels, const float *restrict weights, size_t width, size_t most,
                      float *restrict sums, size_t dim) /*@ ghost (size_t first) */
{
    const size_t many = add_run(rows, pitch, n, ahead, channels, weights, width, most, 0, COLUMNS,
                                sums, dim) /*@ ghost (first) */;
    /*@ assert rows: n > 0 && width > 0 ==>
          kept{Pre, Here}(rows, 0, off(n - 1, pitch) + channels); */
    /*@ assert weights: width > 0 ==> kept{Pre, Here}(weights, 0, off(n, LANES)); */
    /*@ assert places: \forall integer i; 0 <= i < n ==>
          0 <= off(i, pitch) <= off(n - 1, pitch); */
    /*@ assert value: \forall integer a, k, d; width > 0 && 0 <= k < channels &&
          are_values{Pre}(rows, pitch, k, a, d, first, n) ==>
          are_values(rows, pitch, k, a, d, first, n); */
    /*@ assert weight: \forall integer a, h; 0 <= h < width &&
          are_weights{Pre}(weights, h, a, first, n) ==>
          are_weights(weights, h, a, first, n); */
    const size_t some = add_run(rows, pitch, n, ahead, channels, weights, width, HEADS, many, LANES,
                                sums, dim) /*@ ghost (first) */;
    /*@ assert rows: n > 0 && width > 0 ==>
          kept{Pre, Here}(rows, 0, off(n - 1, pitch) + channels); */
    /*@ assert weights: width > 0 ==> kept{Pre, Here}(weights, 0, off(n, LANES)); */
    /*@ assert places: \forall integer i; 0 <= i < n ==>
          0 <= off(i, pitch) <= off(n - 1, pitch); */
    /*@ assert value: \forall integer a, k, d; width > 0 && 0 <= k < channels &&
          are_values{Pre}(rows, pitch, k, a, d, first, n) ==>
          are_values(rows, pitch, k, a, d, first, n); */
    /*@ assert weight: \forall integer a, h; 0 <= h < width &&
          are_weights{Pre}(weights, h, a, first, n) ==>
          are_weights(weights, h, a, first, n); */
    (void)add_run(rows, pitch, n, false, channels, weights, width, HEADS, some, 1, sums,
                  dim) /*@ ghost (first) */;
}

NDL_LEVELS
void ndl_add_values(const float *restrict rows, size_t pitch, size_t n, size_t left,
                    size_t channels, const float *restrict weights, size_t width,
                    float *restrict sums, size_t dim) /*@ ghost (size_t first) */
{
    const bool ahead = left - n >= AHEAD;

    /*@ assert ahead: ahead ==> off(AHEAD + n, pitch) <= off(left, pitch); */
    /*@ assert fits: off(n, pitch) <= off(left, pitch); */
    if (ndl_many_registers())
        add_all(rows, pitch, n, ahead, channels, weights, width, MANY, sums,
                dim) /*@ ghost (first) */;
    else
        add_all(rows, pitch, n, ahead, channels, weights, width, HEADS, sums,
                dim) /*@ ghost (first) */;
}
