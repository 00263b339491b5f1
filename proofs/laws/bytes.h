/*
 * Laws of sizes: a session whose numbers follow from an accepted geometry and whose
 * rings keep to their caps has bytes that can be counted.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_LAWS_BYTES_H
#define NDL_LAWS_BYTES_H

#include "geometry.h"
#include "state_pos.h"

/*@ predicate derived{L}(ndl_session *s) =
      geometry_ok(&s->geometry) && s->dim[NDL_Q] == geo_q(&s->geometry) &&
      s->dim[NDL_K] == geo_k(&s->geometry) && s->dim[NDL_V] == geo_v(&s->geometry) &&
      s->tail_rows == \max(s->geometry.qkv_conv_taps - 1, 0) &&
      s->reach == geo_reach(&s->geometry) && s->held <= geo_max_order(&s->geometry) &&
      (\forall integer i; 0 <= i < s->geometry.num_layers ==> 0 < s->layer[i].slots) &&
      (\forall integer i; 0 <= i < s->geometry.num_layers ==>
        s->layer[i].slots <= geo_cap(&s->geometry, i));

    lemma ok_numbers{L}: \forall ndl_geometry *g; geometry_ok(g) ==>
      1 <= g->num_layers && 1 <= g->num_heads && 1 <= g->num_kv_heads && 1 <= g->qk_head_dim &&
      1 <= g->v_head_dim && 1 <= g->max_seq_len;
    lemma ok_sites{L}: \forall ndl_geometry *g; geometry_ok(g) && 0 < g->engram.num_sites ==>
      1 <= g->d_model;
    lemma ok_bytes{L}: \forall ndl_geometry *g; geometry_ok(g) ==>
      ring_bytes(g, g->num_layers) + 4 * (conv_floats(g) + site_floats(g) + geo_max_order(g)) <=
        SIZE_MAX / 2;
    lemma ok_rows{L}: \forall ndl_geometry *g; geometry_ok(g) ==>
      4 * off(\max(g->qkv_conv_taps, 1), geo_q(g)) <= SIZE_MAX / 2 &&
      4 * off(\max(g->qkv_conv_taps, 1), geo_k(g)) <= SIZE_MAX / 2 &&
      4 * off(\max(g->qkv_conv_taps, 1), geo_v(g)) <= SIZE_MAX / 2;
    lemma off_sum: \forall integer x, y, z; off(x, y + z) == off(x, y) + off(x, z);
    lemma off_times: \forall integer x, y, z; off(x, off(y, z)) == off(off(x, y), z);
    lemma off_within: \forall integer x, y, a, b; 0 <= x <= a && 0 <= y <= b ==>
      off(x, y) <= off(a, b);
    lemma off_max: \forall integer x, y, z; 0 <= x ==> off(x, y) <= off(x, \max(y, z));
*/

/*@ requires session: \valid_read(s) && derived(s);
    requires layers: \valid_read(s->layer + (0 .. s->geometry.num_layers - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures KV_007: fits: content_bytes(s) <= session_bytes(&s->geometry);
    ensures KV_007: countable: countable(s);
*/
void law_bytes(const ndl_session *s);

#endif
