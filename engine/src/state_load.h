/*
 * What stands behind a save's header, from the first layer's slots on: looked at
 * before memory is asked for, then put into a new session. The bytes: state_save.h.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_LOAD_H
#define NDL_STATE_LOAD_H

#include "state.h"

#include "state_make.h"
#include "state_save.h"

#include "../logic/load.acsl"

/* The numbers of a header, once they are known to be possible. */
typedef struct ndl_numbers {
    ndl_precision precision;
    ndl_numerics numerics;
    size_t hint, pos, held;
} ndl_numbers;

/** Whether everything behind the header is what a session can have, and as long as
 *  the bytes are: `left` of them, the checksum not counted. Claims: SES_014. */
/*@ requires g: \valid_read(g) && geometry_ok(g);
    requires numbers: n.precision == NDL_F32 || n.precision == NDL_INT8;
    requires held: n.held <= geo_max_order(g);
    requires layers: NDL_SAVE_LAYER * g->num_layers <= left;
    requires from: \valid_read(table + (0 .. left - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_014: possible: \result <==>
      contents_had(g, n.precision, n.hint, n.held, table, left);
*/
bool ndl_contents_possible(const ndl_geometry *g, ndl_numbers n, const uint8_t *table, size_t left);

/** Make a new session hold what is saved, which is possible; false without memory:
 *  then it is to be given back. Claims: SES_014. */
bool ndl_contents_get(ndl_session *s, ndl_numbers n, const uint8_t *table);

#endif
