#include "memory.h"

#include <stdlib.h>
#include <string.h>

const uint32_t memory_patterns[4] = {0x00000000, 0x3E3E3E3E, 0xFFFFFFFF, 0x7FA00000};

/* What stands before each block; as long as any type's alignment needs. */
typedef union header {
    size_t size;
    max_align_t align;
} header;

static void fill(unsigned char *bytes, size_t size, uint32_t pattern)
{
    unsigned char word[sizeof pattern];
    memcpy(word, &pattern, sizeof word);
    for (size_t i = 0; i < size; i++)
        bytes[i] = word[i % sizeof word];
}

static void *allocate(void *context, size_t size)
{
    memory *m = context;
    m->allocations++;
    if (size == 0)
        m->misuses++;
    if (m->fail_in && --m->fail_in == 0) {
        m->failures++;
        return NULL;
    }
    header *h = size <= SIZE_MAX - sizeof *h ? malloc(sizeof *h + size) : NULL;
    if (!h)
        return NULL;
    h->size = size;
    fill((unsigned char *)(h + 1), size, m->pattern);
    m->live += size;
    m->blocks++;
    if (m->live > m->peak)
        m->peak = m->live;
    return h + 1;
}

static void release(void *context, void *block, size_t size)
{
    memory *m = context;
    if (!block) {
        m->misuses++;
        return;
    }
    header *h = (header *)block - 1;
    if (h->size != size)
        m->misuses++;
    fill(block, h->size, 0xDDDDDDDD);
    m->live -= h->size;
    m->blocks--;
    free(h);
}

ndl_allocator memory_allocator(memory *m)
{
    ndl_allocator a = {m, allocate, release};
    return a;
}
