/*
 * Lanes: LANES floats side by side, a register or two of the machine. What a
 * lane holds meets nothing of another lane, so what is computed in it has the
 * bits of a loop over that lane alone.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_LANES_H
#define NDL_LANES_H

#include "leaf.h"
#include "level.h"

#include "../logic/cell.acsl"

#define LANES 8

/** acc[l] + a[l] * b in every lane. */
/*@ requires to: \valid(acc + (0 .. LANES - 1));
    requires from: \valid_read(a + (0 .. LANES - 1));
    requires apart: \separated(acc + (0 .. LANES - 1), a + (0 .. LANES - 1));
    terminates \true;
    exits \false;
    assigns acc[0 .. LANES - 1];
    ensures sum: \forall float *p; within(p, acc, 0, LANES) ==>
      bits(*p) == ADD(\old(bits(*p)), MUL(bits(a[p - acc]), bits(b)));
*/
NDL_PART void lanes_mac(float *restrict acc, const float *restrict a, float b)
{
    /*@ loop invariant some: 0 <= l <= LANES;
        loop invariant sum: \forall float *p; within(p, acc, 0, l) ==>
          bits(*p) == ADD(\at(bits(*p), Pre), MUL(bits(a[p - acc]), bits(b)));
        loop invariant rest: \forall integer e; l <= e < LANES ==>
          bits(acc[e]) == \at(bits(acc[e]), Pre);
        loop assigns l, acc[0 .. LANES - 1];
        loop variant LANES - l; */
    NDL_LANES
    for (size_t l = 0; l < LANES; l++)
        acc[l] = ndl_mac(acc[l], a[l], b);
}

#endif
