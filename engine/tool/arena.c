#include "arena.h"

#include "text.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

struct arena_block {
    arena_block *older;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

enum { SMALLEST = 1 << 16 };

void *arena_take(arena *a, size_t size)
{
    size_t mask = alignof(max_align_t) - 1;
    if (size > SIZE_MAX / 4)
        out_of_memory(size);
    size = (size + mask) & ~mask;
    if (a->block == NULL || a->block->size - a->used < size) {
        size_t room = size > SMALLEST ? size : SMALLEST;
        /* At least what there was before: few blocks however a line grows. */
        if (room < a->total)
            room = a->total;
        arena_block *fresh = get_memory(sizeof *fresh + room);
        fresh->older = a->block;
        fresh->size = room;
        a->block = fresh;
        a->used = 0;
        a->total += room;
    }
    void *memory = a->block->bytes + a->used;
    a->used += size;
    return memory;
}

void arena_clear(arena *a)
{
    /* The newest block is no smaller than all the others together. */
    if (a->block != NULL) {
        for (arena_block *b = a->block->older, *older; b != NULL; b = older) {
            older = b->older;
            free(b);
        }
        a->block->older = NULL;
        a->total = a->block->size;
    }
    a->used = 0;
}

void arena_free(arena *a)
{
    arena_clear(a);
    free(a->block);
    *a = (arena){NULL, 0, 0};
}
