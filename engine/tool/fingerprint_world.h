/* What a trace's sessions were given so far: what an output may have been made of. */
#ifndef TOOL_FINGERPRINT_WORLD_H
#define TOOL_FINGERPRINT_WORLD_H

#include "fingerprint.h"

/* A row that went through a convolution. */
typedef struct raw_row {
    size_t stream; /* 3 * layer + which; 3 * layers + site */
    size_t pos, dim;
    const float *raw;
    const float *out; /* what the trace records of it; NULL: nothing */
} raw_row;

typedef struct kv_row {
    size_t layer, pos;
    const float *k, *v;
} kv_row;

typedef struct world {
    raw_row *rows;
    kv_row *writes;
    uint32_t *tokens;
    size_t row_count, write_count, token_count;
    size_t row_room, write_room, token_room;
    bool fresh; /* nothing is known of what came before: bytes were loaded */
} world;

typedef struct worlds {
    const tape *tape;
    names sessions, snapshots, saves;
} worlds;

void worlds_begin(worlds *w, const tape *t);
/* The world of a call's session; never NULL. */
world *worlds_of(worlds *w, const call *c);
/* What a call adds. */
void worlds_add(worlds *all, const call *c);
void worlds_end(worlds *w);

/* The stream of a call's convolution. */
size_t stream_of(const tape *t, const call *c);

/* The last write of a position in a layer, or NULL. */
const kv_row *world_write(const world *w, size_t layer, size_t pos);
/* The last write that fell on a slot, or NULL. */
const kv_row *world_held(const world *w, size_t layer, size_t slot, size_t slots);

/* For the parts of a fingerprint: a finding; kind is text that stays. */
void finding(fingerprints *f, size_t at, const char *kind, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* As numbers: 0 is -0, and any NaN another. */
bool alike(const float *a, const float *b, size_t count);

/* The parts. */
void print_taps(fingerprints *f, const tape *t, size_t at, const world *w);
void print_tail(fingerprints *f, const tape *t, size_t at, const world *w);
void print_store(fingerprints *f, const tape *t, size_t at, const world *w);
void print_scales(fingerprints *f, const tape *t, size_t at, const world *w);
void print_codes(fingerprints *f, const tape *t, size_t at, const world *w);
void print_quantised(fingerprints *f, const tape *t, size_t at);
void print_span(fingerprints *f, const tape *t, size_t at);
void print_slots(fingerprints *f, const tape *t, size_t at);
void print_attention(fingerprints *f, const tape *t, size_t at, const world *w);
void print_sequence(fingerprints *f, const tape *t, size_t at);
void print_history(fingerprints *f, const tape *t, size_t at, const world *w);
void print_indices(fingerprints *f, const tape *t, size_t at, const world *w);

#endif
