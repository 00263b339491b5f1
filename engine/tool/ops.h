/* The functions behind the table of operations, and how they hand over results. */
#ifndef TOOL_OPS_H
#define TOOL_OPS_H

#include "replay.h"

typedef bool op_function(replay *r, call *c);

/* ops_state.c */
op_function op_tensor, op_push_token, op_seed_tokens, op_engram_indices, op_set_pos, op_advance,
    op_is_saturated, op_bytes, op_snapshot, op_restore, op_reset, op_open, op_fault;
/* ops_save.c */
op_function op_save, op_load;
/* ops_conv.c */
op_function op_conv_step, op_prefill_conv, op_seed_conv_tail, op_engram_conv_step,
    op_prefill_engram, op_seed_engram_tail, op_tail;
/* ops_kv.c */
op_function op_write_kv, op_span, op_attend_step, op_kv, op_slots, op_lost;
/* ops_kernels.c */
op_function op_fake_quant, op_quantize_rows, op_attend_sequence, op_causal_conv, op_value_conv;

/* How many elements an array ought to have, for the message if it has others. */
void expect(argument *a, size_t count);

void give_number(call *c, size_t i, size_t number);
void give_bool(call *c, size_t i, bool yes);
void give_words(call *c, size_t i, const uint32_t *words, size_t count, const char *axis_name);
result *give_floats(call *c, size_t i, const float *floats, size_t count);
result *give_codes(call *c, size_t i, const int8_t *codes, size_t count);

result *give_bytes(call *c, size_t i, const uint8_t *bytes, size_t count);

/* Names the axes of an array; NO_AXIS for those it does not have. */
void shape(result *r, axis a, axis b, axis c);
#define AXIS(what, extent) ((axis){(what), (extent)})
#define NO_AXIS ((axis){NULL, 0})

#endif
