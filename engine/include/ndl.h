/*
 * ndl.h - the decode state of Needle 3: everything the model remembers from
 * one token to the next.
 *
 * Conventions, true of every function here:
 *
 *  - Extents and positions are size_t; floats are IEEE 754 binary32, rounded
 *    to nearest even after every single operation; arrays are row-major.
 *  - Every array comes with its number of elements. A length other than the
 *    one that the geometry asks for is refused with NDL_E_LENGTH.
 *  - A call that can fail returns ndl_status. When it does not return NDL_OK,
 *    nothing has changed: not the session, not the arrays, not *out.
 *  - Pointers must point to memory of the stated length; NULL is allowed only
 *    where it is said, or with a length of 0. Arrays given to one call must
 *    not overlap each other or the session's memory, unless it is said.
 *  - Views point into the session. They are valid until the next call that
 *    takes the session without const, and hold what the session holds.
 *  - There are no globals. Two sessions may be used in two threads; one
 *    session may be read (const calls) in several.
 *  - Chapters are those of the specification in spec/, claims (KV_003) the
 *    numbered sentences in them.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#ifndef NDL_H
#define NDL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NDL_VERSION "0.1.0"

/* The limits of a model file's header: a 64-bit mask of layers, room for four
 * orders and sixteen sites. */
#define NDL_MAX_LAYERS 64
#define NDL_MAX_ORDERS 4
#define NDL_MAX_SITES 16

/* ------------------------------------------------------------------ status */

/*
 * Every way a call can be refused: identifier, name (as a trace's "status"
 * member spells it), sentence. One refusal, one status.
 */
#define NDL_STATUS_LIST(X)                                                                         \
    X(NDL_OK, "ok", "no error")                                                                    \
    X(NDL_E_NUM_LAYERS, "num_layers_zero", "num_layers is 0")                                      \
    X(NDL_E_NUM_HEADS, "num_heads_zero", "num_heads is 0")                                         \
    X(NDL_E_NUM_KV_HEADS, "num_kv_heads_zero", "num_kv_heads is 0")                                \
    X(NDL_E_QK_HEAD_DIM, "qk_head_dim_zero", "qk_head_dim is 0")                                   \
    X(NDL_E_V_HEAD_DIM, "v_head_dim_zero", "v_head_dim is 0")                                      \
    X(NDL_E_MAX_SEQ_LEN, "max_seq_len_zero", "max_seq_len is 0")                                   \
    X(NDL_E_D_MODEL, "d_model_zero", "d_model is 0 although there are engram sites")               \
    X(NDL_E_TABLE_HEADS, "table_heads_zero", "engram heads is 0 although there are orders")        \
    X(NDL_E_TABLE_SLOTS, "table_slots_zero", "engram slots is 0 although there are orders")        \
    X(NDL_E_HEAD_GROUPS, "heads_not_multiple", "num_heads is not a multiple of num_kv_heads")      \
    X(NDL_E_ORDER_ZERO, "order_zero", "an engram order is 0")                                      \
    X(NDL_E_SITE_LAYER, "site_layer_out_of_range", "an engram site names a layer there is not")    \
    X(NDL_E_GLOBAL_LAYER, "global_layer_out_of_range", "a global layer is not one of the layers")  \
    X(NDL_E_SITE_TWICE, "site_twice", "two engram sites name the same layer")                      \
    X(NDL_E_CONV_TAPS, "conv_taps_zero", "engram conv_taps is 0 although there are sites")         \
    X(NDL_E_DILATION, "conv_dilation_zero", "engram conv_dilation is 0 with more than one tap")    \
    X(NDL_E_MANY_LAYERS, "too_many_layers", "more than 64 layers")                                 \
    X(NDL_E_MANY_ORDERS, "too_many_orders", "more than 4 engram orders")                           \
    X(NDL_E_MANY_SITES, "too_many_sites", "more than 16 engram sites")                             \
    X(NDL_E_SIZE, "size_overflow", "the sizes of this geometry do not fit this machine")           \
    X(NDL_E_LAYER, "layer_out_of_range", "there is no such layer")                                 \
    X(NDL_E_SITE, "site_out_of_range", "there is no such engram site")                             \
    X(NDL_E_TABLE, "table_out_of_range", "there is no such engram table")                          \
    X(NDL_E_LENGTH, "wrong_length", "an array has the wrong length")                               \
    X(NDL_E_BITS, "bits_out_of_range", "bits is not in 2..16")                                     \
    X(NDL_E_POSITION, "position_out_of_range", "the position is SIZE_MAX, or would become it")     \
    X(NDL_E_MEMORY, "out_of_memory", "memory cannot be had")                                       \
    X(NDL_E_PRECISION, "unknown_precision", "the precision is neither f32 nor int8")               \
    X(NDL_E_NUMERICS, "unknown_numerics", "the numerics profile is unknown")                       \
    X(NDL_E_PROJECTION, "unknown_projection", "the projection is none of q, k, v")                 \
    X(NDL_E_CACT, "not_a_cact_header", "these bytes are not the header of a .cact model")          \
    X(NDL_E_CACT_TABLES, "cact_tables", "num_engram_tables is not a multiple of the orders")       \
    X(NDL_E_SAVE, "not_a_save", "these bytes are not a saved session")                             \
    X(NDL_E_SAVE_VERSION, "save_version", "the session was saved in an unknown version")           \
    X(NDL_E_SAVE_LENGTH, "save_length", "the saved session is cut short, or too long")             \
    X(NDL_E_SAVE_CHECKSUM, "save_checksum", "the saved session was altered")                       \
    X(NDL_E_SAVE_GEOMETRY, "save_geometry", "the saved session has another geometry")              \
    X(NDL_E_SAVE_VALUES, "save_values", "the saved session holds what no session can have")

typedef enum ndl_status {
#define X(id, name, text) id,
    NDL_STATUS_LIST(X)
#undef X
} ndl_status;

/**
 * The name of a status as traces spell it: "ok", "layer_out_of_range".
 * Returns "unknown_status" for a number that is no status.
 * Claims: SES_001. Chapter: 8.
 */
const char *ndl_status_name(ndl_status status);

/**
 * The same as a sentence for people.
 * Returns "unknown status" for a number that is no status.
 * Claims: SES_001. Chapter: 8.
 */
const char *ndl_status_text(ndl_status status);

/* ---------------------------------------------------------------- geometry */

/** The engram part of a geometry; all zero means no engram. */
typedef struct ndl_engram {
    size_t num_orders;             /* up to NDL_MAX_ORDERS */
    size_t orders[NDL_MAX_ORDERS]; /* n-gram orders, each at least 1 */
    size_t heads;                  /* tables an order */
    size_t slots;                  /* rows a table */
    size_t sub_dim;                /* width of a row: carried, never checked */
    size_t num_sites;              /* up to NDL_MAX_SITES */
    size_t sites[NDL_MAX_SITES];   /* the layer of each site, each once */
    size_t conv_taps;              /* E, at least 1 with sites */
    size_t conv_dilation;          /* D, at least 1 with E > 1 */
    size_t seed_heads;             /* stride of the hash seed; 0: heads */
} ndl_engram;

/** The shape of a model's decode state. Plain data: copy, compare, print. */
typedef struct ndl_geometry {
    size_t vocab_size;     /* carried, never checked against */
    size_t d_model;        /* width of an engram value; at least 1 with sites */
    size_t num_heads;      /* H, query heads, a multiple of num_kv_heads */
    size_t num_kv_heads;   /* Hk */
    size_t num_layers;     /* L, up to NDL_MAX_LAYERS */
    size_t qk_head_dim;    /* dk */
    size_t v_head_dim;     /* dv */
    size_t max_seq_len;    /* positions a layer without a window may hold */
    size_t sliding_window; /* positions a local layer attends over; 0: no layer is local */
    uint8_t is_global[NDL_MAX_LAYERS]; /* not 0: this layer has no window */
    size_t qkv_conv_taps;              /* T; 0: no convolution */
    ndl_engram engram;
} ndl_geometry;

/**
 * Whether a geometry can be used: each refusal of chapter 1 has its status.
 * Errors: NDL_E_NUM_LAYERS to NDL_E_SIZE. When several apply, the one that
 * stands first in NDL_STATUS_LIST is returned.
 * Claims: GEO_001 GEO_002 GEO_003 GEO_004 GEO_005 GEO_006. Chapter: 1.
 */
ndl_status ndl_geometry_validate(const ndl_geometry *g);

/** Width of a row of queries, num_heads * qk_head_dim, in elements.
 *  g must be valid. Claims: GEO_007. Chapter: 1. */
size_t ndl_geometry_q_dim(const ndl_geometry *g);

/** Width of a row of keys, num_kv_heads * qk_head_dim, in elements.
 *  g must be valid. Claims: GEO_007. Chapter: 1. */
size_t ndl_geometry_k_dim(const ndl_geometry *g);

/** Width of a row of values, num_kv_heads * v_head_dim, in elements.
 *  g must be valid. Claims: GEO_007. Chapter: 1. */
size_t ndl_geometry_v_dim(const ndl_geometry *g);

/** Width of a row of attention's output, num_heads * v_head_dim, in elements.
 *  g must be valid. Claims: GEO_007. Chapter: 1. */
size_t ndl_geometry_out_dim(const ndl_geometry *g);

/** M, the tokens that the history keeps: the largest order, or 1 without orders.
 *  g must be valid. Claims: GEO_007. Chapter: 1. */
size_t ndl_geometry_max_order(const ndl_geometry *g);

/** R, the rows of an engram tail: (conv_taps - 1) * conv_dilation, 0 without sites.
 *  g must be valid. Claims: GEO_007. Chapter: 1. */
size_t ndl_geometry_reach(const ndl_geometry *g);

/** Engram tables: num_orders * heads. Table t is order t / heads, head t % heads.
 *  g must be valid. Claims: GEO_007. Chapter: 1. */
size_t ndl_geometry_tables(const ndl_geometry *g);

/**
 * The window of a layer, in positions; 0 means that it has none.
 * g must be valid. Errors: NDL_E_LAYER; *window is unchanged then.
 * Claims: GEO_008. Chapter: 1.
 */
ndl_status ndl_geometry_window(const ndl_geometry *g, size_t layer, size_t *window);

/**
 * The slots that a layer's ring may grow to: min(window, max_seq_len).
 * g must be valid. Errors: NDL_E_LAYER; *cap is unchanged then.
 * Claims: GEO_008. Chapter: 1.
 */
ndl_status ndl_geometry_cap(const ndl_geometry *g, size_t layer, size_t *cap);

/**
 * The first position at which an engram table's row counts: its order - 1.
 * g must be valid. Errors: NDL_E_TABLE; *pos is unchanged then.
 * Claims: TOK_005. Chapter: 5.
 */
ndl_status ndl_geometry_table_start(const ndl_geometry *g, size_t table, size_t *pos);

typedef enum ndl_precision { NDL_F32 = 0, NDL_INT8 = 1 } ndl_precision;

/* Bytes at the start of a .cact model that ndl_geometry_from_cact reads. */
#define NDL_CACT_HEADER 196

/**
 * The geometry in the header of a .cact model, validated.
 * bytes: the file's first NDL_CACT_HEADER bytes or more; len: how many there
 * are. *precision is what the header's kv_bits suggests: NDL_INT8 for 8.
 * Errors: NDL_E_CACT (too short, another tag), NDL_E_CACT_TABLES, and those of
 * ndl_geometry_validate; *g and *precision are unchanged then.
 * Claims: GEO_009. Chapter: 1.
 */
ndl_status ndl_geometry_from_cact(const uint8_t *bytes, size_t len, ndl_geometry *g,
                                  ndl_precision *precision);

/* ----------------------------------------------------------------- session */

typedef enum ndl_numerics {
    NDL_NEEDLE_CORE = 0, /* multiply by 1/scale, round half away from zero */
    NDL_UPSTREAM = 1     /* divide by the scale, round half to even */
} ndl_numerics;

typedef enum ndl_projection { NDL_Q = 0, NDL_K = 1, NDL_V = 2 } ndl_projection;

/**
 * Where a session's memory comes from. allocate returns memory aligned for any
 * type, or NULL; size is in bytes and never 0. release gets back what allocate
 * gave, with the same size. Both get context, which the engine never reads.
 */
typedef struct ndl_allocator {
    void *context;
    void *(*allocate)(void *context, size_t size);
    void (*release)(void *context, void *memory, size_t size);
} ndl_allocator;

/** What a session is, besides its geometry; fixed for its life. All zero is a
 *  f32 session of needle-core's numerics that reserves one slot a layer. */
typedef struct ndl_options {
    ndl_precision precision;
    ndl_numerics numerics;
    size_t hint;                    /* positions to reserve slots for; any number */
    const ndl_allocator *allocator; /* copied; NULL: malloc and free */
} ndl_options;

typedef struct ndl_session ndl_session;

/**
 * A new session: stores and tails zero, int8 scales 1.0, no token, position 0.
 * Layer l has min(max(hint, 1), max_seq_len, cap(l)) slots. options may be NULL
 * and means all zero then. Free it with ndl_session_free.
 * Errors: those of ndl_geometry_validate, NDL_E_PRECISION, NDL_E_NUMERICS,
 * NDL_E_MEMORY; *out is unchanged and nothing is kept then.
 * Claims: SES_007 KV_008. Chapter: 8.
 */
ndl_status ndl_session_new(const ndl_geometry *g, const ndl_options *options, ndl_session **out);

/** Give back all memory of a session; NULL does nothing.
 *  Claims: SES_001. Chapter: 8. */
void ndl_session_free(ndl_session *s);

/**
 * A second session that continues exactly as this one would and shares no
 * memory with it; it uses the same allocator.
 * Errors: NDL_E_MEMORY; *out is unchanged and nothing is kept then.
 * Claims: SES_002. Chapter: 8.
 */
ndl_status ndl_session_clone(const ndl_session *s, ndl_session **out);

/**
 * Back to what ndl_session_new gave: same geometry and options, rings at the
 * size of the hint again.
 * Errors: NDL_E_MEMORY (a ring that has grown is replaced by a smaller one);
 * nothing has changed then.
 * Claims: SES_006. Chapter: 8.
 */
ndl_status ndl_session_reset(ndl_session *s);

/** The session's geometry: a view. Claims: SES_007. Chapter: 8. */
const ndl_geometry *ndl_session_geometry(const ndl_session *s);
/** The session's precision. Claims: SES_007. Chapter: 8. */
ndl_precision ndl_session_precision(const ndl_session *s);
/** The session's numerics profile. Claims: SES_007. Chapter: 8. */
ndl_numerics ndl_session_numerics(const ndl_session *s);
/** The hint as it was given. Claims: SES_007. Chapter: 8. */
size_t ndl_session_hint(const ndl_session *s);

/** The position: tokens processed so far. Claims: SES_008. Chapter: 8. */
size_t ndl_pos(const ndl_session *s);
/** The same number, by the original's other name. Claims: SES_008. Chapter: 8. */
size_t ndl_len(const ndl_session *s);
/** Whether the position is 0. Claims: SES_008. Chapter: 8. */
bool ndl_is_empty(const ndl_session *s);

/**
 * Set the position and nothing else: tails, stores and tokens stay, so this
 * alone is no rollback.
 * Errors: NDL_E_POSITION for SIZE_MAX; nothing has changed then.
 * Claims: SES_008. Chapter: 8.
 */
ndl_status ndl_set_pos(ndl_session *s, size_t pos);

/**
 * Add one to the position: once a token, after every layer has written.
 * Errors: NDL_E_POSITION if it would become SIZE_MAX; nothing has changed then.
 * Claims: SES_008. Chapter: 8.
 */
ndl_status ndl_advance(ndl_session *s);

/**
 * The bytes that the session's contents take: four an element of the f32
 * stores, the scales, all tails and the tokens held, one an int8 code. What
 * the session holds for its own use is not counted.
 * Claims: KV_007. Chapter: 2.
 */
size_t ndl_bytes(const ndl_session *s);

/* ----------------------------------------------------------- save and load */

/**
 * The bytes that ndl_session_save writes: 80, 16 a layer, and ndl_bytes.
 * Claims: SES_010. Chapter: 8.
 */
size_t ndl_session_save_size(const ndl_session *s);

/**
 * Write the session down in the form of chapter 8: the same bytes on every
 * machine, and for all sessions that are equal. Only the allocator is left out.
 * bytes: ndl_session_save_size(s) of them.
 * Errors: NDL_E_LENGTH; bytes are unchanged then.
 * Claims: SES_004 SES_010 SES_011. Chapter: 8.
 */
ndl_status ndl_session_save(const ndl_session *s, uint8_t *bytes, size_t len);

/**
 * A session out of what ndl_session_save wrote: it continues exactly as the
 * saved one would. bytes: len of them, which may be anything: what is no whole
 * and unaltered save, is of another geometry than g, or holds a number that this
 * machine does not have is refused. allocator: copied; NULL: malloc and free.
 * Errors: those of ndl_geometry_validate, NDL_E_SAVE, NDL_E_SAVE_VERSION,
 * NDL_E_SAVE_LENGTH, NDL_E_SAVE_CHECKSUM, NDL_E_SAVE_GEOMETRY, NDL_E_SIZE,
 * NDL_E_SAVE_VALUES, NDL_E_MEMORY; *out is unchanged and nothing is kept then.
 * Claims: SES_004 SES_012 SES_013 SES_014. Chapter: 8.
 */
ndl_status ndl_session_load(const ndl_geometry *g, const ndl_allocator *allocator,
                            const uint8_t *bytes, size_t len, ndl_session **out);

/* ------------------------------------------------------ tokens and the hash */

/** Append a token to the history, which keeps the last M. Any 32 bits are a
 *  token. Claims: TOK_001. Chapter: 5. */
void ndl_push_token(ndl_session *s, uint32_t token);

/** Replace the history by the last M of n tokens, oldest first; n may be 0.
 *  Claims: TOK_002. Chapter: 5. */
void ndl_seed_tokens(ndl_session *s, const uint32_t *tokens, size_t n);

/** The token history, oldest first: a view of *len tokens, at most M of them.
 *  Claims: TOK_001. Chapter: 5. */
const uint32_t *ndl_history(const ndl_session *s, size_t *len);

/**
 * The row of an engram table that the newest token of the history selects:
 * a hash of the last `order` tokens, those before the start counting as 0.
 * Errors: NDL_E_TABLE; *index is unchanged then.
 * Claims: TOK_003 TOK_004. Chapter: 5.
 */
ndl_status ndl_engram_index(const ndl_session *s, size_t table, uint32_t *index);

/* ---------------------------------------------------------- keys and values */

/**
 * Write a position's key and value, after their convolution, to its slot,
 * pos mod slots, once the layer's ring has grown for it as chapter 2 says. An
 * int8 session quantises each kv head on its own and keeps codes and scale.
 * k: num_kv_heads * qk_head_dim floats; v: num_kv_heads * v_head_dim floats.
 * Writes need not be in order: an older position overwrites what its slot held.
 * Errors: NDL_E_LAYER, NDL_E_POSITION, NDL_E_LENGTH, NDL_E_MEMORY (only when
 * the ring grows); nothing has changed then.
 * Claims: KV_001 KV_002 KV_003 KV_004 KV_005 KV_006 KV_009. Chapter: 2.
 */
ndl_status ndl_write_kv(ndl_session *s, size_t layer, size_t pos, const float *k, size_t k_len,
                        const float *v, size_t v_len);

/** The slots that a layer has now.
 *  Errors: NDL_E_LAYER; *slots is unchanged then. Claims: KV_002. Chapter: 2. */
ndl_status ndl_slots(const ndl_session *s, size_t layer, size_t *slots);

/** An inclusive range of positions. */
typedef struct ndl_span {
    size_t lo, hi;
} ndl_span;

/**
 * The positions that a query at pos attends over: those within the window and
 * within the slots there are. Asked before pos was written it is clamped to
 * the slots of that moment.
 * Errors: NDL_E_LAYER, NDL_E_POSITION; *out is unchanged then.
 * Claims: SPAN_001 SPAN_002 SPAN_003 SPAN_004. Chapter: 3.
 */
ndl_status ndl_span_at(const ndl_session *s, size_t layer, size_t pos, ndl_span *out);

/** Whether some layer without a window has fewer slots than the position.
 *  It turns true one advance after history was first lost, and after a bare
 *  ndl_set_pos; ndl_lost is exact. Claims: KV_011. Chapter: 2. */
bool ndl_is_saturated(const ndl_session *s);

/**
 * How many positions of a layer's window, up to the newest written, the layer
 * no longer holds: max(0, min(window, n) - slots), n the largest position
 * written plus one.
 * Errors: NDL_E_LAYER; *lost is unchanged then. Claims: KV_010. Chapter: 2.
 */
ndl_status ndl_lost(const ndl_session *s, size_t layer, size_t *lost);

/**
 * Keys and values, slot-major: row s, kv head h, channel c of k stands at
 * (s * num_kv_heads + h) * qk_head_dim + c; of v likewise with v_head_dim; the
 * scale of row s, head h at s * num_kv_heads + h. What the precision does not
 * have is NULL: codes and scales for NDL_F32, k and v for NDL_INT8.
 */
typedef struct ndl_kv {
    ndl_precision precision;
    size_t slots;
    const float *k, *v;
    const int8_t *k_codes, *v_codes;
    const float *k_scales, *v_scales;
} ndl_kv;

/** A view of a layer's whole store.
 *  Errors: NDL_E_LAYER; *out is unchanged then.
 *  Claims: KV_003 KV_004 KV_005. Chapter: 2. */
ndl_status ndl_kv_at(const ndl_session *s, size_t layer, ndl_kv *out);

/* ------------------------------------------------------------- convolutions */

/** Rows of floats, oldest first. */
typedef struct ndl_rows {
    const float *data; /* rows * dim */
    size_t rows, dim;
} ndl_rows;

/**
 * One step of a layer's q, k or v convolution at the session's position, in
 * place: raw, one row of the projection's width, becomes its convolution with
 * the tail, and the tail takes the row as it was and drops its oldest.
 * taps: qkv_conv_taps rows of that width, taps[j] meets the row j calls back.
 * With qkv_conv_taps 0 nothing happens.
 * Errors: NDL_E_LAYER, NDL_E_PROJECTION, NDL_E_LENGTH; nothing has changed then.
 * Claims: CONV_001 CONV_002 CONV_004 CONV_005 CONV_006. Chapter: 4.
 */
ndl_status ndl_conv_step(ndl_session *s, size_t layer, ndl_projection which, const float *taps,
                         size_t taps_len, float *raw, size_t raw_len);

/**
 * The convolution of a whole prompt from an empty start, in place, seeding the
 * tail from the raw rows: afterwards a session with its position at n
 * continues as if all had been stepped. taps: qkv_conv_taps rows, buf: n rows,
 * both of the projection's width.
 * Neither reads nor sets the position.
 * Errors: NDL_E_LAYER, NDL_E_PROJECTION, NDL_E_LENGTH; nothing has changed then.
 * Claims: CONV_001 CONV_003 CONV_004. Chapter: 4.
 */
ndl_status ndl_prefill_conv(ndl_session *s, size_t layer, ndl_projection which, const float *taps,
                            size_t taps_len, size_t n, float *buf, size_t buf_len);

/**
 * Set a tail. rows: the last qkv_conv_taps - 1 raw rows (none for 0 taps) of
 * the projection's width, oldest first, as they were before the convolution,
 * those before the start zero.
 * Errors: NDL_E_LAYER, NDL_E_PROJECTION, NDL_E_LENGTH; nothing has changed then.
 * Claims: CONV_003 CONV_007. Chapter: 4.
 */
ndl_status ndl_seed_conv_tail(ndl_session *s, size_t layer, ndl_projection which, const float *rows,
                              size_t rows_len);

/** A view of a q, k or v tail.
 *  Errors: NDL_E_LAYER, NDL_E_PROJECTION; *out is unchanged then.
 *  Claims: CONV_002. Chapter: 4. */
ndl_status ndl_conv_tail(const ndl_session *s, size_t layer, ndl_projection which, ndl_rows *out);

/**
 * One step of a site's dilated convolution at the session's position, in
 * place. taps: conv_taps rows of d_model, taps[j] meets the row
 * j * conv_dilation calls back and counts only from positions
 * j * conv_dilation and j * M on. raw: one row of d_model.
 * Errors: NDL_E_SITE, NDL_E_LENGTH; nothing has changed then.
 * Claims: ENG_001 ENG_002 ENG_004 ENG_005. Chapter: 5.
 */
ndl_status ndl_engram_conv_step(ndl_session *s, size_t site, const float *taps, size_t taps_len,
                                float *raw, size_t raw_len);

/**
 * The dilated convolution of a whole prompt from an empty start, in place,
 * seeding the tail from the raw rows. taps: conv_taps rows, buf: n rows, both
 * of d_model.
 * Neither reads nor sets the position.
 * Errors: NDL_E_SITE, NDL_E_LENGTH; nothing has changed then.
 * Claims: ENG_001 ENG_003 ENG_004. Chapter: 5.
 */
ndl_status ndl_prefill_engram(ndl_session *s, size_t site, const float *taps, size_t taps_len,
                              size_t n, float *buf, size_t buf_len);

/**
 * Set a site's tail. rows: the last (conv_taps - 1) * conv_dilation raw rows
 * of d_model, oldest first, those before the start zero.
 * Errors: NDL_E_SITE, NDL_E_LENGTH; nothing has changed then.
 * Claims: ENG_003. Chapter: 5.
 */
ndl_status ndl_seed_engram_tail(ndl_session *s, size_t site, const float *rows, size_t rows_len);

/** A view of a site's tail.
 *  Errors: NDL_E_SITE; *out is unchanged then. Claims: ENG_002. Chapter: 5. */
ndl_status ndl_engram_tail(const ndl_session *s, size_t site, ndl_rows *out);

/* ---------------------------------------------------------------- attention */

/**
 * The floats of scratch that attending over up to `positions` positions needs.
 * Of g only num_heads, num_kv_heads, qk_head_dim and v_head_dim are read; they
 * must be valid. Returns SIZE_MAX where the number would not fit; that is never
 * so for a valid geometry of up to SIZE_MAX / 64 kv heads and positions up to its
 * max_seq_len. Attention also takes up to 16 KiB of stack.
 * Claims: ATT_005. Chapter: 7.
 */
size_t ndl_attend_scratch(const ndl_geometry *g, size_t positions);

/**
 * Attention of one query row over ndl_span_at(layer, pos), position p read at
 * slot p mod slots, written or not.
 * q: num_heads * qk_head_dim floats; out: num_heads * v_head_dim floats;
 * scratch: at least ndl_attend_scratch(geometry, hi - lo + 1) floats, left
 * with undefined contents (a failed call leaves it alone). q is used as given: a
 * caller of an int8 session that quantises queries does so before.
 * Errors: NDL_E_LAYER, NDL_E_POSITION, NDL_E_LENGTH; out is unchanged then.
 * Claims: ATT_001 ATT_003. Chapter: 7.
 */
ndl_status ndl_attend_step(const ndl_session *s, size_t layer, size_t pos, const float *q,
                           size_t q_len, float *scratch, size_t scratch_len, float *out,
                           size_t out_len);

/**
 * Causal attention of kv->slots query rows over the same number of key and
 * value rows, row t attending over the last `window` (0: all) rows up to t.
 * Of g only num_heads, num_kv_heads, qk_head_dim and v_head_dim are read.
 * q: slots rows of num_heads * qk_head_dim; out: slots rows of
 * num_heads * v_head_dim; scratch: ndl_attend_scratch(g, slots) floats.
 * kv's arrays have the shapes of ndl_kv for its precision and slots.
 * Errors: NDL_E_NUM_HEADS, NDL_E_NUM_KV_HEADS, NDL_E_QK_HEAD_DIM,
 * NDL_E_V_HEAD_DIM, NDL_E_HEAD_GROUPS, NDL_E_SIZE, NDL_E_PRECISION,
 * NDL_E_LENGTH; out is unchanged then.
 * Claims: ATT_004. Chapter: 7.
 */
ndl_status ndl_attend_sequence(const ndl_geometry *g, size_t window, const ndl_kv *kv,
                               const float *q, size_t q_len, float *scratch, size_t scratch_len,
                               float *out, size_t out_len);

/* -------------------------------------------------------- stateless kernels */

/**
 * Quantise a vector and give it back as floats, in place: code times scale,
 * the scale taken from the whole vector. x: len floats; bits: 2..16.
 * Errors: NDL_E_BITS, NDL_E_NUMERICS; x is unchanged then.
 * Claims: QNT_002 QNT_003 QNT_005 QNT_006 QNT_007 QNT_008. Chapter: 6.
 */
ndl_status ndl_fake_quant(ndl_numerics numerics, unsigned bits, float *x, size_t len);

/**
 * Quantise rows of head_dim floats to 8 bits, a scale a row: what an int8
 * session keeps. x: len floats; codes: len elements; scales: len / head_dim.
 * Errors: NDL_E_NUMERICS, NDL_E_LENGTH (head_dim 0, len not a multiple of it);
 * codes and scales are unchanged then.
 * Claims: QNT_001 QNT_002 QNT_003 QNT_004 QNT_007 QNT_008. Chapter: 6.
 */
ndl_status ndl_quantize_rows(ndl_numerics numerics, size_t head_dim, const float *x, size_t len,
                             int8_t *codes, size_t codes_len, float *scales, size_t scales_len);

/**
 * The q/k/v convolution over a sequence from position 0, in place.
 * taps: n_taps rows of dim; buf: seq rows of dim. No taps leave buf as it is.
 * Errors: NDL_E_LENGTH, NDL_E_SIZE; buf is unchanged then.
 * Claims: CONV_001 CONV_004 CONV_005. Chapter: 4.
 */
ndl_status ndl_causal_conv(size_t seq, size_t dim, size_t n_taps, const float *taps,
                           size_t taps_len, float *buf, size_t buf_len);

/**
 * The engram value convolution over a sequence from position 0, in place: tap
 * j meets row t - j * dilation and counts only where t >= j * dilation and
 * t >= j * max_order. taps: n_taps rows of dim; buf: seq rows of dim.
 * Errors: NDL_E_LENGTH, NDL_E_SIZE; buf is unchanged then.
 * Claims: ENG_001 ENG_004. Chapter: 5.
 */
ndl_status ndl_value_conv(size_t seq, size_t dim, size_t n_taps, size_t dilation, size_t max_order,
                          const float *taps, size_t taps_len, float *buf, size_t buf_len);

/**
 * The exponential, correctly rounded to binary32, the same bits on every
 * machine: overflow gives infinity, underflow subnormals and then +0, NaN NaN.
 * Claims: ATT_002. Chapter: 7.
 */
float ndl_expf(float x);

#ifdef __cplusplus
}
#endif

#endif
