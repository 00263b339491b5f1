/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "save.h"

void law_prime(uint64_t a, uint64_t b)
{
    (void)a;
    (void)b;
    //@ assert a: fnv_times(a) == (a * 0x100000001B3) % 0x10000000000000000;
    //@ assert b: fnv_times(b) == (b * 0x100000001B3) % 0x10000000000000000;
    /*@ assert same: (a * 0x100000001B3) % 0x10000000000000000 ==
          (b * 0x100000001B3) % 0x10000000000000000 ==> a == b; */
}

void law_byte(uint64_t hash, uint64_t other, uint8_t x, uint8_t y)
{
    const uint64_t one = hash ^ x, two = other ^ y;
    //@ assert one: one == (hash ^ x);
    //@ assert two: two == (other ^ y);
    law_prime(one, two);
    //@ assert prime: fnv_times(one) == fnv_times(two) ==> one == two;
    //@ assert hash: hash != other && x == y ==> one != two;
    //@ assert byte: hash == other && x != y ==> one != two;
}

ndl_status law_length(const uint8_t *bytes, size_t len, size_t n)
{
    (void)len;
    //@ assert whole: save_measured(bytes, len);
    //@ assert begins: 8 <= n ==> save_begins(bytes, n);
    //@ assert versioned: 16 <= n ==> save_versioned(bytes, n);
    //@ assert other: !save_measured(bytes, n);
    return ndl_save_frame(bytes, n);
}

void law_number(const uint8_t *a, const uint8_t *b, size_t n, size_t p, size_t k)
{
    const uint8_t *const x = a + k, *const y = b + k;
    (void)n;
    (void)p;
    (void)x;
    (void)y;
    //@ assert b0: x[0] == y[0] <==> k + 0 != p;
    //@ assert b1: x[1] == y[1] <==> k + 1 != p;
    //@ assert b2: x[2] == y[2] <==> k + 2 != p;
    //@ assert b3: x[3] == y[3] <==> k + 3 != p;
    //@ assert b4: x[4] == y[4] <==> k + 4 != p;
    //@ assert b5: x[5] == y[5] <==> k + 5 != p;
    //@ assert b6: x[6] == y[6] <==> k + 6 != p;
    //@ assert b7: x[7] == y[7] <==> k + 7 != p;
    /*@ assert low: u32_at(x) == u32_at(y) <==>
          x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3]; */
    /*@ assert high: u32_at(x + 4) == u32_at(y + 4) <==>
          x[4] == y[4] && x[5] == y[5] && x[6] == y[6] && x[7] == y[7]; */
    //@ assert range: 0 <= u32_at(x) < 0x100000000 && 0 <= u32_at(y) < 0x100000000;
    /*@ assert halves: u64_at(x) == u64_at(y) <==>
          u32_at(x) == u32_at(y) && u32_at(x + 4) == u32_at(y + 4); */
}

void law_hashes(const uint8_t *a, const uint8_t *b, size_t n, size_t p)
{
    (void)p;
    /*@ loop invariant some: 0 <= i <= n;
        loop invariant SES_012: before: i <= p ==>
          fnv_of(NDL_FNV1A64, a, i) == fnv_of(NDL_FNV1A64, b, i);
        loop invariant SES_012: behind: p < i ==>
          fnv_of(NDL_FNV1A64, a, i) != fnv_of(NDL_FNV1A64, b, i);
        loop assigns i;
        loop variant n - i; */
    for (size_t i = 0; i < n; i++) {
        const uint64_t one = ndl_fnv1a64(NDL_FNV1A64, a, i);
        const uint64_t two = ndl_fnv1a64(NDL_FNV1A64, b, i);
        law_byte(one, two, a[i], b[i]);
        //@ assert one: fnv_of(NDL_FNV1A64, a, i + 1) == fnv_times(one ^ a[i]);
        //@ assert two: fnv_of(NDL_FNV1A64, b, i + 1) == fnv_times(two ^ b[i]);
    }
}

ndl_status law_altered(const uint8_t *bytes, const uint8_t *other, size_t len, size_t p)
{
    const size_t end = len - NDL_SAVE_CHECKSUM;
    (void)p;
    law_number(bytes, other, len, p, 0);
    law_number(bytes, other, len, p, 8);
    law_number(bytes, other, len, p, 16);
    law_number(bytes, other, len, p, end);
    law_hashes(bytes, other, end, p);
    //@ assert end: end == len - NDL_SAVE_CHECKSUM;
    //@ assert first: u64_at(bytes) == u64_at(bytes + 0) && u64_at(other) == u64_at(other + 0);
    //@ assert whole: save_begins(bytes, len);
    //@ assert begins: save_begins(other, len) <==> 8 <= p;
    //@ assert versioned: 8 <= p ==> (save_versioned(other, len) <==> 16 <= p);
    //@ assert measured: 16 <= p ==> (save_measured(other, len) <==> 24 <= p);
    //@ assert SES_012: hash: p < end ==> !save_whole(other, len);
    //@ assert SES_012: checksum: end <= p ==> !save_whole(other, len);
    return ndl_save_frame(other, len);
}

ndl_status law_saved(const ndl_session *s, uint8_t *bytes)
{
    const size_t len = ndl_session_save_size(s);

    (void)ndl_session_save(s, bytes, len);
    return ndl_save_frame(bytes, len);
}
