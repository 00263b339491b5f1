/*
 * The memory that yajl works in. yajl does not look at what malloc returns; this
 * ends the program cleanly instead of returning NULL.
 */
#ifndef TOOL_YAJL_MEMORY_H
#define TOOL_YAJL_MEMORY_H

#include <yajl/yajl_common.h>

extern yajl_alloc_funcs yajl_memory;

#endif
