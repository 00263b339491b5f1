/*
 * Which positions a query attends over, and what a layer has lost.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_SPAN_H
#define NDL_SPAN_H

#include "ndl.h"

#include "../logic/off.acsl"
#include "../logic/span.acsl"

/** The last positions up to pos, at most window (0: any number) and at most
 *  slots of them. Claims: SPAN_001 SPAN_002 SPAN_003 SPAN_004. */
/*@ requires some: 0 < slots;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures SPAN_001: exact: \result.lo == span_lo(window, slots, pos) && \result.hi == pos;
    ensures SPAN_001: order: \result.lo <= \result.hi;
    ensures SPAN_002: ring: \result.hi - \result.lo + 1 <= slots;
    ensures SPAN_002: window: window > 0 ==> \result.hi - \result.lo + 1 <= window;
    ensures SPAN_003: below: \forall integer p; \result.lo <= p <= \result.hi ==>
      0 <= md(p, slots) < slots;
    ensures SPAN_003: distinct: \forall integer p, q; \result.lo <= p < q <= \result.hi ==>
      md(p, slots) != md(q, slots);
    ensures SPAN_004: stored: \forall integer p; \result.lo <= p <= \result.hi ==>
      stored(p, pos + 1, slots);
    behavior all:
      assumes fits: (window == 0 || pos < window) && pos < slots;
      ensures SPAN_001: all: \result.lo == 0;
    behavior window:
      assumes narrow: 0 < window <= pos && window <= slots;
      ensures SPAN_001: window: \result.lo == pos + 1 - window;
    behavior ring:
      assumes short: slots <= pos && (window == 0 || slots < window);
      ensures SPAN_001: ring: \result.lo == pos + 1 - slots;
    complete behaviors;
    disjoint behaviors;
*/
ndl_span ndl_span_of(size_t window, size_t slots, size_t pos);

/** Of the last window (0: any number) positions before n, how many do not fit
 *  in slots. Claims: KV_010. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures KV_010: exact: \result == span_lost(window, slots, n);
*/
size_t ndl_span_lost(size_t window, size_t slots, size_t n);

/** Whether a layer counts as saturated at position pos: it has no window and
 *  fewer slots than the position. Claims: KV_011. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures KV_011: exact: \result <==> window == 0 && slots < pos;
*/
bool ndl_span_saturated(size_t window, size_t slots, size_t pos);

#endif
