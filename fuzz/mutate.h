/* Mutations of sessions: on operations, where bytes would break them apart. */
#ifndef MUTATE_H
#define MUTATE_H

#include "base.h"

/* Change a session of size bytes into another of at most room. 0: it did not
 * fit, and bytes may be tried instead. */
size_t mutate_session(uint8_t *bytes, size_t size, size_t room, rng *r);

/* Operations of one session among those of another, which keeps its geometry. */
size_t mutate_splice(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                     size_t room, rng *r);

#endif
