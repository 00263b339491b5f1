/* A trace shown to people: what ndl show gathers while it replays, and prints. */
#ifndef TOOL_SHOW_H
#define TOOL_SHOW_H

#include "replay.h"

#include <stdio.h>

/* What is known of a layer of the session `main`. */
typedef struct show_layer {
    size_t writes, slots, last; /* last: the position written last */
    ndl_span span;              /* at that position */
} show_layer;

typedef struct show {
    const char *path;
    FILE *out;
    size_t only; /* the one operation that is shown; 0: all that there is room for */
    bool all;

    size_t operations, by_kind[MOST_OPERATIONS];
    size_t least, most; /* positions that `main` had */
    bool has_geometry;
    ndl_geometry geometry;
    show_layer layer[NDL_MAX_LAYERS];
} show;

/* The listener's functions. */
bool show_header(void *context, replay *r, const char *line, size_t len);
bool show_called(void *context, replay *r, const call *c);

/* What can be said at the end: operations by kind, positions, spans. */
void show_summary(const show *s);

#endif
