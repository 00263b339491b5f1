/*
 * KV_006, step by step, on the functions that the session's write call is made
 * of: if a ring holds the history of positions 0 .. n - 1, it holds that of
 * 0 .. n after n was written, grown or not. A new ring holds the history of no
 * position, so this is the induction over n. The history is any at all: row_at
 * is left without a definition, and key says which history is meant.
 *
 * The rows are those of an f32 store, and the scales of an int8 one.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_LAWS_HISTORY
#define NDL_LAWS_HISTORY

#include "ring.h"

#include "../../engine/logic/rows.acsl"

/*@ // Position p is in slot p mod slots for every p from n - slots on.
    predicate holds{L}(float *buf, integer slots, integer dim, integer key, integer n) =
      \forall integer p, c; 0 <= p < n && n - slots <= p && 0 <= c < dim ==>
        bits(\at(buf[off(md(p, slots), dim) + c], L)) == row_at(key, p, c);

    // A ring below its cap has never wrapped.
    predicate unwrapped(integer slots, integer cap, integer n) = slots < cap ==> n <= slots;
*/

/*@ requires some: 0 < slots && 0 < dim && off(slots, dim) <= SIZE_MAX;
    requires count: n < SIZE_MAX;
    requires to: \valid(buf + (0 .. off(slots, dim) - 1));
    requires from: \valid_read(row + (0 .. dim - 1));
    requires apart: \separated(buf + (0 .. off(slots, dim) - 1), row + (0 .. dim - 1));
    requires row: is_row(row, dim, key, n);
    requires before: holds(buf, slots, dim, key, n);
    terminates \true;
    exits \false;
    assigns buf[0 .. off(slots, dim) - 1];
    ensures KV_006: written: holds(buf, slots, dim, key, n + 1);
*/
void law_write(float *buf, size_t slots, size_t dim, size_t n, const float *row)
    /*@ ghost (size_t key) */;

/*@ requires some: 0 < slots <= want && 0 < dim && off(want, dim) <= SIZE_MAX;
    requires fits: n <= slots;
    requires to: \valid(more + (0 .. off(want, dim) - 1));
    requires from: \valid_read(buf + (0 .. off(slots, dim) - 1));
    requires apart: \separated(more + (0 .. off(want, dim) - 1),
                               buf + (0 .. off(slots, dim) - 1));
    requires before: holds(buf, slots, dim, key, n);
    terminates \true;
    exits \false;
    assigns more[0 .. off(want, dim) - 1];
    ensures KV_006: grown: holds(more, want, dim, key, n);
*/
void law_grow(float *more, const float *buf, size_t slots, size_t want, size_t dim, float value)
    /*@ ghost (size_t key, size_t n) */;

/*@ requires some: 0 < slots <= cap && 0 < dim && off(cap, dim) <= SIZE_MAX;
    requires count: n < SIZE_MAX;
    requires more: \valid(more + (0 .. off(cap, dim) - 1));
    requires to: \valid(buf + (0 .. off(slots, dim) - 1));
    requires from: \valid_read(row + (0 .. dim - 1));
    requires apart: \separated(more + (0 .. off(cap, dim) - 1),
                               buf + (0 .. off(slots, dim) - 1));
    requires apart_row: \separated(row + (0 .. dim - 1), buf + (0 .. off(slots, dim) - 1));
    requires apart_more: \separated(row + (0 .. dim - 1), more + (0 .. off(cap, dim) - 1));
    requires row: is_row(row, dim, key, n);
    requires unwrapped: unwrapped(slots, cap, n);
    requires before: holds(buf, slots, dim, key, n);
    terminates \true;
    exits \false;
    assigns more[0 .. off(cap, dim) - 1], buf[0 .. off(slots, dim) - 1];
    ensures KV_002: slots: \result == ring_want(slots, cap, n);
    ensures KV_006: in_place: \result == slots ==> holds(buf, \result, dim, key, n + 1);
    ensures KV_006: moved: \result != slots ==> holds(more, \result, dim, key, n + 1);
    ensures KV_006: still_unwrapped: unwrapped(\result, cap, n + 1);
*/
size_t law_step(float *more, float *buf, size_t slots, size_t cap, size_t dim, size_t n,
                const float *row, float value) /*@ ghost (size_t key) */;

#endif
