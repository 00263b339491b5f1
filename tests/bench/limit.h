/*
 * What no step can be faster than, measured: the multiply-adds that attention
 * needs, each multiplication and addition rounded by itself, from registers; a
 * plain read of the bytes that a step reads. And, apart, the exponentials.
 */
#ifndef BENCH_LIMITS_H
#define BENCH_LIMITS_H

#include "measure.h"
#include "step.h"

/* One instruction set: limit_internal.c compiled for it, with the engine's loop
 * of exponentials. */
typedef struct limits {
    const char *name;
    size_t (*macs)(size_t width, size_t rounds, float *out);
    uint64_t (*read)(const void *p, size_t bytes);
    void (*exps)(float *x, size_t n);
} limits;

/* Whether this processor has an instruction set, by its name in bench.mk. */
bool limits_supported(const char *name);
limits limits_open(const char *name, const char *path);

/* Nanoseconds of a multiply-add a lane, the best of the vector widths there are. */
double limits_mac_ns(const limits *l);
/* Nanoseconds of one exponential in a row of them. */
double limits_exp_ns(const limits *l);

/* What of memory a step reads at a position, operation by operation. */
typedef struct range {
    lap lap;
    const void *from;
    size_t bytes;
} range;
typedef struct ranges {
    size_t n;
    range of[NDL_MAX_LAYERS * 14 + NDL_MAX_SITES * 2];
} ranges;
/* u must be of an engine, whose views say where things are. */
ranges ranges_of(const subject *u);
size_t ranges_bytes(const ranges *r);
/* Reads them; adds the time of each operation to laps unless that is NULL. */
void ranges_read(const ranges *r, const limits *l, double *laps);

/* The multiply-adds of a step's attention as lanes are filled: the query heads of
 * a kv head stand side by side in the scores, in whole vectors of 8; the channels
 * of the values do in the sums. */
double step_macs(const subject *u);
/* And its exponentials. */
double step_exps(const subject *u);

#endif
