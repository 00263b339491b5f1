/*
 * The token history and the n-gram hash, on plain arrays.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_TOKENS_H
#define NDL_TOKENS_H

#include <stddef.h>
#include <stdint.h>

/* Append a token to a history of `held` tokens, oldest first, with room for
 * `max` (at least 1): the oldest is dropped when it is full. Returns the tokens
 * held afterwards. */
size_t ndl_history_push(uint32_t *history, size_t held, size_t max, uint32_t token);

/* Replace a history with room for `max` by the last `max` of n tokens. Returns
 * the tokens held afterwards. */
size_t ndl_history_seed(uint32_t *history, size_t max, const uint32_t *tokens, size_t n);

/*
 * The hash of the newest `order` tokens, newest first, modulo `slots` (at least
 * 1); a token before the start counts as 0. seed: the table's number, from 1.
 */
uint32_t ndl_table_index(const uint32_t *history, size_t held, size_t order, uint32_t seed,
                         size_t slots);

#endif
