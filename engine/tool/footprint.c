#include "footprint.h"

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t cap_of(const ndl_geometry *g, size_t layer)
{
    size_t cap = 0;
    ndl_geometry_cap(g, layer, &cap);
    return cap;
}

/* Bytes of one slot: an element takes four of them, an int8 code one. */
typedef struct slot_bytes {
    size_t key, value, scales;
} slot_bytes;

static slot_bytes one_slot(const ndl_geometry *g, ndl_precision precision)
{
    const size_t element = precision == NDL_F32 ? 4 : 1;
    return (slot_bytes){
        .key = element * ndl_geometry_k_dim(g),
        .value = element * ndl_geometry_v_dim(g),
        .scales = precision == NDL_F32 ? 0 : 2 * sizeof(float) * g->num_kv_heads,
    };
}

static size_t layer_tails(const ndl_geometry *g)
{
    const size_t rows = g->qkv_conv_taps > 1 ? g->qkv_conv_taps - 1 : 0;
    return 4 * rows * (ndl_geometry_q_dim(g) + ndl_geometry_k_dim(g) + ndl_geometry_v_dim(g));
}

static size_t tokens_at(const ndl_geometry *g, size_t positions)
{
    return 4 * least(positions, ndl_geometry_max_order(g));
}

/* Fills in everything but slots and peak. */
static void add_up(const ndl_geometry *g, ndl_precision precision, size_t positions, footprint *f)
{
    const slot_bytes slot = one_slot(g, precision);
    const size_t tails = layer_tails(g);
    size_t slots = 0;

    for (size_t l = 0; l < g->num_layers; l++) {
        f->layer[l] = f->slots[l] * (slot.key + slot.value + slot.scales) + tails;
        slots += f->slots[l];
    }
    f->keys = slots * slot.key;
    f->values = slots * slot.value;
    f->scales = slots * slot.scales;
    f->tails = g->num_layers * tails;
    f->engram = 4 * g->engram.num_sites * ndl_geometry_reach(g) * g->d_model;
    f->tokens = tokens_at(g, positions);
    f->total = f->keys + f->values + f->scales + f->tails + f->engram + f->tokens;
}

/* The position at which the next ring grows: the least slots below their cap. */
static size_t next_growth(const ndl_geometry *g, const footprint *f)
{
    size_t next = SIZE_MAX;
    for (size_t l = 0; l < g->num_layers; l++)
        if (f->slots[l] < cap_of(g, l))
            next = least(next, f->slots[l]);
    return next;
}

void footprint_of(const ndl_geometry *g, ndl_precision precision, size_t hint, size_t positions,
                  footprint *out)
{
    const slot_bytes slot = one_slot(g, precision);
    const size_t row = slot.key + slot.value + slot.scales;
    footprint f = {.peak = 0};

    for (size_t l = 0; l < g->num_layers; l++)
        f.slots[l] = least(most(hint, 1), cap_of(g, l));
    add_up(g, precision, 0, &f);
    f.peak = f.total;
    for (size_t pos = next_growth(g, &f); pos < positions; pos = next_growth(g, &f)) {
        /* The token of a position comes first, then its layers in order. */
        size_t now = f.total - f.tokens + tokens_at(g, pos + 1);

        for (size_t l = 0; l < g->num_layers; l++) {
            const size_t cap = cap_of(g, l), old = f.slots[l];
            if (old != pos || old == cap)
                continue;
            f.slots[l] = old > cap / 2 ? cap : 2 * old;
            f.peak = most(f.peak, now + f.slots[l] * row);
            now += (f.slots[l] - old) * row;
        }
        add_up(g, precision, pos + 1, &f);
    }
    add_up(g, precision, positions, &f);
    f.peak = most(f.peak, f.total);
    *out = f;
}
