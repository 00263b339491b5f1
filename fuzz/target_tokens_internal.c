/*
 * The token history and the hash on plain arrays, against a list of all tokens and a
 * hash that is folded from it in 64 bits and cut to 32 after each step.
 * TOK_001 TOK_002 TOK_003 TOK_004
 */
#include "input.h"
#include "target.h"
#include "tokens.h"

enum { MOST_TOKENS = 64, ROOM = 6 };

/* Every token since the last seed. */
typedef struct log {
    uint32_t token[MOST_TOKENS];
    size_t n;
} log;

static uint64_t hash_of(const log *all, size_t held, size_t order, uint32_t seed)
{
    uint64_t acc = (uint64_t)seed * 0x9E3779B9 % 0x100000000;
    for (size_t j = 0; j < order; j++) {
        uint64_t token = j < held ? all->token[all->n - 1 - j] : 0;
        acc = (acc ^ token) * 0x01000193 % 0x100000000;
    }
    return acc ^ acc >> 15;
}

static void check(finding *f, const uint32_t *history, size_t held, size_t max, const log *all)
{
    if (held != (all->n < max ? all->n : max))
        note(f, "TOK_001_TOK_002: %zu tokens are held of %zu, room is %zu", held, all->n, max);
    for (size_t i = 0; i < held && !found(f); i++) {
        if (history[i] != all->token[all->n - held + i])
            note(f, "TOK_001_TOK_002: token %zu of %zu is %u", i, held, history[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size};
    finding f = {""};
    size_t max = input_between(&in, 1, ROOM), order = input_between(&in, 0, ROOM + 2), held = 0;
    uint32_t seed = (uint32_t)input_size(&in), history[ROOM];
    size_t slots = input_size(&in);
    slots = slots ? slots : 1;
    log all = {.n = 0};
    while (in.at < in.end && all.n < MOST_TOKENS && !found(&f)) {
        uint8_t what = input_byte(&in);
        if (what < 240) {
            uint32_t token = what < 200 ? what : (uint32_t)input_size(&in);
            all.token[all.n++] = token;
            held = ndl_history_push(history, held, max, token);
        } else {
            all.n = what - 240u;
            for (size_t i = 0; i < all.n; i++)
                all.token[i] = (uint32_t)input_size(&in);
            held = ndl_history_seed(history, max, all.token, all.n);
        }
        check(&f, history, held, max, &all);
        uint32_t index = ndl_table_index(history, held, order, seed, slots);
        if (index >= slots)
            note(&f, "TOK_003: index %u of %zu slots", index, slots);
        if (index != hash_of(&all, held, order, seed) % slots)
            note(&f, "TOK_004: order %zu, seed %u, slots %zu: index %u", order, seed, slots, index);
    }
    target_report("tokens", &f, NULL);
    return 0;
}
