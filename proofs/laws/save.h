/*
 * SES_012 of a whole save: cut short, made longer, or with one byte altered it is
 * refused, each in its way. A byte that is another, or a hash that is another, leaves
 * another hash behind each byte: so an altered byte leaves another checksum.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_LAWS_SAVE
#define NDL_LAWS_SAVE

#include "state_put.h"

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

/*@ // Of n bytes, byte p is another, or none is.
    predicate altered{L}(unsigned char *a, unsigned char *b, integer n, integer p) =
      \forall integer i; 0 <= i < n ==> (a[i] == b[i] <==> i != p);
*/

/* The number at k is another exactly if that byte is one of its own. */
/*@ requires from: \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    requires altered: altered(a, b, n, p);
    requires number: k <= n - 8;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_012: number: u64_at(a + k) != u64_at(b + k) <==> k <= p < k + 8;
*/
void law_number(const uint8_t *a, const uint8_t *b, size_t n, size_t p, size_t k);

/* One byte that is another leaves another hash behind itself and all that follow. */
/*@ requires from: \valid_read(a + (0 .. n - 1)) && \valid_read(b + (0 .. n - 1));
    requires altered: altered(a, b, n, p);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_012: before: n <= p ==>
      fnv_of(NDL_FNV1A64, a, n) == fnv_of(NDL_FNV1A64, b, n);
    ensures SES_012: behind: p < n ==>
      fnv_of(NDL_FNV1A64, a, n) != fnv_of(NDL_FNV1A64, b, n);
*/
void law_hashes(const uint8_t *a, const uint8_t *b, size_t n, size_t p);

/*@ requires from: \valid_read(bytes + (0 .. len - 1)) && \valid_read(other + (0 .. len - 1));
    requires whole: save_whole(bytes, len);
    requires altered: p < len && altered(bytes, other, len, p);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_012: altered: \result == (p < 8 ? NDL_E_SAVE : p < 16 ? NDL_E_SAVE_VERSION
      : p < 24 ? NDL_E_SAVE_LENGTH : NDL_E_SAVE_CHECKSUM);
*/
ndl_status law_altered(const uint8_t *bytes, const uint8_t *other, size_t len, size_t p);

/* What was saved is whole. */
/*@ requires session: savable(s);
    requires to: \valid(bytes + (0 .. save_size(s) - 1));
    requires apart: off_session(s, bytes);
    terminates \true;
    exits \false;
    assigns bytes[0 .. save_size(s) - 1];
    ensures SES_012: saved: \result == NDL_OK;
*/
ndl_status law_saved(const ndl_session *s, uint8_t *bytes);

#endif
