/* Time, cold caches, and what is said of repeated measurements. */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nanoseconds on a clock that only goes forward. */
double now_ns(void);
/* The same of the time that this thread was on a processor: on an idle machine
 * the same, on a busy one without what others did in between, which would favour
 * whatever is short. Reading it is a system call, too dear for parts of a step. */
double busy_ns(void);
/* How often this thread was taken off its processor so far. */
long interruptions(void);
/* What two readings of each cost, which is taken off what they are around. */
double clock_cost(void);
double busy_cost(void);

/* Caches hold nothing of ours afterwards: a buffer larger than the last of them
 * has been walked. In use, a step's own 35 MB of weights do this. */
void evict_setup(size_t bytes);
size_t evict_bytes(void);
void evict(void);

enum { MAX_ROUNDS = 101 };
typedef struct series {
    size_t n;
    double x[MAX_ROUNDS];
} series;
typedef struct summary {
    double median, low, high; /* the lowest and the highest */
} summary;
void series_add(series *s, double x);
summary summarise(const series *s);
/* Of the quotients a/b of each round. */
summary quotient(const series *a, const series *b);

/* Looks at the first byte of x, so that what it depends on is computed. */
void used(const void *x);

/* A line on a terminal that replaces the last one; nothing anywhere else. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
