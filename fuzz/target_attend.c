/*
 * Attention over a sequence, both representations, any grouping of heads and any
 * floats: what the reference has, bit for bit. ATT_001 ATT_004
 */
#include "input.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size};
    finding f = {""};
    ndl_geometry g = {.num_kv_heads = input_between(&in, 0, 3)};
    g.num_heads = g.num_kv_heads * input_between(&in, 1, 9) + (input_byte(&in) == 1);
    g.qk_head_dim = input_between(&in, 0, 20);
    g.v_head_dim = input_between(&in, 0, 36);
    ndl_kv kv = {.precision = input_byte(&in) & 1 ? NDL_INT8 : NDL_F32};
    kv.slots = input_between(&in, 0, 40);
    size_t window = input_size(&in), wrong = input_between(&in, 0, 31);
    size_t k_len = kv.slots * g.num_kv_heads * g.qk_head_dim;
    size_t v_len = kv.slots * g.num_kv_heads * g.v_head_dim, scales = kv.slots * g.num_kv_heads;
    size_t q_len = kv.slots * g.num_heads * g.qk_head_dim + (wrong == 1);
    size_t out_len = kv.slots * g.num_heads * g.v_head_dim + (wrong == 2);
    float *q = input_floats(&in, g.qk_head_dim ? g.qk_head_dim : 1, q_len);
    float *k = input_floats(&in, g.qk_head_dim ? g.qk_head_dim : 1, k_len);
    float *v = input_floats(&in, g.v_head_dim ? g.v_head_dim : 1, v_len);
    float *k_scales = input_floats(&in, 1, scales), *v_scales = input_floats(&in, 1, scales);
    int8_t *k_codes = must_have(k_len), *v_codes = must_have(v_len);
    rng r = {input_byte(&in)};
    for (size_t i = 0; i < k_len; i++)
        k_codes[i] = (int8_t)(rng_below(&r, 256) - 128);
    for (size_t i = 0; i < v_len; i++)
        v_codes[i] = (int8_t)(rng_below(&r, 256) - 128);
    if (kv.precision == NDL_INT8) {
        kv.k_codes = k_codes;
        kv.v_codes = v_codes;
        kv.k_scales = k_scales;
        kv.v_scales = v_scales;
    } else {
        kv.k = k;
        kv.v = v;
    }
    float *out[2] = {new_array(out_len), new_array(out_len)};
    memset(out[0], 0, out_len * sizeof(float));
    memset(out[1], 0, out_len * sizeof(float));
    size_t room = g.num_kv_heads ? ndl_attend_scratch(&g, kv.slots) : 0;
    float *scratch = new_array(room);
    ndl_status a = ndl_attend_sequence(&g, window, &kv, q, q_len, scratch, room, out[0], out_len);
    ndl_status b = ref_attend_sequence(ndl_expf, &g, window, &kv, q, q_len, out[1], out_len);
    if (a != b)
        note(&f, "ATT_004: the engine gives %s, the reference %s", ndl_status_name(a),
             ndl_status_name(b));
    compare_floats(&f, "ATT_001_ATT_004: out", out[0], out[1], out_len, a == NDL_OK);
    free(q);
    free(k);
    free(v);
    free(k_scales);
    free(v_scales);
    free(k_codes);
    free(v_codes);
    free(out[0]);
    free(out[1]);
    free(scratch);
    target_report("attention", &f, NULL);
    return 0;
}
