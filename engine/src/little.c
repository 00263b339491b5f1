/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "little.h"

void ndl_put_u32(uint8_t *to, uint32_t x)
{
    //@ assert low: x == x % 0x100 + 0x100 * (x / 0x100);
    //@ assert next: x / 0x100 == x / 0x100 % 0x100 + 0x100 * (x / 0x10000);
    //@ assert high: x / 0x10000 == x / 0x10000 % 0x100 + 0x100 * (x / 0x1000000);
    to[0] = (uint8_t)(x % 0x100);
    to[1] = (uint8_t)(x / 0x100 % 0x100);
    to[2] = (uint8_t)(x / 0x10000 % 0x100);
    to[3] = (uint8_t)(x / 0x1000000);
}

uint32_t ndl_get_u32(const uint8_t *from)
{
    return from[0] + from[1] * UINT32_C(0x100) + from[2] * UINT32_C(0x10000) +
           from[3] * UINT32_C(0x1000000);
}

void ndl_put_u64(uint8_t *to, uint64_t x)
{
    ndl_put_u32(to, (uint32_t)(x % UINT64_C(0x100000000)));
    ndl_put_u32(to + 4, (uint32_t)(x / UINT64_C(0x100000000)));
}

uint64_t ndl_get_u64(const uint8_t *from)
{
    return ndl_get_u32(from) + ndl_get_u32(from + 4) * UINT64_C(0x100000000);
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures value: \result == (code < 0 ? code + 256 : code);
*/
static inline uint8_t byte_of(int8_t code)
{
    return (uint8_t)(code < 0 ? code + 256 : code);
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures value: \result == (byte < 128 ? byte : byte - 256);
*/
static inline int8_t code_of(uint8_t byte)
{
    return (int8_t)(byte < 128 ? byte : byte - 256);
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
        to[i] = byte_of(x[i]);
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
        x[i] = code_of(from[i]);
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
