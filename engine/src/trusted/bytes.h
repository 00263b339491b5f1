/*
 * Floats as the bytes of their bits, least significant first, and back. Trusted:
 * the memory models of proofs do not see a float's bits. Tests read back each
 * class of floats, signalling NaNs with their payloads among them.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_TRUSTED_BYTES_H
#define NDL_TRUSTED_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "../../logic/bits.acsl"
#include "../../logic/little.acsl"

/** The 4 * n bytes at `to` become the bits of n floats. */
/*@ requires to: \valid(to + (0 .. 4 * n - 1));
    requires from: \valid_read(x + (0 .. n - 1));
    requires fits: 4 * n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns to[0 .. 4 * n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> u32_at(to + 4 * i) == bits(x[i]);
*/
void ndl_put_f32(uint8_t *to, const float *x, size_t n);

/** n floats become those whose bits are at `from`. */
/*@ requires to: \valid(x + (0 .. n - 1));
    requires from: \valid_read(from + (0 .. 4 * n - 1));
    requires fits: 4 * n <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns x[0 .. n - 1];
    ensures value: \forall integer i; 0 <= i < n ==> bits(x[i]) == u32_at(from + 4 * i);
*/
void ndl_get_f32(float *x, const uint8_t *from, size_t n);

#endif
