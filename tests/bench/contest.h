/* Who is measured, and what: the libraries by their names, and the measurements
 * that main.c calls one after the other. Each writes its part of the results. */
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "limit.h"
#include "out.h"

enum { MAX_ENGINES = 8, MAX_BASELINES = 4, MAX_LIMITS = 4 };
typedef struct contest {
    size_t engines, baselines, limits;
    api engine[MAX_ENGINES];     /* the first is the engine as installed */
    api baseline[MAX_BASELINES]; /* one source, several compilers */
    limits limit[MAX_LIMITS];    /* what this processor has, the best last */
    size_t rounds;
    bool quick;
} contest;

/* Every library steps small and shipped sessions as the first engine does: the same
 * bits, and attention, which may go through another exponential, within what traces
 * allow. False, after a message, where one does not. */
bool agree(const contest *c);

/* A step and its operations, caches cold, against baselines and limits. */
void measure_steps(const contest *c, const char *geometry, size_t n, const size_t *positions,
                   size_t rounds);
void measure_limits(const contest *c);
/* new, clone, save, load; growth; memory against position. */
void measure_life(const contest *c);
void measure_growth(const contest *c);
void measure_memory(const contest *c);

/* The geometry of that name, which must be one of the tool's presets. */
ndl_geometry geometry_named(const char *name);
const char *precision_name(ndl_precision p);

#endif
