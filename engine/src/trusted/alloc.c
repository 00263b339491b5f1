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

float *ndl_alloc_f32(const ndl_allocator *a, size_t n)
{
    return allocate(a, n, sizeof(float));
}

int8_t *ndl_alloc_i8(const ndl_allocator *a, size_t n)
{
    return allocate(a, n, sizeof(int8_t));
}

uint32_t *ndl_alloc_u32(const ndl_allocator *a, size_t n)
{
    return allocate(a, n, sizeof(uint32_t));
}

float **ndl_alloc_sites(const ndl_allocator *a, size_t n)
{
    return allocate(a, n, sizeof(float *));
}

ndl_layer *ndl_alloc_layers(const ndl_allocator *a, size_t n)
{
    return allocate(a, n, sizeof(ndl_layer));
}

ndl_session *ndl_alloc_session(const ndl_allocator *a)
{
    return allocate(a, 1, sizeof(ndl_session));
}

void ndl_release_f32(const ndl_allocator *a, float *memory, size_t n)
{
    release(a, memory, n * sizeof(float));
}

void ndl_release_i8(const ndl_allocator *a, int8_t *memory, size_t n)
{
    release(a, memory, n * sizeof(int8_t));
}

void ndl_release_u32(const ndl_allocator *a, uint32_t *memory, size_t n)
{
    release(a, memory, n * sizeof(uint32_t));
}

void ndl_release_sites(const ndl_allocator *a, float **memory, size_t n)
{
    release(a, memory, n * sizeof(float *));
}

void ndl_release_layers(const ndl_allocator *a, ndl_layer *memory, size_t n)
{
    release(a, memory, n * sizeof(ndl_layer));
}

void ndl_release_session(const ndl_allocator *a, ndl_session *memory)
{
    release(a, memory, sizeof(ndl_session));
}
