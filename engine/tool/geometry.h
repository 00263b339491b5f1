/* Geometries as traces write them down, and those that have a name. */
#ifndef TOOL_GEOMETRY_H
#define TOOL_GEOMETRY_H

#include "json.h"
#include "ndl.h"

#include <stdio.h>

/* A member that nobody knows: told to whoever wants to warn about it. */
typedef void unknown_member(void *context, const json_member *m);

/*
 * The geometry in the object whose index is config (-1: the line's own), checked
 * as ndl_geometry_validate does. unknown may be NULL.
 */
bool geometry_read(const json *j, int config, ndl_geometry *g, unknown_member *unknown,
                   void *context, problem *p);

/* The same as a JSON object, without a line end. */
void geometry_write(FILE *out, const ndl_geometry *g);

/* The geometry of a file: a config as a JSON object, a trace's header, a model's (.cact). */
bool geometry_from_file(const char *path, ndl_geometry *g, problem *p);
bool geometry_from_model(const char *path, ndl_geometry *g, ndl_precision *precision, problem *p);

/* "shipped", "tiny", "rung-2" to "rung-19". False if there is no such name. */
bool geometry_preset(const char *name, ndl_geometry *g);

#endif
