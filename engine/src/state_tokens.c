/* The token history of a session.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state.h"

#include "tokens.h"

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
static uint32_t seed_of(const ndl_engram *e, size_t table)
{
    const uint64_t order = table / e->heads, head = table % e->heads;
    const uint64_t stride = e->seed_heads != 0 ? e->seed_heads : e->heads;

    return (uint32_t)((order * (stride & UINT32_MAX) + (head & UINT32_MAX) + 1) & UINT32_MAX);
}

ndl_status ndl_engram_index(const ndl_session *s, size_t table, uint32_t *index)
{
    const ndl_engram *e = &s->geometry.engram;

    if (table >= ndl_geometry_tables(&s->geometry))
        return NDL_E_TABLE;
    *index = ndl_table_index(s->history, s->held, e->orders[table / e->heads], seed_of(e, table),
                             e->slots);
    return NDL_OK;
}
