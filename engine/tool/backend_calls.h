/*
 * The calls that engine and reference have alike, once for each: included by
 * backend_engine.c and backend_reference.c, which say by CALL(name) and SESSION
 * whose they are and add the few calls that differ.
 */

static void session_free(void *s)
{
    CALL(session_free)(s);
}

static ndl_status session_clone(const void *s, void **out)
{
    SESSION *clone;
    ndl_status status = CALL(session_clone)(s, &clone);
    if (status == NDL_OK)
        *out = clone;
    return status;
}

static ndl_status session_reset(void *s)
{
    return CALL(session_reset)(s);
}

static size_t save_size(const void *s)
{
    return CALL(session_save_size)(s);
}

static ndl_status save(const void *s, uint8_t *bytes, size_t len)
{
    return CALL(session_save)(s, bytes, len);
}

static size_t pos_of(const void *s)
{
    return CALL(pos)(s);
}

static ndl_status set_pos(void *s, size_t pos)
{
    return CALL(set_pos)(s, pos);
}

static ndl_status advance(void *s)
{
    return CALL(advance)(s);
}

static size_t bytes_of(const void *s)
{
    return CALL(bytes)(s);
}

static void push_token(void *s, uint32_t token)
{
    CALL(push_token)(s, token);
}

static void seed_tokens(void *s, const uint32_t *tokens, size_t n)
{
    CALL(seed_tokens)(s, tokens, n);
}

static const uint32_t *history(void *s, size_t *len)
{
    return CALL(history)(s, len);
}

static ndl_status engram_index(const void *s, size_t table, uint32_t *index)
{
    return CALL(engram_index)(s, table, index);
}

static ndl_status write_kv(void *s, size_t layer, size_t pos, const float *k, size_t k_len,
                           const float *v, size_t v_len)
{
    return CALL(write_kv)(s, layer, pos, k, k_len, v, v_len);
}

static ndl_status slots_of(const void *s, size_t layer, size_t *slots)
{
    return CALL(slots)(s, layer, slots);
}

static ndl_status span_at(const void *s, size_t layer, size_t pos, ndl_span *out)
{
    return CALL(span_at)(s, layer, pos, out);
}

static bool is_saturated(const void *s)
{
    return CALL(is_saturated)(s);
}

static ndl_status lost(const void *s, size_t layer, size_t *n)
{
    return CALL(lost)(s, layer, n);
}

static ndl_status kv_at(void *s, size_t layer, ndl_kv *out)
{
    return CALL(kv_at)(s, layer, out);
}

static ndl_status conv_step(void *s, size_t layer, ndl_projection which, const float *taps,
                            size_t taps_len, float *raw, size_t raw_len)
{
    return CALL(conv_step)(s, layer, which, taps, taps_len, raw, raw_len);
}

static ndl_status prefill_conv(void *s, size_t layer, ndl_projection which, const float *taps,
                               size_t taps_len, size_t n, float *buf, size_t buf_len)
{
    return CALL(prefill_conv)(s, layer, which, taps, taps_len, n, buf, buf_len);
}

static ndl_status seed_conv_tail(void *s, size_t layer, ndl_projection which, const float *rows,
                                 size_t rows_len)
{
    return CALL(seed_conv_tail)(s, layer, which, rows, rows_len);
}

static ndl_status conv_tail(void *s, size_t layer, ndl_projection which, ndl_rows *out)
{
    return CALL(conv_tail)(s, layer, which, out);
}

static ndl_status engram_conv_step(void *s, size_t site, const float *taps, size_t taps_len,
                                   float *raw, size_t raw_len)
{
    return CALL(engram_conv_step)(s, site, taps, taps_len, raw, raw_len);
}

static ndl_status prefill_engram(void *s, size_t site, const float *taps, size_t taps_len, size_t n,
                                 float *buf, size_t buf_len)
{
    return CALL(prefill_engram)(s, site, taps, taps_len, n, buf, buf_len);
}

static ndl_status seed_engram_tail(void *s, size_t site, const float *rows, size_t rows_len)
{
    return CALL(seed_engram_tail)(s, site, rows, rows_len);
}

static ndl_status engram_tail(void *s, size_t site, ndl_rows *out)
{
    return CALL(engram_tail)(s, site, out);
}

static ndl_status fake_quant(ndl_numerics numerics, unsigned bits, float *x, size_t len)
{
    return CALL(fake_quant)(numerics, bits, x, len);
}

static ndl_status quantize_rows(ndl_numerics numerics, size_t head_dim, const float *x, size_t len,
                                int8_t *codes, size_t codes_len, float *scales, size_t scales_len)
{
    return CALL(quantize_rows)(numerics, head_dim, x, len, codes, codes_len, scales, scales_len);
}

static ndl_status causal_conv(size_t seq, size_t dim, size_t n_taps, const float *taps,
                              size_t taps_len, float *buf, size_t buf_len)
{
    return CALL(causal_conv)(seq, dim, n_taps, taps, taps_len, buf, buf_len);
}

static ndl_status value_conv(size_t seq, size_t dim, size_t n_taps, size_t dilation,
                             size_t max_order, const float *taps, size_t taps_len, float *buf,
                             size_t buf_len)
{
    return CALL(value_conv)(seq, dim, n_taps, dilation, max_order, taps, taps_len, buf, buf_len);
}

const backend BACKEND = {
    .name = NAME,
    .uses_allocator = USES_ALLOCATOR,
    .session_new = session_new,
    .session_free = session_free,
    .session_clone = session_clone,
    .session_reset = session_reset,
    .save_size = save_size,
    .save = save,
    .load = load,
    .pos = pos_of,
    .set_pos = set_pos,
    .advance = advance,
    .bytes = bytes_of,
    .push_token = push_token,
    .seed_tokens = seed_tokens,
    .history = history,
    .engram_index = engram_index,
    .write_kv = write_kv,
    .slots = slots_of,
    .span_at = span_at,
    .is_saturated = is_saturated,
    .lost = lost,
    .kv_at = kv_at,
    .conv_step = conv_step,
    .prefill_conv = prefill_conv,
    .seed_conv_tail = seed_conv_tail,
    .conv_tail = conv_tail,
    .engram_conv_step = engram_conv_step,
    .prefill_engram = prefill_engram,
    .seed_engram_tail = seed_engram_tail,
    .engram_tail = engram_tail,
    .attend_step = attend_step,
    .attend_sequence = attend_sequence,
    .fake_quant = fake_quant,
    .quantize_rows = quantize_rows,
    .causal_conv = causal_conv,
    .value_conv = value_conv,
};
