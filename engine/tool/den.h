/*
 * Memory for an engine that may write past its arrays. What is fresh holds a fixed
 * pattern, and so do the bytes around each piece: what a mistake reads there is the
 * same in every run, and what it writes there harms nobody else.
 */
#ifndef TOOL_DEN_H
#define TOOL_DEN_H

#include "ndl.h"

typedef struct den {
    unsigned char *memory;
    size_t size, used;
    ndl_allocator allocator;
} den;

/* False if the machine has no memory for it. */
bool den_open(den *d);

/* Everything taken is given back, for memory that lasts a call. */
void den_clear(den *d);
void *den_take(den *d, size_t size);

#endif
