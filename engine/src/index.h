/*
 * Where an element of an array of rows stands: the one multiplication that
 * kernels make.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_INDEX_H
#define NDL_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "../logic/off.acsl"

/** Channel c of row r, in rows of dim elements. */
/*@ requires fits: 0 <= off(r, dim) && off(r, dim) + c <= SIZE_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures place: \result == off(r, dim) + c;
*/
static inline size_t ndl_at(size_t r, size_t dim, size_t c)
{
    return r * dim + c;
}

#endif
