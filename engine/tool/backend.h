/*
 * What a trace is replayed on: the engine (ndl.h) or the naive reference (ref.h),
 * behind one table of the same calls. A session is a void pointer here.
 */
#ifndef TOOL_BACKEND_H
#define TOOL_BACKEND_H

#include "ndl.h"

typedef struct backend {
    const char *name;    /* for people: "engine", "reference" */
    bool uses_allocator; /* memory comes through ndl_options' allocator */

    ndl_status (*session_new)(const ndl_geometry *g, const ndl_options *options, void **out);
    void (*session_free)(void *s);
    ndl_status (*session_clone)(const void *s, void **out);
    ndl_status (*session_reset)(void *s);

    size_t (*save_size)(const void *s);
    ndl_status (*save)(const void *s, uint8_t *bytes, size_t len);
    ndl_status (*load)(const ndl_geometry *g, const ndl_allocator *allocator, const uint8_t *bytes,
                       size_t len, void **out);

    size_t (*pos)(const void *s);
    ndl_status (*set_pos)(void *s, size_t pos);
    ndl_status (*advance)(void *s);
    size_t (*bytes)(const void *s);

    void (*push_token)(void *s, uint32_t token);
    void (*seed_tokens)(void *s, const uint32_t *tokens, size_t n);
    const uint32_t *(*history)(void *s, size_t *len);
    ndl_status (*engram_index)(const void *s, size_t table, uint32_t *index);

    ndl_status (*write_kv)(void *s, size_t layer, size_t pos, const float *k, size_t k_len,
                           const float *v, size_t v_len);
    ndl_status (*slots)(const void *s, size_t layer, size_t *slots);
    ndl_status (*span_at)(const void *s, size_t layer, size_t pos, ndl_span *out);
    bool (*is_saturated)(const void *s);
    ndl_status (*lost)(const void *s, size_t layer, size_t *lost);
    ndl_status (*kv_at)(void *s, size_t layer, ndl_kv *out);

    ndl_status (*conv_step)(void *s, size_t layer, ndl_projection which, const float *taps,
                            size_t taps_len, float *raw, size_t raw_len);
    ndl_status (*prefill_conv)(void *s, size_t layer, ndl_projection which, const float *taps,
                               size_t taps_len, size_t n, float *buf, size_t buf_len);
    ndl_status (*seed_conv_tail)(void *s, size_t layer, ndl_projection which, const float *rows,
                                 size_t rows_len);
    ndl_status (*conv_tail)(void *s, size_t layer, ndl_projection which, ndl_rows *out);
    ndl_status (*engram_conv_step)(void *s, size_t site, const float *taps, size_t taps_len,
                                   float *raw, size_t raw_len);
    ndl_status (*prefill_engram)(void *s, size_t site, const float *taps, size_t taps_len, size_t n,
                                 float *buf, size_t buf_len);
    ndl_status (*seed_engram_tail)(void *s, size_t site, const float *rows, size_t rows_len);
    ndl_status (*engram_tail)(void *s, size_t site, ndl_rows *out);

    /* The scratch is ndl_attend_scratch's number of floats; the reference leaves it alone. */
    ndl_status (*attend_step)(const void *s, size_t layer, size_t pos, const float *q, size_t q_len,
                              float *scratch, size_t scratch_len, float *out, size_t out_len);
    ndl_status (*attend_sequence)(const ndl_geometry *g, size_t window, const ndl_kv *kv,
                                  const float *q, size_t q_len, float *scratch, size_t scratch_len,
                                  float *out, size_t out_len);

    ndl_status (*fake_quant)(ndl_numerics numerics, unsigned bits, float *x, size_t len);
    ndl_status (*quantize_rows)(ndl_numerics numerics, size_t head_dim, const float *x, size_t len,
                                int8_t *codes, size_t codes_len, float *scales, size_t scales_len);
    ndl_status (*causal_conv)(size_t seq, size_t dim, size_t n_taps, const float *taps,
                              size_t taps_len, float *buf, size_t buf_len);
    ndl_status (*value_conv)(size_t seq, size_t dim, size_t n_taps, size_t dilation,
                             size_t max_order, const float *taps, size_t taps_len, float *buf,
                             size_t buf_len);
} backend;

extern const backend backend_engine, backend_reference;

#endif
