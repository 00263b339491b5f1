/*
 * A bench that times wrong code is worth nothing: before anything is measured,
 * every library makes the same steps, and what comes out is compared.
 */
#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool same(const char *what, const api *a, size_t pos, const void *x, const void *y,
                 size_t bytes)
{
    if (bytes == 0 || (x != NULL && y != NULL && memcmp(x, y, bytes) == 0))
        return true;
    fprintf(stderr, "bench: %s: other %s at position %zu\n", a->name, what, pos);
    return false;
}

static bool same_store(const subject *u, const subject *v, size_t layer)
{
    const model *m = u->model;
    ndl_kv x, y;

    must(u->api->kv_at(u->s, layer, &x), u->api, "kv_at");
    must(v->api->kv_at(v->s, layer, &y), v->api, "kv_at");
    const size_t n = x.slots, k = m->dim[NDL_K], w = m->dim[NDL_V], heads = m->g.num_kv_heads;
    const bool f32 = x.precision == NDL_F32;
    if (y.slots != n || y.precision != x.precision) {
        fprintf(stderr, "bench: %s: other slots at position %zu\n", v->api->name, v->pos);
        return false;
    }
    return f32 ? same("keys", v->api, v->pos, x.k, y.k, n * k * sizeof(float)) &&
                     same("values", v->api, v->pos, x.v, y.v, n * w * sizeof(float))
               : same("codes", v->api, v->pos, x.k_codes, y.k_codes, n * k) &&
                     same("codes", v->api, v->pos, x.v_codes, y.v_codes, n * w) &&
                     same("scales", v->api, v->pos, x.k_scales, y.k_scales,
                          n * heads * sizeof(float)) &&
                     same("scales", v->api, v->pos, x.v_scales, y.v_scales,
                          n * heads * sizeof(float));
}

/* Attention within 1e-5 of the root mean square, as traces are compared; of two
 * engines, which have one exponential, to the bit. */
static bool same_attention(const subject *u, const subject *v)
{
    const size_t n = u->model->g.num_layers * u->model->out_dim;
    double square = 0.0, worst = 0.0;

    if (v->api->engine)
        return same("attention", v->api, v->pos, u->out, v->out, n * sizeof *u->out);
    for (size_t i = 0; i < n; i++) {
        square += (double)u->out[i] * (double)u->out[i];
        worst = fmax(worst, fabs((double)u->out[i] - (double)v->out[i]));
        if (isnan(v->out[i]))
            worst = INFINITY;
    }
    if (worst <= 1e-5 * sqrt(square / (double)n))
        return true;
    fprintf(stderr, "bench: %s: attention is off by %g at position %zu\n", v->api->name, worst,
            v->pos);
    return false;
}

static bool same_state(const subject *u, const subject *v)
{
    const model *m = u->model;
    const size_t tables = m->g.engram.num_orders * m->g.engram.heads;
    size_t held, len;
    const uint32_t *x = u->api->history(u->s, &held), *y = v->api->history(v->s, &len);

    if (!same("history", v->api, v->pos, &held, &len, sizeof len) ||
        !same("history", v->api, v->pos, x, y, len * sizeof *x) ||
        !same("indices", v->api, v->pos, u->indices, v->indices, tables * sizeof(uint32_t)) ||
        !same("convolutions", v->api, v->pos, u->rows, v->rows, m->row_floats * sizeof(float)))
        return false;
    for (size_t l = 0; l < m->g.num_layers; l++)
        if (!same_store(u, v, l))
            return false;
    return same_attention(u, v);
}

/* From an empty start, so that rings grow; then from the middle. */
static bool same_steps(const api *a, const api *b, const ndl_geometry *g, ndl_precision precision,
                       size_t pos, size_t steps)
{
    model m = model_make(g);
    subject u = subject_make(a, &m, precision, pos, 1, pos + steps);
    subject v = subject_make(b, &m, precision, pos, 1, pos + steps);
    bool good = same_state(&u, &v);

    for (size_t i = 0; i < steps && good; i++) {
        u.pos = v.pos = pos + i;
        subject_ready(&u);
        subject_ready(&v);
        subject_step(&u, NULL);
        subject_step(&v, NULL);
        good = same_state(&u, &v);
    }
    subject_free(&u);
    subject_free(&v);
    model_free(&m);
    return good;
}

bool agree(const contest *c)
{
    const ndl_geometry tiny = geometry_named("tiny"), shipped = geometry_named("shipped");
    const api *first = &c->engine[0];

    for (size_t i = 1; i < c->engines + c->baselines; i++) {
        const api *a = i < c->engines ? &c->engine[i] : &c->baseline[i - c->engines];

        progress("agreement of %s", a->name);
        for (ndl_precision p = NDL_F32; p <= NDL_INT8; p++)
            if (!same_steps(first, a, &tiny, p, 0, 80) || !same_steps(first, a, &tiny, p, 70, 9) ||
                !same_steps(first, a, &shipped, p, 0, 12) ||
                !same_steps(first, a, &shipped, p, 1100, 3)) {
                fprintf(stderr, "bench: %s and %s differ; nothing was measured\n", first->name,
                        a->name);
                return false;
            }
    }
    progress("%s", "");
    return true;
}
