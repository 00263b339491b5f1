/*
 * What a trace may take of the machine's memory (--max-memory). The engine's
 * allocations come through here and are refused beyond the limit; what does not
 * come through here (tensors, the reference's logs, what a replay notes down) is
 * charged by hand, before it is allocated. The `fault` operation arms it too.
 */
#ifndef TOOL_BUDGET_H
#define TOOL_BUDGET_H

#include "ndl.h"
#include "text.h"

typedef struct budget {
    size_t limit, used;
    bool refused;   /* an allocation was refused because of the limit */
    size_t wanted;  /* its size */
    bool injected;  /* an allocation failed because it was told to */
    size_t fail_in; /* the k-th next allocation fails; 0: none does */
    int poison;     /* the byte that fresh memory holds; negative: as it comes */
    ndl_allocator allocator;
    const ndl_allocator *under; /* where memory comes from; NULL: malloc */
} budget;

void budget_init(budget *b, size_t limit);

/* Whether size bytes more are within the limit; p says so if not. */
bool budget_fits(const budget *b, size_t size, const char *what, problem *p);

/* The same, and counts them. */
bool budget_charge(budget *b, size_t size, const char *what, problem *p);
void budget_refund(budget *b, size_t size);

/* Sums and products that stay at SIZE_MAX, which no limit allows. */
size_t sum(size_t a, size_t b);
size_t product(size_t a, size_t b);

/* Bytes of a new session's contents: what ndl_bytes will say of it. g is valid. */
size_t session_size(const ndl_geometry *g, ndl_precision precision, size_t hint);

#endif
