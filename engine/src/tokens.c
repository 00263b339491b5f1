/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "tokens.h"

#define SEED 0x9E3779B9u  /* 2^32 over the golden ratio */
#define PRIME 0x01000193u /* of FNV-1a */

size_t ndl_history_push(uint32_t *history, size_t held, size_t max, uint32_t token)
{
    if (held < max) {
        history[held] = token;
        return held + 1;
    }
    for (size_t i = 1; i < max; i++)
        history[i - 1] = history[i];
    history[max - 1] = token;
    return max;
}

size_t ndl_history_seed(uint32_t *history, size_t max, const uint32_t *tokens, size_t n)
{
    const size_t kept = n < max ? n : max;
    const size_t first = n - kept;

    for (size_t i = 0; i < kept; i++)
        history[i] = tokens[first + i];
    return kept;
}

/* a * b mod 2^32, multiplied where it cannot overflow. */
static uint32_t times(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b & UINT32_MAX);
}

uint32_t ndl_table_index(const uint32_t *history, size_t held, size_t order, uint32_t seed,
                         size_t slots)
{
    uint32_t acc = times(SEED, seed);

    for (size_t j = 0; j < order; j++) {
        const uint32_t token = j < held ? history[held - 1 - j] : 0;

        acc = times(acc ^ token, PRIME);
    }
    acc ^= acc >> 15;
    return (uint32_t)(acc % slots);
}
