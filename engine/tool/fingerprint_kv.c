/* Which position's row a slot holds, where a scale came from, and what a span counts. */
#include "fingerprint_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 96 };

/* One of the two stores of a layer. */
typedef struct store {
    const ndl_geometry *g;
    ndl_numerics numerics;
    bool is_k, int8;
    size_t layer, slots, width, heads; /* width of a head */
} store;

static store store_of(const tape *t, const entry *e)
{
    const call *c = entry_call(t, e);
    const ndl_geometry *g = &t->geometry;
    const char *out = c->op->out[e->output].name;
    store s = {.g = g,
               .numerics = t->options.numerics,
               .is_k = out[0] == 'k',
               .int8 = t->options.precision == NDL_INT8,
               .layer = c->in[0].number,
               .heads = g->num_kv_heads};
    s.width = s.is_k ? g->qk_head_dim : g->v_head_dim;
    size_t row = strstr(out, "scale") != NULL ? s.heads : s.heads * s.width;
    s.slots = row == 0 ? 0 : e->right.count / row;
    return s;
}

static const float *row_of(const kv_row *r, bool is_k)
{
    return is_k ? r->k : r->v;
}

/* A row as it is kept: itself, or its codes. */
static bool kept_alike(const store *s, const result *is, size_t slot, const float *row)
{
    const size_t dim = s->heads * s->width;
    if (!s->int8)
        return alike(is->floats + slot * dim, row, dim);
    int8_t *codes = get_memory(dim);
    float *scales = get_memory(s->heads * sizeof *scales);
    bool same = ndl_quantize_rows(s->numerics, s->width, row, dim, codes, dim, scales, s->heads) ==
                    NDL_OK &&
                memcmp(codes, is->codes + slot * dim, dim) == 0;
    free(codes);
    free(scales);
    return same;
}

static bool is_empty(const store *s, const result *is, size_t slot)
{
    const size_t dim = s->heads * s->width;
    for (size_t c = 0; c < dim; c++)
        if (s->int8 ? is->codes[slot * dim + c] != 0 : is->floats[slot * dim + c] != 0.0f)
            return false;
    return true;
}

/* Which written row a slot holds; out says it as text. NULL: it is of no row. */
static const kv_row *held_row(const store *s, const result *is, size_t slot, const world *w,
                              char out[LABEL])
{
    const bool both = s->g->qk_head_dim == s->g->v_head_dim;
    for (unsigned pass = 0; pass < 4; pass++) {
        const bool own_layer = pass % 2 == 0, own_side = pass < 2;
        for (size_t i = w->write_count; i-- > 0 && (own_side || both);) {
            const kv_row *r = &w->writes[i];
            const bool k = own_side == s->is_k;
            if ((r->layer == s->layer) != own_layer || !kept_alike(s, is, slot, row_of(r, k)))
                continue;
            if (own_layer)
                snprintf(out, LABEL, "the %c row of position %zu", k ? 'k' : 'v', r->pos);
            else
                snprintf(out, LABEL, "the %c row of position %zu of layer %zu", k ? 'k' : 'v',
                         r->pos, r->layer);
            return r;
        }
    }
    return NULL;
}

static void tell_slot(fingerprints *f, size_t at, const store *s, const result *is,
                      const result *right, size_t slot, const world *w)
{
    char held[LABEL], should[LABEL];
    const kv_row *r = held_row(s, is, slot, w, held);
    const bool empty = is_empty(s, is, slot);
    if (held_row(s, right, slot, w, should) == NULL)
        snprintf(should, LABEL, "nothing yet");
    if (empty)
        finding(f, at, "row", "slot %zu of %zu of layer %zu holds zeros, not %s", slot, s->slots,
                s->layer, should);
    else if (r != NULL)
        finding(f, at, "row", "slot %zu of %zu of layer %zu holds %s, not %s", slot, s->slots,
                s->layer, held, should);
}

/* Whether all slots hold what should be so many slots on. */
static bool is_rotated(const result *is, const result *right, size_t slots, size_t by)
{
    const size_t row = result_size(right) / slots;
    const char *a = result_data(is), *b = result_data(right);
    for (size_t i = 0; i < slots; i++)
        if (memcmp(a + i * row, b + (i + by) % slots * row, row) != 0)
            return false;
    return true;
}

void print_store(fingerprints *f, const tape *t, size_t at, const world *w)
{
    const entry *e = &t->entries[at];
    const store s = store_of(t, e);
    const result *is = &e->recorded.value, *right = &e->right;
    if (is->count != right->count || is->kind != right->kind || s.slots == 0 || w->fresh)
        return;
    for (size_t by = 1; by < s.slots; by++)
        if (is_rotated(is, right, s.slots, by)) {
            finding(f, at, "ring",
                    "the ring of layer %zu is rotated: slot 0 holds what slot %zu "
                    "should",
                    s.layer, by);
            return;
        }
    const size_t row = result_size(right) / s.slots;
    const char *a = result_data(is), *b = result_data(right);
    for (size_t slot = 0, told = 0; slot < s.slots && told < 1; slot++)
        if (memcmp(a + slot * row, b + slot * row, row) != 0) {
            tell_slot(f, at, &s, is, right, slot, w);
            told++;
        }
}

/* ------------------------------------------------------------------ scales */

static float absmax_of(const float *x, size_t count)
{
    float most = 0.0f;
    for (size_t i = 0; i < count; i++) {
        float size = x[i] < 0.0f ? -x[i] : x[i];
        most = size > most ? size : most;
    }
    return most;
}

static float scale_of(const store *s, const float *head)
{
    int8_t *codes = get_memory(s->width + 1);
    float scale = 0.0f;
    ndl_quantize_rows(s->numerics, s->width, head, s->width, codes, s->width, &scale, 1);
    free(codes);
    return scale;
}

/* A scale that was worked out in another way from the right row. */
static const char *other_scale(float is, const float *head, size_t width)
{
    const float absmax = absmax_of(head, width);
    const float last = absmax_of(head, width - (width > 0));
    if (absmax == 0.0f)
        return is == 0.0f ? "0 for a row of zeros, which has scale 1" : NULL;
    if (is == absmax / 128.0f)
        return "absmax / 128";
    if (is == absmax * (1.0f / 127.0f))
        return "absmax times the rounded 1/127, which is not absmax / 127";
    if (is == 127.0f / absmax)
        return "127 / absmax, the scale's inverse";
    if (is == 1.0f / (127.0f / absmax))
        return "1 / (127 / absmax), rounded once more than absmax / 127";
    if (is == absmax)
        return "absmax itself";
    if (is == last / 127.0f)
        return "absmax / 127 without the head's last element";
    return NULL;
}

static void owner_text(char out[LABEL], const store *s, const kv_row *r, const kv_row *own,
                       size_t head, bool k)
{
    const char side = k ? 'k' : 'v';
    if (r == own && k == s->is_k)
        snprintf(out, LABEL, "head %zu's", head);
    else if (r == own)
        snprintf(out, LABEL, "that of head %zu of %c", head, side);
    else if (r->layer == s->layer)
        snprintf(out, LABEL, "that of position %zu, head %zu of %c", r->pos, head, side);
    else
        snprintf(out, LABEL, "that of layer %zu, position %zu, head %zu of %c", r->layer, r->pos,
                 head, side);
}

/* Whose scale it is; NULL: nobody's. */
static const char *owner_of(const store *s, float is, const kv_row *own, size_t own_head,
                            const world *w, char out[LABEL])
{
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = w->write_count; i-- > 0;) {
            const kv_row *r = &w->writes[i];
            const bool k = pass == 0 ? s->is_k : !s->is_k;
            store side = *s;
            side.width = k ? s->g->qk_head_dim : s->g->v_head_dim;
            for (size_t h = 0; h < s->heads; h++) {
                if (scale_of(&side, row_of(r, k) + h * side.width) != is)
                    continue;
                if (r == own && k == s->is_k && h == own_head)
                    continue;
                owner_text(out, s, r, own, h, k);
                return out;
            }
        }
    return NULL;
}

void print_scales(fingerprints *f, const tape *t, size_t at, const world *w)
{
    const entry *e = &t->entries[at];
    const store s = store_of(t, e);
    const result *is = &e->recorded.value;
    char whose[LABEL];
    if (is->count != e->right.count || s.slots == 0 || w->fresh)
        return;
    for (size_t i = 0, told = 0; i < is->count && told < 1; i++) {
        const size_t slot = i / s.heads, head = i % s.heads;
        const float scale = is->floats[i];
        if (scale == e->right.floats[i])
            continue;
        const kv_row *own = world_held(w, s.layer, slot, s.slots);
        const char *side = s.is_k ? "k" : "v";
        told++;
        const char *how =
            own == NULL ? NULL : other_scale(scale, row_of(own, s.is_k) + head * s.width, s.width);
        if (how != NULL)
            finding(f, at, "scale", "a scale of %s is %s", side, how);
        else if (scale == 1.0f && own != NULL)
            finding(f, at, "scale",
                    "the scale of %s in slot %zu, head %zu is 1, as in a slot without a row", side,
                    slot, head);
        else if (owner_of(&s, scale, own, head, w, whose) != NULL)
            finding(f, at, "scale", "the scale of %s in slot %zu, head %zu is %s", side, slot, head,
                    whose);
    }
}

/* ------------------------------------------------------------------- spans */

void print_span(fingerprints *f, const tape *t, size_t at)
{
    const entry *e = &t->entries[at];
    const call *c = entry_call(t, e);
    const size_t is = e->recorded.value.number, right = e->right.number;
    const size_t layer = c->in[0].number, pos = c->in[1].number;
    const size_t window = t->geometry.sliding_window;
    const char *which = e->output == 0 ? "first" : "last";
    const bool global = layer < NDL_MAX_LAYERS && t->geometry.is_global[layer] != 0;
    if (e->output == 0 && is == 0 && right > 1)
        finding(f, at, "span", "a span of layer %zu begins at 0, as if there were no %s", layer,
                global ? "end to the ring" : "window");
    else if (e->output == 0 && global && window > 0 && pos + 1 > window && is == pos + 1 - window)
        finding(f, at, "span", "the window is applied to layer %zu, which is global", layer);
    else if (is + 1 == right || is == right + 1)
        finding(f, at, "span", "the %s position of a span of a %s layer is one %s", which,
                global || window == 0 ? "global" : "local", is < right ? "less" : "more");
}

void print_slots(fingerprints *f, const tape *t, size_t at)
{
    const entry *e = &t->entries[at];
    const size_t is = e->recorded.value.number, right = e->right.number;
    const size_t layer = entry_call(t, e)->in[0].number;
    size_t cap = 0;
    if (ndl_geometry_cap(&t->geometry, layer, &cap) != NDL_OK)
        return;
    if (is > cap)
        finding(f, at, "slots", "layer %zu has %zu slots, past its cap of %zu", layer, is, cap);
    else
        finding(f, at, "slots", "layer %zu has %zu slots, not %zu; its cap is %zu", layer, is,
                right, cap);
}
