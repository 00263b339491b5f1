/* Which positions an attention went over, and which kv head a head read. */
#include "fingerprint_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How it may have been done: right, or in one way wrong. */
typedef struct attention {
    size_t lo, hi;
    bool modulo;   /* head h reads kv head h mod Hk, not h / group */
    bool unscaled; /* scores are not divided by the root of the width */
} attention;

typedef struct question {
    const tape *tape;
    const world *world;
    size_t layer;
    const float *q;
    double *score;
    double *out;
} question;

/* A head of a row as it is read back: itself, or code times scale. */
static void read_back(const tape *t, const float *head, size_t width, double *out)
{
    int8_t *codes = get_memory(width + 1);
    float scale = 1.0f;
    bool int8 = t->options.precision == NDL_INT8;
    if (int8)
        ndl_quantize_rows(t->options.numerics, width, head, width, codes, width, &scale, 1);
    for (size_t c = 0; c < width; c++)
        out[c] = int8 ? (double)codes[c] * (double)scale : (double)head[c];
    free(codes);
}

static bool attend_head(const question *k, const attention *a, size_t h, double *row)
{
    const ndl_geometry *g = &k->tape->geometry;
    const size_t group = g->num_heads / g->num_kv_heads;
    const size_t kv_head = a->modulo ? h % g->num_kv_heads : h / group;
    const size_t dk = g->qk_head_dim, dv = g->v_head_dim;
    const double share = a->unscaled ? 1.0 : 1.0 / sqrt((double)dk);
    double most = -(double)INFINITY, total = 0;
    for (size_t pos = a->lo; pos <= a->hi; pos++) {
        const kv_row *w = world_write(k->world, k->layer, pos);
        double dot = 0;
        if (w == NULL)
            return false;
        read_back(k->tape, w->k + kv_head * dk, dk, row);
        for (size_t c = 0; c < dk; c++)
            dot += (double)k->q[h * dk + c] * row[c];
        k->score[pos - a->lo] = dot * share;
        most = dot * share > most ? dot * share : most;
    }
    for (size_t i = 0; i <= a->hi - a->lo; i++) {
        k->score[i] = exp(k->score[i] - most);
        total += k->score[i];
    }
    for (size_t c = 0; c < dv; c++)
        k->out[h * dv + c] = 0;
    for (size_t pos = a->lo; pos <= a->hi; pos++) {
        read_back(k->tape, world_write(k->world, k->layer, pos)->v + kv_head * dv, dv, row);
        for (size_t c = 0; c < dv; c++)
            k->out[h * dv + c] += k->score[pos - a->lo] / total * row[c];
    }
    return true;
}

static bool gives(const question *k, const attention *a, const float *recorded, double *row)
{
    const ndl_geometry *g = &k->tape->geometry;
    const size_t count = g->num_heads * g->v_head_dim;
    double total = 0;
    for (size_t h = 0; h < g->num_heads; h++)
        if (!attend_head(k, a, h, row))
            return false;
    for (size_t i = 0; i < count; i++)
        total += (double)recorded[i] * (double)recorded[i];
    const double allowed = ATTENTION_TOLERANCE * sqrt(total / (double)count);
    for (size_t i = 0; i < count; i++)
        if (!(fabs((double)recorded[i] - k->out[i]) <= allowed))
            return false;
    return true;
}

static void tell(fingerprints *f, size_t at, const attention *a, const ndl_span *right)
{
    if (a->modulo)
        finding(f, at, "attention",
                "query head h read kv head h mod num_kv_heads, not h divided "
                "by the group");
    else if (a->unscaled)
        finding(f, at, "attention", "scores were not divided by the root of qk_head_dim");
    else if (a->hi == right->hi)
        finding(f, at, "attention", "it went over %zu position%s %s than it should",
                a->lo < right->lo ? right->lo - a->lo : a->lo - right->lo,
                (a->lo < right->lo ? right->lo - a->lo : a->lo - right->lo) == 1 ? "" : "s",
                a->lo < right->lo ? "more" : "fewer");
    else
        finding(f, at, "attention", "it went over positions %zu to %zu, not %zu to %zu", a->lo,
                a->hi, right->lo, right->hi);
}

enum { FARTHEST = 3, MOST_POSITIONS = 4096 };

static void try_spans(fingerprints *f, size_t at, const question *k, const ndl_span *right,
                      const float *recorded, double *row)
{
    const attention wrong_heads = {right->lo, right->hi, true, false};
    const attention unscaled = {right->lo, right->hi, false, true};
    const attention *others[] = {&wrong_heads, &unscaled};
    for (size_t i = 0; i < 2; i++)
        if (gives(k, others[i], recorded, row)) {
            tell(f, at, others[i], right);
            return;
        }
    for (size_t end = 0; end < 2 && end <= right->hi; end++)
        for (size_t far = 0; far <= (size_t)2 * FARTHEST + 1; far++) {
            /* Nearest first, then from the start on. */
            size_t by = (far + 1) / 2, lo = 0;
            if (far <= (size_t)2 * FARTHEST && far % 2 == 1)
                lo = right->lo >= by ? right->lo - by : right->hi + 1;
            else if (far <= (size_t)2 * FARTHEST)
                lo = right->lo + by;
            attention a = {lo, right->hi - end, false, false};
            if (a.lo > a.hi || (a.lo == right->lo && a.hi == right->hi))
                continue;
            if (gives(k, &a, recorded, row)) {
                tell(f, at, &a, right);
                return;
            }
        }
}

/* The span that a position has, by the rule and not by what was recorded. */
static ndl_span right_span(const tape *t, const call *c, size_t slots)
{
    const size_t layer = c->in[0].number, pos = c->in[1].number;
    size_t window = 0;
    ndl_span s = {0, pos};
    ndl_geometry_window(&t->geometry, layer, &window);
    if (window != 0 && pos >= window)
        s.lo = pos - window + 1;
    if (slots > 0 && pos >= slots && pos - slots + 1 > s.lo)
        s.lo = pos - slots + 1;
    return s;
}

void print_attention(fingerprints *f, const tape *t, size_t at, const world *w)
{
    const entry *e = &t->entries[at];
    const call *c = entry_call(t, e);
    const ndl_geometry *g = &t->geometry;
    size_t cap = 0, pos = c->in[1].number;
    if (e->recorded.value.count != g->num_heads * g->v_head_dim || w->fresh ||
        pos >= MOST_POSITIONS || ndl_geometry_cap(g, c->in[0].number, &cap) != NDL_OK)
        return;
    const ndl_span right = right_span(t, c, cap);
    const size_t width = g->qk_head_dim > g->v_head_dim ? g->qk_head_dim : g->v_head_dim;
    double *row = get_memory(width * sizeof *row);
    question k = {t, w, c->in[0].number, c->in[2].floats, NULL, NULL};
    k.score = get_memory((pos + 1) * sizeof *k.score);
    k.out = get_memory(g->num_heads * g->v_head_dim * sizeof *k.out);
    try_spans(f, at, &k, &right, e->recorded.value.floats, row);
    free(k.score);
    free(k.out);
    free(row);
}

/* A sequence, once more, with another window. */
void print_sequence(fingerprints *f, const tape *t, size_t at)
{
    const entry *e = &t->entries[at];
    const call *c = entry_call(t, e);
    const size_t seq = c->in[0].number, window = c->in[5].number, count = e->right.count;
    const ndl_geometry g = {.num_heads = c->in[1].number,
                            .num_kv_heads = c->in[2].number,
                            .qk_head_dim = c->in[3].number,
                            .v_head_dim = c->in[4].number};
    const ndl_kv kv = {.precision = c->in[9].given ? NDL_INT8 : NDL_F32,
                       .slots = seq,
                       .k = c->in[7].floats,
                       .v = c->in[8].floats,
                       .k_codes = c->in[7].codes,
                       .v_codes = c->in[8].codes,
                       .k_scales = c->in[9].floats,
                       .v_scales = c->in[10].floats};
    const size_t others[] = {window + 1, window > 1 ? window - 1 : seq + 1, 0};
    const size_t scratch_len = ndl_attend_scratch(&g, seq);
    if (e->recorded.value.count != count || window == 0)
        return;
    float *out = get_memory((count + 1) * sizeof *out);
    float *scratch = get_memory((scratch_len + 1) * sizeof *scratch);
    for (size_t i = 0; i < 3; i++) {
        difference d;
        const result given = {.given = true, .kind = OUT_FLOATS, .floats = out, .count = count};
        if (ndl_attend_sequence(&g, others[i], &kv, c->in[6].floats, c->in[6].count, scratch,
                                scratch_len, out, count) != NDL_OK ||
            !entry_agrees(t, e, &given, &d))
            continue;
        finding(f, at, "window",
                i == 2   ? "it was done without the window"
                : i == 0 ? "it was done with a window of one position more"
                         : "it was done with a window of one position less");
        break;
    }
    free(out);
    free(scratch);
}
