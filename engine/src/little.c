/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "little.h"

void ndl_put_u32(uint8_t *to, uint32_t x)
{
    to[0] = (uint8_t)(x & 0xFF);
    to[1] = (uint8_t)(x >> 8 & 0xFF);
    to[2] = (uint8_t)(x >> 16 & 0xFF);
    to[3] = (uint8_t)(x >> 24);
}

uint32_t ndl_get_u32(const uint8_t *from)
{
    return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
           (uint32_t)from[3] << 24;
}

void ndl_put_u64(uint8_t *to, uint64_t x)
{
    ndl_put_u32(to, (uint32_t)(x & UINT32_MAX));
    ndl_put_u32(to + 4, (uint32_t)(x >> 32));
}

uint64_t ndl_get_u64(const uint8_t *from)
{
    return (uint64_t)ndl_get_u32(from) | (uint64_t)ndl_get_u32(from + 4) << 32;
}

void ndl_put_i8(uint8_t *to, const int8_t *x, size_t n)
{
    /*@ loop invariant range: 0 <= i <= n;
        loop invariant done: \forall integer j; 0 <= j < i ==>
          to[j] == (x[j] < 0 ? x[j] + 256 : x[j]);
        loop assigns i, to[0 .. n - 1];
        loop variant n - i;
    */
    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)(x[i] < 0 ? x[i] + 256 : x[i]);
}

void ndl_get_i8(int8_t *x, const uint8_t *from, size_t n)
{
    /*@ loop invariant range: 0 <= i <= n;
        loop invariant done: \forall integer j; 0 <= j < i ==>
          x[j] == (from[j] < 128 ? from[j] : from[j] - 256);
        loop assigns i, x[0 .. n - 1];
        loop variant n - i;
    */
    for (size_t i = 0; i < n; i++)
        x[i] = (int8_t)(from[i] < 128 ? from[i] : from[i] - 256);
}

uint64_t ndl_fnv1a64(uint64_t hash, const uint8_t *bytes, size_t n)
{
    /*@ loop invariant range: 0 <= i <= n;
        loop assigns i, hash;
        loop variant n - i;
    */
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    return hash;
}
