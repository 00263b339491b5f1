/*
 * What ndl.h declares of a session's position, of its bytes and of what it was made
 * with, with its contracts.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_POS_H
#define NDL_STATE_POS_H

#include "state.h"

#include "../logic/bytes.acsl"

/*@ predicate position_ok{L}(ndl_session *s) = \valid(s) && s->pos < SIZE_MAX;
    predicate floats_as_before{A, B} = \forall float *p; bits(\at(*p, B)) == bits(\at(*p, A));
*/

/*@ requires session: \valid_read(s);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_007: geometry: \result == &s->geometry;
*/
const ndl_geometry *ndl_session_geometry(const ndl_session *s);

/*@ requires session: \valid_read(s);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_007: precision: \result == s->precision;
*/
ndl_precision ndl_session_precision(const ndl_session *s);

/*@ requires session: \valid_read(s);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_007: numerics: \result == s->numerics;
*/
ndl_numerics ndl_session_numerics(const ndl_session *s);

/*@ requires session: \valid_read(s);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_007: hint: \result == s->hint;
*/
size_t ndl_session_hint(const ndl_session *s);

/*@ requires session: position_ok(s);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_008: position: \result == s->pos && \result < SIZE_MAX;
*/
size_t ndl_pos(const ndl_session *s);

/*@ requires session: position_ok(s);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_008: length: \result == s->pos;
*/
size_t ndl_len(const ndl_session *s);

/*@ requires session: position_ok(s);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_008: empty: \result <==> s->pos == 0;
*/
bool ndl_is_empty(const ndl_session *s);

/*@ requires session: position_ok(s);
    terminates \true;
    exits \false;
    assigns s->pos;
    ensures session: position_ok(s);
    ensures SES_008: set: \result == NDL_OK ==> s->pos == pos;
    ensures SES_001: position: \result == (pos == SIZE_MAX ? NDL_E_POSITION : NDL_OK);
    ensures SES_001: unchanged: \result != NDL_OK ==> s->pos == \old(s->pos);
    ensures CONV_006: unpushed: floats_as_before{Pre, Post};
    ensures ENG_005: unpushed: floats_as_before{Pre, Post};
*/
ndl_status ndl_set_pos(ndl_session *s, size_t pos);

/*@ requires session: position_ok(s);
    terminates \true;
    exits \false;
    assigns s->pos;
    ensures session: position_ok(s);
    ensures SES_008: next: \result == NDL_OK ==> s->pos == \old(s->pos) + 1;
    ensures SES_001: position:
      \result == (\old(s->pos) == SIZE_MAX - 1 ? NDL_E_POSITION : NDL_OK);
    ensures SES_001: unchanged: \result != NDL_OK ==> s->pos == \old(s->pos);
    ensures CONV_006: unpushed: floats_as_before{Pre, Post};
    ensures ENG_005: unpushed: floats_as_before{Pre, Post};
*/
ndl_status ndl_advance(ndl_session *s);

/*@ requires session: \valid_read(s) && countable(s);
    requires layers: \valid_read(s->layer + (0 .. s->geometry.num_layers - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures KV_007: bytes: \result == content_bytes(s);
*/
size_t ndl_bytes(const ndl_session *s);

#endif
