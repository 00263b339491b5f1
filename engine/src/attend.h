/*
 * attend.h - attention of one row of queries over a span of positions.
 */
#ifndef NDL_ATTEND_H
#define NDL_ATTEND_H

#include "ndl.h"

/* The parts of a geometry that attention reads: query heads, kv heads (which
 * divide them) and the widths of a head of keys and of values; none is 0. */
typedef struct ndl_heads {
    size_t query, kv, qk_dim, v_dim;
} ndl_heads;

/*
 * Attend over positions span.lo .. span.hi, at most kv->slots of them,
 * position p read at slot p mod kv->slots. q: heads.query * qk_dim; out:
 * heads.query * v_dim; scratch: one float a position and query head of a kv
 * head. One kernel serves both precisions, a step and a sequence.
 */
void ndl_attend_row(ndl_heads heads, const ndl_kv *kv, ndl_span span, const float *q,
                    float *scratch, float *out);

#endif
