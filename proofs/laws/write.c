#include "write.h"

void law_places(size_t slots, size_t more, size_t dim, size_t n)
{
    /*@ assert others: \forall integer p; 0 <= p < n && n + 1 - more <= p ==>
          md(p, more) != md(n, more); */
    /*@ assert range: \forall integer p; 0 <= p ==> 0 <= md(p, slots) < slots; */
}

ndl_status law_write_f32(ndl_session *s, size_t layer, size_t n, const float *k, const float *v)
/*@ ghost (size_t key_k, size_t key_v) */
{
    const size_t slots = s->layer[layer].slots, k_dim = s->dim[NDL_K], v_dim = s->dim[NDL_V];
    const ndl_status status = ndl_write_kv(s, layer, n, k, k_dim, v, v_dim);

    if (status == NDL_OK) {
        const size_t more = s->layer[layer].slots;

        law_places(slots, more, k_dim, n);
        law_places(slots, more, v_dim, n);
        /*@ assert old_k: \forall integer p, c;
              0 <= p < n && n + 1 - more <= p && 0 <= c < k_dim ==>
              bits(s->layer[layer].k[off(md(p, more), k_dim) + c]) == row_at(key_k, p, c); */
        /*@ assert old_v: \forall integer p, c;
              0 <= p < n && n + 1 - more <= p && 0 <= c < v_dim ==>
              bits(s->layer[layer].v[off(md(p, more), v_dim) + c]) == row_at(key_v, p, c); */
    }
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

        law_places(slots, more, k_dim, n);
        law_places(slots, more, v_dim, n);
        law_places(slots, more, heads, n);
        /*@ assert in_k: \forall integer h, c; 0 <= h < heads && 0 <= c < qk ==>
              0 <= off(h, qk) && off(h, qk) + c < k_dim; */
        /*@ assert in_v: \forall integer h, c; 0 <= h < heads && 0 <= c < vh ==>
              0 <= off(h, vh) && off(h, vh) + c < v_dim; */
        /*@ assert old_k: \forall integer p, h, c;
              0 <= p < n && n + 1 - more <= p && 0 <= h < heads && 0 <= c < qk ==>
              s->layer[layer].k_codes[off(md(p, more), k_dim) + off(h, qk) + c] ==
                quant_code(s->numerics, head_of(key_k, h), p, qk, c); */
        /*@ assert old_v: \forall integer p, h, c;
              0 <= p < n && n + 1 - more <= p && 0 <= h < heads && 0 <= c < vh ==>
              s->layer[layer].v_codes[off(md(p, more), v_dim) + off(h, vh) + c] ==
                quant_code(s->numerics, head_of(key_v, h), p, vh, c); */
        /*@ assert old_k_scales: \forall integer p, h;
              0 <= p < n && n + 1 - more <= p && 0 <= h < heads ==>
              bits(s->layer[layer].k_scales[off(md(p, more), heads) + h]) ==
                quant_scale(head_of(key_k, h), p, qk, 127); */
        /*@ assert old_v_scales: \forall integer p, h;
              0 <= p < n && n + 1 - more <= p && 0 <= h < heads ==>
              bits(s->layer[layer].v_scales[off(md(p, more), heads) + h]) ==
                quant_scale(head_of(key_v, h), p, vh, 127); */
    }
    return status;
}
