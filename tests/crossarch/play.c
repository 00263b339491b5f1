/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "play.h"

#include <stdlib.h>
#include <string.h>

void expect_ok(const player *p, ndl_status status)
{
    if (status != NDL_OK)
        die(ndl_status_text(status), p->name);
}

floats play_floats(player *p)
{
    const uint32_t word = pack_word(p->in);
    if ((word & PACK_TENSOR) == 0)
        return pack_floats(p->in, word);

    const size_t i = word & ~PACK_TENSOR;
    if (i >= p->tensors)
        die("there is no such tensor", p->name);
    const floats f = {allocate(p->tensor[i].len, sizeof(float)), p->tensor[i].len};
    memcpy(f.data, p->tensor[i].data, f.len * sizeof(float));
    return f;
}

static void tensor(player *p)
{
    if (p->tensors == MAX_TENSORS)
        die("too many tensors", p->name);
    p->tensor[p->tensors] = play_floats(p);
    p->tensors++;
}

static void history(player *p)
{
    size_t held = 0;
    const uint32_t *tokens = ndl_history(p->session, &held);
    uint64_t *numbers = allocate(held, sizeof *numbers);

    for (size_t i = 0; i < held; i++)
        numbers[i] = tokens[i];
    tally_numbers(p->out, KIND_history, numbers, held);
    free(numbers);
}

static void seed_tokens(player *p)
{
    const size_t n = pack_word(p->in);
    uint32_t *tokens = allocate(n, sizeof *tokens);

    for (size_t i = 0; i < n; i++)
        tokens[i] = pack_word(p->in);
    ndl_seed_tokens(p->session, tokens, n);
    free(tokens);
    history(p);
}

static void engram_indices(player *p)
{
    const size_t tables = ndl_geometry_tables(ndl_session_geometry(p->session));
    uint64_t *numbers = allocate(tables, sizeof *numbers);

    for (size_t t = 0; t < tables; t++) {
        uint32_t index = 0;
        expect_ok(p, ndl_engram_index(p->session, t, &index));
        numbers[t] = index;
    }
    tally_numbers(p->out, KIND_index, numbers, tables);
    free(numbers);
}

static void conv_step(player *p)
{
    const size_t layer = pack_word(p->in);
    const ndl_projection which = (ndl_projection)pack_word(p->in);
    const floats taps = play_floats(p), raw = play_floats(p);

    expect_ok(p, ndl_conv_step(p->session, layer, which, taps.data, taps.len, raw.data, raw.len));
    tally_floats(p->out, KIND_conv, raw.data, raw.len);
    free(taps.data);
    free(raw.data);
}

static void seed_conv_tail(player *p)
{
    const size_t layer = pack_word(p->in);
    const ndl_projection which = (ndl_projection)pack_word(p->in);
    const floats raw = play_floats(p);

    expect_ok(p, ndl_seed_conv_tail(p->session, layer, which, raw.data, raw.len));
    free(raw.data);
}

static void engram_conv_step(player *p)
{
    const size_t site = pack_word(p->in);
    const floats taps = play_floats(p), raw = play_floats(p);

    expect_ok(p, ndl_engram_conv_step(p->session, site, taps.data, taps.len, raw.data, raw.len));
    tally_floats(p->out, KIND_engram, raw.data, raw.len);
    free(taps.data);
    free(raw.data);
}

static void seed_engram_tail(player *p)
{
    const size_t site = pack_word(p->in);
    const floats raw = play_floats(p);

    expect_ok(p, ndl_seed_engram_tail(p->session, site, raw.data, raw.len));
    free(raw.data);
}

static void slots(player *p, size_t layer)
{
    size_t n = 0;

    expect_ok(p, ndl_slots(p->session, layer, &n));
    tally_number(p->out, KIND_slots, n);
}

static void write_kv(player *p)
{
    const size_t layer = pack_word(p->in), pos = pack_word(p->in);
    const floats k = play_floats(p), v = play_floats(p);

    expect_ok(p, ndl_write_kv(p->session, layer, pos, k.data, k.len, v.data, v.len));
    free(k.data);
    free(v.data);
    slots(p, layer);
}

static void span(player *p)
{
    const size_t layer = pack_word(p->in), pos = pack_word(p->in);
    ndl_span range = {0, 0};

    expect_ok(p, ndl_span_at(p->session, layer, pos, &range));
    tally_numbers(p->out, KIND_span, (const uint64_t[]){range.lo, range.hi}, 2);
}

static void attend_step(player *p)
{
    const ndl_geometry *g = ndl_session_geometry(p->session);
    const size_t layer = pack_word(p->in), pos = pack_word(p->in);
    const floats q = play_floats(p);
    ndl_span range = {0, 0};

    expect_ok(p, ndl_span_at(p->session, layer, pos, &range));
    const size_t out_len = ndl_geometry_out_dim(g);
    const size_t scratch_len = ndl_attend_scratch(g, range.hi - range.lo + 1);
    float *out = allocate(out_len, sizeof *out), *scratch = allocate(scratch_len, sizeof *scratch);
    expect_ok(p, ndl_attend_step(p->session, layer, pos, q.data, q.len, scratch, scratch_len, out,
                                 out_len));
    tally_floats(p->out, KIND_attention, out, out_len);
    free(scratch);
    free(out);
    free(q.data);
}

static void kv(player *p)
{
    const ndl_geometry *g = ndl_session_geometry(p->session);
    const size_t layer = pack_word(p->in);
    ndl_kv store = {.slots = 0};

    slots(p, layer);
    expect_ok(p, ndl_kv_at(p->session, layer, &store));
    const size_t k_len = store.slots * ndl_geometry_k_dim(g);
    const size_t v_len = store.slots * ndl_geometry_v_dim(g);
    if (store.precision == NDL_INT8) {
        const size_t scales = store.slots * g->num_kv_heads;

        tally_codes(p->out, KIND_store, store.k_codes, k_len);
        tally_floats(p->out, KIND_scale, store.k_scales, scales);
        tally_codes(p->out, KIND_store, store.v_codes, v_len);
        tally_floats(p->out, KIND_scale, store.v_scales, scales);
    } else {
        tally_floats(p->out, KIND_store, store.k, k_len);
        tally_floats(p->out, KIND_store, store.v, v_len);
    }
}

static void advance(player *p)
{
    expect_ok(p, ndl_advance(p->session));
    tally_number(p->out, KIND_pos, ndl_pos(p->session));
}

/* What the session saves; from there on it is the one that is loaded from it,
 * which has to save the same. */
static void save(player *p)
{
    const size_t len = ndl_session_save_size(p->session);
    uint8_t *bytes = allocate(len, 1), *again = allocate(len, 1);
    ndl_session *loaded = NULL;

    expect_ok(p, ndl_session_save(p->session, bytes, len));
    tally_bytes(p->out, KIND_saved, bytes, len);
    expect_ok(p, ndl_session_load(ndl_session_geometry(p->session), NULL, bytes, len, &loaded));
    ndl_session_free(p->session);
    p->session = loaded;
    expect_ok(p, ndl_session_save(loaded, again, len));
    if (memcmp(bytes, again, len) != 0)
        die("a loaded session saves other bytes", p->name);
    free(bytes);
    free(again);
}

typedef enum call {
#define X(name) CALL_##name,
    CALLS(X)
#undef X
} call;

/* Calls that anything but kernels needs a session for. */
static void play_session(player *p, call c)
{
    if (p->session == NULL)
        die("a call without a session", p->name);
    switch (c) {
    case CALL_push_token:
        ndl_push_token(p->session, pack_word(p->in));
        history(p);
        break;
    case CALL_seed_tokens:
        seed_tokens(p);
        break;
    case CALL_engram_indices:
        engram_indices(p);
        break;
    case CALL_conv_step:
        conv_step(p);
        break;
    case CALL_seed_conv_tail:
        seed_conv_tail(p);
        break;
    case CALL_engram_conv_step:
        engram_conv_step(p);
        break;
    case CALL_seed_engram_tail:
        seed_engram_tail(p);
        break;
    case CALL_write_kv:
        write_kv(p);
        break;
    case CALL_span:
        span(p);
        break;
    case CALL_attend_step:
        attend_step(p);
        break;
    case CALL_attend_sequence:
        play_attend_sequence(p);
        break;
    case CALL_kv:
        kv(p);
        break;
    case CALL_set_pos:
        expect_ok(p, ndl_set_pos(p->session, pack_word(p->in)));
        break;
    case CALL_advance:
        advance(p);
        break;
    case CALL_is_saturated:
        tally_number(p->out, KIND_saturated, ndl_is_saturated(p->session));
        break;
    case CALL_save:
        save(p);
        break;
    case CALL_bytes:
        tally_number(p->out, KIND_bytes, ndl_bytes(p->session));
        break;
    default:
        die("there is no such call", p->name);
    }
}

void play_call(player *p)
{
    const call c = (call)pack_word(p->in);

    switch (c) {
    case CALL_tensor:
        tensor(p);
        break;
    case CALL_fake_quant:
        play_fake_quant(p);
        break;
    case CALL_quantize_rows:
        play_quantize_rows(p);
        break;
    case CALL_causal_depthwise_conv:
        play_causal_conv(p);
        break;
    case CALL_value_conv:
        play_value_conv(p);
        break;
    case CALL_cact:
        play_cact(p);
        break;
    case CALL_exponentials:
        play_exponentials(p);
        break;
    default:
        play_session(p, c);
    }
}
