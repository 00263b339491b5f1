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

/* hash * 0x100000001B3 mod 2^64, of halves that cannot overflow: the prime is
 * 2^40 + 0x1B3, so that the upper half's product with 2^40 is all above 2^64. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures product: \result == fnv_times(hash);
*/
static inline uint64_t times_prime(uint64_t hash)
{
    const uint64_t half = UINT64_C(0x100000000);
    const uint64_t high = hash / half, low = hash % half;
    const uint64_t x = low * 0x1B3;
    const uint64_t y = high * 0x1B3 + low * 0x100 + x / half;
    const uint64_t product = y % half * half + x % half;
    /*@ assert whole: hash * 0x100000001B3 ==
          0x10000000000000000 * (0x100 * high + y / half) + product; */
    /*@ assert rest: (0x10000000000000000 * (0x100 * high + y / half) + product)
          % 0x10000000000000000 == product; */
    /*@ assert value: (hash * 0x100000001B3) % 0x10000000000000000 == product; */

    return product;
}

uint64_t ndl_fnv1a64(uint64_t hash, const uint8_t *bytes, size_t n)
{
    /*@ loop invariant range: 0 <= i <= n;
        loop invariant hash: hash == fnv_of(\at(hash, Pre), bytes, i);
        loop assigns i, hash;
        loop variant n - i;
    */
    for (size_t i = 0; i < n; i++)
        hash = times_prime(hash ^ bytes[i]);
    return hash;
}

/* The hash of 4 bytes more, the number in them. */
/*@ requires from: \valid_read(from + (0 .. 3));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures number: \result == fnv_half(hash, u32_at(from));
*/
static uint64_t hash_half(uint64_t hash, const uint8_t *from)
{
    //@ assert b0: from[0] == u32_at(from) % 0x100;
    //@ assert b1: from[1] == u32_at(from) / 0x100 % 0x100;
    //@ assert b2: from[2] == u32_at(from) / 0x10000 % 0x100;
    //@ assert b3: from[3] == u32_at(from) / 0x1000000;
    //@ assert h0: fnv_of(hash, from, 0) == hash;
    //@ assert h1: fnv_of(hash, from, 1) == fnv_byte(fnv_of(hash, from, 0), from[0]);
    //@ assert h2: fnv_of(hash, from, 2) == fnv_byte(fnv_of(hash, from, 1), from[1]);
    //@ assert h3: fnv_of(hash, from, 3) == fnv_byte(fnv_of(hash, from, 2), from[2]);
    //@ assert h4: fnv_of(hash, from, 4) == fnv_byte(fnv_of(hash, from, 3), from[3]);
    return ndl_fnv1a64(hash, from, 4);
}

uint64_t ndl_fnv1a64_number(uint64_t hash, uint64_t x)
{
    uint8_t bytes[8];

    ndl_put_u64(bytes, x);
    //@ assert low: u32_at(&bytes[0]) == x % 0x100000000;
    //@ assert high: u32_at(&bytes[4]) == x / 0x100000000;
    return hash_half(hash_half(hash, bytes), bytes + 4);
}
