/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"

size_t ndl_ring_slot(size_t pos, size_t slots)
{
    return pos % slots;
}

size_t ndl_ring_want(size_t slots, size_t cap, size_t pos)
{
    if (pos < slots || slots >= cap)
        return slots;
    /* 2 * slots, unless that passes the cap or cannot be said. */
    size_t want = slots <= cap - slots ? slots + slots : cap;
    if (want <= pos)
        want = pos < cap ? pos + 1 : cap;
    return want;
}

size_t ndl_ring_at(size_t s, size_t dim)
{
    return s * dim;
}

void ndl_copy_f32(float *dst, const float *src, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant copied: \forall integer j; 0 <= j < i ==>
          bits(dst[j]) == \at(bits(src[j]), Pre);
        loop assigns i, dst[0 .. n - 1];
        loop variant n - i;
    */
    for (size_t i = 0; i < n; i++)
        dst[i] = src[i];
}

void ndl_copy_i8(int8_t *dst, const int8_t *src, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant copied: \forall integer j; 0 <= j < i ==> dst[j] == \at(src[j], Pre);
        loop assigns i, dst[0 .. n - 1];
        loop variant n - i;
    */
    for (size_t i = 0; i < n; i++)
        dst[i] = src[i];
}

void ndl_copy_u32(uint32_t *dst, const uint32_t *src, size_t n)
{
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant copied: \forall integer j; 0 <= j < i ==> dst[j] == \at(src[j], Pre);
        loop assigns i, dst[0 .. n - 1];
        loop variant n - i;
    */
    for (size_t i = 0; i < n; i++)
        dst[i] = src[i];
}

void ndl_fill_f32(float *dst, size_t from, size_t to, float value)
{
    /*@ loop invariant some: from <= i <= to;
        loop invariant filled: \forall integer j; from <= j < i ==> bits(dst[j]) == bits(value);
        loop assigns i, dst[from .. to - 1];
        loop variant to - i;
    */
    for (size_t i = from; i < to; i++)
        dst[i] = value;
}

void ndl_fill_i8(int8_t *dst, size_t from, size_t to, int8_t value)
{
    /*@ loop invariant some: from <= i <= to;
        loop invariant filled: \forall integer j; from <= j < i ==> dst[j] == value;
        loop assigns i, dst[from .. to - 1];
        loop variant to - i;
    */
    for (size_t i = from; i < to; i++)
        dst[i] = value;
}

void ndl_ring_write_f32(float *buf, size_t slots, size_t dim, size_t pos, const float *row)
{
    ndl_copy_f32(buf + ndl_ring_at(ndl_ring_slot(pos, slots), dim), row, dim);
}

void ndl_ring_grow_f32(float *dst, const float *src, size_t slots, size_t want, size_t dim,
                       float value)
{
    const size_t old = ndl_ring_at(slots, dim);

    ndl_copy_f32(dst, src, old);
    ndl_fill_f32(dst, old, ndl_ring_at(want, dim), value);
}

void ndl_ring_grow_i8(int8_t *dst, const int8_t *src, size_t slots, size_t want, size_t dim,
                      int8_t value)
{
    const size_t old = ndl_ring_at(slots, dim);

    ndl_copy_i8(dst, src, old);
    ndl_fill_i8(dst, old, ndl_ring_at(want, dim), value);
}
