/*
 * Lock-step: a random session as a list of operations, run by the engine and
 * by the reference side by side, with everything that either shows compared
 * after every operation.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include "observe.h"
#include "payload.h"

#include <stdio.h>

/* Operations, by the names that traces have for them. */
#define OP_LIST(X)                                                                                 \
    X(OP_PUSH_TOKEN, "push_token")                                                                 \
    X(OP_SEED_TOKENS, "seed_tokens")                                                               \
    X(OP_CONV_STEP, "conv_step")                                                                   \
    X(OP_PREFILL_CONV, "prefill_conv")                                                             \
    X(OP_SEED_CONV, "seed_conv_tail")                                                              \
    X(OP_ENGRAM_STEP, "engram_conv_step")                                                          \
    X(OP_PREFILL_ENGRAM, "prefill_engram")                                                         \
    X(OP_SEED_ENGRAM, "seed_engram_tail")                                                          \
    X(OP_WRITE, "write_kv")                                                                        \
    X(OP_SPAN, "span")                                                                             \
    X(OP_ATTEND, "attend_step")                                                                    \
    X(OP_SET_POS, "set_pos")                                                                       \
    X(OP_ADVANCE, "advance")                                                                       \
    X(OP_RESET, "reset")                                                                           \
    X(OP_OPEN, "open")                                                                             \
    X(OP_SNAPSHOT, "snapshot")                                                                     \
    X(OP_RESTORE, "restore")                                                                       \
    X(OP_LOAD, "load")                                                                             \
    X(OP_FAULT, "fault")

typedef enum op_kind {
#define X(id, name) id,
    OP_LIST(X)
#undef X
} op_kind;

/* What the generator meant by an operation; observed facts are counted when it
 * runs. */
enum { MEANT_DUPLICATE = 1, MEANT_REORDER = 2, MEANT_SKIP = 4, MEANT_SPLIT = 8 };

typedef struct op {
    op_kind kind;
    unsigned session;     /* 0 or 1: the session it acts on */
    unsigned name;        /* 0 or 1: the snapshot */
    unsigned meant;       /* MEANT_ bits */
    size_t at;            /* layer or site */
    ndl_projection which; /* of a convolution */
    size_t n;             /* position, token, rows, or the allocation to fail */
    payload taps, rows;   /* classes of its first and second array */
    int longer[2];        /* how much longer than right the two arrays are */
    uint64_t seed;        /* of the floats */
    ndl_status status;    /* what the last run gave */
} op;

#define MAX_OPS 256
typedef struct script {
    char name[48]; /* what to say of it, so that it is found again */
    ndl_geometry geometry;
    ndl_options options;
    uint32_t pattern; /* of fresh memory */
    size_t n;
    op ops[MAX_OPS];
} script;

/* The sizes of the arrays that an operation takes when it takes them right. */
typedef struct arrays {
    size_t first, second; /* elements: taps, k, q, rows; raw, v, out */
    size_t width[2];      /* of a row of each that has a scale of its own */
} arrays;
arrays arrays_of(const script *s, const op *o);
/* Fill an operation's first or second array, of any length. */
void fill_array(const op *o, unsigned i, size_t width, float *x, size_t len);
/* The tokens of seed_tokens: o->n of them. */
void fill_tokens(const op *o, uint32_t *tokens);

/* ------------------------------------------------------------------ coverage */

/* Classes that random sessions must reach; payloads have a count each besides. */
#define CLASS_LIST(X)                                                                              \
    X(GEO_WINDOW_0, "window 0")                                                                    \
    X(GEO_WINDOW_1, "window 1")                                                                    \
    X(GEO_WINDOW_BELOW_TAPS, "window below the tap count")                                         \
    X(GEO_WINDOW_ABOVE_MAX, "window above max_seq_len")                                            \
    X(GEO_WINDOW_ODD, "window not a power of two")                                                 \
    X(GEO_GLOBAL_NONE, "no global layer")                                                          \
    X(GEO_GLOBAL_ALL, "all layers global")                                                         \
    X(GEO_GLOBAL_ADJACENT, "adjacent global layers")                                               \
    X(GEO_DILATION_NOT_M, "D other than M")                                                        \
    X(GEO_TAPS_0, "no taps")                                                                       \
    X(GEO_TAPS_1, "one tap")                                                                       \
    X(GEO_ENGRAM_TAPS_1, "one engram tap")                                                         \
    X(GEO_SEED_HEADS, "seed_heads set")                                                            \
    X(GEO_NO_ORDERS, "no orders")                                                                  \
    X(GEO_NO_SITES, "no sites")                                                                    \
    X(GEO_GROUPED, "grouped heads")                                                                \
    X(HINT_0, "hint 0")                                                                            \
    X(HINT_BEYOND, "hint beyond max_seq_len")                                                      \
    X(INT8_NEEDLE_CORE, "int8 of needle-core")                                                     \
    X(INT8_UPSTREAM, "int8 of upstream")                                                           \
    X(POISON_0, "fresh memory 00000000")                                                           \
    X(POISON_1, "fresh memory 3E3E3E3E")                                                           \
    X(POISON_2, "fresh memory FFFFFFFF")                                                           \
    X(POISON_3, "fresh memory 7FA00000")                                                           \
    X(OPS_DUPLICATE, "an operation repeated")                                                      \
    X(OPS_REORDER, "operations out of order")                                                      \
    X(OPS_SKIP, "operations skipped")                                                              \
    X(OPS_SPLIT, "prefill, then steps")                                                            \
    X(OPS_PREFILL_0, "a prefill of no rows")                                                       \
    X(OPS_SEED, "a tail seeded by hand")                                                           \
    X(OPS_SET_POS_BACK, "set_pos back")                                                            \
    X(OPS_SET_POS_FORWARD, "set_pos forward")                                                      \
    X(OPS_POS_LAST, "the last position there is")                                                  \
    X(OPS_RESET, "reset")                                                                          \
    X(OPS_LOAD, "a session saved and loaded")                                                      \
    X(OPS_TWO_SESSIONS, "two sessions interleaved")                                                \
    X(OPS_DIVERGE, "a clone and its origin, each going on")                                        \
    X(OPS_OLDER_WRITE, "a write of an older position")                                             \
    X(OPS_FAR_WRITE, "a write far ahead")                                                          \
    X(OPS_UNWRITTEN, "attention to a position never written")                                      \
    X(SEEN_GROWTH, "a ring that grew")                                                             \
    X(SEEN_WRAP, "a ring that wrapped")                                                            \
    X(SEEN_SATURATED, "saturation")                                                                \
    X(SEEN_LOST, "lost positions")                                                                 \
    X(FAILED_OPEN, "a failed allocation of a new session")                                         \
    X(FAILED_CLONE, "a failed allocation of a clone")                                              \
    X(FAILED_RESET, "a failed allocation of a reset")                                              \
    X(FAILED_LOAD, "a failed allocation of a load")                                                \
    X(FAILED_WRITE, "a failed allocation of growth")                                               \
    X(REFUSED_LAYER, "a layer refused")                                                            \
    X(REFUSED_SITE, "a site refused")                                                              \
    X(REFUSED_LENGTH, "a length refused")                                                          \
    X(REFUSED_WRAP, "a number of rows whose product wraps, refused")                               \
    X(REFUSED_POSITION, "a position refused")

typedef enum class_id {
#define X(id, text) id,
    CLASS_LIST(X)
#undef X
        CLASSES
} class_id;

typedef struct coverage {
    size_t classes[CLASSES], payloads[PAYLOADS];
} coverage;

/* The text of a class that was never produced, or NULL. */
const char *coverage_missing(const coverage *c);

/* ---------------------------------------------------------------- what it does */

/* The session of a seed. */
void lockstep_generate(uint64_t seed, script *s);

/* The letters that words are made of: a token; prompts of 1 and 3 positions; the
 * position back by half; a clone, which goes on in the place of its origin,
 * while that stays beside it; reset. */
#define LETTERS 6

/* The session of a word: n letters, each below LETTERS, in a geometry and with
 * options of one's own. */
void lockstep_word(const ndl_geometry *g, const ndl_options *options, const unsigned *letters,
                   size_t n, script *s);

/* Run it; the finding is empty when engine and reference agree throughout.
 * failed_at is the operation after which they did not; cover may be NULL. */
void lockstep_run(script *s, finding *f, size_t *failed_at, coverage *cover);

/* Drop operations and simplify payloads while the run still fails. */
void lockstep_shrink(script *s);

/* As a needle-trace script, which `ndl run` reads. */
void lockstep_print(const script *s, FILE *to);

/* Runs a script; on a difference prints it, shrunk, to stderr and returns false
 * with the difference in words. */
bool lockstep_try(script *s, coverage *cover, finding *f);

/* The same for the session of a seed. */
bool lockstep_case(uint64_t seed, coverage *cover, finding *f);

#endif
