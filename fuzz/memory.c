#include "memory.h"

#include <stdlib.h>
#include <string.h>

const uint32_t memory_patterns[4] = {0x00000000, 0x3E3E3E3E, 0xFFFFFFFF, 0x7FA00000};

/* What stands before each block; as long as any type's alignment needs. */
typedef union header {
    size_t size;
    max_align_t align;
} header;

/* What stands behind each block, to show who writes there. */
enum { CANARY = 0xA5, CANARIES = 16 };

static bool canaries_live(const unsigned char *behind)
{
    for (size_t i = 0; i < CANARIES; i++) {
        if (behind[i] != CANARY)
            return false;
    }
    return true;
}

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
    header *h =
        size <= SIZE_MAX - sizeof *h - CANARIES ? malloc(sizeof *h + size + CANARIES) : NULL;
    if (!h)
        return NULL;
    unsigned char *bytes = (unsigned char *)(h + 1);
    h->size = size;
    fill(bytes, size, m->pattern);
    memset(bytes + size, CANARY, CANARIES);
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
    if (h->size != size || !canaries_live((unsigned char *)block + h->size))
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
