/*
 * What a session is made of. One allocation for the session itself, one for
 * its layers, one for its sites, one an array; widths are derived once, at
 * ndl_session_new, and no index computed from them can overflow after that.
 */
#ifndef NDL_STATE_H
#define NDL_STATE_H

#include "ndl.h"

typedef struct ndl_layer {
    size_t window;              /* positions; 0: none */
    size_t cap;                 /* slots the rings may grow to */
    size_t slots;               /* slots the rings have, 1..cap */
    size_t written;             /* the largest position written plus one; 0: none */
    float *k, *v;               /* f32: slots rows of k_dim and of v_dim, else NULL */
    int8_t *k_codes, *v_codes;  /* int8: the same as codes, else NULL */
    float *k_scales, *v_scales; /* int8: slots rows of num_kv_heads, else NULL */
    float *tail[3];             /* of q, k, v: tail_rows rows of their width; NULL without rows */
} ndl_layer;

struct ndl_session {
    ndl_geometry geometry;
    ndl_precision precision;
    ndl_numerics numerics;
    size_t hint;
    ndl_allocator allocator;
    size_t dim[3];    /* q_dim, k_dim, v_dim: indexed by ndl_projection */
    size_t tail_rows; /* T - 1, or 0 */
    size_t reach;     /* R, rows of an engram tail */
    size_t max_order; /* M, tokens that the history keeps */
    size_t pos;
    size_t held;       /* tokens in the history, 0..M */
    uint32_t *history; /* room for M tokens, oldest first */
    ndl_layer *layer;  /* num_layers of them */
    float **site_tail; /* num_sites tails of reach rows of d_model; NULL without rows */
};

#include "../logic/session.acsl"
#include "../logic/write.acsl"

#endif
