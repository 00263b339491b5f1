/* Every call of a session that can be refused, each way it can be: its status,
 * and that neither the session nor an array has changed. */
#include "digest.h"
#include "life.h"

#include <stdlib.h>
#include <string.h>

/* What a call gets: a session with layers of 2 kv heads, dk 3, dv 5, H 4,
 * d_model 3, T 3, E 4, D 3, two sites, three layers; and an array for each
 * argument, too long for any right call. */
#define ROOM 64
typedef struct call {
    ndl_session *s;
    float a[ROOM], b[ROOM], out[ROOM];
} call;

enum { Q_DIM = 12, K_DIM = 6, V_DIM = 10, OUT_DIM = 20, D_MODEL = 3, T = 3, E = 4, R = 9 };

typedef struct refusal {
    size_t at, which, n, a_len, b_len;
    ndl_status status;
} refusal;

static ndl_status conv_step(call *c, const refusal *r)
{
    return ndl_conv_step(c->s, r->at, (ndl_projection)r->which, c->a, r->a_len, c->out, r->b_len);
}

static ndl_status prefill_conv(call *c, const refusal *r)
{
    return ndl_prefill_conv(c->s, r->at, (ndl_projection)r->which, c->a, r->a_len, r->n, c->out,
                            r->b_len);
}

static ndl_status seed_conv(call *c, const refusal *r)
{
    return ndl_seed_conv_tail(c->s, r->at, (ndl_projection)r->which, c->a, r->a_len);
}

static ndl_status engram_step(call *c, const refusal *r)
{
    return ndl_engram_conv_step(c->s, r->at, c->a, r->a_len, c->out, r->b_len);
}

static ndl_status prefill_engram(call *c, const refusal *r)
{
    return ndl_prefill_engram(c->s, r->at, c->a, r->a_len, r->n, c->out, r->b_len);
}

static ndl_status seed_engram(call *c, const refusal *r)
{
    return ndl_seed_engram_tail(c->s, r->at, c->a, r->a_len);
}

static ndl_status write_kv(call *c, const refusal *r)
{
    return ndl_write_kv(c->s, r->at, r->n, c->a, r->a_len, c->b, r->b_len);
}

static ndl_status set_pos(call *c, const refusal *r)
{
    return ndl_set_pos(c->s, r->n);
}

/* Scratch is a_len floats of b. */
static ndl_status attend_step(call *c, const refusal *r)
{
    return ndl_attend_step(c->s, r->at, r->n, c->a, r->which, c->b, r->a_len, c->out, r->b_len);
}

#define FAR SIZE_MAX
/* A product with 3, 6, 10 or 12 that wraps around to something small. */
#define WRAP(dim) (SIZE_MAX / (dim) + 1)

static const struct {
    const char *name;
    ndl_status (*make)(call *c, const refusal *r);
    refusal with;
} refusals[] = {
    {"conv_step", conv_step, {3, NDL_Q, 0, T *Q_DIM, Q_DIM, NDL_E_LAYER}},
    {"conv_step", conv_step, {FAR, NDL_Q, 0, T *Q_DIM, Q_DIM, NDL_E_LAYER}},
    {"conv_step", conv_step, {0, 3, 0, T *Q_DIM, Q_DIM, NDL_E_PROJECTION}},
    {"conv_step", conv_step, {0, 255, 0, T *V_DIM, V_DIM, NDL_E_PROJECTION}},
    {"conv_step", conv_step, {0, NDL_Q, 0, T *Q_DIM - 1, Q_DIM, NDL_E_LENGTH}},
    {"conv_step", conv_step, {0, NDL_Q, 0, T *Q_DIM + 1, Q_DIM, NDL_E_LENGTH}},
    {"conv_step", conv_step, {0, NDL_Q, 0, 0, Q_DIM, NDL_E_LENGTH}},
    {"conv_step", conv_step, {0, NDL_Q, 0, T *Q_DIM, Q_DIM - 1, NDL_E_LENGTH}},
    {"conv_step", conv_step, {0, NDL_Q, 0, T *Q_DIM, Q_DIM + 1, NDL_E_LENGTH}},
    {"conv_step", conv_step, {0, NDL_Q, 0, T *K_DIM, K_DIM, NDL_E_LENGTH}},
    {"conv_step", conv_step, {0, NDL_K, 0, T *V_DIM, V_DIM, NDL_E_LENGTH}},
    {"conv_step", conv_step, {0, NDL_V, 0, T *K_DIM, K_DIM, NDL_E_LENGTH}},
    {"conv_step", conv_step, {0, NDL_V, 0, FAR, V_DIM, NDL_E_LENGTH}},
    {"conv_step", conv_step, {0, NDL_V, 0, T *V_DIM, FAR, NDL_E_LENGTH}},
    {"prefill_conv", prefill_conv, {3, NDL_Q, 2, T *Q_DIM, 2 * Q_DIM, NDL_E_LAYER}},
    {"prefill_conv", prefill_conv, {0, 3, 2, T *Q_DIM, 2 * Q_DIM, NDL_E_PROJECTION}},
    {"prefill_conv", prefill_conv, {0, NDL_K, 2, T *K_DIM + 1, 2 * K_DIM, NDL_E_LENGTH}},
    {"prefill_conv", prefill_conv, {0, NDL_K, 2, T *K_DIM, 2 * K_DIM - 1, NDL_E_LENGTH}},
    {"prefill_conv", prefill_conv, {0, NDL_K, 2, T *K_DIM, 2 * K_DIM + 1, NDL_E_LENGTH}},
    {"prefill_conv", prefill_conv, {0, NDL_K, 0, T *K_DIM, K_DIM, NDL_E_LENGTH}},
    {"prefill_conv", prefill_conv, {0, NDL_K, 0, 0, 0, NDL_E_LENGTH}},
    {"prefill_conv",
     prefill_conv,
     {0, NDL_K, WRAP(K_DIM), T *K_DIM, WRAP(K_DIM) * K_DIM, NDL_E_LENGTH}},
    {"prefill_conv",
     prefill_conv,
     {0, NDL_V, WRAP(V_DIM), T *V_DIM, WRAP(V_DIM) * V_DIM, NDL_E_LENGTH}},
    {"prefill_conv", prefill_conv, {0, NDL_V, FAR, T *V_DIM, FAR, NDL_E_LENGTH}},
    {"seed_conv_tail", seed_conv, {3, NDL_V, 0, (T - 1) * V_DIM, 0, NDL_E_LAYER}},
    {"seed_conv_tail", seed_conv, {0, 3, 0, (T - 1) * V_DIM, 0, NDL_E_PROJECTION}},
    {"seed_conv_tail", seed_conv, {0, NDL_V, 0, (T - 1) * V_DIM - 1, 0, NDL_E_LENGTH}},
    {"seed_conv_tail", seed_conv, {0, NDL_V, 0, (T - 1) * V_DIM + 1, 0, NDL_E_LENGTH}},
    {"seed_conv_tail", seed_conv, {0, NDL_V, 0, T *V_DIM, 0, NDL_E_LENGTH}},
    {"seed_conv_tail", seed_conv, {0, NDL_V, 0, 0, 0, NDL_E_LENGTH}},
    {"engram_conv_step", engram_step, {2, 0, 0, E *D_MODEL, D_MODEL, NDL_E_SITE}},
    {"engram_conv_step", engram_step, {FAR, 0, 0, E *D_MODEL, D_MODEL, NDL_E_SITE}},
    {"engram_conv_step", engram_step, {0, 0, 0, E *D_MODEL - 1, D_MODEL, NDL_E_LENGTH}},
    {"engram_conv_step", engram_step, {0, 0, 0, E *D_MODEL + 1, D_MODEL, NDL_E_LENGTH}},
    {"engram_conv_step", engram_step, {0, 0, 0, E *D_MODEL, D_MODEL - 1, NDL_E_LENGTH}},
    {"engram_conv_step", engram_step, {0, 0, 0, E *D_MODEL, D_MODEL + 1, NDL_E_LENGTH}},
    {"engram_conv_step", engram_step, {0, 0, 0, 0, 0, NDL_E_LENGTH}},
    {"prefill_engram", prefill_engram, {2, 0, 2, E *D_MODEL, 2 * D_MODEL, NDL_E_SITE}},
    {"prefill_engram", prefill_engram, {1, 0, 2, E *D_MODEL - 1, 2 * D_MODEL, NDL_E_LENGTH}},
    {"prefill_engram", prefill_engram, {1, 0, 2, E *D_MODEL, 2 * D_MODEL + 1, NDL_E_LENGTH}},
    {"prefill_engram", prefill_engram, {1, 0, 3, E *D_MODEL, 2 * D_MODEL, NDL_E_LENGTH}},
    {"prefill_engram",
     prefill_engram,
     {1, 0, WRAP(D_MODEL), E *D_MODEL, WRAP(D_MODEL) * D_MODEL, NDL_E_LENGTH}},
    {"seed_engram_tail", seed_engram, {2, 0, 0, R *D_MODEL, 0, NDL_E_SITE}},
    {"seed_engram_tail", seed_engram, {1, 0, 0, R *D_MODEL - 1, 0, NDL_E_LENGTH}},
    {"seed_engram_tail", seed_engram, {1, 0, 0, R *D_MODEL + 1, 0, NDL_E_LENGTH}},
    {"seed_engram_tail", seed_engram, {1, 0, 0, 0, 0, NDL_E_LENGTH}},
    {"write_kv", write_kv, {3, 0, 9, K_DIM, V_DIM, NDL_E_LAYER}},
    {"write_kv", write_kv, {FAR, 0, 9, K_DIM, V_DIM, NDL_E_LAYER}},
    {"write_kv", write_kv, {0, 0, FAR, K_DIM, V_DIM, NDL_E_POSITION}},
    {"write_kv", write_kv, {1, 0, 9, K_DIM - 1, V_DIM, NDL_E_LENGTH}},
    {"write_kv", write_kv, {1, 0, 9, K_DIM + 1, V_DIM, NDL_E_LENGTH}},
    {"write_kv", write_kv, {1, 0, 9, K_DIM, V_DIM - 1, NDL_E_LENGTH}},
    {"write_kv", write_kv, {1, 0, 9, K_DIM, V_DIM + 1, NDL_E_LENGTH}},
    {"write_kv", write_kv, {1, 0, 9, V_DIM, K_DIM, NDL_E_LENGTH}},
    {"write_kv", write_kv, {1, 0, 9, 0, 0, NDL_E_LENGTH}},
    {"set_pos", set_pos, {0, 0, FAR, 0, 0, NDL_E_POSITION}},
    {"attend_step", attend_step, {3, Q_DIM, 3, ROOM, OUT_DIM, NDL_E_LAYER}},
    {"attend_step", attend_step, {0, Q_DIM, FAR, ROOM, OUT_DIM, NDL_E_POSITION}},
    {"attend_step", attend_step, {0, Q_DIM - 1, 3, ROOM, OUT_DIM, NDL_E_LENGTH}},
    {"attend_step", attend_step, {0, Q_DIM + 1, 3, ROOM, OUT_DIM, NDL_E_LENGTH}},
    {"attend_step", attend_step, {0, Q_DIM, 3, ROOM, OUT_DIM - 1, NDL_E_LENGTH}},
    {"attend_step", attend_step, {0, Q_DIM, 3, ROOM, OUT_DIM + 1, NDL_E_LENGTH}},
    {"attend_step", attend_step, {0, Q_DIM, 3, 0, OUT_DIM, NDL_E_LENGTH}},
};

static void expect_refusal(size_t i, size_t age)
{
    for (size_t precision = 2; precision <= 3; precision++) {
        kind k = kind_of_session(precision);
        call c = {.s = new_session(&k.geometry, &k.options)}, before;
        rng r = {age};
        live(c.s, &r, age);
        random_floats(&r, c.a, ROOM);
        random_floats(&r, c.b, ROOM);
        random_floats(&r, c.out, ROOM);
        before = c;
        uint64_t digest = digest_of(c.s);
        ndl_status got = refusals[i].make(&c, &refusals[i].with);
        cr_assert(got == refusals[i].with.status, "entry %zu, %s: %s", i, refusals[i].name,
                  ndl_status_name(got));
        cr_assert(digest_of(c.s) == digest, "entry %zu, %s", i, refusals[i].name);
        cr_assert(memcmp(&c, &before, sizeof c) == 0, "entry %zu, %s", i, refusals[i].name);
        ndl_session_free(c.s);
    }
}

Test(refusals, SES_001_a_refused_call_has_its_status_and_changes_nothing)
{
    for (size_t i = 0; i < COUNT(refusals); i++) {
        expect_refusal(i, 0);
        expect_refusal(i, 5);
    }
}

/* Scratch may be longer than needed, and not by one float shorter. */
Test(refusals, ATT_005_scratch_too_short_by_one_is_refused)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        ndl_session *s = new_session(&k.geometry, &k.options);
        rng r = {i};
        live(s, &r, 6);
        for (size_t layer = 0; layer < k.geometry.num_layers; layer++) {
            ndl_span span = span_of(s, layer, 5);
            size_t need = ndl_attend_scratch(&k.geometry, span.hi - span.lo + 1);
            float q[ROOM] = {0}, out[ROOM] = {0}, kept[ROOM] = {0}, *scratch = new_floats(&r, need);
            cr_assert(need >= 1);
            expect_status(ndl_attend_step(s, layer, 5, q, ndl_geometry_q_dim(&k.geometry), scratch,
                                          need - 1, out, ndl_geometry_out_dim(&k.geometry)),
                          NDL_E_LENGTH);
            cr_assert(memcmp(out, kept, sizeof out) == 0);
            expect_ok(ndl_attend_step(s, layer, 5, q, ndl_geometry_q_dim(&k.geometry), scratch,
                                      need, out, ndl_geometry_out_dim(&k.geometry)));
            free(scratch);
        }
        ndl_session_free(s);
    }
}

Test(refusals, SES_001_views_and_questions)
{
    kind k = kind_of_session(3);
    ndl_session *s = new_session(&k.geometry, &k.options);
    ndl_rows rows = {NULL, 77, 78};
    ndl_kv kv = {.slots = 77};
    const size_t layers[] = {3, NDL_MAX_LAYERS, SIZE_MAX};
    for (size_t i = 0; i < COUNT(layers); i++) {
        expect_status(ndl_conv_tail(s, layers[i], NDL_Q, &rows), NDL_E_LAYER);
        expect_status(ndl_engram_tail(s, layers[i], &rows), NDL_E_SITE);
        expect_status(ndl_kv_at(s, layers[i], &kv), NDL_E_LAYER);
    }
    expect_status(ndl_conv_tail(s, 0, (ndl_projection)3, &rows), NDL_E_PROJECTION);
    expect_status(ndl_conv_tail(s, 0, (ndl_projection)-1, &rows), NDL_E_PROJECTION);
    expect_status(ndl_engram_tail(s, 2, &rows), NDL_E_SITE);
    cr_assert(rows.data == NULL && rows.rows == 77 && rows.dim == 78);
    cr_assert(kv.slots == 77);
    ndl_session_free(s);
}

Test(refusals, SES_001_without_sites_there_is_none)
{
    kind k = kind_of_session(4);
    ndl_session *s = new_session(&k.geometry, &k.options);
    float x = 1;
    ndl_rows rows = {NULL, 77, 78};
    expect_status(ndl_engram_tail(s, 0, &rows), NDL_E_SITE);
    expect_status(ndl_seed_engram_tail(s, 0, NULL, 0), NDL_E_SITE);
    expect_status(ndl_engram_conv_step(s, 0, NULL, 0, &x, 1), NDL_E_SITE);
    expect_status(ndl_prefill_engram(s, 0, NULL, 0, 1, &x, 1), NDL_E_SITE);
    ndl_session_free(s);
}

/* Without taps there is nothing to do; arguments are checked all the same. */
Test(refusals, SES_001_without_taps_arguments_are_checked_too)
{
    kind k = kind_of_session(4);
    ndl_session *s = new_session(&k.geometry, &k.options);
    float x = 1;
    expect_status(ndl_conv_step(s, 0, NDL_Q, &x, 1, &x, 1), NDL_E_LENGTH);
    expect_status(ndl_conv_step(s, 0, NDL_Q, NULL, 0, &x, 0), NDL_E_LENGTH);
    expect_status(ndl_conv_step(s, 0, (ndl_projection)3, NULL, 0, &x, 1), NDL_E_PROJECTION);
    expect_status(ndl_conv_step(s, 2, NDL_Q, NULL, 0, &x, 1), NDL_E_LAYER);
    expect_status(ndl_prefill_conv(s, 0, NDL_Q, NULL, 0, 2, &x, 1), NDL_E_LENGTH);
    expect_status(ndl_seed_conv_tail(s, 0, NDL_Q, &x, 1), NDL_E_LENGTH);
    ndl_session_free(s);
}
