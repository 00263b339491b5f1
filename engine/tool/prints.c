/* What a sequence convolution leaves to tell seeded rows by: hashes of them. */
#include "usage.h"

#include "budget.h"
#include "values.h"

#include <string.h>

/* Beyond this nobody looks: a tail of such a size is no model's. */
enum { MOST_ELEMENTS = 1 << 24 };

static uint64_t hash_rows(const float *x, size_t n, size_t dim, size_t rows, bool newest_first)
{
    static const float zeros[64];
    uint64_t hash = float_hash_start();
    for (size_t i = 0; i < rows; i++) {
        size_t back = newest_first ? i + 1 : rows - i; /* 1: the last row */
        if (back <= n) {
            hash = float_hash_more(hash, x + (n - back) * dim, dim);
            continue;
        }
        for (size_t c = 0; c < dim; c += 64)
            hash = float_hash_more(hash, zeros, dim - c < 64 ? dim - c : 64);
    }
    return hash;
}

void prints_of_raw(tail_prints *t, const float *raw, size_t n, size_t dim, size_t rows, size_t line)
{
    memset(t, 0, sizeof *t);
    t->elements = product(rows, dim);
    t->known = t->elements > 0 && t->elements <= MOST_ELEMENTS;
    t->line = line;
    if (t->known) {
        t->raw = hash_rows(raw, n, dim, rows, false);
        t->newest_first = hash_rows(raw, n, dim, rows, true);
    }
}

void prints_of_convolved(tail_prints *t, const float *out, size_t n, size_t dim, size_t rows)
{
    if (t->known)
        t->convolved = hash_rows(out, n, dim, rows, false);
}

void sequences_add(sequences *q, const tail_prints *t)
{
    if (!t->known)
        return;
    if (q->count == MOST_SEQUENCES) {
        memmove(&q->seen[0], &q->seen[1], (MOST_SEQUENCES - 1) * sizeof q->seen[0]);
        q->count--;
    }
    q->seen[q->count++] = *t;
}
