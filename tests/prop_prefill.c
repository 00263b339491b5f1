/* A prompt handed over by a batched prefill, cut at every point, then steps:
 * the session is the one that stepped all along, in everything that it shows. */
#include "digest.h"
#include "life.h"

#include <stdlib.h>
#include <string.h>

#define LENGTH 12

/* What a model computes for a prompt: taps, and raw rows of each position. */
typedef struct prompt {
    float *taps[3], *rows[3], *site_taps, *site_rows;
    size_t dim[3];
    uint32_t tokens[LENGTH];
} prompt;

static prompt new_prompt(const ndl_geometry *g, rng *r)
{
    prompt p = {.dim = {ndl_geometry_q_dim(g), ndl_geometry_k_dim(g), ndl_geometry_v_dim(g)}};
    for (size_t i = 0; i < 3; i++) {
        p.taps[i] = new_floats(r, g->qkv_conv_taps * p.dim[i]);
        p.rows[i] = new_floats(r, LENGTH * p.dim[i]);
    }
    p.site_taps = new_floats(r, g->engram.conv_taps * g->d_model);
    p.site_rows = new_floats(r, LENGTH * g->d_model);
    for (size_t t = 0; t < LENGTH; t++)
        p.tokens[t] = (uint32_t)rng_next(r);
    return p;
}

static void free_prompt(prompt *p)
{
    for (size_t i = 0; i < 3; i++) {
        free(p->taps[i]);
        free(p->rows[i]);
    }
    free(p->site_taps);
    free(p->site_rows);
}

static void step(ndl_session *s, const prompt *p, size_t t)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    ndl_push_token(s, p->tokens[t]);
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        float row[3][64];
        for (size_t i = 0; i < 3; i++) {
            memcpy(row[i], p->rows[i] + t * p->dim[i], p->dim[i] * sizeof(float));
            expect_ok(ndl_conv_step(s, layer, (ndl_projection)i, p->taps[i],
                                    g->qkv_conv_taps * p->dim[i], row[i], p->dim[i]));
        }
        expect_ok(ndl_write_kv(s, layer, t, row[1], p->dim[1], row[2], p->dim[2]));
    }
    for (size_t site = 0; site < g->engram.num_sites; site++) {
        float row[64];
        memcpy(row, p->site_rows + t * g->d_model, g->d_model * sizeof(float));
        expect_ok(ndl_engram_conv_step(s, site, p->site_taps, g->engram.conv_taps * g->d_model, row,
                                       g->d_model));
    }
    expect_ok(ndl_advance(s));
}

/* n positions at once: the sequence convolutions seed the tails, or, where
 * `by_hand`, the last raw rows do. */
static void hand_over(ndl_session *s, const prompt *p, size_t n, bool by_hand)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        float buf[3][LENGTH * 64];
        for (size_t i = 0; i < 3; i++) {
            size_t dim = p->dim[i], taps_len = g->qkv_conv_taps * dim, len = n * dim;
            size_t tail = g->qkv_conv_taps ? (g->qkv_conv_taps - 1) * dim : 0;
            memcpy(buf[i], p->rows[i], len * sizeof(float));
            if (!by_hand) {
                expect_ok(ndl_prefill_conv(s, layer, (ndl_projection)i, p->taps[i], taps_len, n,
                                           buf[i], len));
                continue;
            }
            float rows[64 * 4] = {0};
            for (size_t j = 0; j < tail && j < len; j++)
                rows[tail - 1 - j] = p->rows[i][len - 1 - j];
            expect_ok(ndl_seed_conv_tail(s, layer, (ndl_projection)i, rows, tail));
            expect_ok(ndl_causal_conv(n, dim, g->qkv_conv_taps, p->taps[i], taps_len, buf[i], len));
        }
        for (size_t t = 0; t < n; t++)
            expect_ok(ndl_write_kv(s, layer, t, buf[1] + t * p->dim[1], p->dim[1],
                                   buf[2] + t * p->dim[2], p->dim[2]));
    }
    for (size_t site = 0; site < g->engram.num_sites; site++) {
        size_t len = n * g->d_model, reach = ndl_geometry_reach(g) * g->d_model;
        float buf[LENGTH * 64], rows[64 * 9] = {0};
        memcpy(buf, p->site_rows, len * sizeof(float));
        for (size_t j = 0; j < reach && j < len; j++)
            rows[reach - 1 - j] = p->site_rows[len - 1 - j];
        if (by_hand)
            expect_ok(ndl_seed_engram_tail(s, site, rows, reach));
        else
            expect_ok(ndl_prefill_engram(s, site, p->site_taps, g->engram.conv_taps * g->d_model, n,
                                         buf, len));
    }
    ndl_seed_tokens(s, p->tokens, n);
    expect_ok(ndl_set_pos(s, n));
}

static void check(kind k, uint64_t seed)
{
    rng r = {seed};
    case_begin(seed);
    prompt p = new_prompt(&k.geometry, &r);
    uint64_t stepped[LENGTH + 1];
    ndl_session *s = new_session(&k.geometry, &k.options);
    for (size_t t = 0; t < LENGTH; t++) {
        stepped[t] = digest_of(s);
        step(s, &p, t);
    }
    stepped[LENGTH] = digest_of(s);
    ndl_session_free(s);
    for (size_t n = 0; n <= LENGTH; n++) {
        for (int by_hand = 0; by_hand < 2; by_hand++) {
            s = new_session(&k.geometry, &k.options);
            hand_over(s, &p, n, by_hand);
            for (size_t t = n; t <= LENGTH; t++) {
                cr_assert(digest_of(s) == stepped[t],
                          "NDL_SEED=%llu NDL_CASES=1: %s, %zu prefilled%s, at %zu",
                          (unsigned long long)seed, k.name, n, by_hand ? " by hand" : "", t);
                if (t < LENGTH)
                    step(s, &p, t);
            }
            ndl_session_free(s);
        }
    }
    free_prompt(&p);
}

Test(prop_prefill, CONV_003_and_ENG_003_a_session_prefilled_is_one_stepped)
{
    size_t cases = case_count(60);
    for (size_t i = 0; i < cases; i++) {
        for (size_t j = 0; j < KINDS; j++)
            check(kind_of_session(j), first_seed() + i);
    }
}
