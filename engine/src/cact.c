/*
 * The geometry in the header of a .cact model file: 49 fields of 32
 * bits, little-endian.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "geometry.h"

#define CACT_TAG 0x05E12A84u

/* The fields that a geometry is made of, by their number in the header. */
enum {
    FIELD_TAG = 0,
    FIELD_KV_BITS = 4,
    FIELD_VOCAB_SIZE = 5,
    FIELD_D_MODEL = 7,
    FIELD_NUM_HEADS = 8,
    FIELD_NUM_KV_HEADS = 9,
    FIELD_NUM_LAYERS = 10,
    FIELD_QK_HEAD_DIM = 11,
    FIELD_V_HEAD_DIM = 12,
    FIELD_MAX_SEQ_LEN = 13,
    FIELD_SLIDING_WINDOW = 16,
    FIELD_GLOBAL_LOW = 17,
    FIELD_GLOBAL_HIGH = 18,
    FIELD_QKV_CONV_TAPS = 19,
    FIELD_SLOTS = 20,
    FIELD_SUB_DIM = 21,
    FIELD_NUM_TABLES = 22,
    FIELD_CONV_TAPS = 23,
    FIELD_CONV_DILATION = 24,
    FIELD_SEED_HEADS = 25,
    FIELD_NUM_ORDERS = 26,
    FIELD_ORDERS = 27,
    FIELD_NUM_SITES = 31,
    FIELD_SITES = 32
};

static uint32_t field(const uint8_t *bytes, size_t number)
{
    const uint8_t *b = bytes + 4 * number;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* The engram part but for `heads`. Counts above the limits are kept, for
 * validation to refuse. */
static void read_engram(const uint8_t *bytes, ndl_engram *e)
{
    e->num_orders = field(bytes, FIELD_NUM_ORDERS);
    for (size_t i = 0; i < NDL_MAX_ORDERS; i++)
        e->orders[i] = i < e->num_orders ? field(bytes, FIELD_ORDERS + i) : 0;
    e->slots = field(bytes, FIELD_SLOTS);
    e->sub_dim = field(bytes, FIELD_SUB_DIM);
    e->num_sites = field(bytes, FIELD_NUM_SITES);
    for (size_t i = 0; i < NDL_MAX_SITES; i++)
        e->sites[i] = i < e->num_sites ? field(bytes, FIELD_SITES + i) : 0;
    e->conv_taps = field(bytes, FIELD_CONV_TAPS);
    e->conv_dilation = field(bytes, FIELD_CONV_DILATION);
    e->seed_heads = field(bytes, FIELD_SEED_HEADS);
}

ndl_status ndl_geometry_from_cact(const uint8_t *bytes, size_t len, ndl_geometry *g,
                                  ndl_precision *precision)
{
    if (len < NDL_CACT_HEADER || field(bytes, FIELD_TAG) != CACT_TAG)
        return NDL_E_CACT;
    ndl_geometry r;
    r.vocab_size = field(bytes, FIELD_VOCAB_SIZE);
    r.d_model = field(bytes, FIELD_D_MODEL);
    r.num_heads = field(bytes, FIELD_NUM_HEADS);
    r.num_kv_heads = field(bytes, FIELD_NUM_KV_HEADS);
    r.num_layers = field(bytes, FIELD_NUM_LAYERS);
    r.qk_head_dim = field(bytes, FIELD_QK_HEAD_DIM);
    r.v_head_dim = field(bytes, FIELD_V_HEAD_DIM);
    r.max_seq_len = field(bytes, FIELD_MAX_SEQ_LEN);
    r.sliding_window = field(bytes, FIELD_SLIDING_WINDOW);
    for (size_t l = 0; l < NDL_MAX_LAYERS; l++) {
        uint32_t mask = field(bytes, l < 32 ? FIELD_GLOBAL_LOW : FIELD_GLOBAL_HIGH);
        r.is_global[l] = (uint8_t)(mask >> l % 32 & 1);
    }
    r.qkv_conv_taps = field(bytes, FIELD_QKV_CONV_TAPS);
    read_engram(bytes, &r.engram);

    /* The header counts tables, the geometry heads: the same number an order. */
    size_t tables = field(bytes, FIELD_NUM_TABLES);
    size_t orders = r.engram.num_orders;
    if (orders == 0 ? tables != 0 : tables % orders != 0)
        return NDL_E_CACT_TABLES;
    r.engram.heads = orders == 0 ? 0 : tables / orders;

    ndl_status status = ndl_geometry_validate(&r);
    if (status == NDL_OK) {
        *g = r;
        *precision = field(bytes, FIELD_KV_BITS) == 8 ? NDL_INT8 : NDL_F32;
    }
    return status;
}
