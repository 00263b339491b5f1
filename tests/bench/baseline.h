/* The baseline's session; see baseline.c. */
#ifndef BENCH_BASELINE_H
#define BENCH_BASELINE_H

#include "ndl.h"

typedef struct ring {
    size_t window, cap, slots;
    float *k, *v;
    int8_t *k_codes, *v_codes;
    float *k_scales, *v_scales;
    float *tail[3];
} ring;

struct ndl_session {
    ndl_geometry g;
    ndl_precision precision;
    size_t dim[3], rows, reach, max_order, pos, held;
    uint32_t tokens[NDL_MAX_ORDERS * 4];
    ring layer[NDL_MAX_LAYERS];
    float *site_tail[NDL_MAX_SITES];
    float *row; /* a convolution's result */
};

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* More slots for a ring; false without memory. */
bool base_grow(const ndl_session *s, ring *r, size_t slots);

#endif
