/* The token history of a session.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_tokens.h"

/* 2^32: of a remainder provers know its bounds, of a mask they do not. */
#define WORDS (UINT64_C(1) << 32)

void ndl_push_token(ndl_session *s, uint32_t token)
{
    s->held = ndl_history_push(s->history, s->held, s->max_order, token);
}

void ndl_seed_tokens(ndl_session *s, const uint32_t *tokens, size_t n)
{
    s->held = ndl_history_seed(s->history, s->max_order, tokens, n);
}

const uint32_t *ndl_history(const ndl_session *s, size_t *len)
{
    *len = s->held;
    return s->history;
}

/* The seed of a table's hash, o * stride + h + 1 mod 2^32: the number of the
 * table, from 1, unless the stride is another than the heads. */
/*@ requires e: \valid_read(e);
    requires heads: 0 < e->heads;
    requires order: table / e->heads < NDL_MAX_ORDERS;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures TOK_004: seed: \result == table_seed(e, table);
*/
static uint32_t seed_of(const ndl_engram *e, size_t table)
{
    const uint64_t order = table / e->heads, head = table % e->heads;
    const uint64_t stride = e->seed_heads != 0 ? e->seed_heads : e->heads;

    //@ assert order: order == 0 || order == 1 || order == 2 || order == 3;
    //@ assert step: 0 <= stride % WORDS < WORDS && 0 <= head % WORDS < WORDS;
    //@ assert times: 0 <= order * (stride % WORDS) <= 3 * WORDS;
    return (uint32_t)((order * (stride % WORDS) + head % WORDS + 1) % WORDS);
}

ndl_status ndl_engram_index(const ndl_session *s, size_t table, uint32_t *index)
{
    const ndl_engram *e = &s->geometry.engram;

    if (table >= ndl_geometry_tables(&s->geometry))
        return NDL_E_TABLE;
    //@ assert table: table < off(e->num_orders, e->heads);
    //@ assert order: 0 < e->heads && table / e->heads < e->num_orders <= NDL_MAX_ORDERS;
    //@ assert groups: zero_status(&s->geometry) == NDL_OK;
    //@ assert orders: 0 <= table / e->heads && 0 < s->geometry.engram.num_orders;
    //@ assert slots: 0 < e->slots;
    *index = ndl_table_index(s->history, s->held, e->orders[table / e->heads], seed_of(e, table),
                             e->slots);
    return NDL_OK;
}
