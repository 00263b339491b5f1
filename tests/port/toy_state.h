/*
 * The decode state of a toy port: what a port might have written for itself. It
 * knows nothing of recording; toy_port.c wraps its calls. It shares no code with
 * the engine and lays memory out otherwise: stores are head-major, tails rings.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOY_STATE_H
#define TOY_STATE_H

#include <stddef.h>
#include <stdint.h>

enum {
    LAYERS = 2,
    GLOBAL_LAYER = 1,
    HEADS = 4,
    KV_HEADS = 2,
    DK = 4,
    DV = 3,
    D_MODEL = 6,
    WINDOW = 4,
    MAX_SEQ = 12,
    HINT = 2,
    TAPS = 3,
    SITE_LAYER = 1,
    SITE_TAPS = 3,
    DILATION = 2,
    TABLE_HEADS = 2,
    TABLE_SLOTS = 97,
    ORDERS = 2,
    MAX_ORDER = 3,
    TABLES = ORDERS * TABLE_HEADS,
    MAX_PROMPT = 8,
    MAX_LENGTH = 32,
    WIDEST = HEADS * DK
};
extern const uint32_t toy_orders[ORDERS];

/* Keys or values of a layer. Row head * slots + slot: width floats in x, or as many codes and
 * one scale in an int8 session. */
typedef struct toy_store {
    size_t width;
    float *x, *scale;
    int8_t *code;
} toy_store;

/* A convolution: its taps, and the last raw rows as a ring, `next` being the oldest. gate is the
 * engram's second gate: tap j counts from position j * gate on. */
typedef struct toy_conv {
    size_t dim, taps, dilation, gate, rows, next;
    float tap[SITE_TAPS * WIDEST], row[(SITE_TAPS - 1) * DILATION][WIDEST];
} toy_conv;

typedef struct toy_layer {
    size_t window, cap, slots;
    toy_store k, v;
    toy_conv conv[3]; /* of q, k, v */
} toy_layer;

typedef struct toy_state {
    int int8;
    const char *bug; /* a mistake to make, or "" */
    toy_layer layer[LAYERS];
    toy_conv site;
} toy_state;

int toy_new(toy_state *s, int int8, const char *bug); /* 0: out of memory */
void toy_free(toy_state *s);
size_t toy_bytes(const toy_state *s, size_t tokens);
int toy_write_kv(toy_state *s, size_t layer, size_t pos, const float *k, const float *v);
size_t toy_first(const toy_state *s, size_t layer, size_t pos); /* of the span that ends at pos */
void toy_attend(const toy_state *s, size_t layer, size_t pos, const float *q, float *out);
/* n rows in place, at positions pos and after; the tail holds what came before them. */
void toy_convolve(const toy_state *s, toy_conv *t, size_t pos, size_t n, float *x);
void toy_indices(const uint32_t *tokens, size_t newest, uint32_t index[TABLES]);

#endif
