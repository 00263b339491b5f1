/* One number for all that a session shows: what a refused call must not change
 * and what two equal sessions must have in common. */
#ifndef DIGEST_H
#define DIGEST_H

#include "ndl.h"

uint64_t digest_of(const ndl_session *s);

#endif
