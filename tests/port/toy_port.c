/*
 * A toy port that records itself: each call of its decode state (toy_state.h)
 * stands in a wrapper that writes what went in before it and what came out after.
 *
 *     toy_port [--int8] [--digests] [--bug NAME] FILE
 *
 * FILE may be - for the standard output. --bug makes one of the known mistakes of
 * ports, for `ndl check` to find: tail-after-conv, slot-before-growth,
 * window-one-wider, scale-of-head-0.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "ndl_record.h"
#include "toy_state.h"

#include <stdio.h>
#include <stdlib.h>

enum { PROMPT = 5, LENGTH = 14 };

static toy_state state;
static ndl_rec rec;

static void header(void)
{
    const uint32_t global[] = {GLOBAL_LAYER}, sites[] = {SITE_LAYER};
    ndl_rec_header(&rec, "toy port", state.int8 ? "int8" : "f32", HINT);
    ndl_rec_object(&rec, "config");
    ndl_rec_int(&rec, "vocab_size", 1000);
    ndl_rec_int(&rec, "d_model", D_MODEL);
    ndl_rec_int(&rec, "num_heads", HEADS);
    ndl_rec_int(&rec, "num_kv_heads", KV_HEADS);
    ndl_rec_int(&rec, "num_layers", LAYERS);
    ndl_rec_int(&rec, "qk_head_dim", DK);
    ndl_rec_int(&rec, "v_head_dim", DV);
    ndl_rec_int(&rec, "max_seq_len", MAX_SEQ);
    ndl_rec_int(&rec, "sliding_window", WINDOW);
    ndl_rec_ints(&rec, "global_layers", global, 1);
    ndl_rec_int(&rec, "qkv_conv_taps", TAPS);
    ndl_rec_object(&rec, "engram");
    ndl_rec_ints(&rec, "orders", toy_orders, ORDERS);
    ndl_rec_int(&rec, "heads", TABLE_HEADS);
    ndl_rec_int(&rec, "slots", TABLE_SLOTS);
    ndl_rec_int(&rec, "sub_dim", 3);
    ndl_rec_ints(&rec, "sites", sites, 1);
    ndl_rec_int(&rec, "conv_taps", SITE_TAPS);
    ndl_rec_int(&rec, "conv_dilation", DILATION);
    ndl_rec_int(&rec, "seed_heads", 0);
    ndl_rec_end(&rec);
}

/* ----------------------------------------------------------------- the wrappers */

static void convolve(toy_conv *t, size_t i, char which, size_t pos, size_t n, float *x)
{
    if (n > 1)
        ndl_rec_prefill(&rec, i, which, n, x, n * t->dim);
    else
        ndl_rec_conv_step(&rec, i, which, x, t->dim);
    toy_convolve(&state, t, pos, n, x);
    ndl_rec_result(&rec, x, n * t->dim);

    ndl_rec_at(&rec, "tail", i, which); /* oldest first, whatever the layout */
    ndl_rec_array(&rec, "rows", NDL_REC_OUT);
    for (size_t r = 0; r < t->rows; r++)
        ndl_rec_more(&rec, t->row[(t->next + r) % t->rows], t->dim);
    ndl_rec_done(&rec);
    ndl_rec_end(&rec);
}

static void write_kv(size_t layer, size_t pos, const float *k, const float *v)
{
    if (!toy_write_kv(&state, layer, pos, k, v))
        abort();
    ndl_rec_write_kv(&rec, layer, pos, k, KV_HEADS * DK, v, KV_HEADS * DV,
                     state.layer[layer].slots);
}

static void attend(size_t layer, size_t pos, const float *q, float *out)
{
    ndl_rec_span(&rec, layer, pos, toy_first(&state, layer, pos), pos);
    ndl_rec_attend_step(&rec, layer, pos, q, HEADS * DK);
    toy_attend(&state, layer, pos, q, out);
    ndl_rec_result(&rec, out, HEADS * DV);
}

/* A trace is slot-major, [slot][head][channel]; this store is [head][slot][channel]. */
static void store(const toy_store *s, size_t slots, const char *key, const char *scale_key)
{
    ndl_rec_array(&rec, key, state.int8 ? NDL_REC_CODES : NDL_REC_OUT);
    for (size_t slot = 0; slot < slots; slot++)
        for (size_t head = 0; head < KV_HEADS; head++)
            if (state.int8)
                ndl_rec_more_codes(&rec, s->code + (head * slots + slot) * s->width, s->width);
            else
                ndl_rec_more(&rec, s->x + (head * slots + slot) * s->width, s->width);
    ndl_rec_done(&rec);
    if (!state.int8)
        return;
    ndl_rec_array(&rec, scale_key, NDL_REC_OUT);
    for (size_t slot = 0; slot < slots; slot++)
        for (size_t head = 0; head < KV_HEADS; head++)
            ndl_rec_more(&rec, s->scale + head * slots + slot, 1);
    ndl_rec_done(&rec);
}

/* What the port can say of itself after the position has moved on to pos. */
static void numbers(size_t pos)
{
    for (size_t i = 0; i < LAYERS; i++) {
        const toy_layer *l = &state.layer[i];
        size_t reach = l->window && l->window < pos ? l->window : pos;
        ndl_rec_slots(&rec, i, l->slots);
        ndl_rec_lost(&rec, i, reach > l->slots ? reach - l->slots : 0);
    }
    ndl_rec_is_saturated(&rec, pos > state.layer[GLOBAL_LAYER].slots);
    ndl_rec_bytes(&rec, toy_bytes(&state, pos));
}

static void stores(void)
{
    for (size_t i = 0; i < LAYERS; i++) {
        const toy_layer *l = &state.layer[i];
        ndl_rec_kv(&rec, i, l->slots);
        store(&l->k, l->slots, "k", "k_scale");
        store(&l->v, l->slots, "v", "v_scale");
        ndl_rec_end(&rec);
    }
}

/* -------------------------------------------------------------------- the model */

/* What a model would compute: numbers in [-1, 1), the same on every machine. */
static void noise(float *x, size_t n)
{
    static uint32_t seed = 2463534242u;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
    }
}

static void taps(toy_conv *t, size_t i, char which)
{
    noise(t->tap, t->taps * t->dim);
    ndl_rec_taps(&rec, i, which, t->tap, t->taps * t->dim);
}

/* The model's pass over n positions from pos on: a prompt, or one token. */
static void forward(uint32_t *tokens, size_t pos, size_t n)
{
    float x[3][PROMPT * WIDEST], out[HEADS * DV];
    uint32_t index[TABLES];
    for (size_t p = pos; p < pos + n; p++)
        tokens[p] = (uint32_t)(p * p * 7 + 3) % 1000;
    if (n > 1)
        ndl_rec_seed_tokens(&rec, tokens, n);
    else
        ndl_rec_push_token(&rec, tokens[pos], tokens + pos + 1 - MAX_ORDER, MAX_ORDER);
    toy_indices(tokens, pos + n - 1, index);
    ndl_rec_engram_indices(&rec, index, TABLES);

    for (size_t i = 0; i < LAYERS; i++) {
        if (i == SITE_LAYER) {
            noise(x[0], n * D_MODEL);
            convolve(&state.site, 0, 'e', pos, n, x[0]);
        }
        for (int w = 0; w < 3; w++) {
            noise(x[w], n * state.layer[i].conv[w].dim);
            convolve(&state.layer[i].conv[w], i, "qkv"[w], pos, n, x[w]);
        }
        for (size_t r = 0; r < n; r++) { /* rotary embedding, of q and k, would stand here */
            write_kv(i, pos + r, x[1] + r * KV_HEADS * DK, x[2] + r * KV_HEADS * DV);
            attend(i, pos + r, x[0] + r * HEADS * DK, out);
        }
    }
    if (n > 1)
        ndl_rec_set_pos(&rec, pos + n);
    else
        ndl_rec_advance(&rec, pos + n);
    numbers(pos + n);
}

int main(int argc, char **argv)
{
    uint32_t tokens[LENGTH];
    const char *bug = "", *path = NULL;
    int int8 = 0, digests = 0;
    for (int a = 1; a < argc; a++)
        if (strcmp(argv[a], "--int8") == 0)
            int8 = 1;
        else if (strcmp(argv[a], "--digests") == 0)
            digests = 1;
        else if (strcmp(argv[a], "--bug") == 0 && a + 1 < argc)
            bug = argv[++a];
        else
            path = argv[a];
    FILE *file = !path ? NULL : strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
    if (!file || !toy_new(&state, int8, bug)) {
        fprintf(stderr, "usage: toy_port [--int8] [--digests] [--bug NAME] FILE\n");
        return 2;
    }
    ndl_rec_open(&rec, ndl_rec_putc, file);
    rec.digests = digests;
    header();
    for (size_t i = 0; i < LAYERS; i++)
        for (int w = 0; w < 3; w++)
            taps(&state.layer[i].conv[w], i, "qkv"[w]);
    taps(&state.site, 0, 'e');
    forward(tokens, 0, PROMPT);
    for (size_t pos = PROMPT; pos < LENGTH; pos++)
        forward(tokens, pos, 1);
    stores();
    toy_free(&state);
    if (ndl_rec_close(&rec) != 0 || fclose(file) != 0) {
        fprintf(stderr, "toy_port: the recording is not complete\n");
        return 1;
    }
    return 0;
}
