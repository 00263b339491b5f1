/* A made session: a script of calls without outputs. */
#ifndef TOOL_GEN_H
#define TOOL_GEN_H

#include "gen_values.h"
#include "ndl.h"
#include "text.h"

#include <stdio.h>

typedef struct recipe {
    ndl_geometry geometry;
    ndl_precision precision;
    ndl_numerics numerics;
    size_t hint, steps, prefill;
    uint64_t seed;
    payload payloads[PAYLOADS]; /* each row is of one of these */
    size_t payload_count;
} recipe;

/* False if a line would be longer than a trace allows. */
bool gen_fits(const recipe *what, problem *p);

/* Writes the script. */
void gen_write(const recipe *what, FILE *out);

#endif
