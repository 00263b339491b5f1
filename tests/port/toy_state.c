/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "toy_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const uint32_t toy_orders[ORDERS] = {2, 3};

static int has(const toy_state *s, const char *bug)
{
    return strcmp(s->bug, bug) == 0;
}

/* ------------------------------------------------------------ keys and values */

static int resize(toy_store *s, size_t from, size_t to)
{
    toy_store old = *s;
    size_t w = s->width, rows = KV_HEADS * to;
    s->x = calloc(rows * w, sizeof *s->x);
    s->code = calloc(rows * w, sizeof *s->code);
    s->scale = calloc(rows, sizeof *s->scale);
    if (!s->x || !s->code || !s->scale)
        return 0;
    for (size_t row = 0; row < rows; row++) {
        size_t was = row / to * from + row % to;
        s->scale[row] = row % to < from ? old.scale[was] : 1.0f;
        if (row % to < from) {
            memcpy(s->x + row * w, old.x + was * w, w * sizeof *s->x);
            memcpy(s->code + row * w, old.code + was * w, w);
        }
    }
    free(old.x);
    free(old.code);
    free(old.scale);
    return 1;
}

static void put(const toy_state *s, toy_store *to, size_t row, const float *x)
{
    float absmax = 0.0f;
    if (!s->int8) {
        memcpy(to->x + row * to->width, x, to->width * sizeof *x);
        return;
    }
    for (size_t c = 0; c < to->width; c++)
        absmax = fabsf(x[c]) > absmax ? fabsf(x[c]) : absmax;
    to->scale[row] = absmax > 0.0f ? absmax / 127.0f : 1.0f;
    for (size_t c = 0; c < to->width; c++)
        to->code[row * to->width + c] = (int8_t)roundf(x[c] * (1.0f / to->scale[row]));
}

int toy_write_kv(toy_state *s, size_t layer, size_t pos, const float *k, const float *v)
{
    toy_layer *l = &s->layer[layer];
    size_t slots = l->slots, slot = pos % slots;
    if (pos >= slots && slots < l->cap) {
        slots = 2 * slots > pos + 1 ? 2 * slots : pos + 1;
        slots = slots < l->cap ? slots : l->cap;
        if (!resize(&l->k, l->slots, slots) || !resize(&l->v, l->slots, slots))
            return 0;
        l->slots = slots;
    }
    if (!has(s, "slot-before-growth"))
        slot = pos % slots;
    for (size_t head = 0; head < KV_HEADS; head++) {
        put(s, &l->k, head * slots + slot, k + head * DK);
        put(s, &l->v, head * slots + slot, v + head * DV);
    }
    return 1;
}

size_t toy_first(const toy_state *s, size_t layer, size_t pos)
{
    const toy_layer *l = &s->layer[layer];
    size_t reach = l->window && l->window < l->slots ? l->window : l->slots;
    if (l->window && has(s, "window-one-wider"))
        reach++;
    return pos + 1 > reach ? pos + 1 - reach : 0;
}

static float value(const toy_state *s, const toy_store *from, size_t row, size_t c)
{
    return s->int8 ? (float)from->code[row * from->width + c] : from->x[row * from->width + c];
}

void toy_attend(const toy_state *s, size_t layer, size_t pos, const float *q, float *out)
{
    const toy_layer *l = &s->layer[layer];
    size_t lo = toy_first(s, layer, pos), n = pos + 1 - lo;
    for (size_t h = 0; h < HEADS; h++) {
        size_t first = h / (HEADS / KV_HEADS) * l->slots; /* row of this kv head's slot 0 */
        float e[MAX_LENGTH], most = -INFINITY, sum = 0.0f;
        for (size_t i = 0; i < n; i++) {
            size_t row = first + (lo + i) % l->slots;
            float dot = 0.0f;
            for (size_t c = 0; c < DK; c++)
                dot += q[h * DK + c] * value(s, &l->k, row, c);
            e[i] = dot * (s->int8 ? l->k.scale[row] : 1.0f) * (1.0f / sqrtf(DK));
            most = e[i] > most ? e[i] : most;
        }
        for (size_t i = 0; i < n; i++)
            sum += e[i] = expf(e[i] - most);
        for (size_t c = 0; c < DV; c++) {
            float acc = 0.0f;
            for (size_t i = 0; i < n; i++) {
                size_t row = first + (lo + i) % l->slots;
                float scale = l->v.scale[has(s, "scale-of-head-0") ? row % l->slots : row];
                acc += e[i] / sum * (s->int8 ? scale : 1.0f) * value(s, &l->v, row, c);
            }
            out[h * DV + c] = acc;
        }
    }
}

/* --------------------------------------------------------------- convolutions */

void toy_convolve(const toy_state *s, toy_conv *t, size_t pos, size_t n, float *x)
{
    float raw[MAX_PROMPT][WIDEST];
    for (size_t r = 0; r < n; r++)
        memcpy(raw[r], x + r * t->dim, t->dim * sizeof *x);
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c < t->dim; c++) {
            float acc = 0.0f;
            for (size_t j = 0; j < t->taps; j++) {
                size_t d = j * t->dilation;
                if (d > pos + r || j * t->gate > pos + r)
                    continue; /* before the start */
                acc += t->tap[j * t->dim + c] *
                       (d <= r ? raw[r - d][c] : t->row[(t->next + t->rows + r - d) % t->rows][c]);
            }
            x[r * t->dim + c] = acc;
        }
    for (size_t r = 0; r < n; r++) {
        const float *row = has(s, "tail-after-conv") && n > 1 ? x + r * t->dim : raw[r];
        memcpy(t->row[t->next], row, t->dim * sizeof *x);
        t->next = (t->next + 1) % t->rows;
    }
}

/* --------------------------------------------------------------------- tokens */

void toy_indices(const uint32_t *tokens, size_t newest, uint32_t index[TABLES])
{
    for (uint32_t t = 0; t < TABLES; t++) {
        uint32_t acc = 0x9E3779B9u * (t + 1);
        for (size_t j = 0; j < toy_orders[t / TABLE_HEADS]; j++)
            acc = (acc ^ (j <= newest ? tokens[newest - j] : 0)) * 0x01000193u;
        index[t] = (acc ^ acc >> 15) % TABLE_SLOTS;
    }
}

/* ------------------------------------------------------------------- the whole */

int toy_new(toy_state *s, int int8, const char *bug)
{
    int ok = 1;
    memset(s, 0, sizeof *s);
    s->int8 = int8;
    s->bug = bug;
    for (size_t i = 0; i < LAYERS; i++) {
        toy_layer *l = &s->layer[i];
        const size_t dim[3] = {HEADS * DK, KV_HEADS * DK, KV_HEADS * DV};
        l->window = i == GLOBAL_LAYER ? 0 : WINDOW;
        l->cap = i == GLOBAL_LAYER ? MAX_SEQ : WINDOW;
        l->slots = HINT;
        l->k.width = DK;
        l->v.width = DV;
        ok = ok && resize(&l->k, 0, HINT) && resize(&l->v, 0, HINT);
        for (int w = 0; w < 3; w++) {
            l->conv[w].dim = dim[w];
            l->conv[w].taps = TAPS;
            l->conv[w].dilation = 1;
            l->conv[w].rows = TAPS - 1;
        }
    }
    s->site.dim = D_MODEL;
    s->site.taps = SITE_TAPS;
    s->site.dilation = DILATION;
    s->site.gate = MAX_ORDER;
    s->site.rows = (SITE_TAPS - 1) * DILATION;
    return ok;
}

size_t toy_bytes(const toy_state *s, size_t tokens)
{
    size_t floats = s->site.rows * s->site.dim + (tokens < MAX_ORDER ? tokens : MAX_ORDER);
    size_t bytes = 0;
    for (size_t i = 0; i < LAYERS; i++) {
        const toy_layer *l = &s->layer[i];
        size_t rows = KV_HEADS * l->slots, elements = rows * (DK + DV);
        bytes += s->int8 ? elements : 0;
        floats += s->int8 ? 2 * rows : elements;
        for (int w = 0; w < 3; w++)
            floats += l->conv[w].rows * l->conv[w].dim;
    }
    return bytes + 4 * floats;
}

void toy_free(toy_state *s)
{
    for (size_t i = 0; i < LAYERS; i++) {
        toy_store *both[2] = {&s->layer[i].k, &s->layer[i].v};
        for (int j = 0; j < 2; j++) {
            free(both[j]->x);
            free(both[j]->code);
            free(both[j]->scale);
        }
    }
}
