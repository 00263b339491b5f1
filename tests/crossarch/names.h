/*
 * The words that the packed sessions and the digests are written with. pack.py
 * reads the two lists out of this file, so that both sides number them alike.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef CROSSARCH_NAMES_H
#define CROSSARCH_NAMES_H

/* Calls, each followed by its arguments in the order that play.c reads them. */
#define CALLS(X)                                                                                   \
    X(tensor)                                                                                      \
    X(push_token)                                                                                  \
    X(seed_tokens)                                                                                 \
    X(engram_indices)                                                                              \
    X(conv_step)                                                                                   \
    X(seed_conv_tail)                                                                              \
    X(engram_conv_step)                                                                            \
    X(seed_engram_tail)                                                                            \
    X(write_kv)                                                                                    \
    X(span)                                                                                        \
    X(attend_step)                                                                                 \
    X(attend_sequence)                                                                             \
    X(kv)                                                                                          \
    X(set_pos)                                                                                     \
    X(advance)                                                                                     \
    X(is_saturated)                                                                                \
    X(bytes)                                                                                       \
    X(fake_quant)                                                                                  \
    X(quantize_rows)                                                                               \
    X(causal_depthwise_conv)                                                                       \
    X(value_conv)                                                                                  \
    X(save)                                                                                        \
    X(cact)                                                                                        \
    X(exponentials)

/* Kinds of output: a digest line each. */
#define KINDS(X)                                                                                   \
    X(conv)                                                                                        \
    X(engram)                                                                                      \
    X(prefill)                                                                                     \
    X(tail)                                                                                        \
    X(store)                                                                                       \
    X(scale)                                                                                       \
    X(history)                                                                                     \
    X(index)                                                                                       \
    X(span)                                                                                        \
    X(slots)                                                                                       \
    X(bytes)                                                                                       \
    X(pos)                                                                                         \
    X(saved)                                                                                       \
    X(saturated)                                                                                   \
    X(attention)                                                                                   \
    X(sequence)                                                                                    \
    X(fake_quant)                                                                                  \
    X(codes)                                                                                       \
    X(geometry)                                                                                    \
    X(exp)

/* The first word of a pack: "ndlx". */
#define PACK_MAGIC UINT32_C(0x786c646e)

/* An array of floats is its length and its bits, or, with this bit set, the
 * number of a tensor that came before. */
#define PACK_TENSOR UINT32_C(0x80000000)

#endif
