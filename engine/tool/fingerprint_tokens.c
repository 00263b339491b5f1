/* What a history holds, and what a hash was made of. */
#include "fingerprint_world.h"

#include <string.h>

static bool same_words(const uint32_t *a, const uint32_t *b, size_t count)
{
    return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

static bool reversed(const uint32_t *a, const uint32_t *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i] != b[count - 1 - i])
            return false;
    return count > 1;
}

void print_history(fingerprints *f, const tape *t, size_t at, const world *w)
{
    const entry *e = &t->entries[at];
    const result *is = &e->recorded.value, *right = &e->right;
    if (w->tokens == NULL)
        return;
    const uint32_t *last = w->tokens + w->token_count;
    if (is->count < right->count && is->count <= w->token_count &&
        same_words(is->words, last - is->count, is->count))
        finding(f, at, "history", "the history holds the last %zu tokens, not the last %zu",
                is->count, right->count);
    else if (is->count > right->count && is->count <= w->token_count &&
             same_words(is->words, last - is->count, is->count))
        finding(f, at, "history", "the history holds the last %zu tokens: it keeps up to %zu",
                is->count, right->count);
    else if (is->count == right->count && reversed(is->words, right->words, is->count))
        finding(f, at, "history", "the history is there newest first, not oldest first");
    else if (is->count + 1 <= w->token_count &&
             same_words(is->words, last - is->count - 1, is->count))
        finding(f, at, "history", "the newest token is not in the history");
    else if (is->count == right->count && is->count > 1 &&
             same_words(is->words, right->words, is->count - 1))
        finding(f, at, "history",
                "the older tokens have moved up, and the newest is not in their place");
    else if (is->count <= w->token_count && same_words(is->words, w->tokens, is->count))
        finding(f, at, "history", "the history holds the first tokens, not the last");
}

/* ---------------------------------------------------------------- the hash */

/* One way to do it, right or wrong. */
typedef struct way {
    bool heads;        /* the seed's stride is the number of heads, whatever seed_heads is */
    bool oldest_first; /* tokens are taken from the oldest on */
    bool from_zero;    /* tables are counted from 0 */
    bool no_shift;     /* the last step is left out */
    bool no_slots;     /* it is not taken modulo the slots */
    bool one_back;     /* of the history before the newest token */
    const char *text;
} way;

static const way ways[] = {
    {.heads = true,
     .text = "hashed with the number of heads for the seed's stride, not seed_heads"},
    {.oldest_first = true, .text = "hashed from the oldest tokens on, not from the newest"},
    {.from_zero = true, .text = "hashed with the tables counted from 0, not from 1"},
    {.no_shift = true, .text = "hashed without the last shift by 15"},
    {.no_slots = true, .text = "the whole hash, not its remainder by the slots"},
    {.one_back = true, .text = "hashed without the newest token"},
};

/* The constants of chapter 5. */
static const uint32_t prime = 0x01000193u, seed_factor = 0x9e3779b9u;

static uint32_t hash(const ndl_engram *e, size_t table, const uint32_t *history, size_t held,
                     const way *how)
{
    const size_t order = e->orders[table / e->heads];
    const size_t stride = e->seed_heads != 0 && !how->heads ? e->seed_heads : e->heads;
    const uint32_t seed =
        (uint32_t)(table / e->heads * stride + table % e->heads + (how->from_zero ? 0 : 1));
    uint32_t acc = seed_factor * seed;
    if (how->one_back && held > 0)
        held--;
    for (size_t j = 0; j < order; j++) {
        uint32_t token = j >= held ? 0 : how->oldest_first ? history[j] : history[held - 1 - j];
        acc = (acc ^ token) * prime;
    }
    if (!how->no_shift)
        acc ^= acc >> 15;
    return how->no_slots || e->slots == 0 ? acc : (uint32_t)(acc % e->slots);
}

void print_indices(fingerprints *f, const tape *t, size_t at, const world *w)
{
    const entry *e = &t->entries[at];
    const ndl_engram *g = &t->geometry.engram;
    const result *is = &e->recorded.value;
    const size_t most = ndl_geometry_max_order(&t->geometry);
    const size_t held = w->token_count < most ? w->token_count : most;
    if (is->count != e->right.count || is->count != g->num_orders * g->heads || w->tokens == NULL)
        return;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        bool all = true;
        for (size_t table = 0; all && table < is->count; table++)
            all = is->words[table] ==
                  hash(g, table, w->tokens + w->token_count - held, held, &ways[i]);
        if (all) {
            finding(f, at, "hash", "the indices are %s", ways[i].text);
            return;
        }
    }
}
