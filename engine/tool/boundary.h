/*
 * Small sessions that go where ports go wrong: rings of a few slots that grow, wrap
 * and saturate, windows about as wide as them, tails longer than what was pushed,
 * ties between codes, refusals, failures, clones that go on apart. Of a number alone:
 * the same on every machine.
 */
#ifndef TOOL_BOUNDARY_H
#define TOOL_BOUNDARY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writes a script of so many words, a word being a step, a prefill, a clone, a look. */
void boundary_write(FILE *out, uint64_t seed, size_t words);

#endif
