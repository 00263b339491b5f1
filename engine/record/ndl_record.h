/* ndl_record.h: writes what a port's decode state does as a needle-trace, for `ndl check`.
 * Guide: docs/recording.md. C99 or C++11; any byte order; no allocation, no buffer.
 *     ndl_rec_conv_step(&r, layer, 'q', x, dim);  before your call: what goes in
 *     my_conv_step(layer, x);
 *     ndl_rec_result(&r, x, dim);                 after it: what came out
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#ifndef NDL_RECORD_H
#define NDL_RECORD_H
#include <stdint.h> /* clang-format off */
#include <string.h>
#ifndef NDL_REC_NO_STDIO /* define it where there is no FILE */
#include <stdio.h>
static inline int ndl_rec_putc(void *file, char c) /* for ndl_rec_open, with a FILE as the sink */
{ return putc((unsigned char)c, (FILE *)file) == EOF; }
#endif
#define NDL_REC static inline void /* the layout: short enough to be read in one go */

enum { NDL_REC_SINK = 1, NDL_REC_TURN }; /* errors: the sink refused a byte; a call out of turn */
enum { NDL_REC_IN = 1, NDL_REC_OUT, NDL_REC_CODES, NDL_REC_HASH }; /* kinds of arrays */
typedef struct ndl_rec {
    int digests; /* set it to 1: outputs as hashes, all but attention's */
    int error;   /* the first error: nothing more is written after it; ndl_rec_close returns it */
    int (*put)(void *sink, char c); void *sink; /* put takes one byte and returns 0 */
    int depth, whole, array; /* private: objects open; line without hashes; kind of array open */
    char last;               /* the byte put last */
    uint32_t bits, held; uint64_t hash; /* bits that wait to become base64, how many; FNV-1a */
} ndl_rec;
NDL_REC ndl_rec_open(ndl_rec *r, int (*put)(void *sink, char c), void *sink) {
    memset(r, 0, sizeof *r); r->put = put; r->sink = sink; }
NDL_REC ndl_rec_turn(ndl_rec *r, int ok) { if (!ok && !r->error) r->error = NDL_REC_TURN; }
static inline int ndl_rec_close(ndl_rec *r) { ndl_rec_turn(r, !r->depth); return r->error; }
NDL_REC ndl_rec_byte(ndl_rec *r, char c) {
    r->last = c;
    if (!r->error && r->put(r->sink, c)) r->error = NDL_REC_SINK; }
NDL_REC ndl_rec_text(ndl_rec *r, const char *s) { while (*s) ndl_rec_byte(r, *s++); }
NDL_REC ndl_rec_number(ndl_rec *r, uint64_t v, unsigned base, unsigned width) {
    char d[20]; unsigned n = 0; /* 2^64 - 1 has 20 digits */
    for (; v || n < width; v /= base) d[n++] = "0123456789abcdef"[v % base];
    while (n) ndl_rec_byte(r, d[--n]); }
NDL_REC ndl_rec_quoted(ndl_rec *r, const char *s) {
    for (ndl_rec_byte(r, '"'); *s; s++)
        if (*s != '"' && *s != '\\' && (unsigned char)*s >= 32) ndl_rec_byte(r, *s);
        else ndl_rec_text(r, "\\u"), ndl_rec_number(r, (unsigned char)*s, 16, 4);
    ndl_rec_byte(r, '"'); }
/* The builder, for what has no call of its own below: op, members, end. */
NDL_REC ndl_rec_key(ndl_rec *r, const char *key) {
    ndl_rec_turn(r, r->depth && !r->array);
    ndl_rec_text(r, r->last == '{' ? "" : ","), ndl_rec_quoted(r, key), ndl_rec_byte(r, ':'); }
NDL_REC ndl_rec_int(ndl_rec *r, const char *key, uint64_t v) {
    ndl_rec_key(r, key), ndl_rec_number(r, v, 10, 1); }
NDL_REC ndl_rec_str(ndl_rec *r, const char *key, const char *s) {
    ndl_rec_key(r, key), ndl_rec_quoted(r, s); }
NDL_REC ndl_rec_ints(ndl_rec *r, const char *key, const uint32_t *v, size_t n) {
    ndl_rec_key(r, key), ndl_rec_byte(r, '[');
    for (; n--; v++) ndl_rec_text(r, r->last == '[' ? "" : ","), ndl_rec_number(r, *v, 10, 1);
    ndl_rec_byte(r, ']'); }
NDL_REC ndl_rec_object(ndl_rec *r, const char *key) {
    ndl_rec_key(r, key), ndl_rec_byte(r, '{'); r->depth++; }
NDL_REC ndl_rec_op(ndl_rec *r, const char *op) {
    ndl_rec_turn(r, !r->depth++), ndl_rec_byte(r, '{'), ndl_rec_str(r, "op", op);
    r->whole = !strncmp(op, "attend", 6); }
NDL_REC ndl_rec_end(ndl_rec *r) {
    for (ndl_rec_turn(r, r->depth && !r->array); r->depth; r->depth--) ndl_rec_byte(r, '}');
    ndl_rec_byte(r, '\n'); }
/* An array in pieces, for a store that is not slot-major: array, more as often as needed, done. */
NDL_REC ndl_rec_array(ndl_rec *r, const char *key, int kind) {
    int hash = kind == NDL_REC_OUT && r->digests && !r->whole;
    ndl_rec_key(r, key); r->array = hash ? NDL_REC_HASH : kind; r->hash = 0xcbf29ce484222325u;
    ndl_rec_text(r, hash ? "\"fnv1a64:" : kind == NDL_REC_CODES ? "\"i8:" : "\"f32:"); }
NDL_REC ndl_rec_bits(ndl_rec *r, uint32_t v, unsigned n) {
    r->bits = r->bits << n | v;
    for (r->held += n; r->held >= 6; r->held -= 6) ndl_rec_byte(r, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        "abcdefghijklmnopqrstuvwxyz0123456789+/"[r->bits >> (r->held - 6) & 63]); }
NDL_REC ndl_rec_more(ndl_rec *r, const float *x, size_t n) {
    for (uint32_t u, i; n--; x++) {
        memcpy(&u, x, sizeof u);
        if (r->array == NDL_REC_HASH && (u & 0x7fffffff) > 0x7f800000) u = 0x7fc00000; /* one NaN */
        for (i = 0; i < 4; i++, u >>= 8)
            if (r->array == NDL_REC_HASH) r->hash = (r->hash ^ (u & 255)) * 0x100000001b3u;
            else ndl_rec_bits(r, u & 255, 8); } }
NDL_REC ndl_rec_more_codes(ndl_rec *r, const int8_t *x, size_t n) {
    while (n--) ndl_rec_bits(r, (uint8_t)*x++, 8); }
NDL_REC ndl_rec_done(ndl_rec *r) {
    uint32_t pad = r->held ? 6 - r->held : 0; /* bits short of a character; for two of them a = */
    if (r->array == NDL_REC_HASH) ndl_rec_number(r, r->hash, 16, 16);
    for (ndl_rec_bits(r, 0, pad); pad; pad -= 2) ndl_rec_byte(r, '=');
    ndl_rec_turn(r, r->array), ndl_rec_byte(r, '"'); r->array = 0; }
NDL_REC ndl_rec_floats(ndl_rec *r, const char *key, int kind, const float *x, size_t n) {
    ndl_rec_array(r, key, kind), ndl_rec_more(r, x, n), ndl_rec_done(r); }
/* The calls to wrap. After conv_step, prefill and attend_step, result ends the line; after header
 * (the config follows), at and kv, end does. All others write a whole line. */
NDL_REC ndl_rec_header(ndl_rec *r, const char *source, const char *precision, uint64_t hint) {
    ndl_rec_turn(r, !r->last && !r->depth++), ndl_rec_byte(r, '{');
    ndl_rec_int(r, "needle_trace", 1), ndl_rec_str(r, "source", source);
    ndl_rec_str(r, "precision", precision), ndl_rec_int(r, "hint", hint); }
/* which: 'q', 'k', 'v' of layer i, or 'e', the engram value of site i. */
NDL_REC ndl_rec_at(ndl_rec *r, const char *op, uint64_t i, char which) {
    const char name[2] = {which, 0};
    ndl_rec_op(r, op), ndl_rec_int(r, which == 'e' ? "site" : "layer", i);
    if (which != 'e') ndl_rec_str(r, "which", name); }
NDL_REC ndl_rec_name(ndl_rec *r, const char *key, const char *start, uint64_t i, char which) {
    ndl_rec_key(r, key), ndl_rec_text(r, start), ndl_rec_number(r, i, 10, 1);
    ndl_rec_byte(r, '.'), ndl_rec_byte(r, which), ndl_rec_byte(r, '"'); }
/* The taps of a convolution, row j for the row j calls back: once, before its first step. */
NDL_REC ndl_rec_taps(ndl_rec *r, uint64_t i, char which, const float *taps, size_t n) {
    ndl_rec_op(r, "tensor"), ndl_rec_name(r, "name", "\"taps.", i, which);
    ndl_rec_floats(r, "data", NDL_REC_IN, taps, n), ndl_rec_end(r); }
NDL_REC ndl_rec_conv_step(ndl_rec *r, uint64_t i, char which, const float *raw, size_t n) {
    ndl_rec_at(r, which == 'e' ? "engram_conv_step" : "conv_step", i, which);
    ndl_rec_name(r, "taps", "\"@taps.", i, which), ndl_rec_floats(r, "raw", NDL_REC_IN, raw, n); }
NDL_REC ndl_rec_prefill(ndl_rec *r, uint64_t i, char which, size_t n, const float *x, size_t len) {
    ndl_rec_at(r, which == 'e' ? "prefill_engram" : "prefill_conv", i, which);
    ndl_rec_int(r, "n", n), ndl_rec_name(r, "taps", "\"@taps.", i, which);
    ndl_rec_floats(r, "raw", NDL_REC_IN, x, len); }
NDL_REC ndl_rec_result(ndl_rec *r, const float *out, size_t n) {
    ndl_rec_floats(r, "out", NDL_REC_OUT, out, n), ndl_rec_end(r); }
NDL_REC ndl_rec_layer(ndl_rec *r, const char *op, uint64_t layer, const char *key, uint64_t v) {
    ndl_rec_op(r, op), ndl_rec_int(r, "layer", layer), ndl_rec_int(r, key, v); }
NDL_REC ndl_rec_write_kv(ndl_rec *r, uint64_t layer, uint64_t pos, const float *k, size_t k_len,
                         const float *v, size_t v_len, uint64_t slots) {
    ndl_rec_layer(r, "write_kv", layer, "pos", pos), ndl_rec_floats(r, "k", NDL_REC_IN, k, k_len);
    ndl_rec_floats(r, "v", NDL_REC_IN, v, v_len), ndl_rec_int(r, "slots", slots), ndl_rec_end(r); }
NDL_REC ndl_rec_span(ndl_rec *r, uint64_t layer, uint64_t pos, uint64_t lo, uint64_t hi) {
    ndl_rec_layer(r, "span", layer, "pos", pos), ndl_rec_int(r, "lo", lo);
    ndl_rec_int(r, "hi", hi), ndl_rec_end(r); }
NDL_REC ndl_rec_attend_step(ndl_rec *r, uint64_t layer, uint64_t pos, const float *q, size_t n) {
    ndl_rec_layer(r, "attend_step", layer, "pos", pos), ndl_rec_floats(r, "q", NDL_REC_IN, q, n); }
NDL_REC ndl_rec_kv(ndl_rec *r, uint64_t layer, uint64_t slots) {
    ndl_rec_layer(r, "kv", layer, "slots", slots); }
NDL_REC ndl_rec_slots(ndl_rec *r, uint64_t layer, uint64_t n) {
    ndl_rec_layer(r, "slots", layer, "slots", n), ndl_rec_end(r); }
NDL_REC ndl_rec_lost(ndl_rec *r, uint64_t layer, uint64_t lost) {
    ndl_rec_layer(r, "lost", layer, "lost", lost), ndl_rec_end(r); }
NDL_REC ndl_rec_line(ndl_rec *r, const char *op, const char *key, uint64_t v) {
    ndl_rec_op(r, op), ndl_rec_int(r, key, v), ndl_rec_end(r); }
NDL_REC ndl_rec_set_pos(ndl_rec *r, uint64_t pos) { ndl_rec_line(r, "set_pos", "pos", pos); }
NDL_REC ndl_rec_advance(ndl_rec *r, uint64_t pos) { ndl_rec_line(r, "advance", "pos", pos); }
NDL_REC ndl_rec_bytes(ndl_rec *r, uint64_t bytes) { ndl_rec_line(r, "bytes", "bytes", bytes); }
NDL_REC ndl_rec_is_saturated(ndl_rec *r, int yes) {
    ndl_rec_op(r, "is_saturated"), ndl_rec_key(r, "saturated");
    ndl_rec_text(r, yes ? "true" : "false"), ndl_rec_end(r); }
NDL_REC ndl_rec_push_token(ndl_rec *r, uint32_t token, const uint32_t *history, size_t n) {
    ndl_rec_op(r, "push_token"), ndl_rec_int(r, "token", token);
    if (history) ndl_rec_ints(r, "history", history, n);
    ndl_rec_end(r); }
NDL_REC ndl_rec_seed_tokens(ndl_rec *r, const uint32_t *tokens, size_t n) {
    ndl_rec_op(r, "seed_tokens"), ndl_rec_ints(r, "tokens", tokens, n), ndl_rec_end(r); }
NDL_REC ndl_rec_engram_indices(ndl_rec *r, const uint32_t *indices, size_t n) {
    ndl_rec_op(r, "engram_indices"), ndl_rec_ints(r, "indices", indices, n), ndl_rec_end(r); }
#endif
