/*
 * KV_006, step by step, on the session's write call: if a layer holds the
 * history of positions 0 .. n - 1, it holds that of 0 .. n after n was written,
 * grown or not, and still that of 0 .. n - 1 after a write that found no memory.
 * A new session holds the history of no position, so this is the induction over
 * n. Two keys name the histories of keys and of values, which are any at all.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_LAWS_WRITE
#define NDL_LAWS_WRITE

#include "state_kv.h"

#include "history.h"

/*@ axiomatic Heads {
      // The history of head h of the rows of a history.
      logic integer head_of(integer key, integer h) reads \nothing;
    }

    // The heads of a row, heads of width floats at p, are those of row t of a history.
    predicate are_heads{L}(float *p, integer heads, integer width, integer key, integer t) =
      \forall integer h; 0 <= h < heads ==>
        is_row{L}(p + off(h, width), width, head_of(key, h), t);

    predicate holds_codes{L}(integer numerics, int8_t *codes, integer slots, integer heads,
                             integer width, integer key, integer n) =
      \forall integer p, h, c;
        0 <= p < n && n - slots <= p && 0 <= h < heads && 0 <= c < width ==>
        \at(codes[off(md(p, slots), off(heads, width)) + off(h, width) + c], L) ==
          quant_code(numerics, head_of(key, h), p, width, c);

    predicate holds_scales{L}(float *scales, integer slots, integer heads, integer width,
                              integer key, integer n) =
      \forall integer p, h; 0 <= p < n && n - slots <= p && 0 <= h < heads ==>
        bits(\at(scales[off(md(p, slots), heads) + h], L)) ==
          quant_scale(head_of(key, h), p, width, 127);
*/

/*@ predicate f32_holds{L}(ndl_session *s, integer layer, integer key_k, integer key_v,
                           integer n) =
      holds(s->layer[layer].k, s->layer[layer].slots, s->dim[NDL_K], key_k, n) &&
      holds(s->layer[layer].v, s->layer[layer].slots, s->dim[NDL_V], key_v, n);

    predicate int8_holds{L}(ndl_session *s, integer layer, integer key_k, integer key_v,
                            integer n) =
      holds_codes(s->numerics, s->layer[layer].k_codes, s->layer[layer].slots,
                  s->geometry.num_kv_heads, s->geometry.qk_head_dim, key_k, n) &&
      holds_codes(s->numerics, s->layer[layer].v_codes, s->layer[layer].slots,
                  s->geometry.num_kv_heads, s->geometry.v_head_dim, key_v, n) &&
      holds_scales(s->layer[layer].k_scales, s->layer[layer].slots,
                   s->geometry.num_kv_heads, s->geometry.qk_head_dim, key_k, n) &&
      holds_scales(s->layer[layer].v_scales, s->layer[layer].slots,
                   s->geometry.num_kv_heads, s->geometry.v_head_dim, key_v, n);
*/

/*@ // Where positions before n are in a ring of slots, and of more after n was written.
    lemma place_same: \forall integer slots, more, n, p;
      0 < slots <= more && (slots < more ==> n <= slots) && 0 <= p < n && n + 1 - more <= p ==>
      n - slots <= p && md(p, more) == md(p, slots);
    lemma place_below: \forall integer slots, dim, p;
      0 < slots && 0 < dim && 0 <= p ==>
      0 <= off(md(p, slots), dim) && off(md(p, slots), dim) + dim <= off(slots, dim);
    lemma place_apart: \forall integer more, dim, n, p;
      0 < more && 0 < dim && 0 <= p < n && n + 1 - more <= p ==>
      off(md(p, more), dim) + dim <= off(md(n, more), dim) ||
      off(md(n, more), dim) + dim <= off(md(p, more), dim);

    // A store that held the history of positions before n, and to which n was written.
    lemma rows_next{A, B}: \forall float *was, float *now, integer slots, more, dim, key, n;
      0 < slots <= more && 0 < dim && (slots < more ==> n <= slots) &&
      holds{A}(was, slots, dim, key, n) && kept_f32{A, B}(was, now, slots, more, dim, n) &&
      (\forall integer c; 0 <= c < dim ==>
        bits(\at(now[off(md(n, more), dim) + c], B)) == row_at(key, n, c)) ==>
      holds{B}(now, more, dim, key, n + 1);

    lemma head_in: \forall integer heads, width, h, c;
      0 <= h < heads && 0 <= c < width ==>
      0 <= off(h, width) && off(h, width) + c < off(heads, width);
    lemma codes_next{A, B}: \forall integer numerics, int8_t *was, int8_t *now,
        integer slots, more, heads, width, key, n;
      0 < slots <= more && 0 < heads && 0 < width && (slots < more ==> n <= slots) &&
      holds_codes{A}(numerics, was, slots, heads, width, key, n) &&
      kept_i8{A, B}(was, now, slots, more, off(heads, width), n) &&
      (\forall integer h, c; 0 <= h < heads && 0 <= c < width ==>
        \at(now[off(md(n, more), off(heads, width)) + off(h, width) + c], B) ==
          quant_code(numerics, head_of(key, h), n, width, c)) ==>
      holds_codes{B}(numerics, now, more, heads, width, key, n + 1);
    lemma scales_next{A, B}: \forall float *was, float *now,
        integer slots, more, heads, width, key, n;
      0 < slots <= more && 0 < heads && (slots < more ==> n <= slots) &&
      holds_scales{A}(was, slots, heads, width, key, n) &&
      kept_f32{A, B}(was, now, slots, more, heads, n) &&
      (\forall integer h; 0 <= h < heads ==>
        bits(\at(now[off(md(n, more), heads) + h], B)) ==
          quant_scale(head_of(key, h), n, width, 127)) ==>
      holds_scales{B}(now, more, heads, width, key, n + 1);
*/

/*@ requires session: session_f32(s);
    requires layer: layer < s->geometry.num_layers;
    requires count: n < SIZE_MAX && s->layer[layer].written == n;
    requires row_k: \valid_read(k + (0 .. s->dim[NDL_K] - 1)) && off_layer(s, layer, k) &&
      is_row(k, s->dim[NDL_K], key_k, n);
    requires row_v: \valid_read(v + (0 .. s->dim[NDL_V] - 1)) && off_layer(s, layer, v) &&
      is_row(v, s->dim[NDL_V], key_v, n);
    requires before: f32_holds(s, layer, key_k, key_v, n);
    terminates \true;
    exits \false;
    ensures session: session_f32(s);
    ensures KV_006: written: \result == NDL_OK ==>
      s->layer[layer].written == n + 1 && f32_holds(s, layer, key_k, key_v, n + 1);
    ensures KV_006: refused: \result != NDL_OK ==>
      s->layer[layer].written == n && f32_holds(s, layer, key_k, key_v, n);
*/
ndl_status law_write_f32(ndl_session *s, size_t layer, size_t n, const float *k, const float *v)
    /*@ ghost (size_t key_k, size_t key_v) */;

/*@ requires session: session_int8(s);
    requires layer: layer < s->geometry.num_layers;
    requires count: n < SIZE_MAX && s->layer[layer].written == n;
    requires row_k: \valid_read(k + (0 .. s->dim[NDL_K] - 1)) && off_layer(s, layer, k) &&
      are_heads(k, s->geometry.num_kv_heads, s->geometry.qk_head_dim, key_k, n);
    requires row_v: \valid_read(v + (0 .. s->dim[NDL_V] - 1)) && off_layer(s, layer, v) &&
      are_heads(v, s->geometry.num_kv_heads, s->geometry.v_head_dim, key_v, n);
    requires before: int8_holds(s, layer, key_k, key_v, n);
    terminates \true;
    exits \false;
    ensures session: session_int8(s);
    ensures KV_006: written: \result == NDL_OK ==>
      s->layer[layer].written == n + 1 && int8_holds(s, layer, key_k, key_v, n + 1);
    ensures KV_006: refused: \result != NDL_OK ==>
      s->layer[layer].written == n && int8_holds(s, layer, key_k, key_v, n);
*/
ndl_status law_write_int8(ndl_session *s, size_t layer, size_t n, const float *k, const float *v)
    /*@ ghost (size_t key_k, size_t key_v) */;

#endif
