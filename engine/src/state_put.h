/*
 * What ndl.h declares of saving, with its contracts. The layout: state_save.h.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_PUT_H
#define NDL_STATE_PUT_H

#include "state.h"

#include "state_save.h"

#include "../logic/saved.acsl"

/*@ requires session: savable(s);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SES_010: size: \result == save_size(s);
*/
size_t ndl_session_save_size(const ndl_session *s);

/*@ requires session: savable(s);
    requires to: \valid(bytes + (0 .. len - 1));
    requires apart: off_session(s, bytes);
    terminates \true;
    exits \false;
    assigns bytes[0 .. len - 1];
    ensures SES_010: length: \result == (len == save_size(s) ? NDL_OK : NDL_E_LENGTH);
    ensures SES_001: unchanged: \result != NDL_OK ==>
      \forall unsigned char *p; *p == \old(*p);
    ensures SES_012: whole: \result == NDL_OK ==> save_whole(bytes, len);
*/
ndl_status ndl_session_save(const ndl_session *s, uint8_t *bytes, size_t len);

#endif
