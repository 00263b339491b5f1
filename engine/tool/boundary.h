/*
 * Small sessions that go where ports go wrong: rings of a few slots that grow, wrap
 * and saturate, windows about as wide as them, tails longer than what was pushed,
 * ties between codes, refusals, failures, clones that go on apart. Of a number alone:
 * the same on every machine.
 */
#ifndef TOOL_BOUNDARY_H
#define TOOL_BOUNDARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct boundary {
    uint64_t seed;
    size_t words;  /* each a step, a prefill, a clone, a look */
    size_t layers; /* at most NDL_MAX_LAYERS; 0: one to four */
    bool compact;  /* as ports record: rows in base64, taps once and named */
} boundary;

/* Writes a script. */
void boundary_write(FILE *out, const boundary *b);

#endif
