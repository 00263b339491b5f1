/*
 * Values for a made session: the random ones, and those on which decode states
 * have gone wrong. Integers and exactly rounded binary32 operations alone make
 * them, so that a seed gives the same bytes on every machine.
 */
#ifndef TOOL_GEN_VALUES_H
#define TOOL_GEN_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A generator of 64-bit integers: splitmix64. */
typedef struct random_state {
    uint64_t state;
} random_state;

uint64_t random_next(random_state *r);
/* Uniform below n, which is not 0. */
uint64_t random_below(random_state *r, uint64_t n);

typedef enum payload {
    PAYLOAD_NORMAL, /* uniform in (-1, 1) */
    PAYLOAD_TIES,   /* halfway between two codes, the scale a power of two */
    PAYLOAD_HALF,   /* +-absmax and +-absmax/2 */
    PAYLOAD_ODD254, /* odd multiples of absmax/254 */
    PAYLOAD_ZERO,
    PAYLOAD_NEGZERO,
    PAYLOAD_SUBNORMAL,
    PAYLOAD_SUBSCALE, /* a scale that is subnormal or 0 */
    PAYLOAD_LARGE,    /* beyond binary16, 65504 */
    PAYLOAD_FLTMAX,
    PAYLOAD_INF,
    PAYLOAD_NAN,
    PAYLOADS
} payload;

/* A class's name for the command line, and the class of a name (PAYLOADS: none). */
const char *payload_name(payload p);
payload payload_named(const char *name, size_t len);

/* One row: what is quantised with one scale. */
void payload_fill(random_state *r, payload p, float *row, size_t count);

#endif
