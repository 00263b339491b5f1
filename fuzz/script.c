#include "script.h"

const char *op_name(op_kind kind)
{
    static const char *const names[] = {
#define X(id, name) name,
        OP_LIST(X)
#undef X
    };
    return names[kind];
}

/* --------------------------------------------------------------------- arrays */

/* n rows, or what the product wraps around to: the length that a caller would
 * pass who computed it without a check. Beyond what can be had it is 0. */
static size_t rows_len(size_t n, size_t dim)
{
    size_t len = n * dim;
    return len < MAX_WORDS ? len : 0;
}

static size_t off_by(size_t right, int longer)
{
    return longer < 0 && right == 0 ? 1 : right + (size_t)longer;
}

arrays arrays_of(const ndl_geometry *g, const op *o)
{
    const size_t dims[3] = {ndl_geometry_q_dim(g), ndl_geometry_k_dim(g), ndl_geometry_v_dim(g)};
    size_t dim = dims[o->which], t = g->qkv_conv_taps, e = g->engram.conv_taps, d = g->d_model;
    arrays a = {{0, 0}, {1, 1}};
    switch (o->kind) {
    case OP_CONV_STEP:
        a = (arrays){{t * dim, dim}, {dim, dim}};
        break;
    case OP_PREFILL_CONV:
        a = (arrays){{t * dim, rows_len(o->n, dim)}, {dim, dim}};
        break;
    case OP_SEED_CONV:
        a = (arrays){{t ? (t - 1) * dim : 0, 0}, {dim, 1}};
        break;
    case OP_ENGRAM_STEP:
        a = (arrays){{e * d, d}, {d, d}};
        break;
    case OP_PREFILL_ENGRAM:
        a = (arrays){{e * d, rows_len(o->n, d)}, {d, d}};
        break;
    case OP_SEED_ENGRAM:
        a = (arrays){{ndl_geometry_reach(g) * d, 0}, {d, 1}};
        break;
    case OP_WRITE:
        a = (arrays){{dims[1], dims[2]}, {g->qk_head_dim, g->v_head_dim}};
        break;
    case OP_ATTEND:
        a = (arrays){{dims[0], ndl_geometry_out_dim(g)}, {g->qk_head_dim, g->v_head_dim}};
        break;
    default:
        return a;
    }
    for (unsigned i = 0; i < 2; i++)
        a.len[i] = off_by(a.len[i], o->longer[i]);
    return a;
}

bool array_given(op_kind kind, unsigned i)
{
    switch (kind) {
    case OP_CONV_STEP:
    case OP_PREFILL_CONV:
    case OP_ENGRAM_STEP:
    case OP_PREFILL_ENGRAM:
    case OP_WRITE:
        return true;
    case OP_SEED_CONV:
    case OP_SEED_ENGRAM:
    case OP_ATTEND:
        return i == 0;
    default:
        return false;
    }
}

void fill_array(const script *s, const op *o, unsigned i, size_t width, float *x, size_t len)
{
    payload class = i ? o->rows : o->taps;
    if (class != PAY_LITERAL) {
        rng r = {(uint64_t)o->seed << 1 | i};
        fill_payload(&r, class, width, x, len);
        return;
    }
    for (size_t k = 0; k < len; k++)
        x[k] = float_of(s->words[o->words[i] + k]);
}

void fill_tokens(const script *s, const op *o, uint32_t *tokens)
{
    rng r = {o->seed};
    for (size_t i = 0; i < o->n; i++)
        tokens[i] = o->rows == PAY_LITERAL ? s->words[o->words[1] + i] : (uint32_t)rng_next(&r);
}
