/* The softmax of a pack. Its scores are flat for what takes each by itself, the
 * difference and the exponential, and lanes for the sums, whose positions come
 * in order.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "attend_kernels.h"

#include "index.h"
#include "trusted/expf.h"

#define TURN 8   /* positions after which the maxima, laid flat, start anew */
#define BLOCK 64 /* positions that go through both passes while they are close */

/* x[at + k] - max[k], which is not above 0 or a NaN. */
/*@ requires fits: at + n <= SIZE_MAX;
    requires to: \valid(x + (at .. at + n - 1));
    requires from: \valid_read(max + (0 .. n - 1));
    requires apart: \separated(x + (at .. at + n - 1), max + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns x[at .. at + n - 1];
    ensures ATT_001: less: \forall integer e; at <= e < at + n ==>
      bits(x[e]) == SUB(\old(bits(x[e])), \old(bits(max[e - at])));
*/
NDL_PART void subtract(float *restrict x, size_t at, const float *restrict max, size_t n)
{
    /*@ loop invariant some: 0 <= k <= n;
        loop invariant ATT_001: less: \forall integer e; at <= e < at + k ==>
          bits(x[e]) == SUB(\at(bits(x[e]), Pre), \at(bits(max[e - at]), Pre));
        loop invariant rest: kept{Pre, Here}(x, at + k, at + n);
        loop invariant max: kept{Pre, Here}(max, 0, n);
        loop assigns k, x[at .. at + n - 1];
        loop variant n - k; */
    for (size_t k = 0; k < n; k++)
        x[at + k] = ndl_sub(x[at + k], max[k]);
}

/* Add the e of n positions to the sums. */
/*@ requires some: 0 < width <= LANES;
    requires fits: off(n, width) + LANES <= SIZE_MAX && first + n <= SIZE_MAX;
    requires from: \valid_read(e + (0 .. off(n, width) + LANES - 1));
    requires to: \valid(sum + (0 .. LANES - 1));
    requires apart: \separated(sum + (0 .. LANES - 1), e + (0 .. off(n, width) + LANES - 1));
    terminates \true;
    exits \false;
    assigns sum[0 .. LANES - 1];
    ensures ATT_001: sum: \forall integer a, l; 0 <= l < width &&
      are_e{Pre}(e, width, l, a, first, n) && \old(bits(sum[l])) == e_sum(a, first) ==>
      bits(sum[l]) == e_sum(a, first + n);
*/
NDL_PART void sum_up(const float *restrict e, size_t n, size_t width,
                     float *restrict sum) /*@ ghost (size_t first) */
{
    float acc[LANES];

    /*@ loop invariant some: 0 <= l <= LANES;
        loop invariant taken: \forall integer k; 0 <= k < l ==>
          bits(acc[k]) == \at(bits(sum[k]), Pre);
        loop assigns l, acc[0 .. LANES - 1];
        loop variant LANES - l; */
    for (size_t l = 0; l < LANES; l++)
        acc[l] = sum[l];
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant ATT_001: sum: \forall integer a, l; 0 <= l < width &&
          are_e{Pre}(e, width, l, a, first, n) && \at(bits(sum[l]), Pre) == e_sum(a, first) ==>
          bits(acc[l]) == e_sum(a, first + i);
        loop assigns i, acc[0 .. LANES - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const float *row = e + ndl_at(i, width, 0);
        /*@ assert place: row == e + off(i, width) && 0 <= off(i, width) &&
              off(i, width) + width <= off(n, width); */
        /*@ assert e: \forall integer a, l; 0 <= l < width &&
              are_e{Pre}(e, width, l, a, first, n) ==>
              bits(e[cell(i, width, l)]) == e_of(a, first + i); */
        /*@ assert next: \forall integer a; e_sum(a, first + i + 1) ==
              ADD(e_sum(a, first + i), e_of(a, first + i)); */

        /*@ loop invariant some: 0 <= l <= LANES;
            loop invariant ATT_001: done: \forall integer a, k; 0 <= k < l && k < width &&
              are_e{Pre}(e, width, k, a, first, n) && \at(bits(sum[k]), Pre) == e_sum(a, first) ==>
              bits(acc[k]) == e_sum(a, first + i + 1);
            loop invariant ATT_001: rest: \forall integer a, k; l <= k < width &&
              are_e{Pre}(e, width, k, a, first, n) && \at(bits(sum[k]), Pre) == e_sum(a, first) ==>
              bits(acc[k]) == e_sum(a, first + i);
            loop assigns l, acc[0 .. LANES - 1];
            loop variant LANES - l; */
        NDL_LANES
        for (size_t l = 0; l < LANES; l++) {
            /*@ assert cell: cell(i, width, l) == off(i, width) + l; */
            acc[l] = ndl_add(acc[l], row[l]);
        }
    }
    /*@ loop invariant some: 0 <= l <= LANES;
        loop invariant put: \forall integer k; 0 <= k < l ==> bits(sum[k]) == bits(acc[k]);
        loop assigns l, sum[0 .. LANES - 1];
        loop variant LANES - l; */
    for (size_t l = 0; l < LANES; l++)
        sum[l] = acc[l];
}

/* Scores of n positions become e, which is added to the sums. flat: the maxima of
 * the lanes, TURN times one after the other. */
/*@ requires some: 0 < width <= LANES && n <= BLOCK;
    requires fits: off(n, width) + LANES <= SIZE_MAX && first + n <= SIZE_MAX;
    requires to: \valid(x + (0 .. off(n, width) + LANES - 1));
    requires from: \valid_read(flat + (0 .. off(TURN, width) - 1));
    requires to: \valid(sum + (0 .. LANES - 1));
    requires apart: \separated(x + (0 .. off(n, width) + LANES - 1),
                               flat + (0 .. off(TURN, width) - 1), sum + (0 .. LANES - 1));
    requires flat: \forall integer r, l; 0 <= r < TURN && 0 <= l < width ==>
      bits(flat[cell(r, width, l)]) == bits(flat[cell(0, width, l)]);
    terminates \true;
    exits \false;
    assigns x[0 .. off(n, width) - 1], sum[0 .. LANES - 1];
    ensures ATT_001: e: \forall integer a, l; 0 <= l < width &&
      are_lane{Pre}(x, width, l, a, first, n) &&
      \old(bits(flat[cell(0, width, l)])) == most(a, positions(a)) ==>
      are_e(x, width, l, a, first, n);
    ensures ATT_001: sum: \forall integer a, l; 0 <= l < width &&
      are_lane{Pre}(x, width, l, a, first, n) &&
      \old(bits(flat[cell(0, width, l)])) == most(a, positions(a)) &&
      \old(bits(sum[l])) == e_sum(a, first) ==>
      bits(sum[l]) == e_sum(a, first + n);
*/
NDL_PART void exp_and_sum(float *restrict x, size_t n, size_t width, const float *restrict flat,
                          float *restrict sum) /*@ ghost (size_t first) */
{
    /*@ assert turn: off(TURN, width) == TURN * width; */
    /*@ loop invariant some: 0 <= i && (i <= n || i < n + TURN);
        loop invariant ATT_001: less: \forall integer r, l; 0 <= r < i && r < n &&
          0 <= l < width ==>
          bits(x[cell(r, width, l)]) ==
          SUB(\at(bits(x[cell(r, width, l)]), Pre), \at(bits(flat[cell(0, width, l)]), Pre));
        loop invariant rest: i < n ==> kept{Pre, Here}(x, off(i, width), off(n, width));
        loop invariant flat: kept{Pre, Here}(flat, 0, off(TURN, width));
        loop invariant sum: kept{Pre, Here}(sum, 0, LANES);
        loop assigns i, x[0 .. off(n, width) - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i += TURN) {
        /*@ ghost size_t m = n - i < TURN ? n - i : TURN; */
        /*@ assert m: m <= TURN && i + m <= n && (m == TURN || i + m == n); */
        /*@ assert turn: 0 <= off(m, width) <= off(TURN, width); */
        /*@ assert part: 0 <= off(i, width) && off(i, width) + off(m, width) <= off(n, width); */
        /*@ assert before: \forall integer r; 0 <= r < i ==>
              0 <= off(r, width) && off(r, width) + width <= off(i, width); */
        /*@ assert rows: \forall integer r; i <= r < i + m ==>
              off(i, width) + off(r - i, width) == off(r, width) &&
              0 <= off(r - i, width) && off(r - i, width) + width <= off(m, width); */
        /*@ assert within: \forall integer r; i <= r < i + m ==>
              off(i, width) <= off(r, width) &&
              off(r, width) + width <= off(i, width) + off(m, width); */
        /*@ assert sum: \forall integer r, l; i <= r < i + m ==>
              off(i, width) + cell(r - i, width, l) == cell(r, width, l); */
        /*@ assert flat: \forall integer r, l; i <= r < i + m && 0 <= l < width ==>
              bits(flat[cell(r - i, width, l)]) == \at(bits(flat[cell(0, width, l)]), Pre); */
        /*@ assert old: \forall integer r, l; i <= r < i + m && 0 <= l < width ==>
              bits(x[cell(r, width, l)]) == \at(bits(x[cell(r, width, l)]), Pre); */
        subtract(x, ndl_at(i, width, 0), flat, ndl_at(n - i < TURN ? n - i : TURN, width, 0));
        /*@ assert less: \forall integer r, l; i <= r < i + m && 0 <= l < width ==>
              bits(x[cell(r, width, l)]) ==
              SUB(bits(\at(x[cell(r, width, l)], LoopCurrent)),
                  bits(\at(flat[cell(r - i, width, l)], LoopCurrent))); */
        /*@ assert new: \forall integer r, l; i <= r < i + m && 0 <= l < width ==>
              bits(x[cell(r, width, l)]) ==
              SUB(\at(bits(x[cell(r, width, l)]), Pre), \at(bits(flat[cell(0, width, l)]), Pre)); */
    }
    /*@ assert places: \forall integer r; 0 <= r < n ==>
          0 <= off(r, width) && off(r, width) + width <= off(n, width); */
    ndl_exp_row(x, ndl_at(n, width, 0));
    /*@ assert exp: \forall integer r, l; 0 <= r < n && 0 <= l < width ==>
          bits(x[cell(r, width, l)]) ==
          EXP(SUB(\at(bits(x[cell(r, width, l)]), Pre), \at(bits(flat[cell(0, width, l)]), Pre)));
          */
    /*@ assert e: \forall integer a, l; 0 <= l < width &&
          are_lane{Pre}(x, width, l, a, first, n) &&
          \at(bits(flat[cell(0, width, l)]), Pre) == most(a, positions(a)) ==>
          are_e(x, width, l, a, first, n); */
    /*@ assert sum: kept{Pre, Here}(sum, 0, LANES); */
    sum_up(x, n, width, sum) /*@ ghost (first) */;
}

/* The same of rows i .. i + n - 1 of x. */
/*@ requires some: 0 < width <= LANES && n <= BLOCK && i + n <= all;
    requires fits: off(all, width) + LANES <= SIZE_MAX;
    requires to: \valid(x + (0 .. off(all, width) + LANES - 1));
    requires from: \valid_read(flat + (0 .. off(TURN, width) - 1));
    requires to: \valid(sum + (0 .. LANES - 1));
    requires apart: \separated(x + (0 .. off(all, width) + LANES - 1),
                               flat + (0 .. off(TURN, width) - 1), sum + (0 .. LANES - 1));
    requires flat: \forall integer r, l; 0 <= r < TURN && 0 <= l < width ==>
      bits(flat[cell(r, width, l)]) == bits(flat[cell(0, width, l)]);
    terminates \true;
    exits \false;
    assigns x[off(i, width) .. off(i, width) + off(n, width) - 1], sum[0 .. LANES - 1];
    ensures ATT_001: e: \forall integer a, r, l; i <= r < i + n && 0 <= l < width &&
      rows_are{Pre}(x, width, l, a, i, i + n) &&
      \old(bits(flat[cell(0, width, l)])) == most(a, positions(a)) ==>
      bits(x[cell(r, width, l)]) == e_of(a, r);
    ensures ATT_001: sum: \forall integer a, l; 0 <= l < width &&
      rows_are{Pre}(x, width, l, a, i, i + n) &&
      \old(bits(flat[cell(0, width, l)])) == most(a, positions(a)) &&
      \old(bits(sum[l])) == e_sum(a, i) ==> bits(sum[l]) == e_sum(a, i + n);
*/
NDL_PART void exp_part(float *restrict x, size_t i, size_t n, size_t width,
                       const float *restrict flat, float *restrict sum) /*@ ghost (size_t all) */
{
    /*@ assert part: 0 <= off(i, width) && off(i, width) + off(n, width) <= off(all, width); */
    /*@ assert cells: \forall integer r, l; off(i, width) + cell(r - i, width, l) ==
          cell(r, width, l); */
    /*@ assert lane: \forall integer a, l; 0 <= l < width &&
          rows_are{Pre}(x, width, l, a, i, i + n) ==>
          are_lane(x + off(i, width), width, l, a, i, n); */
    exp_and_sum(x + ndl_at(i, width, 0), n, width, flat, sum) /*@ ghost (i) */;
    /*@ assert e: \forall integer a, l; 0 <= l < width &&
          rows_are{Pre}(x, width, l, a, i, i + n) &&
          \at(bits(flat[cell(0, width, l)]), Pre) == most(a, positions(a)) ==>
          are_e(x + off(i, width), width, l, a, i, n); */
    /*@ assert rows: \forall integer a, r, l; i <= r < i + n && 0 <= l < width &&
          rows_are{Pre}(x, width, l, a, i, i + n) &&
          \at(bits(flat[cell(0, width, l)]), Pre) == most(a, positions(a)) ==>
          bits(x[off(i, width) + cell(r - i, width, l)]) == e_of(a, r); */
    /*@ assert same: \forall integer r, l; i <= r < i + n && 0 <= l < width ==>
          bits(x[cell(r, width, l)]) == bits(x[off(i, width) + cell(r - i, width, l)]); */
}

NDL_LEVELS
void ndl_softmax(float *restrict scores, size_t n, size_t width, const float *restrict max,
                 float *restrict inv)
{
    float flat[TURN * LANES], sum[LANES];

    /*@ loop invariant some: 0 <= i <= TURN;
        loop invariant flat: \forall integer r, l; 0 <= r < i && 0 <= l < width ==>
          bits(flat[cell(r, width, l)]) == \at(bits(max[l]), Pre);
        loop assigns i, flat[0 .. TURN * LANES - 1];
        loop variant TURN - i; */
    for (size_t i = 0; i < TURN; i++) {
        /*@ assert row: 0 <= off(i, width) && off(i, width) + width <= off(TURN, width); */
        /*@ assert room: off(TURN, width) <= off(TURN, LANES) == TURN * LANES; */
        /*@ assert rows: \forall integer r; 0 <= r < i ==>
              0 <= off(r, width) && off(r, width) + width <= off(i, width); */

        /*@ loop invariant some: 0 <= l <= width;
            loop invariant flat: \forall integer r, k; 0 <= r < i && 0 <= k < width ==>
              bits(flat[cell(r, width, k)]) == \at(bits(max[k]), Pre);
            loop invariant row: \forall integer r, k; i <= r <= i && 0 <= k < l ==>
              bits(flat[cell(r, width, k)]) == \at(bits(max[k]), Pre);
            loop assigns l, flat[off(i, width) .. off(i, width) + width - 1];
            loop variant width - l; */
        for (size_t l = 0; l < width; l++)
            flat[ndl_at(i, width, l)] = max[l];
    }
    /*@ assert flat: \forall integer r, l; 0 <= r < TURN && 0 <= l < width ==>
          bits(flat[cell(r, width, l)]) == \at(bits(max[l]), Pre); */
    /*@ assert end: 0 <= off(n, width); */
    /*@ assert room: off(TURN, width) <= off(TURN, LANES) == TURN * LANES; */
    /*@ loop invariant some: 0 <= l <= LANES;
        loop invariant zero: \forall integer k; 0 <= k < l ==> bits(sum[k]) == ZERO;
        loop invariant scores: kept{Pre, Here}(scores, 0, off(n, width));
        loop assigns l, sum[0 .. LANES - 1], scores[off(n, width) .. off(n, width) + LANES - 1];
        loop variant LANES - l; */
    for (size_t l = 0; l < LANES; l++) {
        sum[l] = ndl_of_int(0);
        scores[ndl_at(n, width, l)] = ndl_of_int(0); /* what is read behind the last row */
    }
    /*@ loop invariant some: 0 <= i && (i <= n || i < n + BLOCK);
        loop invariant ATT_001: e: \forall integer a, r, l; 0 <= r < i && r < n && 0 <= l < width &&
          positions(a) == n && are_lane{Pre}(scores, width, l, a, 0, n) &&
          \at(bits(max[l]), Pre) == most(a, n) ==> bits(scores[cell(r, width, l)]) == e_of(a, r);
        loop invariant ATT_001: sum: \forall integer a, l; 0 <= l < width &&
          positions(a) == n && are_lane{Pre}(scores, width, l, a, 0, n) &&
          \at(bits(max[l]), Pre) == most(a, n) ==>
          (i <= n ==> bits(sum[l]) == e_sum(a, i)) && (n <= i ==> bits(sum[l]) == e_sum(a, n));
        loop invariant rest: i < n ==> kept{Pre, Here}(scores, off(i, width), off(n, width));
        loop assigns i, sum[0 .. LANES - 1], scores[0 .. off(n, width) + LANES - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i += BLOCK) {
        /*@ ghost size_t m = n - i < BLOCK ? n - i : BLOCK; */
        /*@ assert m: m <= BLOCK && i + m <= n && (m == BLOCK || i + m == n); */
        /*@ assert part: 0 <= off(i, width) && off(i, width) + off(m, width) <= off(n, width); */
        /*@ assert before: \forall integer r; 0 <= r < i ==>
              0 <= off(r, width) && off(r, width) + width <= off(i, width); */
        /*@ assert rows: \forall integer r; i <= r < i + m ==>
              off(i, width) + off(r - i, width) == off(r, width) &&
              0 <= off(r - i, width) && off(r - i, width) + width <= off(m, width); */
        /*@ assert within: \forall integer r; i <= r < i + m ==>
              off(i, width) <= off(r, width) &&
              off(r, width) + width <= off(i, width) + off(m, width); */
        /*@ assert flat: \forall integer r, l; 0 <= r < TURN && 0 <= l < width ==>
              bits(flat[cell(r, width, l)]) == \at(bits(max[l]), Pre); */
        /*@ assert lane: \forall integer a, l; 0 <= l < width &&
              are_lane{Pre}(scores, width, l, a, 0, n) ==>
              rows_are(scores, width, l, a, i, i + m); */
        /*@ assert ready: \forall integer a, l; 0 <= l < width &&
              positions(a) == n && are_lane{Pre}(scores, width, l, a, 0, n) &&
              \at(bits(max[l]), Pre) == most(a, n) ==>
              rows_are(scores, width, l, a, i, i + m) && bits(sum[l]) == e_sum(a, i) &&
              bits(flat[cell(0, width, l)]) == most(a, positions(a)); */
        exp_part(scores, i, n - i < BLOCK ? n - i : BLOCK, width, flat, sum) /*@ ghost (n) */;
        /*@ assert sum: \forall integer a, l; 0 <= l < width &&
              positions(a) == n && are_lane{Pre}(scores, width, l, a, 0, n) &&
              \at(bits(max[l]), Pre) == most(a, n) ==> bits(sum[l]) == e_sum(a, i + m); */
        /*@ assert last: i + BLOCK < n ==> m == BLOCK; */
        /*@ assert end: n <= i + BLOCK ==> i + m == n; */
        /*@ assert new: \forall integer a, r, l; i <= r < i + m && 0 <= l < width &&
              positions(a) == n && are_lane{Pre}(scores, width, l, a, 0, n) &&
              \at(bits(max[l]), Pre) == most(a, n) ==>
              bits(scores[cell(r, width, l)]) == e_of(a, r); */
    }
    /*@ loop invariant some: 0 <= l <= LANES;
        loop invariant ATT_001: inv: \forall integer k; 0 <= k < l ==>
          bits(inv[k]) == DIV(OF_INT(1), bits(sum[k]));
        loop assigns l, inv[0 .. LANES - 1];
        loop variant LANES - l; */
    for (size_t l = 0; l < LANES; l++)
        inv[l] = ndl_div(ndl_of_int(1), sum[l]);
}
