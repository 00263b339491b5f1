/*
 * What a session takes, by formula: the bytes that ndl_bytes will say after the
 * positions 0, 1, 2 ... have been stepped in order, part by part, and the most
 * there is at any time on the way, when a ring that grows is there twice.
 */
#ifndef TOOL_FOOTPRINT_H
#define TOOL_FOOTPRINT_H

#include "ndl.h"

typedef struct footprint {
    size_t slots[NDL_MAX_LAYERS];
    size_t layer[NDL_MAX_LAYERS]; /* bytes of a layer: its store and its tails */
    /* Bytes of all layers' keys, values, scales and q, k, v tails; of the sites'
     * tails; of the tokens held. */
    size_t keys, values, scales, tails, engram, tokens;
    size_t total; /* the sum of the six */
    size_t peak;  /* the largest total so far, a growing ring counted old plus new */
} footprint;

/* g is valid, so nothing here overflows: GEO_005 bounds the total by SIZE_MAX / 2. */
void footprint_of(const ndl_geometry *g, ndl_precision precision, size_t hint, size_t positions,
                  footprint *out);

#endif
