/*
 * The token history and the n-gram hash, on plain arrays.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_TOKENS_H
#define NDL_TOKENS_H

#include <stddef.h>
#include <stdint.h>

#include "../logic/tokens.acsl"

/** Append a token to a history of held tokens, oldest first, with room for max:
 *  the oldest is dropped when it is full. Returns the tokens held afterwards.
 *  Claims: TOK_001. */
/*@ requires some: 0 < max;
    requires some: held <= max;
    requires room: \valid(history + (0 .. max - 1));
    terminates \true;
    exits \false;
    assigns history[0 .. max - 1];
    ensures TOK_001: held: \result == (held < max ? held + 1 : max);
    ensures TOK_001: newest: history[\result - 1] == token;
    ensures TOK_001: kept: held < max ==>
      \forall integer i; 0 <= i < held ==> history[i] == \old(history[i]);
    ensures TOK_001: moved: held == max ==>
      \forall integer i; 0 <= i < max - 1 ==> history[i] == \old(history[i + 1]);
*/
size_t ndl_history_push(uint32_t *history, size_t held, size_t max, uint32_t token);

/** Replace a history with room for max by the last max of n tokens. Returns the
 *  tokens held afterwards. Claims: TOK_002. */
/*@ requires some: 0 < max;
    requires room: \valid(history + (0 .. max - 1));
    requires from: \valid_read(tokens + (0 .. n - 1));
    requires apart: \separated(history + (0 .. max - 1), tokens + (0 .. n - 1));
    terminates \true;
    exits \false;
    assigns history[0 .. max - 1];
    ensures TOK_002: held: \result == \min(n, max);
    ensures TOK_002: last: \forall integer i; 0 <= i < \result ==>
      history[i] == tokens[n - \result + i];
*/
size_t ndl_history_seed(uint32_t *history, size_t max, const uint32_t *tokens, size_t n);

/** The hash of the newest `order` tokens, newest first, modulo slots; a token
 *  before the start counts as 0. seed: the table's number, from 1.
 *  Claims: TOK_003 TOK_004. */
/*@ requires some: 0 < slots;
    requires from: \valid_read(history + (0 .. held - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures TOK_003: below: \result < slots;
    ensures TOK_004: hash: \result == hash_fold(hash_acc(history, held, seed, order)) % slots;
*/
uint32_t ndl_table_index(const uint32_t *history, size_t held, size_t order, uint32_t seed,
                         size_t slots);

#endif
