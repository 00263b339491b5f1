/*
 * Causal depthwise convolutions on plain arrays, and their tails.
 *
 * taps: n_taps rows of dim; tap j meets the row j (engram: j * dilation) rows
 * back. A tail holds the last raw rows pushed on it, oldest first. Rows before
 * the start are masked by the position, never read.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_CONV_H
#define NDL_CONV_H

#include <stddef.h>

/*
 * One step of the q/k/v convolution at pos, in place: raw, a row of dim,
 * becomes its convolution; tail, n_taps - 1 rows, takes the row as it was.
 * n_taps may be 0: nothing happens then. The sum starts with the first product.
 */
void ndl_conv_row(const float *taps, size_t n_taps, size_t dim, float *tail, float *raw,
                  size_t pos);

/*
 * The same over seq rows from position 0, in place. The sum starts at +0, so
 * that a result which is a zero may differ from the step's in its sign.
 */
void ndl_conv_rows(const float *taps, size_t n_taps, size_t dim, float *buf, size_t seq);

/*
 * One step of the engram convolution at pos, in place; tail: reach rows, at
 * least (n_taps - 1) * dilation. Tap j counts from positions j * dilation and
 * j * max_order on. n_taps, dilation and max_order may be anything, 0 included.
 */
void ndl_engram_row(const float *taps, size_t n_taps, size_t dim, size_t dilation, size_t max_order,
                    float *tail, size_t reach, float *raw, size_t pos);

/* The same over seq rows from position 0, in place. */
void ndl_engram_rows(const float *taps, size_t n_taps, size_t dim, size_t dilation,
                     size_t max_order, float *buf, size_t seq);

/*
 * What a tail of `rows` rows holds after seq raw rows from an empty start: the
 * last of them, oldest first, after zero rows where there are fewer.
 */
void ndl_tail_seed(float *tail, size_t rows, size_t dim, const float *raw, size_t seq);

#endif
