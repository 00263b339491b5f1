/* What a run in lock-step has at hand, and the counting of what it reaches. */
#ifndef LOCKSTEP_WORLD_H
#define LOCKSTEP_WORLD_H

#include "lockstep.h"
#include "memory.h"

/* A session of the engine and the reference's of the same history. */
typedef struct pair {
    ndl_session *s;
    ref_session *r;
} pair;

/* Which calls of a token a session has had since it last advanced. */
typedef struct token_seen {
    uint64_t written, attended, convolved[3]; /* a bit a layer */
    uint64_t engram;                          /* a bit a site */
    size_t last_layer;                        /* 1 + that of the last call; 0: none */
} token_seen;

typedef struct world {
    script *script;
    memory m;
    ndl_allocator allocator;
    ndl_options options;
    pair live[2], kept[2];
    unsigned origin[2]; /* 1 + the session that a snapshot was taken of */
    bool split[2];      /* prefilled, and not stepped since */
    token_seen token[2];
    unsigned twins; /* sessions that have a common past: 1 and 2 */
    unsigned last;  /* the session of the last operation */
    finding *f;
    coverage *cover;
} world;

void world_seen(world *w, class_id c);
/* What a geometry and its options are, once a script. */
void world_count_geometry(coverage *c, const script *s);
/* What an operation is about to do, and what it has done; slots_before holds
 * the slots of each layer of its session. */
void world_count_before(world *w, const op *o);
void world_count_after(world *w, const op *o, const size_t *slots_before);
/* Where the elements of an int8 row, k's or v's, lie among the codes. */
void world_count_codes(world *w, const float *row, size_t width, size_t n);
void world_count_refusal(world *w, const op *o, ndl_status got);

#endif
