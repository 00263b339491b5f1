/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "alloc.h"

#include <stdlib.h>

static void *default_allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void default_release(void *context, void *memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

ndl_allocator ndl_alloc_default(void)
{
    return (ndl_allocator){.allocate = default_allocate, .release = default_release};
}

static void *allocate(const ndl_allocator *a, size_t n, size_t size)
{
    return n <= SIZE_MAX / size ? a->allocate(a->context, n * size) : NULL;
}

static void release(const ndl_allocator *a, void *memory, size_t bytes)
{
    if (memory != NULL)
        a->release(a->context, memory, bytes);
}

/* Both calls of a type. */
#define TYPED(name, type)                                                                          \
    type *ndl_alloc_##name(const ndl_allocator *a, size_t n)                                       \
    {                                                                                              \
        return allocate(a, n, sizeof(type));                                                       \
    }                                                                                              \
    void ndl_release_##name(const ndl_allocator *a, type memory[], size_t n)                       \
    {                                                                                              \
        release(a, memory, n * sizeof(type));                                                      \
    }

TYPED(f32, float)
TYPED(i8, int8_t)
TYPED(u32, uint32_t)
TYPED(sites, float *)
TYPED(layers, ndl_layer)

ndl_session *ndl_alloc_session(const ndl_allocator *a)
{
    return allocate(a, 1, sizeof(ndl_session));
}

void ndl_release_session(const ndl_allocator *a, ndl_session *memory)
{
    release(a, memory, sizeof(ndl_session));
}
