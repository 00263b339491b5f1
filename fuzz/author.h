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

/* Operations at the level of tokens, of which words are made. */
typedef enum letter_kind {
    LETTER_TOKEN,   /* every call of a token */
    LETTER_PREFILL, /* a prompt of n positions, at whatever position */
    LETTER_SET_POS, /* the position becomes n */
    LETTER_CLONE,   /* a clone goes on in the place of its origin, which stays beside it */
    LETTER_RESET,
} letter_kind;

typedef struct letter {
    unsigned char kind, n;
} letter;

/* The session of a word, in a geometry and with options of one's own. What a letter
 * puts in depends on the position alone, and on whether the position was set an odd
 * number of times: so words can lead to the same state, and yet a row that is
 * written again is another row. */
void author_word(const ndl_geometry *g, const ndl_options *options, const letter *word, size_t n,
                 script *s);
/* The position at the end of a word, and whether it was set an odd number of times. */
size_t word_pos(const letter *word, size_t n);
bool word_is_odd(const letter *word, size_t n);

#endif
