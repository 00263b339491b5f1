/*
 * The q/k/v step starts its sum with the first product, the sequence form at
 * +0. Both give the same bits up to the sign of a zero and to which NaN it is.
 *
 * Z(x) are the bits x, or those of +0 for both zeros, or 7fc00000 for a NaN.
 * Its two axioms are facts of IEEE 754 addition: +0 + x is x, but for a zero's
 * sign; and if Z(a) == Z(b), a and b are the same, or zeros, or NaN, where a + x
 * and b + x are again the same, or zeros, or NaN. proofs/exhaust/zeros.c compares
 * both for every x.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_LAWS_ZEROS
#define NDL_LAWS_ZEROS

#include <stddef.h>

#include "../../engine/logic/conv.acsl"

/*@ axiomatic Zeros {
      logic integer Z(integer x) reads \nothing;
      axiom z_start: \forall integer x; Z(ADD(ZERO, x)) == Z(x);
      axiom z_add: \forall integer a, b, x; Z(a) == Z(b) ==> Z(ADD(a, x)) == Z(ADD(b, x));
    }
*/

/*@ requires some: 1 <= taps;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures CONV_001: same: Z(conv_step(key, w, t, c, taps)) == Z(conv_sum(key, w, 1, t, c, taps));
*/
void law_step_is_sequence(size_t taps) /*@ ghost (size_t key, size_t w, size_t t, size_t c) */;

#endif
