#include "write.h"

ndl_status law_write_f32(ndl_session *s, size_t layer, size_t n, const float *k, const float *v)
/*@ ghost (size_t key_k, size_t key_v) */
{
    const size_t slots = s->layer[layer].slots, k_dim = s->dim[NDL_K], v_dim = s->dim[NDL_V];
    const ndl_status status = ndl_write_kv(s, layer, n, k, k_dim, v, v_dim);

    if (status == NDL_OK) {
        const size_t more = s->layer[layer].slots;

        //@ assert k_dim: s->dim[NDL_K] == k_dim && s->dim[NDL_V] == v_dim;
        //@ assert grown: slots < more ==> n <= slots;
        /*@ assert kept_k: kept_f32{Pre, Here}(\at(s->layer[layer].k, Pre),
              s->layer[layer].k, slots, more, k_dim, n); */
        /*@ assert new_k: \forall integer c; 0 <= c < k_dim ==>
              bits(s->layer[layer].k[off(md(n, more), k_dim) + c]) == row_at(key_k, n, c); */
        //@ assert all_k: holds(s->layer[layer].k, more, k_dim, key_k, n + 1);
        /*@ assert kept_v: kept_f32{Pre, Here}(\at(s->layer[layer].v, Pre),
              s->layer[layer].v, slots, more, v_dim, n); */
        /*@ assert new_v: \forall integer c; 0 <= c < v_dim ==>
              bits(s->layer[layer].v[off(md(n, more), v_dim) + c]) == row_at(key_v, n, c); */
        //@ assert all_v: holds(s->layer[layer].v, more, v_dim, key_v, n + 1);
    }
    /*@ assert refused: status != NDL_OK ==>
          s->layer == \at(s->layer, Pre) &&
          s->layer[layer].k == \at(s->layer[layer].k, Pre) &&
          s->layer[layer].v == \at(s->layer[layer].v, Pre) &&
          s->layer[layer].slots == \at(s->layer[layer].slots, Pre) &&
          s->layer[layer].written == \at(s->layer[layer].written, Pre); */
    /*@ assert widths: status != NDL_OK ==> s->dim[NDL_K] == k_dim && s->dim[NDL_V] == v_dim; */
    /*@ assert old_k: status != NDL_OK ==> holds(s->layer[layer].k, slots, k_dim, key_k, n); */
    /*@ assert old_v: status != NDL_OK ==> holds(s->layer[layer].v, slots, v_dim, key_v, n); */
    return status;
}

ndl_status law_write_int8(ndl_session *s, size_t layer, size_t n, const float *k, const float *v)
/*@ ghost (size_t key_k, size_t key_v) */
{
    const size_t slots = s->layer[layer].slots, k_dim = s->dim[NDL_K], v_dim = s->dim[NDL_V];
    const size_t heads = s->geometry.num_kv_heads;
    const size_t qk = s->geometry.qk_head_dim, vh = s->geometry.v_head_dim;
    const ndl_status status = ndl_write_kv(s, layer, n, k, k_dim, v, v_dim);

    if (status == NDL_OK) {
        const size_t more = s->layer[layer].slots;

        //@ assert k_dim: s->dim[NDL_K] == k_dim && s->dim[NDL_V] == v_dim;
        //@ assert heads: s->geometry.num_kv_heads == heads;
        //@ assert widths: s->geometry.qk_head_dim == qk && s->geometry.v_head_dim == vh;
        //@ assert numerics: s->numerics == \at(s->numerics, Pre);
        //@ assert grown: slots < more ==> n <= slots;
        //@ assert width_k: k_dim == off(heads, qk);
        /*@ assert kept_k_codes: kept_i8{Pre, Here}(\at(s->layer[layer].k_codes, Pre),
              s->layer[layer].k_codes, slots, more, off(heads, qk), n); */
        /*@ assert new_k: \forall integer h, c; 0 <= h < heads && 0 <= c < qk ==>
              s->layer[layer].k_codes[off(md(n, more), off(heads, qk)) + off(h, qk) + c] ==
                quant_code(s->numerics, head_of(key_k, h), n, qk, c); */
        /*@ assert all_k: holds_codes(s->numerics, s->layer[layer].k_codes, more, heads, qk,
              key_k, n + 1); */
        /*@ assert kept_k_scales: kept_f32{Pre, Here}(\at(s->layer[layer].k_scales, Pre),
              s->layer[layer].k_scales, slots, more, heads, n); */
        /*@ assert new_k_scales: \forall integer h; 0 <= h < heads ==>
              bits(s->layer[layer].k_scales[off(md(n, more), heads) + h]) ==
                quant_scale(head_of(key_k, h), n, qk, 127); */
        /*@ assert all_k_scales: holds_scales(s->layer[layer].k_scales, more, heads, qk,
              key_k, n + 1); */
        //@ assert width_v: v_dim == off(heads, vh);
        /*@ assert kept_v_codes: kept_i8{Pre, Here}(\at(s->layer[layer].v_codes, Pre),
              s->layer[layer].v_codes, slots, more, off(heads, vh), n); */
        /*@ assert new_v: \forall integer h, c; 0 <= h < heads && 0 <= c < vh ==>
              s->layer[layer].v_codes[off(md(n, more), off(heads, vh)) + off(h, vh) + c] ==
                quant_code(s->numerics, head_of(key_v, h), n, vh, c); */
        /*@ assert all_v: holds_codes(s->numerics, s->layer[layer].v_codes, more, heads, vh,
              key_v, n + 1); */
        /*@ assert kept_v_scales: kept_f32{Pre, Here}(\at(s->layer[layer].v_scales, Pre),
              s->layer[layer].v_scales, slots, more, heads, n); */
        /*@ assert new_v_scales: \forall integer h; 0 <= h < heads ==>
              bits(s->layer[layer].v_scales[off(md(n, more), heads) + h]) ==
                quant_scale(head_of(key_v, h), n, vh, 127); */
        /*@ assert all_v_scales: holds_scales(s->layer[layer].v_scales, more, heads, vh,
              key_v, n + 1); */
    }
    /*@ assert refused: status != NDL_OK ==>
          s->layer == \at(s->layer, Pre) &&
          s->layer[layer].k_codes == \at(s->layer[layer].k_codes, Pre) &&
          s->layer[layer].v_codes == \at(s->layer[layer].v_codes, Pre) &&
          s->layer[layer].k_scales == \at(s->layer[layer].k_scales, Pre) &&
          s->layer[layer].v_scales == \at(s->layer[layer].v_scales, Pre) &&
          s->layer[layer].slots == \at(s->layer[layer].slots, Pre) &&
          s->layer[layer].written == \at(s->layer[layer].written, Pre); */
    /*@ assert widths: status != NDL_OK ==> s->geometry.num_kv_heads == heads &&
          s->geometry.qk_head_dim == qk && s->geometry.v_head_dim == vh; */
    /*@ assert old_k: status != NDL_OK ==> 
          holds_codes(s->numerics, s->layer[layer].k_codes, slots, heads, qk, key_k, n); */
    /*@ assert old_v: status != NDL_OK ==> 
          holds_codes(s->numerics, s->layer[layer].v_codes, slots, heads, vh, key_v, n); */
    /*@ assert old_k_scales: status != NDL_OK ==> 
          holds_scales(s->layer[layer].k_scales, slots, heads, qk, key_k, n); */
    /*@ assert old_v_scales: status != NDL_OK ==> 
          holds_scales(s->layer[layer].v_scales, slots, heads, vh, key_v, n); */
    return status;
}
