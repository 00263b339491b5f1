#include "observe.h"
#include "base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void note(finding *f, const char *format, ...)
{
    if (found(f))
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(f->text, sizeof f->text, format, args);
    va_end(args);
}

bool found(const finding *f)
{
    return f->text[0] != '\0';
}

size_t slots_of(const ndl_session *s, size_t layer)
{
    size_t slots;
    must(ndl_slots(s, layer, &slots) == NDL_OK);
    return slots;
}

size_t lost_of(const ndl_session *s, size_t layer)
{
    size_t lost;
    must(ndl_lost(s, layer, &lost) == NDL_OK);
    return lost;
}

/* Say where a difference is, if there is one. */
static void where(finding *f, const char *place, size_t number)
{
    size_t used = strlen(f->text);
    if (used > 0)
        snprintf(f->text + used, sizeof f->text - used, " (%s %zu)", place, number);
}

static void compare_sizes(finding *f, const char *what, size_t engine, size_t reference)
{
    if (engine != reference)
        note(f, "%s is %zu, the reference has %zu", what, engine, reference);
}

static bool ok(finding *f, const char *what, ndl_status engine, ndl_status reference)
{
    if (engine != NDL_OK || reference != NDL_OK)
        note(f, "%s gives %s, the reference %s", what, ndl_status_name(engine),
             ndl_status_name(reference));
    return engine == NDL_OK && reference == NDL_OK;
}

void compare_floats(finding *f, const char *what, const float *engine, const float *reference,
                    size_t n, bool computed)
{
    if (n == 0 || memcmp(engine, reference, n * sizeof *engine) == 0)
        return;
    for (size_t i = 0; i < n && !found(f); i++) {
        uint32_t a = bits_of(engine[i]), b = bits_of(reference[i]);
        bool same = computed ? same_float(engine[i], reference[i]) : a == b;
        if (!same)
            note(f, "%s[%zu] is %.9g (%08x), the reference has %.9g (%08x)", what, i,
                 (double)engine[i], a, (double)reference[i], b);
    }
}

/* One store, or none in both. */
static void compare_store(finding *f, const char *what, const float *engine, const float *reference,
                          size_t n)
{
    if (!engine != !reference)
        note(f, "%s is NULL for one of engine and reference", what);
    else if (engine)
        compare_floats(f, what, engine, reference, n, false);
}

static void compare_codes(finding *f, const char *what, const int8_t *engine,
                          const int8_t *reference, size_t n)
{
    if (!engine != !reference)
        note(f, "%s is NULL for one of engine and reference", what);
    for (size_t i = 0; engine && reference && i < n; i++) {
        if (engine[i] != reference[i])
            note(f, "%s[%zu] is %d, the reference has %d", what, i, engine[i], reference[i]);
    }
}

static void compare_rows(finding *f, const char *what, const ndl_rows *engine,
                         const ndl_rows *reference)
{
    compare_sizes(f, what, engine->rows, reference->rows);
    compare_sizes(f, what, engine->dim, reference->dim);
    if (!found(f))
        compare_floats(f, what, engine->data, reference->data, engine->rows * engine->dim, false);
}

/* Ends of the range and what lies about the position and the length. */
static void compare_spans(finding *f, const ndl_session *s, const ref_session *r, size_t layer)
{
    size_t pos = ndl_pos(s), max = ndl_session_geometry(s)->max_seq_len;
    const size_t positions[] = {0, 1, pos, pos ? pos - 1 : 0, pos / 2, max - 1, max, SIZE_MAX - 1};
    for (size_t i = 0; i < COUNT(positions); i++) {
        ndl_span a, b;
        if (!ok(f, "span", ndl_span_at(s, layer, positions[i], &a),
                ref_span_at(r, layer, positions[i], &b)))
            return;
        if (a.lo != b.lo || a.hi != b.hi)
            note(f, "span of layer %zu at %zu is %zu..%zu, the reference has %zu..%zu", layer,
                 positions[i], a.lo, a.hi, b.lo, b.hi);
    }
}

static void compare_layer(finding *f, const ndl_session *s, ref_session *r, size_t layer)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    size_t k = ndl_geometry_k_dim(g), v = ndl_geometry_v_dim(g), a = 0, b = 0;
    if (ok(f, "slots", ndl_slots(s, layer, &a), ref_slots(r, layer, &b)))
        compare_sizes(f, "slots", a, b);
    if (ok(f, "lost", ndl_lost(s, layer, &a), ref_lost(r, layer, &b)))
        compare_sizes(f, "lost", a, b);
    ndl_kv x, y;
    if (ok(f, "kv", ndl_kv_at(s, layer, &x), ref_kv_at(r, layer, &y))) {
        size_t scales = x.slots * g->num_kv_heads;
        compare_sizes(f, "slots of the store", x.slots, y.slots);
        compare_sizes(f, "precision of the store", x.precision, y.precision);
        if (found(f))
            return;
        compare_store(f, "k", x.k, y.k, x.slots * k);
        compare_store(f, "v", x.v, y.v, x.slots * v);
        compare_codes(f, "k codes", x.k_codes, y.k_codes, x.slots * k);
        compare_codes(f, "v codes", x.v_codes, y.v_codes, x.slots * v);
        compare_store(f, "k scales", x.k_scales, y.k_scales, scales);
        compare_store(f, "v scales", x.v_scales, y.v_scales, scales);
    }
    compare_spans(f, s, r, layer);
    for (int which = NDL_Q; which <= NDL_V && !found(f); which++) {
        static const char *const names[] = {"tail of q", "tail of k", "tail of v"};
        ndl_rows p, q;
        if (ok(f, names[which], ndl_conv_tail(s, layer, (ndl_projection)which, &p),
               ref_conv_tail(r, layer, (ndl_projection)which, &q)))
            compare_rows(f, names[which], &p, &q);
    }
}

static void compare_tokens(finding *f, const ndl_session *s, ref_session *r)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    size_t a = 0, b = 0;
    const uint32_t *x = ndl_history(s, &a), *y = ref_history(r, &b);
    compare_sizes(f, "length of the history", a, b);
    for (size_t i = 0; i < a && !found(f); i++) {
        if (x[i] != y[i])
            note(f, "token %zu is %u, the reference has %u", i, x[i], y[i]);
    }
    for (size_t t = 0; t < ndl_geometry_tables(g) && !found(f); t++) {
        uint32_t i = 0, j = 0;
        size_t from = 0, right = 0;
        if (ok(f, "start", ndl_geometry_table_start(g, t, &from),
               ref_geometry_table_start(g, t, &right)))
            compare_sizes(f, "first position of a table", from, right);
        if (ok(f, "index", ndl_engram_index(s, t, &i), ref_engram_index(r, t, &j)) && i != j)
            note(f, "index of table %zu is %u, the reference has %u", t, i, j);
    }
}

void compare_saves(finding *f, const ndl_session *s, const ref_session *r)
{
    size_t len = ndl_session_save_size(s);
    compare_sizes(f, "size of the save", len, ref_session_save_size(r));
    if (found(f))
        return;
    uint8_t *x = malloc(len), *y = malloc(len);
    if (!x || !y)
        note(f, "no memory for a save of %zu bytes", len);
    else if (ok(f, "save", ndl_session_save(s, x, len), ref_session_save(r, y, len))) {
        size_t at = 0;
        while (at < len && x[at] == y[at])
            at++;
        if (at < len)
            note(f, "byte %zu of the save is %02x, the reference has %02x", at, x[at], y[at]);
    }
    free(x);
    free(y);
}

void compare_sessions(finding *f, const ndl_session *s, ref_session *r)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    compare_sizes(f, "position", ndl_pos(s), ref_pos(r));
    compare_sizes(f, "length", ndl_len(s), ref_len(r));
    compare_sizes(f, "is_empty", ndl_is_empty(s), ref_is_empty(r));
    compare_sizes(f, "is_saturated", ndl_is_saturated(s), ref_is_saturated(r));
    compare_sizes(f, "bytes", ndl_bytes(s), ref_bytes(r));
    compare_sizes(f, "precision", ndl_session_precision(s), ref_session_precision(r));
    compare_sizes(f, "numerics", ndl_session_numerics(s), ref_session_numerics(r));
    compare_sizes(f, "hint", ndl_session_hint(s), ref_session_hint(r));
    compare_tokens(f, s, r);
    for (size_t layer = 0; layer < g->num_layers && !found(f); layer++) {
        compare_layer(f, s, r, layer);
        where(f, "layer", layer);
    }
    for (size_t site = 0; site < g->engram.num_sites && !found(f); site++) {
        ndl_rows p, q;
        if (ok(f, "tail of a site", ndl_engram_tail(s, site, &p), ref_engram_tail(r, site, &q)))
            compare_rows(f, "tail of a site", &p, &q);
        where(f, "site", site);
    }
}
