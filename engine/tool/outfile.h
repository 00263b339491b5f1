/*
 * A file that is there whole or not at all: written under another name beside it,
 * and renamed when it is done; a symbolic link stays, and what it points to is
 * written. What is no plain file (a terminal, a pipe,
 * /dev/null) is written to as it is, and so is standard output.
 */
#ifndef TOOL_OUTFILE_H
#define TOOL_OUTFILE_H

#include "text.h"

#include <stdio.h>

typedef struct outfile {
    FILE *file;
    char *target, *temporary; /* NULL where there is nothing to rename */
} outfile;

/* path: NULL or "-" is standard output. */
/* What goes wrong is said without the path. */
bool outfile_open(outfile *o, const char *path, problem *p);

/* Puts the file in its place; false, with p set, if it could not be written. */
bool outfile_keep(outfile *o, problem *p);

/* Whether all that went to a stream is written; if not, p says why. */
bool outfile_written(FILE *out, problem *p);

/* Leaves what was there before as it was. */
void outfile_drop(outfile *o);

#endif
