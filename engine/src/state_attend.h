/*
 * What ndl.h declares of attention over a session, with its contract.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_ATTEND_H
#define NDL_STATE_ATTEND_H

#include "attend.h"
#include "state_kv.h"

#include "../logic/step.acsl"

/*@ requires session: session_ok(s) && queries_ok(s);
    requires objects: scratch_len <= SIZE_MAX / 8;
    requires from: \valid_read(q + (0 .. q_len - 1));
    requires to: \valid(scratch + (0 .. scratch_len - 1)) && \valid(out + (0 .. out_len - 1));
    requires apart: \separated(q + (0 .. q_len - 1), scratch + (0 .. scratch_len - 1),
                               out + (0 .. out_len - 1));
    requires apart: layer < s->geometry.num_layers ==>
      off_stores(s, layer, scratch, scratch_len) && off_stores(s, layer, out, out_len);
    terminates \true;
    exits \false;
    assigns scratch[0 .. step_floats(s, layer, pos) - 1], out[0 .. step_out(s) - 1];
    ensures SES_001: layer: layer >= s->geometry.num_layers <==> \result == NDL_E_LAYER;
    ensures SES_001: position: layer < s->geometry.num_layers && pos == SIZE_MAX <==>
      \result == NDL_E_POSITION;
    ensures SES_001: length: layer < s->geometry.num_layers && pos < SIZE_MAX &&
      !(q_len == s->dim[NDL_Q] && out_len == step_out(s) &&
        scratch_len >= step_floats(s, layer, pos)) <==> \result == NDL_E_LENGTH;
    ensures SES_001: status: \result == NDL_OK || \result == NDL_E_LAYER ||
      \result == NDL_E_POSITION || \result == NDL_E_LENGTH;
    ensures SES_001: unchanged: \result != NDL_OK ==>
      \forall float *p; bits(*p) == \old(bits(*p));
*/
ndl_status ndl_attend_step(const ndl_session *s, size_t layer, size_t pos, const float *q,
                           size_t q_len, float *scratch, size_t scratch_len, float *out,
                           size_t out_len);

#endif
