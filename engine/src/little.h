/*
 * Numbers as bytes, least significant first, whatever the order of the machine,
 * and the hash that a saved session ends with.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_LITTLE_H
#define NDL_LITTLE_H

#include <stddef.h>
#include <stdint.h>

#include "../logic/little.acsl"

/** The 8 bytes at `to` become x. */
/*@ requires to: \valid(to + (0 .. 7));
    terminates \true;
    exits \false;
    assigns to[0 .. 7];
    ensures value: u64_at(to) == x;
*/
void ndl_put_u64(uint8_t *to, uint64_t x);

/** The number in the 8 bytes at `from`. */
/*@ requires from: \valid_read(from + (0 .. 7));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures value: \result == u64_at(from);
*/
uint64_t ndl_get_u64(const uint8_t *from);

/** The same with 4 bytes. */
/*@ requires to: \valid(to + (0 .. 3));
    terminates \true;
    exits \false;
    assigns to[0 .. 3];
    ensures value: u32_at(to) == x;
*/
void ndl_put_u32(uint8_t *to, uint32_t x);

/*@ requires from: \valid_read(from + (0 .. 3));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures value: \result == u32_at(from);
*/
uint32_t ndl_get_u32(const uint8_t *from);

/** n codes to as many bytes, a negative one as its two's complement. */
/*@ requires to: \valid(to + (0 .. n - 1));
    requires from: \valid_read(x + (0 .. n - 1));
    requires apart: \separated(to + (0 .. n - 1), x + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns to[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> to[i] == (x[i] < 0 ? x[i] + 256 : x[i]);
*/
void ndl_put_i8(uint8_t *to, const int8_t *x, size_t n);

/** And back. */
/*@ requires to: \valid(x + (0 .. n - 1));
    requires from: \valid_read(from + (0 .. n - 1));
    requires apart: \separated(x + (0 .. n - 1), from + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns x[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==>
      x[i] == (from[i] < 128 ? from[i] : from[i] - 256);
*/
void ndl_get_i8(int8_t *x, const uint8_t *from, size_t n);

/** FNV-1a, 64 bits, of n more bytes; it starts with NDL_FNV1A64. One byte that
 *  is another gives another hash: each byte is xored in, and multiplied with an
 *  odd number, so that from there on no two hashes become one. */
/*@ requires from: \valid_read(bytes + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures value: \result == fnv_of(hash, bytes, n);
*/
uint64_t ndl_fnv1a64(uint64_t hash, const uint8_t *bytes, size_t n);
#define NDL_FNV1A64 UINT64_C(0xCBF29CE484222325)

/** The same of a number more, of its 8 bytes. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures number: \result == fnv_number(hash, x);
*/
uint64_t ndl_fnv1a64_number(uint64_t hash, uint64_t x);

#endif
