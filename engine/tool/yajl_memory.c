#include "yajl_memory.h"

#include "sanitize.h"
#include "text.h"

#include <stdlib.h>

/* MemorySanitizer does not see what yajl writes: all of it counts as written. */
static void *allocate(void *context, size_t size)
{
    (void)context;
    void *memory = get_memory(size);
    WRITTEN(memory, size);
    return memory;
}

static void *reallocate(void *context, void *old, size_t size)
{
    (void)context;
    void *memory = get_more(old, size);
    WRITTEN(memory, size);
    return memory;
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

yajl_alloc_funcs yajl_memory = {allocate, reallocate, release, NULL};
