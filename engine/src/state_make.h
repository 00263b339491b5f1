/*
 * Sessions as they are made, and the stores of a layer: allocated, released and
 * replaced as one. Rings have the layer's slots; what the precision does not have
 * is NULL.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_STATE_MAKE_H
#define NDL_STATE_MAKE_H

#include "state.h"

/** ndl_session_new for a geometry and options that are known to be valid; NULL,
 *  with nothing kept, when memory cannot be had. Claims: SES_007. */
ndl_session *ndl_session_make(const ndl_geometry *g, const ndl_options *o);

/** Allocate the stores of l for l->slots slots; their contents are undefined.
 *  False, with nothing kept and the stores NULL, when memory cannot be had. */
bool ndl_stores_new(const ndl_session *s, ndl_layer *l);

/** Release the stores of l and make them NULL. */
void ndl_stores_free(const ndl_session *s, ndl_layer *l);

/** Make the stores of l what a new session's are: zero, scales 1.0. */
void ndl_stores_clear(const ndl_session *s, const ndl_layer *l);

/** The slots that a layer of this cap has in a new session of this hint.
 *  Claims: KV_008. */
size_t ndl_first_slots(size_t hint, size_t cap);

#endif
