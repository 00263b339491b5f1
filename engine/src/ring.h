/*
 * A ring of rows: position p lives in slot p mod slots, row s of a buffer of
 * slots rows. A ring grows until its cap and wraps only there, so growing
 * never moves a row to another slot.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_RING_H
#define NDL_RING_H

#include <stddef.h>
#include <stdint.h>

#include "../logic/bits.acsl"
#include "../logic/off.acsl"
#include "../logic/ring.acsl"

/** The slot of a position. Claims: KV_001. */
/*@ requires some: 0 < slots;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures KV_001: slot: \result == md(pos, slots);
    ensures KV_001: below: \result < slots;
*/
size_t ndl_ring_slot(size_t pos, size_t slots);

/** The slots that a ring of slots must have to take position pos: slots, or
 *  min(cap, max(2 * slots, pos + 1)) once pos does not fit. Claims: KV_002. */
/*@ requires some: 0 < slots <= cap;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures KV_002: exact: \result == ring_want(slots, cap, pos);
    ensures KV_002: capped: slots <= \result <= cap;
    ensures KV_002: fits: pos < \result || \result == cap;
*/
size_t ndl_ring_want(size_t slots, size_t cap, size_t pos);

/** The element at which row s of dim elements starts. */
/*@ requires fits: 0 <= off(s, dim) <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures product: \result == off(s, dim);
*/
size_t ndl_ring_at(size_t s, size_t dim);

/** dst[i] becomes src[i], for n elements; they do not overlap. */
/*@ requires to: \valid(dst + (0 .. n - 1));
    requires from: \valid_read(src + (0 .. n - 1));
    requires apart: \separated(dst + (0 .. n - 1), src + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns dst[0 .. n - 1];
    ensures copied: \forall integer i; 0 <= i < n ==> bits(dst[i]) == \old(bits(src[i]));
*/
void ndl_copy_f32(float *dst, const float *src, size_t n);

/*@ requires to: \valid(dst + (0 .. n - 1));
    requires from: \valid_read(src + (0 .. n - 1));
    requires apart: \separated(dst + (0 .. n - 1), src + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns dst[0 .. n - 1];
    ensures copied: \forall integer i; 0 <= i < n ==> dst[i] == \old(src[i]);
*/
void ndl_copy_i8(int8_t *dst, const int8_t *src, size_t n);

/*@ requires to: \valid(dst + (0 .. n - 1));
    requires from: \valid_read(src + (0 .. n - 1));
    requires apart: \separated(dst + (0 .. n - 1), src + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns dst[0 .. n - 1];
    ensures copied: \forall integer i; 0 <= i < n ==> dst[i] == \old(src[i]);
*/
void ndl_copy_u32(uint32_t *dst, const uint32_t *src, size_t n);

/** Elements from .. to - 1 become value. */
/*@ requires some: from <= to;
    requires to: \valid(dst + (from .. to - 1));
    terminates \true;
    exits \false;
    assigns dst[from .. to - 1];
    ensures filled: \forall integer i; from <= i < to ==> bits(dst[i]) == bits(value);
*/
void ndl_fill_f32(float *dst, size_t from, size_t to, float value);

/*@ requires some: from <= to;
    requires to: \valid(dst + (from .. to - 1));
    terminates \true;
    exits \false;
    assigns dst[from .. to - 1];
    ensures filled: \forall integer i; from <= i < to ==> dst[i] == value;
*/
void ndl_fill_i8(int8_t *dst, size_t from, size_t to, int8_t value);

/** Write a row of dim elements to slot pos mod slots of buf. Claims: KV_001 KV_004. */
/*@ requires some: 0 < slots && 0 < dim;
    requires fits: off(slots, dim) <= SIZE_MAX;
    requires to: \valid(buf + (0 .. off(slots, dim) - 1));
    requires from: \valid_read(row + (0 .. dim - 1));
    requires apart: \separated(buf + (0 .. off(slots, dim) - 1), row + (0 .. dim - 1));
    terminates \true;
    exits \false;
    assigns buf[off(md(pos, slots), dim) .. off(md(pos, slots), dim) + dim - 1];
    ensures KV_004: row: \forall integer i; 0 <= i < dim ==>
      bits(buf[off(md(pos, slots), dim) + i]) == \old(bits(row[i]));
*/
void ndl_ring_write_f32(float *buf, size_t slots, size_t dim, size_t pos, const float *row);

/** Fill dst, want rows, from src, the first slots of them; the others become
 *  value. Claims: KV_003. */
/*@ requires some: 0 < slots <= want && 0 < dim;
    requires fits: off(want, dim) <= SIZE_MAX;
    requires to: \valid(dst + (0 .. off(want, dim) - 1));
    requires from: \valid_read(src + (0 .. off(slots, dim) - 1));
    requires apart: \separated(dst + (0 .. off(want, dim) - 1), src + (0 .. off(slots, dim) - 1));
    terminates \true;
    exits \false;
    assigns dst[0 .. off(want, dim) - 1];
    ensures KV_003: kept: \forall integer e; 0 <= e < off(slots, dim) ==>
      bits(dst[e]) == \old(bits(src[e]));
    ensures KV_003: fresh: \forall integer e; off(slots, dim) <= e < off(want, dim) ==>
      bits(dst[e]) == bits(value);
*/
void ndl_ring_grow_f32(float *dst, const float *src, size_t slots, size_t want, size_t dim,
                       float value);

/*@ requires some: 0 < slots <= want && 0 < dim;
    requires fits: off(want, dim) <= SIZE_MAX;
    requires to: \valid(dst + (0 .. off(want, dim) - 1));
    requires from: \valid_read(src + (0 .. off(slots, dim) - 1));
    requires apart: \separated(dst + (0 .. off(want, dim) - 1), src + (0 .. off(slots, dim) - 1));
    terminates \true;
    exits \false;
    assigns dst[0 .. off(want, dim) - 1];
    ensures KV_003: kept: \forall integer e; 0 <= e < off(slots, dim) ==> dst[e] == \old(src[e]);
    ensures KV_003: fresh: \forall integer e; off(slots, dim) <= e < off(want, dim) ==>
      dst[e] == value;
*/
void ndl_ring_grow_i8(int8_t *dst, const int8_t *src, size_t slots, size_t want, size_t dim,
                      int8_t value);

#endif
