/* Attention over what a session holds.
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "state.h"

#include "attend.h"

ndl_status ndl_attend_step(const ndl_session *s, size_t layer, size_t pos, const float *q,
                           size_t q_len, float *scratch, size_t scratch_len, float *out,
                           size_t out_len)
{
    ndl_kv kv;
    ndl_span span;
    ndl_status status = ndl_kv_at(s, layer, &kv);

    if (status != NDL_OK)
        return status;
    status = ndl_span_at(s, layer, pos, &span);
    if (status != NDL_OK)
        return status;
    if (q_len != s->dim[NDL_Q] || out_len != ndl_geometry_out_dim(&s->geometry) ||
        scratch_len < ndl_attend_scratch(&s->geometry, span.hi - span.lo + 1))
        return NDL_E_LENGTH;
    ndl_attend_row(ndl_heads_of(&s->geometry), &kv, span, q, scratch, out);
    return NDL_OK;
}
