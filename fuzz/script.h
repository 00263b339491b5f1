/*
 * A session as a list of operations: what a fuzzer's bytes mean, what a random
 * session is, and what prints as a needle-trace script. Floats are named by a
 * class and a seed, or stand in the script as they are.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include "ndl.h"
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
        OP_KINDS
} op_kind;

const char *op_name(op_kind kind);

/* The class of floats that stand in the script. */
#define PAY_LITERAL PAYLOADS

typedef struct op {
    op_kind kind;
    unsigned session;     /* 0 or 1: the session it acts on */
    unsigned name;        /* 0 or 1: the snapshot */
    ndl_projection which; /* of a convolution */
    size_t at;            /* layer or site */
    size_t n;             /* position, token, rows, or the allocation to fail */
    payload taps, rows;   /* classes of its first and second array, or PAY_LITERAL */
    int longer[2];        /* how much longer than right the two arrays are: -1, 0, 1 */
    size_t words[2];      /* where its arrays begin in the script's words, if literal */
    ndl_status status;    /* what the last run gave */
    uint16_t seed;        /* of the floats, of seed_tokens' tokens */
} op;

enum { MAX_OPS = 1024, MAX_WORDS = 1 << 16, MAX_TOKENS = 64 };

typedef struct script {
    char name[64]; /* what to say of it, so that it is found again */
    ndl_geometry geometry;
    ndl_options options;
    unsigned pattern; /* of fresh memory: memory_patterns[pattern] */
    size_t n, n_words;
    op ops[MAX_OPS];
    uint32_t words[MAX_WORDS]; /* bits of literal floats; literal tokens */
} script;

/* The sizes of the arrays that an operation takes: with those that are too long
 * or too short on purpose. */
typedef struct arrays {
    size_t len[2];   /* elements: taps, k, q, rows; raw, v, out */
    size_t width[2]; /* of a row of each that has a scale of its own */
} arrays;
arrays arrays_of(const ndl_geometry *g, const op *o);
/* Which of the two its caller fills: attention's second is its output. */
bool array_given(op_kind kind, unsigned i);

/* Fill an operation's first or second array. */
void fill_array(const script *s, const op *o, unsigned i, size_t width, float *x, size_t len);
/* The tokens of seed_tokens: o->n of them, at most MAX_TOKENS. */
void fill_tokens(const script *s, const op *o, uint32_t *tokens);

/* As a needle-trace script, which `ndl run` reads. */
void script_print(const script *s, FILE *to);
/* Lines to follow it, which ask for all that its sessions show at the end. */
void script_print_questions(const script *s, FILE *to);

#endif
