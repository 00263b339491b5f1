/*
 * What attention over a session relies on follows from an accepted geometry, and
 * lengths as ndl.h names them are not refused: so that its contract is about every
 * session there is.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_LAWS_STEP_H
#define NDL_LAWS_STEP_H

#include "geometry.h"
#include "state_attend.h"

/*@ requires session: session_ok(s) && s->dim[NDL_Q] == geo_q(&s->geometry);
    requires geometry: geometry_ok(&s->geometry);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures queries: queries_ok(s);
*/
void law_queries(const ndl_session *s);

/*@ requires session: session_ok(s) && s->dim[NDL_Q] == geo_q(&s->geometry);
    requires geometry: geometry_ok(&s->geometry);
    requires place: layer < s->geometry.num_layers && pos < SIZE_MAX;
    requires scratch: step_floats(s, layer, pos) <= scratch_len <= SIZE_MAX / 8;
    requires from: \valid_read(q + (0 .. geo_q(&s->geometry) - 1));
    requires to: \valid(scratch + (0 .. scratch_len - 1)) &&
      \valid(out + (0 .. geo_out(&s->geometry) - 1));
    requires apart: \separated(q + (0 .. geo_q(&s->geometry) - 1),
                               scratch + (0 .. scratch_len - 1),
                               out + (0 .. geo_out(&s->geometry) - 1));
    requires apart: off_stores(s, layer, scratch, scratch_len) &&
      off_stores(s, layer, out, geo_out(&s->geometry));
    terminates \true;
    exits \false;
    assigns scratch[0 .. scratch_len - 1], out[0 .. geo_out(&s->geometry) - 1];
    ensures ATT_005: suffices: \result == NDL_OK;
*/
ndl_status law_step(const ndl_session *s, size_t layer, size_t pos, const float *q, float *scratch,
                    size_t scratch_len, float *out);

#endif
