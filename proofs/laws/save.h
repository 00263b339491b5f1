/*
 * SES_012 of a whole save: cut short or made longer it is refused, each in its way;
 * and a byte that is another, or a hash that is another, leaves another hash behind
 * each byte, which is the step from one altered byte to another checksum.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_LAWS_SAVE
#define NDL_LAWS_SAVE

#include "state_save.h"

/* The hash's prime is odd, so that a product tells what was multiplied. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_012: prime: fnv_times(a) == fnv_times(b) ==> a == b;
*/
void law_prime(uint64_t a, uint64_t b);

/* A hash that is another, or a byte that is another, gives another hash. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures range: 0 <= fnv_times(hash ^ x) < 0x10000000000000000 &&
      0 <= fnv_times(other ^ y) < 0x10000000000000000;
    ensures SES_012: hash: hash != other && x == y ==> fnv_times(hash ^ x) != fnv_times(other ^ y);
    ensures SES_012: byte: hash == other && x != y ==> fnv_times(hash ^ x) != fnv_times(other ^ y);
*/
void law_byte(uint64_t hash, uint64_t other, uint8_t x, uint8_t y);

/*@ requires from: \valid_read(bytes + (0 .. \max(len, n) - 1));
    requires whole: save_whole(bytes, len);
    requires other: n != len;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_012: cut: n < len ==>
      \result == (n < 8 ? NDL_E_SAVE : NDL_E_SAVE_LENGTH);
    ensures SES_012: longer: len < n ==> \result == NDL_E_SAVE_LENGTH;
*/
ndl_status law_length(const uint8_t *bytes, size_t len, size_t n);

#endif
