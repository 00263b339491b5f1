/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "step.h"

void law_queries(const ndl_session *s)
{
    (void)s;
    //@ assert taps: to_taps(&s->geometry);
    //@ assert sites: to_sites(&s->geometry);
    /*@ assert groups: zero_status(&s->geometry) == NDL_OK &&
          s->geometry.num_heads % s->geometry.num_kv_heads == 0; */
    //@ assert heads: 1 <= s->geometry.num_heads;
    /*@ assert rows: 4 * off(\max(s->geometry.qkv_conv_taps, 1), geo_q(&s->geometry)) <=
          SIZE_MAX / 2 && 4 * geo_out(&s->geometry) <= SIZE_MAX / 2; */
    /*@ assert one: geo_q(&s->geometry) <=
          off(\max(s->geometry.qkv_conv_taps, 1), geo_q(&s->geometry)); */
}

ndl_status law_step(const ndl_session *s, size_t layer, size_t pos, const float *q, float *scratch,
                    size_t scratch_len, float *out)
{
    law_queries(s);
    //@ assert there: frame_ok(s);
    const size_t out_dim = ndl_geometry_out_dim(&s->geometry);

    return ndl_attend_step(s, layer, pos, q, s->dim[NDL_Q], scratch, scratch_len, out, out_dim);
}
