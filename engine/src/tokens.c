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
    /*@ loop invariant range: 1 <= i <= max;
        loop invariant moved: \forall integer k; 0 <= k < i - 1 ==>
          history[k] == \at(history[k + 1], Pre);
        loop invariant rest: \forall integer k; i - 1 <= k < max ==>
          history[k] == \at(history[k], Pre);
        loop assigns i, history[0 .. max - 1];
        loop variant max - i; */
    for (size_t i = 1; i < max; i++)
        history[i - 1] = history[i];
    history[max - 1] = token;
    return max;
}

size_t ndl_history_seed(uint32_t *history, size_t max, const uint32_t *tokens, size_t n)
{
    const size_t kept = n < max ? n : max;
    const size_t first = n - kept;

    /*@ loop invariant range: 0 <= i <= kept;
        loop invariant done: \forall integer k; 0 <= k < i ==> history[k] == tokens[first + k];
        loop assigns i, history[0 .. kept - 1];
        loop variant kept - i; */
    for (size_t i = 0; i < kept; i++)
        history[i] = tokens[first + i];
    return kept;
}

/* a * b mod 2^32, multiplied where it cannot overflow. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures product: \result == times32(a, b);
*/
static uint32_t times(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b % (UINT64_C(1) << 32));
}

uint32_t ndl_table_index(const uint32_t *history, size_t held, size_t order, uint32_t seed,
                         size_t slots)
{
    uint32_t acc = times(SEED, seed);

    /*@ loop invariant range: 0 <= j <= order;
        loop invariant TOK_004: acc == hash_acc(history, held, seed, j);
        loop assigns j, acc;
        loop variant order - j; */
    for (size_t j = 0; j < order; j++) {
        const uint32_t token = j < held ? history[held - 1 - j] : 0;

        acc = times(acc ^ token, PRIME);
    }
    acc ^= acc / 0x8000; /* acc >> 15: of a division provers know more */
    const size_t index = acc % slots;
    /*@ assert index: index <= acc; */
    return (uint32_t)index;
}
