/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

ndl_geometry play_geometry(pack *in)
{
    ndl_geometry g = {0};
    ndl_engram *e = &g.engram;

    g.vocab_size = pack_word(in);
    g.d_model = pack_word(in);
    g.num_heads = pack_word(in);
    g.num_kv_heads = pack_word(in);
    g.num_layers = pack_word(in);
    g.qk_head_dim = pack_word(in);
    g.v_head_dim = pack_word(in);
    g.max_seq_len = pack_word(in);
    g.sliding_window = pack_word(in);
    g.qkv_conv_taps = pack_word(in);
    for (size_t n = pack_word(in); n > 0; n--) {
        const size_t layer = pack_word(in);

        if (layer < NDL_MAX_LAYERS)
            g.is_global[layer] = 1;
        else
            die("there is no such layer", "pack");
    }
    e->heads = pack_word(in);
    e->slots = pack_word(in);
    e->sub_dim = pack_word(in);
    e->conv_taps = pack_word(in);
    e->conv_dilation = pack_word(in);
    e->seed_heads = pack_word(in);
    e->num_orders = pack_word(in);
    if (e->num_orders > NDL_MAX_ORDERS)
        die("too many orders", "pack");
    for (size_t i = 0; i < e->num_orders; i++)
        e->orders[i] = pack_word(in);
    e->num_sites = pack_word(in);
    if (e->num_sites > NDL_MAX_SITES)
        die("too many sites", "pack");
    for (size_t i = 0; i < e->num_sites; i++)
        e->sites[i] = pack_word(in);
    return g;
}

/* The numbers of a geometry in the order in which play_geometry reads them. */
static void tally_geometry(tally *out, ndl_precision precision, const ndl_geometry *g)
{
    const ndl_engram *e = &g->engram;
    uint64_t number[32 + NDL_MAX_LAYERS + NDL_MAX_ORDERS + NDL_MAX_SITES] = {
        precision,       g->vocab_size,     g->d_model,      g->num_heads,
        g->num_kv_heads, g->num_layers,     g->qk_head_dim,  g->v_head_dim,
        g->max_seq_len,  g->sliding_window, g->qkv_conv_taps};
    size_t n = 11, count = n;

    n++;
    for (size_t layer = 0; layer < NDL_MAX_LAYERS; layer++)
        if (g->is_global[layer]) {
            number[n++] = layer;
            number[count]++;
        }
    number[n++] = e->heads;
    number[n++] = e->slots;
    number[n++] = e->sub_dim;
    number[n++] = e->conv_taps;
    number[n++] = e->conv_dilation;
    number[n++] = e->seed_heads;
    number[n++] = e->num_orders;
    for (size_t i = 0; i < e->num_orders; i++)
        number[n++] = e->orders[i];
    number[n++] = e->num_sites;
    for (size_t i = 0; i < e->num_sites; i++)
        number[n++] = e->sites[i];
    tally_numbers(out, KIND_geometry, number, n);
}

void play_cact(player *p)
{
    uint8_t bytes[NDL_CACT_HEADER];
    ndl_geometry g;
    ndl_precision precision = NDL_F32;

    for (size_t i = 0; i < NDL_CACT_HEADER; i += 4) {
        const uint32_t word = pack_word(p->in);

        for (unsigned b = 0; b < 4; b++)
            bytes[i + b] = (uint8_t)(word >> 8 * b & 0xFF);
    }
    expect_ok(p, ndl_geometry_from_cact(bytes, sizeof bytes, &g, &precision));
    tally_geometry(p->out, precision, &g);
}
