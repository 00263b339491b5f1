/* A session's ordinary life: what a decoder does for a token, with random
 * numbers for what a model would compute. */
#ifndef LIFE_H
#define LIFE_H

#include "support.h"

/* n floats in [-2, 2), each with a few bits of its own. */
void random_floats(rng *r, float *x, size_t n);

/* The same, in memory that the caller frees; n may be 0. */
float *new_floats(rng *r, size_t n);

/* A copy of n floats, in memory that the caller frees. */
float *copy_floats(const float *x, size_t n);

/* One token: push it, convolve q, k and v, write k and v, attend, convolve each
 * site's row, advance. Every call must succeed. Returns a hash of the outputs. */
uint64_t live_token(ndl_session *s, rng *r);

/* Several tokens; the hash of all their outputs. */
uint64_t live(ndl_session *s, rng *r, size_t tokens);

/* One attention step at pos, which must succeed; out has room for a row. */
void attend(const ndl_session *s, size_t layer, size_t pos, const float *q, float *out);

/* Geometries and options that between them have what sessions differ by: both
 * precisions and profiles, windows, global layers, grouped heads, no tails. */
typedef struct kind {
    const char *name;
    ndl_geometry geometry;
    ndl_options options;
} kind;
#define KINDS 6
kind kind_of_session(size_t i);

#endif
