/*
 * What ndl.h declares of a session's tokens, with its contracts.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_TOKENS_H
#define NDL_STATE_TOKENS_H

#include "geometry.h"
#include "state.h"
#include "tokens.h"

/*@ predicate tokens_ok{L}(ndl_session *s) =
      \valid(s) && 0 < s->max_order && s->held <= s->max_order &&
      \valid(s->history + (0 .. s->max_order - 1)) &&
      \base_addr(s->history) != \base_addr(s);

    // o * stride + h + 1 for table h of order o, modulo 2^32.
    logic integer table_stride{L}(ndl_engram *e) =
      e->seed_heads != 0 ? e->seed_heads : e->heads;
    logic integer table_seed{L}(ndl_engram *e, integer table) =
      ((table / e->heads) * (table_stride(e) % 0x100000000) +
       (table % e->heads) % 0x100000000 + 1) % 0x100000000;
*/

/*@ requires session: tokens_ok(s);
    terminates \true;
    exits \false;
    assigns s->held, s->history[0 .. s->max_order - 1];
    ensures session: tokens_ok(s);
    ensures TOK_001: held:
      s->held == (\old(s->held) < s->max_order ? \old(s->held) + 1 : s->max_order);
    ensures TOK_001: newest: s->history[s->held - 1] == token;
    ensures TOK_001: kept: \old(s->held) < s->max_order ==>
      \forall integer i; 0 <= i < \old(s->held) ==> s->history[i] == \old(s->history[i]);
    ensures TOK_001: moved: \old(s->held) == s->max_order ==>
      \forall integer i; 0 <= i < s->max_order - 1 ==> s->history[i] == \old(s->history[i + 1]);
*/
void ndl_push_token(ndl_session *s, uint32_t token);

/*@ requires session: tokens_ok(s);
    requires from: \valid_read(tokens + (0 .. n - 1));
    requires apart: \separated(s->history + (0 .. s->max_order - 1), tokens + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns s->held, s->history[0 .. s->max_order - 1];
    ensures session: tokens_ok(s);
    ensures TOK_002: held: s->held == \min(n, s->max_order);
    ensures TOK_002: last: \forall integer i; 0 <= i < s->held ==>
      s->history[i] == tokens[n - s->held + i];
*/
void ndl_seed_tokens(ndl_session *s, const uint32_t *tokens, size_t n);

/*@ requires session: tokens_ok(s);
    requires out: \valid(len) && \base_addr(len) != \base_addr(s);
    terminates \true;
    exits \false;
    assigns *len;
    ensures TOK_001: view: \result == s->history && *len == s->held;
*/
const uint32_t *ndl_history(const ndl_session *s, size_t *len);

/*@ requires session: tokens_ok(s) && geometry_ok(&s->geometry);
    requires out: \valid(index) && \base_addr(index) != \base_addr(s->history);
    terminates \true;
    exits \false;
    assigns *index;
    ensures SES_001: status:
      \result == (table >= geo_tables(&s->geometry) ? NDL_E_TABLE : NDL_OK);
    ensures SES_001: unchanged: \result != NDL_OK ==> *index == \old(*index);
    ensures TOK_003: below: \result == NDL_OK ==> *index < s->geometry.engram.slots;
    ensures TOK_004: hash: \result == NDL_OK ==>
      *index == hash_fold(hash_acc{Pre}(\at(s->history, Pre), \at(s->held, Pre),
        table_seed{Pre}(&s->geometry.engram, table),
        \at(s->geometry.engram.orders[table / s->geometry.engram.heads], Pre))) %
        s->geometry.engram.slots;
*/
ndl_status ndl_engram_index(const ndl_session *s, size_t table, uint32_t *index);

#endif
