/*
 * Whether the decode state is used as it is meant to be. A replay agrees with a
 * port that seeds its tails wrongly, since the trace holds the rows that the port
 * gave; so what is given is looked at too, and warned about.
 */
#ifndef TOOL_USAGE_H
#define TOOL_USAGE_H

#include "ndl.h"

struct replay;

/*
 * What a sequence convolution leaves to be told by: the rows a tail is seeded
 * with, hashed as they should be and as they are when the two usual mistakes are
 * made.
 */
typedef struct tail_prints {
    bool known;
    size_t line, elements;
    uint64_t raw, convolved, newest_first;
} tail_prints;

/* From the last `rows` of n raw rows, rows before the first being zero. */
void prints_of_raw(tail_prints *t, const float *raw, size_t n, size_t dim, size_t rows,
                   size_t line);
/* And from what they became. */
void prints_of_convolved(tail_prints *t, const float *out, size_t n, size_t dim, size_t rows);

/* The stateless sequence convolutions since the position last moved, newest last. */
enum { MOST_SEQUENCES = 256 }; /* three a layer and one a site are 208 */
typedef struct sequences {
    tail_prints seen[MOST_SEQUENCES];
    size_t count;
} sequences;

void sequences_add(sequences *q, const tail_prints *t);

/* What is noted of one session: of a size that does not grow. */
typedef struct usage usage;

usage *usage_new(const ndl_geometry *g);
/* Of a session that bytes from elsewhere have made, at a position: what was done to it
 * is not known, but for what it must have come from. */
usage *usage_loaded(const ndl_geometry *g, size_t pos);
usage *usage_clone(const usage *like);
void usage_free(usage *u);
size_t usage_bytes(const ndl_geometry *g);

void usage_push(struct replay *r, usage *u);
void usage_seed_tokens(usage *u);
/* A tail: of a layer's projection, or of a site (SITE_TAIL as `which`). */
enum { SITE_TAIL = 3 };
void usage_step(struct replay *r, usage *u, size_t index, unsigned which);
void usage_prefill(usage *u, size_t index, unsigned which, const tail_prints *prints);
void usage_seed(struct replay *r, usage *u, size_t index, unsigned which, const float *rows,
                size_t count);
/* A write, after which the layer has so many slots. */
void usage_write(usage *u, size_t layer, size_t pos, size_t slots);
void usage_set_pos(struct replay *r, usage *u, size_t from, size_t to);
void usage_advance(struct replay *r, usage *u);
/* The end of the file. */
void usage_end(struct replay *r, usage *u);

/* The position last written to a slot; false if none was, or too long ago. */
bool usage_held(const usage *u, size_t layer, size_t slot, size_t *pos);

#endif
