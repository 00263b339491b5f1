/* A script, replayed and written with what came out; or a trace without it. */
#ifndef TOOL_FILL_H
#define TOOL_FILL_H

#include "replay.h"
#include "write.h"

typedef struct fill {
    FILE *out;
    float_form form;
    bool bare;   /* outputs are left out: a script */
    size_t last; /* the last line; 0: all of them */
    bool quiet;  /* no warnings */
} fill;

/*
 * False if it cannot be replayed: p says why, and is empty if it was out that could not
 * be written, which is out's to say.
 */
bool fill_file(fill *f, const char *path, const replay_options *how, problem *p, size_t *line);
bool fill_text(fill *f, const char *name, const char *text, size_t len, problem *p, size_t *line);

#endif
