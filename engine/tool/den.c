#include "den.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* As a float the pattern is 0.747, as a code 63: neither is lost in a sum. */
enum { PATTERN = 0x3f, GAP = 4096, ALIGN = 64 };
static const size_t whole = (size_t)64 << 20;

static void *allocate(void *context, size_t size)
{
    den *d = context;
    if (size > d->size)
        return NULL;
    const size_t rounded = (size + ALIGN - 1) / ALIGN * ALIGN;
    unsigned char *piece;
    if (rounded + (size_t)2 * GAP <= d->size - d->used) {
        piece = d->memory + d->used;
        d->used += rounded + (size_t)2 * GAP;
    } else {
        /* Pieces of the den are not used again; what it has no room for is malloc's. */
        piece = malloc(rounded + (size_t)2 * GAP);
        if (piece == NULL)
            return NULL;
    }
    memset(piece, PATTERN, rounded + (size_t)2 * GAP);
    return piece + GAP;
}

static void release(void *context, void *memory, size_t size)
{
    const den *d = context;
    unsigned char *piece = (unsigned char *)memory - GAP;
    (void)size;
    if (piece < d->memory || piece >= d->memory + d->size)
        free(piece);
}

void *den_take(den *d, size_t size)
{
    return allocate(d, size);
}

void den_clear(den *d)
{
    d->used = 0;
}

bool den_open(den *d)
{
    void *memory = mmap(NULL, whole, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    *d = (den){memory, whole, 0, {d, allocate, release}};
    return true;
}
