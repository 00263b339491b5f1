#include "mutate.h"

#include "ops.h"

/* Both are large; a fuzzer's process has one thread. */
static script one, other;

static op *any_op(script *s, rng *r)
{
    return &s->ops[rng_below(r, s->n)];
}

/* Make room for n operations at a place. */
static bool open_gap(script *s, size_t at, size_t n)
{
    if (n > MAX_OPS - s->n)
        return false;
    for (size_t i = s->n; i > at; i--)
        s->ops[i - 1 + n] = s->ops[i - 1];
    s->n += n;
    return true;
}

static void remove_some(script *s, rng *r)
{
    size_t at = rng_below(r, s->n), n = 1 + (rng_one_in(r, 3) ? rng_below(r, 8) : 0);
    n = n < s->n - at ? n : s->n - at;
    for (size_t i = at; i + n < s->n; i++)
        s->ops[i] = s->ops[i + n];
    s->n -= n;
}

/* Its array as numbers of a class, since words may have another length now. */
static void classes(op *o, rng *r)
{
    o->taps = rng_one_in(r, 3) ? (payload)rng_below(r, PAYLOADS) : PAY_DIGITS;
    o->rows = (payload)rng_below(r, PAYLOADS);
    o->seed = (uint16_t)rng_next(r);
}

/* A position where something changes: the ends of the window and of the ring. */
static void to_boundary(script *s, op *o, rng *r)
{
    const ndl_geometry *g = &s->geometry;
    size_t window = g->sliding_window, cap = g->max_seq_len;
    if (o->at < g->num_layers)
        (void)ndl_geometry_cap(g, o->at, &cap);
    const size_t places[] = {window - 1, window,  window + 1,  cap - 1,        cap,
                             cap + 1,    2 * cap, 2 * cap + 1, s->options.hint};
    o->n = places[rng_below(r, COUNT(places))];
}

static bool has_position(op_kind kind)
{
    return kind == OP_WRITE || kind == OP_ATTEND || kind == OP_SPAN || kind == OP_SET_POS;
}

static void fresh_op(script *s, op *o, rng *r)
{
    const ndl_geometry *g = &s->geometry;
    *o = (op){.kind = (op_kind)rng_below(r, OP_KINDS)};
    bool of_site = o->kind == OP_ENGRAM_STEP || o->kind == OP_PREFILL_ENGRAM;
    size_t there = of_site || o->kind == OP_SEED_ENGRAM ? g->engram.num_sites : g->num_layers;
    o->at = there ? rng_below(r, there) : 0;
    o->which = (ndl_projection)rng_below(r, 3);
    o->session = rng_one_in(r, 4);
    o->name = rng_one_in(r, 2);
    o->n = o->kind == OP_FAULT ? 1 + rng_below(r, 4) : rng_below(r, 8);
    if (has_position(o->kind) && rng_one_in(r, 2))
        to_boundary(s, o, r);
    classes(o, r);
}

static bool change(script *s, rng *r)
{
    op *o;
    size_t at;
    switch (rng_below(r, s->n > 1 ? 9 : 3)) {
    case 0:
        at = rng_below(r, s->n + 1);
        if (!open_gap(s, at, 1))
            return false;
        fresh_op(s, &s->ops[at], r);
        return true;
    case 1: { /* a run of operations once more, somewhere */
        if (s->n == 0)
            return false;
        op run[16];
        size_t from = rng_below(r, s->n), n = 1 + rng_below(r, COUNT(run));
        n = n < s->n - from ? n : s->n - from;
        for (size_t i = 0; i < n; i++)
            run[i] = s->ops[from + i];
        at = rng_below(r, s->n + 1);
        if (!open_gap(s, at, n))
            return false;
        for (size_t i = 0; i < n; i++)
            s->ops[at + i] = run[i];
        return true;
    }
    case 2: /* profile, hint */
        s->options.precision = rng_one_in(r, 2) ? NDL_INT8 : NDL_F32;
        s->options.numerics = rng_one_in(r, 2) ? NDL_UPSTREAM : NDL_NEEDLE_CORE;
        s->pattern = (unsigned)rng_below(r, 4);
        s->options.hint = rng_below(r, s->geometry.max_seq_len + 2);
        return true;
    case 3:
        remove_some(s, r);
        return true;
    case 4: { /* swapped */
        op *a = any_op(s, r), *b = any_op(s, r), kept = *a;
        *a = *b;
        *b = kept;
        return true;
    }
    case 5:
        classes(any_op(s, r), r);
        return true;
    case 6:
        o = any_op(s, r);
        for (size_t i = 0; i < 8 && !has_position(o->kind); i++)
            o = any_op(s, r);
        if (has_position(o->kind))
            to_boundary(s, o, r);
        else
            o->n = rng_below(r, 16);
        return true;
    case 7:
        o = any_op(s, r);
        o->session = !o->session;
        return true;
    default:
        o = any_op(s, r);
        o->longer[rng_below(r, 2)] = (int)rng_below(r, 3) - 1;
        classes(o, r);
        return true;
    }
}

size_t mutate_session(uint8_t *bytes, size_t size, size_t room, rng *r)
{
    ops_decode(bytes, size, &one);
    if (ndl_geometry_validate(&one.geometry) != NDL_OK)
        return 0;
    for (size_t i = 1 + rng_below(r, 4); i > 0; i--) {
        if (!change(&one, r))
            return 0;
    }
    return ops_encode(&one, bytes, room);
}

size_t mutate_splice(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                     size_t room, rng *r)
{
    ops_decode(a, a_size, &one);
    ops_decode(b, b_size, &other);
    if (one.n == 0 || other.n == 0)
        return 0;
    size_t from = rng_below(r, other.n), n = 1 + rng_below(r, other.n - from);
    size_t at = rng_below(r, one.n + 1);
    if (!open_gap(&one, at, n))
        return 0;
    for (size_t i = 0; i < n; i++) {
        op *o = &one.ops[at + i];
        *o = other.ops[from + i];
        /* Words of the other session are not this one's. */
        if (o->taps == PAY_LITERAL || o->rows == PAY_LITERAL)
            classes(o, r);
    }
    return ops_encode(&one, out, room);
}
