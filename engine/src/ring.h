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

/** The slot of a position. Claims: KV_001. */
size_t ndl_ring_slot(size_t pos, size_t slots);

/** The slots that a ring of slots must have to take position pos: slots, or
 *  min(cap, max(2 * slots, pos + 1)) once pos does not fit. Claims: KV_002. */
size_t ndl_ring_want(size_t slots, size_t cap, size_t pos);

/** The element at which row s of dim elements starts. */
size_t ndl_ring_at(size_t s, size_t dim);

/** dst[i] becomes src[i], for n elements; they do not overlap. */
void ndl_copy_f32(float *dst, const float *src, size_t n);
void ndl_copy_i8(int8_t *dst, const int8_t *src, size_t n);
void ndl_copy_u32(uint32_t *dst, const uint32_t *src, size_t n);

/** Every one of n elements becomes value. */
void ndl_fill_f32(float *dst, size_t n, float value);
void ndl_fill_i8(int8_t *dst, size_t n, int8_t value);

/** Write a row of dim elements to slot pos mod slots of buf. Claims: KV_001 KV_004. */
void ndl_ring_write_f32(float *buf, size_t slots, size_t dim, size_t pos, const float *row);
void ndl_ring_write_i8(int8_t *buf, size_t slots, size_t dim, size_t pos, const int8_t *row);

/** Fill dst, want rows, from src, the first slots of them; the others become
 *  value. Claims: KV_003. */
void ndl_ring_grow_f32(float *dst, const float *src, size_t slots, size_t want, size_t dim,
                       float value);
void ndl_ring_grow_i8(int8_t *dst, const int8_t *src, size_t slots, size_t want, size_t dim,
                      int8_t value);

#endif
