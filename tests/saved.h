/* Saves in memory, whole and altered. */
#ifndef SAVED_H
#define SAVED_H

#include "ndl.h"

typedef struct saved {
    uint8_t *bytes; /* the caller frees them */
    size_t len;
} saved;

/* What a session saves. */
saved save_of(const ndl_session *s);
bool same_save(const saved *a, const saved *b);

/* A session out of it, which must come to be. */
ndl_session *load_of(const ndl_geometry *g, const saved *b);

/* A load that must be refused so, with nothing changed. */
void expect_load(const ndl_geometry *g, const uint8_t *bytes, size_t len, ndl_status want);

/* The number of 8 bytes somewhere; another in its place; the checksum made right. */
uint64_t number_at(const saved *b, size_t at);
void put_number(saved *b, size_t at, uint64_t number);
void seal(saved *b);

/* A save whose length fits its numbers again, after a layer was given other slots
 * or the history another number of tokens: what is gone is cut off at the end of
 * each array, what is new is zeros. A layer that does not exist changes none. */
saved resized(const ndl_geometry *g, const saved *b, size_t layer, size_t slots, size_t held);

#endif
