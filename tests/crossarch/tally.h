/*
 * Digests of outputs, one a kind: see digests.py, which computes the same from
 * recordings. Bytes are taken low first whatever the machine, every NaN as
 * 7fc00000, integers in 8 bytes whatever the width of size_t.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef CROSSARCH_TALLY_H
#define CROSSARCH_TALLY_H

#include "names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum kind {
#define X(name) KIND_##name,
    KINDS(X)
#undef X
} kind;

/* NOLINTNEXTLINE(bugprone-macro-parentheses): one more term of a sum */
#define X(name) +1
enum { KIND_COUNT = 0 KINDS(X) };
#undef X

typedef struct tally {
    uint64_t hash[KIND_COUNT];
    size_t outputs[KIND_COUNT];
} tally;

tally tally_new(void);
void tally_floats(tally *t, kind k, const float *x, size_t n);
void tally_codes(tally *t, kind k, const int8_t *x, size_t n);
void tally_bytes(tally *t, kind k, const uint8_t *x, size_t n);
void tally_numbers(tally *t, kind k, const uint64_t *x, size_t n);
void tally_number(tally *t, kind k, size_t x);

/* Whether two have the same digests of the same number of outputs. */
bool tally_equal(const tally *a, const tally *b);
/* A line for each kind that had an output: session kind outputs digest. */
void tally_print(const tally *t, const char *session);

#endif
