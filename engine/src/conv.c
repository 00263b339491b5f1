/* Everything works in place: an element of a result depends on its own channel
 * alone, so one float holds what is overwritten. A step puts its raw row in the
 * place of the tail's oldest, channel by channel, once that has been read, and
 * turns the tail by a row at the end.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "conv.h"

#include "geometry.h"
#include "index.h"
#include "leaf.h"
#include "ring.h"

/* Swap n elements. */
/*@ requires a: \valid(a + (0 .. n - 1));
    requires b: \valid(b + (0 .. n - 1));
    requires apart: \separated(a + (0 .. n - 1), b + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns a[0 .. n - 1], b[0 .. n - 1];
    ensures a: \forall integer i; 0 <= i < n ==> bits(a[i]) == \old(bits(b[i]));
    ensures b: \forall integer i; 0 <= i < n ==> bits(b[i]) == \old(bits(a[i]));
    ensures low: \forall integer key, t, i; is_row{Pre}(a, n, key, t) && 0 <= i < n ==>
      bits(b[i]) == row_at(key, t, i);
    ensures high: \forall integer key, t, i; is_row{Pre}(b, n, key, t) && 0 <= i < n ==>
      bits(a[i]) == row_at(key, t, i);
*/
static void swap(float *a, float *b, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant a: \forall integer k; 0 <= k < i ==> bits(a[k]) == \at(bits(b[k]), Pre);
        loop invariant b: \forall integer k; 0 <= k < i ==> bits(b[k]) == \at(bits(a[k]), Pre);
        loop invariant rest: kept{Pre, Here}(a, i, n) && kept{Pre, Here}(b, i, n);
        loop assigns i, a[0 .. n - 1], b[0 .. n - 1];
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const float x = a[i];

        a[i] = b[i];
        b[i] = x;
    }
}

/* Turn a tail whose oldest row has been replaced by the newest: that one goes to
 * the end, the others up by one. */
/*@ requires some: 0 < rows;
    requires fits: off(rows, dim) <= SIZE_MAX;
    requires to: \valid(tail + (0 .. off(rows, dim) - 1));
    terminates \true;
    exits \false;
    assigns tail[0 .. off(rows, dim) - 1];
    ensures CONV_002: turned: \forall integer key, t; is_full{Pre}(tail, rows, dim, key, t) ==>
      is_tail(tail, rows, dim, key, t + 1);
*/
static void turn(float *tail, size_t rows, size_t dim)
{
    const size_t last = rows - 1;
    /*@ assert first: off(0, dim) == 0; */

    /*@ loop invariant some: 0 <= r <= last;
        loop invariant CONV_002: done: \forall integer key, t, s, p, c;
          is_full{Pre}(tail, rows, dim, key, t) &&
          0 <= s < r && p <= t + 1 - rows + s <= p && 0 <= p && 0 <= c < dim ==>
          bits(tail[off(s, dim) + c]) == row_at(key, p, c);
        loop invariant CONV_002: newest: \forall integer key, t, c;
          is_full{Pre}(tail, rows, dim, key, t) && 0 <= c < dim ==>
          bits(tail[off(r, dim) + c]) == row_at(key, t, c);
        loop invariant CONV_002: rest: \forall integer key, t, s, p, c;
          is_full{Pre}(tail, rows, dim, key, t) &&
          r < s < rows && p <= t - rows + s <= p && 0 <= p && 0 <= c < dim ==>
          bits(tail[off(s, dim) + c]) == row_at(key, p, c);
        loop assigns r, tail[0 .. off(rows, dim) - 1];
        loop variant last - r; */
    for (size_t r = 0; r < last; r++) {
        const size_t next = r + 1;
        /*@ assert next: next == r + 1; */
        /*@ assert row: 0 <= off(r, dim) && off(r, dim) + dim == off(next, dim); */
        /*@ assert end: off(next, dim) + dim <= off(rows, dim); */
        /*@ assert low: \forall integer key, t; is_full{Pre}(tail, rows, dim, key, t) ==>
              is_row(tail + off(r, dim), dim, key, t); */
        /*@ assert high: \forall integer key, t, p; is_full{Pre}(tail, rows, dim, key, t) &&
              p <= t - rows + next <= p && 0 <= p ==> is_row(tail + off(next, dim), dim, key, p); */
        float *a = tail + ndl_at(r, dim, 0), *b = tail + ndl_at(next, dim, 0);
        /*@ assert places: a == tail + off(r, dim) && b == tail + off(next, dim); */

        swap(a, b, dim);
        /*@ assert before: \forall integer key, t, s, p, c;
              is_full{Pre}(tail, rows, dim, key, t) &&
              0 <= s < r && p <= t + 1 - rows + s <= p && 0 <= p && 0 <= c < dim ==>
              bits(tail[off(s, dim) + c]) == row_at(key, p, c); */
        /*@ assert up: \forall integer key, t, c; is_full{Pre}(tail, rows, dim, key, t) &&
              0 <= c < dim ==> bits(tail[off(next, dim) + c]) == row_at(key, t, c); */
        /*@ assert down: \forall integer key, t, p, c; is_full{Pre}(tail, rows, dim, key, t) &&
              p <= t - rows + next <= p && 0 <= p && 0 <= c < dim ==>
              bits(tail[off(r, dim) + c]) == row_at(key, p, c); */
    }
}

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

void ndl_conv_row(const float *taps, size_t n_taps, size_t dim, float *tail, float *raw, size_t pos)
{
    if (n_taps == 0)
        return;
    const size_t rows = n_taps - 1;
    const size_t live = taps_at(n_taps, 1, 0, pos);
    /*@ assert rows: rows == n_taps - 1; */
    /*@ assert end: 0 <= off(rows, dim) && off(rows, dim) + dim <= off(n_taps, dim); */
    /*@ assert first: rows > 0 ==> dim <= off(rows, dim); */

    /*@ loop invariant some: 0 <= c <= dim;
        loop invariant CONV_001: step: \forall integer key, w, d; 0 <= d < c &&
          are_taps{Pre}(taps, n_taps, dim, w) && is_row{Pre}(raw, dim, key, pos) &&
          is_tail{Pre}(tail, rows, dim, key, pos) ==>
          bits(raw[d]) == conv_step(key, w, pos, d, live);
        loop invariant raw: kept{Pre, Here}(raw, c, dim);
        loop invariant CONV_002: newest: \forall integer d; 0 < rows && 0 <= d < c ==>
          bits(tail[d]) == \at(bits(raw[d]), Pre);
        loop invariant tail: kept{Pre, Here}(tail, c, off(rows, dim));
        loop assigns c, raw[0 .. dim - 1], tail[0 .. off(rows, dim) - 1];
        loop variant dim - c; */
    for (size_t c = 0; c < dim; c++) {
        /*@ assert zero: off(0, dim) == 0; */
        float acc = ndl_mul(taps[c], raw[c]);

        /*@ loop invariant some: 1 <= j <= live;
            loop invariant CONV_001: sum: \forall integer key, w;
              are_taps{Pre}(taps, n_taps, dim, w) && is_row{Pre}(raw, dim, key, pos) &&
              is_tail{Pre}(tail, rows, dim, key, pos) ==>
              bits(acc) == conv_step(key, w, pos, c, j);
            loop assigns j, acc;
            loop variant live - j; */
        for (size_t j = 1; j < live; j++) {
            const size_t s = rows - j;
            /*@ assert CONV_004: masked: j <= pos; */
            /*@ assert tap: 0 <= off(j, dim) && off(j, dim) + dim <= off(n_taps, dim); */
            /*@ assert row: 0 <= off(s, dim) && off(s, dim) + dim <= off(rows, dim); */

            acc = ndl_mac(acc, taps[ndl_at(j, dim, c)], tail[ndl_at(s, dim, c)]);
        }
        if (rows > 0)
            tail[c] = raw[c];
        raw[c] = acc;
    }
    if (rows > 0) {
        /*@ assert one: off(1, dim) == dim; */
        /*@ assert full: \forall integer key, t;
              is_row{Pre}(raw, dim, key, t) && is_tail{Pre}(tail, rows, dim, key, t) ==>
              is_full(tail, rows, dim, key, t); */
        turn(tail, rows, dim);
    }
}

void ndl_conv_rows(const float *taps, size_t n_taps, size_t dim, float *buf, size_t seq)
{
    ndl_engram_rows(taps, n_taps, dim, 1, 0, buf, seq);
}

void ndl_engram_row(const float *taps, size_t n_taps, size_t dim, size_t dilation, size_t max_order,
                    float *tail, size_t reach, float *raw, size_t pos)
{
    const size_t live = taps_at(n_taps, dilation, max_order, pos);
    /*@ assert first: reach > 0 ==> dim <= off(reach, dim); */

    /*@ loop invariant some: 0 <= c <= dim;
        loop invariant ENG_001: step: \forall integer key, w, d; 0 <= d < c &&
          are_taps{Pre}(taps, n_taps, dim, w) && is_row{Pre}(raw, dim, key, pos) &&
          is_tail{Pre}(tail, reach, dim, key, pos) ==>
          bits(raw[d]) == conv_sum(key, w, dilation, pos, d, live);
        loop invariant raw: kept{Pre, Here}(raw, c, dim);
        loop invariant ENG_002: newest: \forall integer d; 0 < reach && 0 <= d < c ==>
          bits(tail[d]) == \at(bits(raw[d]), Pre);
        loop invariant tail: kept{Pre, Here}(tail, c, off(reach, dim));
        loop assigns c, raw[0 .. dim - 1], tail[0 .. off(reach, dim) - 1];
        loop variant dim - c; */
    for (size_t c = 0; c < dim; c++) {
        float acc = ndl_of_int(0);

        /*@ loop invariant some: 0 <= j <= live;
            loop invariant ENG_001: sum: \forall integer key, w;
              are_taps{Pre}(taps, n_taps, dim, w) && is_row{Pre}(raw, dim, key, pos) &&
              is_tail{Pre}(tail, reach, dim, key, pos) ==>
              bits(acc) == conv_sum(key, w, dilation, pos, c, j);
            loop assigns j, acc;
            loop variant live - j; */
        for (size_t j = 0; j < live; j++) {
            /*@ assert ENG_004: gates: 0 <= off(j, dilation) <= pos && off(j, max_order) <= pos; */
            /*@ assert reach: off(j, dilation) <= off(n_taps - 1, dilation) <= reach; */
            /*@ assert tap: 0 <= off(j, dim) && off(j, dim) + dim <= off(n_taps, dim); */
            const size_t back = ndl_at(j, dilation, 0);
            float x = raw[c];

            if (back != 0) {
                const size_t s = reach - back;
                /*@ assert row: 0 <= off(s, dim) && off(s, dim) + dim <= off(reach, dim); */

                x = tail[ndl_at(s, dim, c)];
            }
            /*@ assert row: \forall integer key, p; is_row{Pre}(raw, dim, key, pos) &&
                  is_tail{Pre}(tail, reach, dim, key, pos) && p <= pos - off(j, dilation) <= p ==>
                  bits(x) == row_at(key, p, c); */
            acc = ndl_mac(acc, taps[ndl_at(j, dim, c)], x);
        }
        if (reach > 0)
            tail[c] = raw[c];
        raw[c] = acc;
    }
    if (reach > 0) {
        /*@ assert one: off(1, dim) == dim; */
        /*@ assert full: \forall integer key, t;
              is_row{Pre}(raw, dim, key, t) && is_tail{Pre}(tail, reach, dim, key, t) ==>
              is_full(tail, reach, dim, key, t); */
        turn(tail, reach, dim);
    }
}

void ndl_engram_rows(const float *taps, size_t n_taps, size_t dim, size_t dilation,
                     size_t max_order, float *buf, size_t seq)
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
        for (size_t c = 0; c < dim; c++) {
            float acc = ndl_of_int(0);

            /*@ loop invariant some: 0 <= j <= live;
                loop invariant ENG_001: sum: \forall integer key, w;
                  are_taps{Pre}(taps, n_taps, dim, w) && are_rows{Pre}(buf, seq, dim, key) ==>
                  bits(acc) == conv_sum(key, w, dilation, t, c, j);
                loop assigns j, acc;
                loop variant live - j; */
            for (size_t j = 0; j < live; j++) {
                /*@ assert ENG_004: gates: 0 <= off(j, dilation) <= t && off(j, max_order) <= t; */
                /*@ assert tap: 0 <= off(j, dim) && off(j, dim) + dim <= off(n_taps, dim); */
                const size_t p = t - ndl_at(j, dilation, 0);
                /*@ assert row: 0 <= off(p, dim) && off(p, dim) + dim <= off(seq, dim); */

                /*@ assert raw: \forall integer key; are_rows{Pre}(buf, seq, dim, key) ==>
                      bits(buf[off(p, dim) + c]) == row_at(key, p, c); */

                acc = ndl_mac(acc, taps[ndl_at(j, dim, c)], buf[ndl_at(p, dim, c)]);
            }
            buf[ndl_at(t, dim, c)] = acc;
            /*@ assert ENG_001: before: \forall integer key, w, d; 0 <= d < c &&
                  are_taps{Pre}(taps, n_taps, dim, w) && are_rows{Pre}(buf, seq, dim, key) ==>
                  bits(buf[off(t, dim) + d]) == conv_sum(key, w, dilation, t, d, live); */
        }
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
static ndl_status check_rows(size_t seq, size_t dim, size_t n_taps, size_t taps_len, size_t buf_len)
{
    if (!ndl_fits(n_taps, dim) || !ndl_fits(seq, dim))
        return NDL_E_SIZE;
    if (taps_len != ndl_at(n_taps, dim, 0) || buf_len != ndl_at(seq, dim, 0))
        return NDL_E_LENGTH;
    return NDL_OK;
}

ndl_status ndl_causal_conv(size_t seq, size_t dim, size_t n_taps, const float *taps,
                           size_t taps_len, float *buf, size_t buf_len)
{
    const ndl_status status = check_rows(seq, dim, n_taps, taps_len, buf_len);

    if (status == NDL_OK)
        ndl_conv_rows(taps, n_taps, dim, buf, seq);
    return status;
}

ndl_status ndl_value_conv(size_t seq, size_t dim, size_t n_taps, size_t dilation, size_t max_order,
                          const float *taps, size_t taps_len, float *buf, size_t buf_len)
{
    const ndl_status status = check_rows(seq, dim, n_taps, taps_len, buf_len);

    if (status == NDL_OK)
        ndl_engram_rows(taps, n_taps, dim, dilation, max_order, buf, seq);
    return status;
}
