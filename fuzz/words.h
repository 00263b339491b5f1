/*
 * Every word of token-level operations up to a length, in lock-step, in small
 * geometries of two layers. Words that lead to the same state go on as one, so that
 * lengths are reached at which each ring has grown, wrapped and overflowed.
 */
#ifndef LOCKSTEP_WORDS_H
#define LOCKSTEP_WORDS_H

#include "observe.h"
#include "script.h"

/* Geometries and options in which rings differ: window, max_seq_len, global layers,
 * hint, precision; no tails. */
size_t words_rings(void);
void words_ring(size_t i, ndl_geometry *g, ndl_options *options);
/* Those in which tails differ: taps, dilation, orders; two sites, rings of 2. */
size_t words_tails(void);
void words_tail(size_t i, ndl_geometry *g, ndl_options *options);

typedef struct words_count {
    size_t sessions; /* words that were run */
    size_t states;   /* different ones that they led to */
} words_count;

/* Run every word, adding to the counts: up to `mixed` letters of any kind, and then
 * tokens, as many as the largest ring gets slots, and three. False at the first on
 * which engine and reference differ: `s` is its session, `f` the difference. */
bool words_run(const ndl_geometry *g, const ndl_options *options, size_t mixed, words_count *count,
               script *s, finding *f);

#endif
