/* Which row each tap of a convolution read, and which rows a tail holds. */
#include "fingerprint_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 96, MOST_SOURCES = 48, OWN_RAW = 14, OWN_OUT = 6, OTHER = 3, MOST_TAPS = 8 };

typedef struct source {
    const float *data; /* NULL: zeros */
    char label[LABEL];
} source;

typedef struct sources {
    source all[MOST_SOURCES];
    size_t count, dim;
} sources;

static float at_of(const source *s, size_t c)
{
    return s->data == NULL ? 0.0f : s->data[c];
}

static bool same_source(const source *a, const source *b, size_t dim)
{
    for (size_t c = 0; c < dim; c++)
        if (at_of(a, c) != at_of(b, c))
            return false;
    return true;
}

/* The same floats twice are one source: the first that has them. */
static void add(sources *s, const float *data, const char *label)
{
    source one = {.data = data};
    snprintf(one.label, LABEL, "%s", label);
    if (s->count == MOST_SOURCES)
        return;
    for (size_t i = 0; i < s->count; i++)
        if (same_source(&s->all[i], &one, s->dim))
            return;
    s->all[s->count++] = one;
}

static const char *back_text(char out[LABEL], size_t now, size_t pos)
{
    if (pos == now)
        snprintf(out, LABEL, "of this position");
    else if (pos < now)
        snprintf(out, LABEL, "from %zu position%s back", now - pos, now - pos == 1 ? "" : "s");
    else
        snprintf(out, LABEL, "from %zu position%s ahead", pos - now, pos - now == 1 ? "" : "s");
    return out;
}

static void stream_text(char out[LABEL], const tape *t, size_t stream)
{
    size_t layers = t->geometry.num_layers;
    if (stream < 3 * layers)
        snprintf(out, LABEL, "the raw %c row of layer %zu,", "qkv"[stream % 3], stream / 3);
    else
        snprintf(out, LABEL, "the raw row of site %zu,", stream - 3 * layers);
}

/* What a tap may have read at a position, the likeliest first. */
static void collect(sources *s, const tape *t, const world *w, size_t stream, size_t dim,
                    size_t now)
{
    char label[2 * LABEL + 2], back[LABEL], whose[LABEL];
    size_t raw = 0, out = 0;
    s->dim = dim;
    for (size_t i = w->row_count; i-- > 0 && raw < OWN_RAW;) {
        const raw_row *r = &w->rows[i];
        if (r->stream != stream || r->dim != dim)
            continue;
        raw++;
        snprintf(label, sizeof label, "the raw row %s", back_text(back, now, r->pos));
        add(s, r->raw, label);
    }
    add(s, NULL, "zeros");
    for (size_t i = w->row_count; i-- > 0 && out < OWN_OUT;) {
        const raw_row *r = &w->rows[i];
        if (r->stream != stream || r->dim != dim || r->out == NULL)
            continue;
        out++;
        snprintf(label, sizeof label, "the convolved row %s", back_text(back, now, r->pos));
        add(s, r->out, label);
    }
    size_t others = 0;
    for (size_t i = w->row_count; i-- > 0 && others < (size_t)OTHER * 8;) {
        const raw_row *r = &w->rows[i];
        if (r->stream == stream || r->dim != dim)
            continue;
        others++;
        stream_text(whose, t, r->stream);
        snprintf(label, sizeof label, "%s %s", whose, back_text(back, now, r->pos));
        add(s, r->raw, label);
    }
}

/* One output row of a convolution. */
typedef struct equation {
    const float *taps, *recorded;
    size_t n_taps, dim;
    const sources *sources;
    size_t right[MOST_TAPS]; /* of the sources, what each tap should read */
    size_t read[MOST_TAPS];  /* what it did */
    size_t budget;           /* sums that may still be tried */
} equation;

static bool holds(const equation *q)
{
    for (size_t c = 0; c < q->dim; c++) {
        float acc = 0.0f;
        for (size_t j = 0; j < q->n_taps; j++)
            acc += q->taps[j * q->dim + c] * at_of(&q->sources->all[q->read[j]], c);
        if (!alike(&acc, &q->recorded[c], 1))
            return false;
    }
    return true;
}

/* Taps from j on, of which so many read another source than they should: as deep as
 * there are taps. */
// NOLINTNEXTLINE(misc-no-recursion)
static bool solve(equation *q, size_t j, size_t changes)
{
    if (j == q->n_taps) {
        if (q->budget == 0)
            return false;
        q->budget--;
        return changes == 0 && holds(q);
    }
    if (q->n_taps - j > changes) {
        q->read[j] = q->right[j];
        if (solve(q, j + 1, changes))
            return true;
    }
    for (size_t s = 0; changes > 0 && s < q->sources->count && q->budget > 0; s++) {
        q->read[j] = s;
        if (s != q->right[j] && solve(q, j + 1, changes - 1))
            return true;
    }
    return false;
}

static size_t zeros_of(const sources *s)
{
    for (size_t i = 0; i < s->count; i++) {
        source zero = {.data = NULL};
        if (same_source(&s->all[i], &zero, s->dim))
            return i;
    }
    return 0;
}

static size_t source_of(const sources *s, const float *data)
{
    source wanted = {.data = data};
    for (size_t i = 0; i < s->count; i++)
        if (same_source(&s->all[i], &wanted, s->dim))
            return i;
    return s->count;
}

/* The row that went in at a position, the newest of them; NULL: none did. */
static const float *raw_at(const world *w, size_t stream, size_t pos)
{
    for (size_t i = w->row_count; i-- > 0;)
        if (w->rows[i].stream == stream && w->rows[i].pos == pos)
            return w->rows[i].raw;
    return NULL;
}

static void tell(fingerprints *f, size_t at, const equation *q)
{
    char text[PRINT_TEXT] = "";
    size_t used = 0;
    for (size_t j = 0; j < q->n_taps && used < sizeof text; j++)
        if (q->read[j] != q->right[j])
            used += (size_t)snprintf(text + used, sizeof text - used, "%stap %zu read %s, not %s",
                                     used == 0 ? "" : "; ", j, q->sources->all[q->read[j]].label,
                                     q->sources->all[q->right[j]].label);
    finding(f, at, "tap", "%s", text);
}

/* Solves one row, at a position, for what its taps read. */
static bool solve_row(fingerprints *f, const tape *t, size_t at, const world *w, size_t pos,
                      const float *taps, size_t n_taps, size_t dim, const float *recorded)
{
    const call *c = entry_call(t, &t->entries[at]);
    const bool site = strstr(c->op->name, "engram") != NULL;
    const ndl_geometry *g = &t->geometry;
    const size_t dilation = site ? g->engram.conv_dilation : 1;
    const size_t orders = site ? ndl_geometry_max_order(g) : 0;
    const size_t stream = stream_of(t, c);
    sources s = {.count = 0};
    equation q = {.taps = taps, .recorded = recorded, .n_taps = n_taps, .dim = dim, .sources = &s};
    if (n_taps == 0 || n_taps > MOST_TAPS || dim == 0)
        return false;
    collect(&s, t, w, stream, dim, pos);
    for (size_t j = 0; j < n_taps; j++) {
        bool live = j * dilation <= pos && j * orders <= pos;
        const float *row = live ? raw_at(w, stream, pos - j * dilation) : NULL;
        q.right[j] = row == NULL ? zeros_of(&s) : source_of(&s, row);
        if (q.right[j] == s.count)
            return false;
    }
    for (size_t changes = 1; changes <= n_taps; changes++) {
        q.budget = 300000;
        if (solve(&q, 0, changes)) {
            tell(f, at, &q);
            return true;
        }
    }
    return false;
}

void print_taps(fingerprints *f, const tape *t, size_t at, const world *w)
{
    const entry *e = &t->entries[at];
    const call *c = entry_call(t, e);
    const char *name = c->op->name;
    const bool site = strstr(name, "engram") != NULL, fill = strstr(name, "prefill") != NULL;
    const argument *taps = &c->in[site ? (fill ? 2 : 1) : (fill ? 3 : 2)];
    const argument *raw = &c->in[site ? (fill ? 3 : 2) : (fill ? 4 : 3)];
    const size_t rows = fill ? c->in[site ? 1 : 2].number : 1;
    const size_t n_taps = site ? t->geometry.engram.conv_taps : t->geometry.qkv_conv_taps;
    if (rows == 0 || e->recorded.value.count != raw->count || e->right.count != raw->count)
        return;
    const size_t dim = raw->count / rows;
    /* The call's own rows belong to what can be read. */
    world all = *w;
    all.rows = get_memory((w->row_count + rows) * sizeof *all.rows);
    if (w->row_count > 0)
        memcpy(all.rows, w->rows, w->row_count * sizeof *all.rows);
    for (size_t i = 0; i < rows; i++)
        all.rows[all.row_count++] =
            (raw_row){stream_of(t, c), fill ? i : c->position, dim, raw->floats + i * dim, NULL};
    for (size_t i = 0; i < rows; i++) {
        const float *recorded = e->recorded.value.floats + i * dim;
        if (alike(recorded, e->right.floats + i * dim, dim))
            continue;
        solve_row(f, t, at, &all, fill ? i : c->position, taps->floats, n_taps, dim, recorded);
        break;
    }
    free(all.rows);
}

/* Whether the recorded rows are the right ones, the other way round. */
static bool is_reversed(const float *recorded, const float *right, size_t rows, size_t dim)
{
    for (size_t r = 0; r < rows; r++)
        if (!alike(recorded + r * dim, right + (rows - 1 - r) * dim, dim))
            return false;
    return rows > 1;
}

void print_tail(fingerprints *f, const tape *t, size_t at, const world *w)
{
    const entry *e = &t->entries[at];
    const call *c = entry_call(t, e);
    const float *recorded = e->recorded.value.floats, *right = e->right.floats;
    const size_t stream = stream_of(t, c);
    const ndl_geometry *g = &t->geometry;
    const size_t rows = c->in[2].given ? ndl_geometry_reach(g) : g->qkv_conv_taps - 1;
    if (e->recorded.value.count != e->right.count || rows == 0 || e->right.count == 0)
        return;
    const size_t dim = e->right.count / rows;
    size_t newest = 0;
    for (size_t i = 0; i < w->row_count; i++)
        if (w->rows[i].stream == stream)
            newest = w->rows[i].pos;
    if (is_reversed(recorded, right, rows, dim)) {
        finding(f, at, "tail", "the tail's rows are there newest first, not oldest first");
        return;
    }
    sources s = {.count = 0};
    collect(&s, t, w, stream, dim, newest);
    for (size_t r = 0; r < rows; r++) {
        if (alike(recorded + r * dim, right + r * dim, dim))
            continue;
        size_t is = source_of(&s, recorded + r * dim), should = source_of(&s, right + r * dim);
        if (is < s.count && should < s.count)
            finding(f, at, "tail", "row %zu of the tail, whose newest is row %zu, is %s, not %s", r,
                    rows - 1, s.all[is].label, s.all[should].label);
        return;
    }
}
