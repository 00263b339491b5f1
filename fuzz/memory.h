/*
 * An allocator that keeps count, fails when it is told to, fills fresh memory
 * with a pattern and spoils what it gets back.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include "ndl.h"

typedef struct memory {
    size_t live;        /* bytes that are out */
    size_t peak;        /* the most that were ever out */
    size_t blocks;      /* blocks that are out */
    size_t allocations; /* how often memory was asked for */
    size_t fail_in;     /* the fail_in-th next request fails; 0: none does */
    size_t failures;    /* requests that failed */
    size_t misuses;     /* sizes of 0, blocks returned with another size or written past */
    uint32_t pattern;   /* what each word of fresh memory holds */
} memory;

ndl_allocator memory_allocator(memory *m);

/* Patterns of fresh memory: zeros hide what was not written, 3E3E3E3E is an
 * ordinary small float, FFFFFFFF a NaN and -1, 7FA00000 a signalling NaN. */
extern const uint32_t memory_patterns[4];

#endif
