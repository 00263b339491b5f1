/*
 * Which positions a query attends over, and what a layer has lost.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_SPAN_H
#define NDL_SPAN_H

#include "ndl.h"

/** The last positions up to pos, at most window (0: any number) and at most
 *  slots of them. Claims: SPAN_001 SPAN_002 SPAN_003. */
ndl_span ndl_span_of(size_t window, size_t slots, size_t pos);

/** Of the last window (0: any number) positions before n, how many do not fit
 *  in slots. Claims: KV_010. */
size_t ndl_span_lost(size_t window, size_t slots, size_t n);

/** Whether a layer counts as saturated at position pos: it has no window and
 *  fewer slots than the position. Claims: KV_011. */
bool ndl_span_saturated(size_t window, size_t slots, size_t pos);

#endif
