/* What a session is and where it stands. Making and unmaking one: state_make.c.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state_pos.h"

#include "geometry.h"

const ndl_geometry *ndl_session_geometry(const ndl_session *s)
{
    return &s->geometry;
}

ndl_precision ndl_session_precision(const ndl_session *s)
{
    return s->precision;
}

ndl_numerics ndl_session_numerics(const ndl_session *s)
{
    return s->numerics;
}

size_t ndl_session_hint(const ndl_session *s)
{
    return s->hint;
}

size_t ndl_pos(const ndl_session *s)
{
    return s->pos;
}

size_t ndl_len(const ndl_session *s)
{
    return s->pos;
}

bool ndl_is_empty(const ndl_session *s)
{
    return s->pos == 0;
}

ndl_status ndl_set_pos(ndl_session *s, size_t pos)
{
    if (pos == SIZE_MAX)
        return NDL_E_POSITION;
    s->pos = pos;
    return NDL_OK;
}

ndl_status ndl_advance(ndl_session *s)
{
    if (s->pos >= SIZE_MAX - 1)
        return NDL_E_POSITION;
    s->pos++;
    return NDL_OK;
}

/* No sum here overflows: with every ring at its cap and the history full it
 * keeps to NDL_MAX_BYTES, or the geometry would have been refused. */
size_t ndl_bytes(const ndl_session *s)
{
    const ndl_geometry *g = &s->geometry;
    const size_t row = s->dim[NDL_K] + s->dim[NDL_V];
    const size_t slot_bytes =
        s->precision == NDL_F32 ? row * sizeof(float) : row + 2 * g->num_kv_heads * sizeof(float);
    const size_t tails = s->tail_rows * (s->dim[NDL_Q] + row);
    size_t floats = g->engram.num_sites * s->reach * g->d_model;
    size_t bytes = s->held * sizeof(uint32_t);

    for (size_t i = 0; i < g->num_layers; i++) {
        floats += tails;
        bytes += s->layer[i].slots * slot_bytes;
    }
    return bytes + floats * sizeof(float);
}
