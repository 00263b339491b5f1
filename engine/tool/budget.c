#include "budget.h"

#include <stdlib.h>
#include <string.h>

static void *allocate(void *context, size_t size)
{
    budget *b = context;
    if (b->fail_in > 0 && --b->fail_in == 0) {
        b->injected = true;
        return NULL;
    }
    if (b->used > b->limit || size > b->limit - b->used) {
        b->refused = true;
        b->wanted = size;
        return NULL;
    }
    void *memory = b->under != NULL ? b->under->allocate(b->under->context, size) : malloc(size);
    if (memory == NULL)
        return NULL;
    b->used += size;
    if (b->poison >= 0)
        memset(memory, b->poison, size);
    return memory;
}

static void release(void *context, void *memory, size_t size)
{
    budget *b = context;
    b->used -= size;
    if (b->under != NULL)
        b->under->release(b->under->context, memory, size);
    else
        free(memory);
}

void budget_init(budget *b, size_t limit)
{
    memset(b, 0, sizeof *b);
    b->limit = limit;
    b->poison = -1;
    b->allocator = (ndl_allocator){b, allocate, release};
}

bool budget_fits(const budget *b, size_t size, const char *what, problem *p)
{
    char want[SIZE_TEXT], used[SIZE_TEXT], limit[SIZE_TEXT];
    if (b->used <= b->limit && size <= b->limit - b->used)
        return true;
    return fail(p, "%s would take %s; with the %s in use that is beyond --max-memory, %s", what,
                size_text(want, size), size_text(used, b->used), size_text(limit, b->limit));
}

bool budget_charge(budget *b, size_t size, const char *what, problem *p)
{
    if (!budget_fits(b, size, what, p))
        return false;
    b->used += size;
    return true;
}

void budget_refund(budget *b, size_t size)
{
    b->used -= size;
}

size_t sum(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

size_t product(size_t a, size_t b)
{
    return b != 0 && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t session_size(const ndl_geometry *g, ndl_precision precision, size_t hint)
{
    size_t k = ndl_geometry_k_dim(g), v = ndl_geometry_v_dim(g), q = ndl_geometry_q_dim(g);
    size_t row =
        precision == NDL_F32 ? product(4, sum(k, v)) : sum(sum(k, v), product(8, g->num_kv_heads));
    size_t tails = g->qkv_conv_taps > 1 ? product(g->qkv_conv_taps - 1, sum(q, sum(k, v))) : 0;
    size_t total = 0;
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        size_t cap = 0;
        ndl_geometry_cap(g, layer, &cap);
        size_t slots = least(cap, hint > 1 ? hint : 1);
        total = sum(total, sum(product(slots, row), product(4, tails)));
    }
    size_t site = product(ndl_geometry_reach(g), g->d_model);
    return sum(total, product(4, product(g->engram.num_sites, site)));
}
