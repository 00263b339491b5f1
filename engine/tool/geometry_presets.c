#include "geometry.h"

#include "text.h"

#include <string.h>

/* The shipped model; its rungs are shallower and differ in the layers below only. */
static const ndl_geometry shipped = {
    .vocab_size = 8192,
    .d_model = 768,
    .num_heads = 12,
    .num_kv_heads = 2,
    .num_layers = 20,
    .qk_head_dim = 48,
    .v_head_dim = 64,
    .max_seq_len = 8192,
    .sliding_window = 1024,
    .is_global = {[4] = 1, [9] = 1, [14] = 1, [19] = 1},
    .qkv_conv_taps = 3,
    .engram = {.num_orders = 2,
               .orders = {2, 3},
               .heads = 3,
               .slots = 18432,
               .sub_dim = 128,
               .num_sites = 5,
               .sites = {3, 7, 11, 15, 19},
               .conv_taps = 4,
               .conv_dilation = 3},
};

/* Small enough to read, and yet with a window, a global layer and a site. */
static const ndl_geometry tiny = {
    .vocab_size = 8192,
    .d_model = 8,
    .num_heads = 2,
    .num_kv_heads = 1,
    .num_layers = 4,
    .qk_head_dim = 4,
    .v_head_dim = 4,
    .max_seq_len = 64,
    .sliding_window = 4,
    .is_global = {[3] = 1},
    .qkv_conv_taps = 3,
    .engram = {.num_orders = 2,
               .orders = {2, 3},
               .heads = 1,
               .slots = 16,
               .sub_dim = 4,
               .num_sites = 1,
               .sites = {1},
               .conv_taps = 4,
               .conv_dilation = 3},
};

enum { FIRST_RUNG = 2, LAST_RUNG = 19 };

static const struct {
    size_t globals, global[4], sites, site[5];
} rungs[] = {
    {1, {1}, 1, {1}},
    {2, {1, 2}, 1, {2}},
    {3, {1, 2, 3}, 1, {3}},
    {4, {1, 2, 3, 4}, 1, {4}},
    {4, {1, 3, 4, 5}, 1, {5}},
    {4, {1, 3, 5, 6}, 2, {4, 6}},
    {4, {1, 3, 5, 7}, 2, {4, 7}},
    {4, {2, 4, 6, 8}, 2, {5, 8}},
    {4, {2, 5, 7, 9}, 3, {4, 6, 9}},
    {4, {2, 5, 8, 10}, 3, {4, 6, 10}},
    {4, {2, 5, 8, 11}, 3, {4, 6, 11}},
    {4, {3, 6, 9, 12}, 3, {5, 7, 12}},
    {4, {4, 7, 10, 13}, 4, {3, 6, 8, 13}},
    {4, {4, 8, 11, 14}, 4, {3, 7, 9, 14}},
    {4, {4, 9, 12, 15}, 4, {3, 7, 10, 15}},
    {4, {4, 9, 13, 16}, 4, {3, 7, 11, 16}},
    {4, {4, 9, 14, 17}, 4, {3, 7, 11, 17}},
    {4, {4, 9, 14, 18}, 5, {3, 7, 11, 15, 18}},
};

bool geometry_preset(const char *name, ndl_geometry *g)
{
    uint64_t layers;
    if (strcmp(name, "shipped") == 0) {
        *g = shipped;
        return true;
    }
    if (strcmp(name, "tiny") == 0) {
        *g = tiny;
        return true;
    }
    if (strncmp(name, "rung-", 5) != 0 ||
        number_parse(name + 5, strlen(name + 5), LAST_RUNG, &layers) != NUMBER_OK ||
        layers < FIRST_RUNG)
        return false;
    *g = shipped;
    g->num_layers = (size_t)layers;
    memset(g->is_global, 0, sizeof g->is_global);
    memset(g->engram.sites, 0, sizeof g->engram.sites);
    size_t r = (size_t)layers - FIRST_RUNG;
    for (size_t i = 0; i < rungs[r].globals; i++)
        g->is_global[rungs[r].global[i]] = 1;
    g->engram.num_sites = rungs[r].sites;
    for (size_t i = 0; i < rungs[r].sites; i++)
        g->engram.sites[i] = rungs[r].site[i];
    return true;
}
