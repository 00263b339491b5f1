/*
 * Attention of one row of queries over a span of positions.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_ATTEND_H
#define NDL_ATTEND_H

#include "ndl.h"

/** The parts of a geometry that attention reads; none is 0, kv divides query. */
typedef struct ndl_heads {
    size_t query, kv;     /* heads */
    size_t qk_dim, v_dim; /* width of a head of queries and keys, of values */
} ndl_heads;

/** Those of a geometry. */
ndl_heads ndl_heads_of(const ndl_geometry *g);

/** The square root of n >= 1, read as a float: correctly rounded. */
float ndl_root_of(size_t n);

/**
 * Attend over positions span.lo .. span.hi, at most kv->slots of them,
 * position p read at slot p mod kv->slots. q: query * qk_dim; out: query *
 * v_dim; scratch: ndl_attend_scratch of so many positions. One way serves both
 * precisions, a step and a sequence. Claims: ATT_001 ATT_003.
 */
void ndl_attend_row(ndl_heads heads, const ndl_kv *kv, ndl_span span, const float *q,
                    float *scratch, float *out);

#endif
