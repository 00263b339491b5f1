/*
 * The operations of a trace: what goes in, what comes out, which claim fixes it.
 * The order of the members is the one in which the calls take them (c->in[0] is
 * the first). A new operation is a row here and a function beside the others.
 */
#include "ops.h"

#include <string.h>

const operation operations[] = {
    {.name = "tensor",
     .stateless = true,
     .in = {{"name", IN_NAME, 0}, {"data", IN_FLOATS, 0}},
     .run = op_tensor},

    /* Tokens. */
    {.name = "push_token",
     .in = {{"token", IN_WORD, 0}},
     .out = {{"history", "TOK_001"}},
     .run = op_push_token},
    {.name = "seed_tokens",
     .in = {{"tokens", IN_WORDS, 0}},
     .out = {{"history", "TOK_002"}},
     .run = op_seed_tokens},
    {.name = "engram_indices", .out = {{"indices", "TOK_004"}}, .run = op_engram_indices},

    /* Convolutions and their tails. */
    {.name = "conv_step",
     .floats = true,
     .in = {{"layer", IN_SIZE, 0},
            {"which", IN_WHICH, 0},
            {"taps", IN_FLOATS, 0},
            {"raw", IN_SCRATCHED, 0}},
     .out = {{"out", "CONV_001"}},
     .run = op_conv_step},
    {.name = "prefill_conv",
     .floats = true,
     .in = {{"layer", IN_SIZE, 0},
            {"which", IN_WHICH, 0},
            {"n", IN_SIZE, 0},
            {"taps", IN_FLOATS, 0},
            {"raw", IN_SCRATCHED, 0}},
     .out = {{"out", "CONV_003"}},
     .run = op_prefill_conv},
    {.name = "seed_conv_tail",
     .in = {{"layer", IN_SIZE, 0}, {"which", IN_WHICH, 0}, {"raw", IN_FLOATS, 0}},
     .run = op_seed_conv_tail},
    {.name = "engram_conv_step",
     .floats = true,
     .in = {{"site", IN_SIZE, 0}, {"taps", IN_FLOATS, 0}, {"raw", IN_SCRATCHED, 0}},
     .out = {{"out", "ENG_001"}},
     .run = op_engram_conv_step},
    {.name = "prefill_engram",
     .floats = true,
     .in = {{"site", IN_SIZE, 0},
            {"n", IN_SIZE, 0},
            {"taps", IN_FLOATS, 0},
            {"raw", IN_SCRATCHED, 0}},
     .out = {{"out", "ENG_003"}},
     .run = op_prefill_engram},
    {.name = "seed_engram_tail",
     .in = {{"site", IN_SIZE, 0}, {"raw", IN_FLOATS, 0}},
     .run = op_seed_engram_tail},
    {.name = "tail",
     .floats = true,
     .in = {{"layer", IN_SIZE, 1}, {"which", IN_WHICH, 1}, {"site", IN_SIZE, 1}},
     .out = {{"rows", "CONV_002"}},
     .run = op_tail},

    /* Keys and values. */
    {.name = "write_kv",
     .in = {{"layer", IN_SIZE, 0}, {"pos", IN_SIZE, 0}, {"k", IN_FLOATS, 0}, {"v", IN_FLOATS, 0}},
     .out = {{"slots", "KV_002"}},
     .run = op_write_kv},
    {.name = "span",
     .in = {{"layer", IN_SIZE, 0}, {"pos", IN_SIZE, 0}},
     .out = {{"lo", "SPAN_001"}, {"hi", "SPAN_001"}},
     .run = op_span},
    {.name = "attend_step",
     .floats = true,
     .attention = true,
     .in = {{"layer", IN_SIZE, 0}, {"pos", IN_SIZE, 0}, {"q", IN_FLOATS, 0}},
     .out = {{"out", "ATT_001"}},
     .run = op_attend_step},
    {.name = "kv",
     .floats = true,
     .in = {{"layer", IN_SIZE, 0}},
     .out = {{"slots", "KV_002"},
             {"k", "KV_004"},
             {"k_scale", "KV_005"},
             {"v", "KV_004"},
             {"v_scale", "KV_005"}},
     .run = op_kv},
    {.name = "slots", .in = {{"layer", IN_SIZE, 0}}, .out = {{"slots", "KV_002"}}, .run = op_slots},
    {.name = "lost", .in = {{"layer", IN_SIZE, 0}}, .out = {{"lost", "KV_010"}}, .run = op_lost},

    /* The session. */
    {.name = "set_pos", .in = {{"pos", IN_SIZE, 0}}, .run = op_set_pos},
    {.name = "advance", .out = {{"pos", "SES_008"}}, .run = op_advance},
    {.name = "is_saturated", .out = {{"saturated", "KV_011"}}, .run = op_is_saturated},
    {.name = "bytes", .out = {{"bytes", "KV_007"}}, .run = op_bytes},
    {.name = "snapshot", .in = {{"name", IN_NAME, 0}}, .run = op_snapshot},
    {.name = "restore", .in = {{"name", IN_NAME, 0}}, .run = op_restore},
    {.name = "reset", .run = op_reset},
    {.name = "save",
     .in = {{"name", IN_NAME, 1}},
     .out = {{"size", "SES_010"}, {"data", "SES_010"}},
     .run = op_save},
    {.name = "load", .in = {{"name", IN_NAME, 1}, {"data", IN_BYTES, 1}}, .run = op_load},
    {.name = "open", .run = op_open},
    {.name = "fault", .in = {{"alloc", IN_SIZE, 1}, {"poison", IN_SIZE, 1}}, .run = op_fault},

    /* Kernels. */
    {.name = "fake_quant",
     .floats = true,
     .stateless = true,
     .in = {{"bits", IN_SIZE, 0}, {"x", IN_SCRATCHED, 0}},
     .out = {{"out", "QNT_009"}},
     .run = op_fake_quant},
    {.name = "quantize_rows",
     .floats = true,
     .stateless = true,
     .in = {{"head_dim", IN_SIZE, 0}, {"x", IN_FLOATS, 0}},
     .out = {{"q", "QNT_009"}, {"scale", "QNT_009"}},
     .run = op_quantize_rows},
    {.name = "attend_sequence",
     .floats = true,
     .stateless = true,
     .attention = true,
     .in = {{"seq", IN_SIZE, 0},
            {"num_heads", IN_SIZE, 0},
            {"num_kv_heads", IN_SIZE, 0},
            {"qk_head_dim", IN_SIZE, 0},
            {"v_head_dim", IN_SIZE, 0},
            {"window", IN_SIZE, 0},
            {"q", IN_FLOATS, 0},
            {"k", IN_ROWS, 0},
            {"v", IN_ROWS, 0},
            {"k_scale", IN_FLOATS, 1},
            {"v_scale", IN_FLOATS, 1}},
     .out = {{"out", "ATT_004"}},
     .run = op_attend_sequence},
    {.name = "causal_depthwise_conv",
     .floats = true,
     .stateless = true,
     .in = {{"seq", IN_SIZE, 0},
            {"dim", IN_SIZE, 0},
            {"n_taps", IN_SIZE, 0},
            {"taps", IN_FLOATS, 0},
            {"buf", IN_SCRATCHED, 0}},
     .out = {{"out", "CONV_001"}},
     .run = op_causal_conv},
    {.name = "value_conv",
     .floats = true,
     .stateless = true,
     .in = {{"seq", IN_SIZE, 0},
            {"d_model", IN_SIZE, 0},
            {"conv_taps", IN_SIZE, 0},
            {"conv_dilation", IN_SIZE, 0},
            {"max_order", IN_SIZE, 0},
            {"taps", IN_FLOATS, 0},
            {"buf", IN_SCRATCHED, 0}},
     .out = {{"out", "ENG_001"}},
     .run = op_value_conv},
};

const size_t operation_count = sizeof operations / sizeof operations[0];

const operation *operation_named(const char *text, size_t len)
{
    for (size_t i = 0; i < operation_count; i++)
        if (strlen(operations[i].name) == len && memcmp(operations[i].name, text, len) == 0)
            return &operations[i];
    return NULL;
}

/* ------------------------------------ arguments and results, for all of them */

void expect(argument *a, size_t count)
{
    a->expected = count;
    a->expects = true;
}

void give_number(call *c, size_t i, size_t number)
{
    c->out[i] = (result){.given = true, .kind = OUT_NUMBER, .number = number, .count = 1};
}

void give_bool(call *c, size_t i, bool yes)
{
    c->out[i] = (result){.given = true, .kind = OUT_BOOL, .number = yes, .count = 1};
}

void give_words(call *c, size_t i, const uint32_t *words, size_t count, const char *axis_name)
{
    c->out[i] = (result){.given = true,
                         .kind = OUT_WORDS,
                         .words = words,
                         .count = count,
                         .axis = {{axis_name, count}}};
}

result *give_floats(call *c, size_t i, const float *floats, size_t count)
{
    c->out[i] = (result){.given = true, .kind = OUT_FLOATS, .floats = floats, .count = count};
    return &c->out[i];
}

result *give_codes(call *c, size_t i, const int8_t *codes, size_t count)
{
    c->out[i] = (result){.given = true, .kind = OUT_CODES, .codes = codes, .count = count};
    return &c->out[i];
}

result *give_bytes(call *c, size_t i, const uint8_t *bytes, size_t count)
{
    c->out[i] = (result){.given = true, .kind = OUT_BYTES, .bytes = bytes, .count = count};
    return &c->out[i];
}

void shape(result *r, axis a, axis b, axis c)
{
    r->axis[0] = a;
    r->axis[1] = b;
    r->axis[2] = c;
}
