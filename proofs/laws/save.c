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
