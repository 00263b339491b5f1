/* Writes the operations of a session: singly, as a decoder orders them, and as
 * random sessions have them. */
#ifndef LOCKSTEP_AUTHOR_H
#define LOCKSTEP_AUTHOR_H

#include "script.h"

/* What is being written, and where each session roughly is: a call that fails
 * may make this wrong, which does no harm. */
typedef struct author {
    rng r;
    script *s;
    size_t pos[2], kept[2];
    payload theme; /* of most arrays */
    bool two;      /* a second session has been opened */
} author;

/* Append an operation, which the caller may still change. */
op *author_emit(author *a, op_kind kind, unsigned session, size_t at, size_t n);
/* A token: every call of it, or about half of the convolutions and attentions. */
void author_token(author *a, unsigned session, bool all);
/* A prompt of n positions in one go, as chapter 8 hands it over. */
void author_prefill(author *a, unsigned session, size_t n);
/* The other session becomes a clone of this one. */
void author_branch(author *a, unsigned session);

/* The session of a seed: a random geometry, and operations that mostly follow a
 * decoder's order and are then repeated, dropped, swapped and interspersed. */
void author_session(uint64_t seed, script *s);

/* The letters that words are made of: a token; prompts of 1 and 3 positions; the
 * position back by half; a clone, which goes on in the place of its origin,
 * while that stays beside it; reset. */
#define LETTERS 6

/* The session of a word: n letters, each below LETTERS, in a geometry and with
 * options of one's own. */
void author_word(const ndl_geometry *g, const ndl_options *options, const unsigned *letters,
                 size_t n, script *s);

#endif
