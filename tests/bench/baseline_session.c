/* The baseline's memory: what is not in a step, but for growth. */
#include "baseline.h"

#include <stdlib.h>
#include <string.h>

/* The first `from` of n elements stay, the others become x. */
static bool resize(float **a, size_t from, size_t n, float x)
{
    float *b = realloc(*a, n * sizeof *b);

    if (b == NULL)
        return false;
    for (size_t i = from; i < n; i++)
        b[i] = x;
    *a = b;
    return true;
}

static bool resize_codes(int8_t **a, size_t from, size_t n)
{
    int8_t *b = realloc(*a, n);

    if (b == NULL)
        return false;
    memset(b + from, 0, n - from);
    *a = b;
    return true;
}

bool base_grow(const ndl_session *s, ring *r, size_t slots)
{
    const size_t old = r->slots, heads = s->g.num_kv_heads;
    const size_t k_dim = s->dim[NDL_K], v_dim = s->dim[NDL_V];

    r->slots = slots;
    if (s->precision == NDL_F32)
        return resize(&r->k, old * k_dim, slots * k_dim, 0.0f) &&
               resize(&r->v, old * v_dim, slots * v_dim, 0.0f);
    return resize_codes(&r->k_codes, old * k_dim, slots * k_dim) &&
           resize_codes(&r->v_codes, old * v_dim, slots * v_dim) &&
           resize(&r->k_scales, old * heads, slots * heads, 1.0f) &&
           resize(&r->v_scales, old * heads, slots * heads, 1.0f);
}

void ndl_session_free(ndl_session *s)
{
    if (s == NULL)
        return;
    for (size_t l = 0; l < s->g.num_layers; l++) {
        ring *r = &s->layer[l];

        free(r->k);
        free(r->v);
        free(r->k_codes);
        free(r->v_codes);
        free(r->k_scales);
        free(r->v_scales);
        for (size_t w = 0; w < 3; w++)
            free(r->tail[w]);
    }
    for (size_t i = 0; i < s->g.engram.num_sites; i++)
        free(s->site_tail[i]);
    free(s->row);
    free(s);
}

static bool make_parts(ndl_session *s, size_t hint)
{
    const ndl_geometry *g = &s->g;

    for (size_t l = 0; l < g->num_layers; l++) {
        ring *r = &s->layer[l];

        r->window = g->is_global[l] ? 0 : g->sliding_window;
        r->cap = r->window == 0 ? g->max_seq_len : least(r->window, g->max_seq_len);
        if (!base_grow(s, r, least(most(hint, 1), r->cap)))
            return false;
        for (size_t w = 0; w < 3; w++)
            if (!resize(&r->tail[w], 0, most(s->rows, 1) * s->dim[w], 0.0f))
                return false;
    }
    for (size_t i = 0; i < g->engram.num_sites; i++)
        if (!resize(&s->site_tail[i], 0, most(s->reach, 1) * g->d_model, 0.0f))
            return false;
    return resize(&s->row, 0, most(most(s->dim[NDL_Q], s->dim[NDL_V]), g->d_model), 0.0f);
}

ndl_status ndl_session_new(const ndl_geometry *g, const ndl_options *options, ndl_session **out)
{
    ndl_session *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NDL_E_MEMORY;
    s->g = *g;
    s->precision = options->precision;
    s->dim[NDL_Q] = g->num_heads * g->qk_head_dim;
    s->dim[NDL_K] = g->num_kv_heads * g->qk_head_dim;
    s->dim[NDL_V] = g->num_kv_heads * g->v_head_dim;
    s->rows = g->qkv_conv_taps > 1 ? g->qkv_conv_taps - 1 : 0;
    s->reach = g->engram.num_sites > 0 ? (g->engram.conv_taps - 1) * g->engram.conv_dilation : 0;
    s->max_order = 1;
    for (size_t o = 0; o < g->engram.num_orders; o++)
        s->max_order = most(s->max_order, g->engram.orders[o]);
    if (s->max_order > sizeof s->tokens / sizeof *s->tokens || !make_parts(s, options->hint)) {
        ndl_session_free(s);
        return NDL_E_MEMORY;
    }
    *out = s;
    return NDL_OK;
}

ndl_status ndl_set_pos(ndl_session *s, size_t pos)
{
    s->pos = pos;
    return NDL_OK;
}
