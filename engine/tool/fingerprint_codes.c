/* How numbers were rounded to codes: tried in each way there is. */
#include "fingerprint_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum dividing { TIMES_INVERSE, DIVIDED } dividing;
typedef enum rounding { AWAY, EVEN, FLOOR_HALF, TRUNCATED, FLOORED } rounding;

static const char *const divided_text[] = {"x * (1 / scale)", "x / scale"};
static const char *const rounded_text[] = {
    "rounded to nearest, halves away from 0", "rounded to nearest, halves to even",
    "rounded as floor(x + 0.5)", "truncated towards 0", "rounded down"};
enum { DIVIDINGS = 2, ROUNDINGS = 5 };

/* To nearest, halves to even, whatever the machine's mode: exact below 2^23. */
static float to_even(float x)
{
    float down = floorf(x), rest = x - down;
    bool odd = fmodf(down, 2.0f) != 0.0f;
    return rest > 0.5f || (rest == 0.5f && odd) ? down + 1.0f : down;
}

static float rounded(float x, rounding how)
{
    switch (how) {
    case AWAY:
        return x < 0.0f ? -floorf(-x + (to_even(-x) == -x ? 0.0f : 0.5f))
                        : floorf(x + (to_even(x) == x ? 0.0f : 0.5f));
    case EVEN:
        return to_even(x);
    case FLOOR_HALF:
        return floorf(x + 0.5f);
    case TRUNCATED:
        return x < 0.0f ? -floorf(-x) : floorf(x);
    default:
        return floorf(x);
    }
}

/* A head's elements, the scale they have, and what was made of them. */
typedef struct head {
    const float *x;
    float scale;
    const int8_t *codes;
    const float *values; /* or code times scale, of fake_quant */
    size_t width;
    float most;
} head;

static bool made_so(const head *h, dividing d, rounding how)
{
    const float inverse = 1.0f / h->scale;
    if (h->codes == NULL && h->values == NULL)
        return false;
    for (size_t i = 0; i < h->width; i++) {
        float ratio = d == DIVIDED ? h->x[i] / h->scale : h->x[i] * inverse;
        float code = rounded(ratio, how);
        if (!(fabsf(ratio) < 4e6f))
            return false;
        code = code > h->most ? h->most : code < -h->most ? -h->most : code;
        if (h->codes != NULL ? (float)h->codes[i] != code : h->values[i] != code * h->scale)
            return false;
    }
    return true;
}

/* The ways that make all heads so: of them the ones that the profile does not have. */
static void tell(fingerprints *f, size_t at, const head *heads, size_t count, ndl_numerics numerics)
{
    for (size_t d = 0; d < DIVIDINGS; d++)
        for (size_t how = 0; how < ROUNDINGS; how++) {
            bool all = count > 0;
            for (size_t i = 0; all && i < count; i++)
                all = made_so(&heads[i], (dividing)d, (rounding)how);
            if (!all)
                continue;
            bool divides = (d == DIVIDED) == (numerics == NDL_UPSTREAM);
            bool rounds = how == (size_t)(numerics == NDL_UPSTREAM ? EVEN : AWAY);
            if (divides && rounds)
                continue;
            finding(f, at, "rounding", "the codes are %s, %s; %s has %s, %s", divided_text[d],
                    rounded_text[how], numerics == NDL_UPSTREAM ? "upstream" : "needle-core",
                    divided_text[numerics == NDL_UPSTREAM],
                    rounded_text[numerics == NDL_UPSTREAM ? EVEN : AWAY]);
            return;
        }
}

/* The scales that are recorded beside codes; NULL: none are. */
static const float *scales_beside(const tape *t, size_t at, size_t count)
{
    const entry *e = &t->entries[at];
    if (at + 1 >= t->entry_count)
        return NULL;
    const entry *next = &t->entries[at + 1];
    if (next->call != e->call || next->output != e->output + 1 || next->recorded.hashed ||
        next->recorded.value.count != count)
        return NULL;
    return next->recorded.value.floats;
}

void print_codes(fingerprints *f, const tape *t, size_t at, const world *w)
{
    const entry *e = &t->entries[at];
    const call *c = entry_call(t, e);
    const ndl_geometry *g = &t->geometry;
    const bool is_k = c->op->out[e->output].name[0] == 'k';
    const size_t width = is_k ? g->qk_head_dim : g->v_head_dim, heads = g->num_kv_heads;
    const result *is = &e->recorded.value;
    if (is->kind != OUT_CODES || is->count != e->right.count || w->fresh)
        return;
    const size_t slots = is->count / (heads * width);
    const float *scales = scales_beside(t, at, slots * heads);
    if (scales == NULL)
        return;
    head *all = get_memory((slots * heads + 1) * sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < slots * heads; i++) {
        const kv_row *own = world_held(w, c->in[0].number, i / heads, slots);
        if (own != NULL)
            all[count++] = (head){(is_k ? own->k : own->v) + i % heads * width,
                                  scales[i],
                                  is->codes + i * width,
                                  NULL,
                                  width,
                                  127.0f};
    }
    tell(f, at, all, count, t->options.numerics);
    free(all);
}

/* Whether fake_quant took another number of bits than it was asked for. */
static bool tell_width(fingerprints *f, size_t at, const tape *t, const argument *x,
                       const float *is)
{
    const size_t asked = entry_call(t, &t->entries[at])->in[0].number;
    float *other = get_memory(x->count * sizeof *other);
    bool found = false;
    for (unsigned bits = 2; !found && bits <= 16; bits++) {
        memcpy(other, x->floats, x->count * sizeof *other);
        found = bits != asked &&
                ndl_fake_quant(t->options.numerics, bits, other, x->count) == NDL_OK &&
                alike(other, is, x->count);
        if (found)
            finding(f, at, "bits", "it was rounded to %u bits, whatever was asked for", bits);
    }
    free(other);
    return found;
}

void print_quantised(fingerprints *f, const tape *t, size_t at)
{
    const entry *e = &t->entries[at];
    const call *c = entry_call(t, e);
    const argument *x = &c->in[1];
    const result *is = &e->recorded.value;
    if (is->count != e->right.count)
        return;
    if (strcmp(c->op->name, "fake_quant") == 0) {
        const size_t bits = c->in[0].number;
        float most = 0.0f;
        for (size_t i = 0; i < x->count; i++)
            most = fabsf(x->floats[i]) > most ? fabsf(x->floats[i]) : most;
        const float qmax = (float)((1u << (bits - 1)) - 1);
        head one = {x->floats, most / qmax, NULL, is->floats, x->count, qmax};
        if (most > 0.0f && !tell_width(f, at, t, x, is->floats))
            tell(f, at, &one, 1, t->options.numerics);
        return;
    }
    const size_t width = c->in[0].number, rows = width == 0 ? 0 : x->count / width;
    const float *scales = scales_beside(t, at, rows);
    if (is->kind != OUT_CODES || scales == NULL)
        return;
    head *all = get_memory((rows + 1) * sizeof *all);
    for (size_t i = 0; i < rows; i++)
        all[i] =
            (head){x->floats + i * width, scales[i], is->codes + i * width, NULL, width, 127.0f};
    tell(f, at, all, rows, t->options.numerics);
    free(all);
}
