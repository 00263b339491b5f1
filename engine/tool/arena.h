/*
 * Memory that lives as long as one line of a trace: taken piece by piece, given
 * back all at once. What was taken for the last line is there for the next, so
 * that a trace of equal lines allocates on its first only.
 */
#ifndef TOOL_ARENA_H
#define TOOL_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;

typedef struct arena {
    arena_block *block; /* the newest, which is the one that is filled */
    size_t used;        /* bytes of it that are taken */
    size_t total;       /* bytes of all blocks */
} arena;

/* Memory of size bytes (0 is fine), aligned for any type. */
void *arena_take(arena *a, size_t size);

/* Everything taken is given back. */
void arena_clear(arena *a);

/* And the arena's own memory with it. */
void arena_free(arena *a);

#endif
