/* The first lines of a trace as a script: what came out is left out. */
#ifndef TOOL_PREFIX_H
#define TOOL_PREFIX_H

#include "text.h"

/* Up to a line, into a file. False: p says why, about the path in *about. */
bool prefix_write(const char *trace, size_t last_line, const char *path, const char **about,
                  problem *p);

#endif
