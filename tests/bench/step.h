/*
 * One decode step as a decoder makes it: token, hash, engram convolutions, and
 * for each layer three convolutions, write, span and attention.
 */
#ifndef BENCH_STEP_H
#define BENCH_STEP_H

#include "api.h"

/* The operations of a step that are timed apart. Attention of layers with a
 * window and of those without is two: one must stop growing. */
#define LAP_LIST(X)                                                                                \
    X(LAP_TOKENS, "tokens")                                                                        \
    X(LAP_HASH, "hash")                                                                            \
    X(LAP_ENGRAM, "engram steps")                                                                  \
    X(LAP_CONV_Q, "convolution q")                                                                 \
    X(LAP_CONV_K, "convolution k")                                                                 \
    X(LAP_CONV_V, "convolution v")                                                                 \
    X(LAP_WRITE, "write")                                                                          \
    X(LAP_SPAN, "span")                                                                            \
    X(LAP_LOCAL, "attention, local")                                                               \
    X(LAP_GLOBAL, "attention, global")
typedef enum lap {
#define X(id, name) id,
    LAP_LIST(X)
#undef X
        LAPS
} lap;
extern const char *const lap_names[LAPS];

/* Weights and inputs, the same for every library. */
typedef struct model {
    ndl_geometry g;
    size_t dim[3], out_dim;
    float *taps[3];     /* of each layer after the other */
    float *engram_taps; /* of each site */
    float *rows;        /* raw rows q k v of each layer, then of each site */
    size_t row_floats;  /* elements of rows */
    float *pool;        /* what keys and values are cut from */
} model;

model model_make(const ndl_geometry *g);
void model_free(model *m);

/* A library's session at a position, with what its caller keeps. */
typedef struct subject {
    const api *api;
    const model *model;
    ndl_session *s;
    size_t pos;
    float *scratch, *out; /* attention's; out of each layer after the other */
    size_t scratch_floats;
    float *rows; /* a copy of the model's, which a step convolves in place */
    uint32_t *indices;
} subject;

/* All that a session holds before it steps at pos: every row that is within a
 * layer's cap, tails, tokens; and one step, which grows what must grow and maps
 * every page. hint as in ndl_options; last: the largest position it will step at. */
subject subject_make(const api *a, const model *m, ndl_precision precision, size_t pos, size_t hint,
                     size_t last);
void subject_free(subject *u);
/* What comes before a step and is not measured: position and raw rows. */
void subject_ready(subject *u);
/* The step. laps: the time of each operation is added, unless it is NULL. */
void subject_step(subject *u, double *laps);
/* A key or value of a layer and position: dim floats out of the pool. */
const float *model_row(const model *m, size_t layer, size_t pos, size_t dim);
/* The positions that attention reads, over all layers; scratch holds the longest. */
size_t subject_positions(const subject *u);

#endif
