/* Random sessions: geometries, and operations that mostly follow a decoder's
 * order and are then repeated, dropped, swapped and interspersed with others. */
#include "author.h"
#include "memory.h"

/* ---------------------------------------------------------------- geometries */

static size_t pick(rng *r, const size_t *from, size_t n)
{
    return from[rng_below(r, n)];
}

static void random_engram(rng *r, ndl_geometry *g)
{
    ndl_engram *e = &g->engram;
    static const size_t slots[] = {1, 2, 7, 16, 1000, 65536, SIZE_MAX};
    e->num_orders = rng_below(r, NDL_MAX_ORDERS + 1);
    for (size_t i = 0; i < e->num_orders; i++)
        e->orders[i] = rng_between(r, 1, 5);
    e->heads = rng_between(r, 1, 3);
    e->slots = pick(r, slots, COUNT(slots));
    e->seed_heads = rng_one_in(r, 3) ? rng_between(r, 1, 9) : 0;
    e->conv_taps = rng_between(r, 1, 4);
    e->conv_dilation = rng_between(r, 1, 4);
    if (e->conv_taps == 1 && rng_one_in(r, 2))
        e->conv_dilation = rng_one_in(r, 2) ? 0 : SIZE_MAX;
    /* A random subset of the layers, the later ones first as often as not. */
    bool down = rng_one_in(r, 2);
    for (size_t i = 0; i < g->num_layers; i++) {
        if (rng_one_in(r, 2))
            e->sites[e->num_sites++] = down ? g->num_layers - 1 - i : i;
    }
}

static void random_globals(rng *r, ndl_geometry *g)
{
    size_t style = rng_below(r, 4), first = rng_below(r, g->num_layers);
    for (size_t i = 0; i < g->num_layers; i++) {
        bool adjacent = i == first || i == first + 1;
        g->is_global[i] = style == 0 || (style == 1 && adjacent) || (style == 2 && i == first);
    }
}

static ndl_geometry random_geometry(rng *r)
{
    ndl_geometry g = {.vocab_size = rng_below(r, 100)};
    g.d_model = rng_between(r, 1, 4);
    g.num_kv_heads = rng_between(r, 1, 3);
    g.num_heads = g.num_kv_heads * rng_between(r, 1, 3);
    g.num_layers = rng_between(r, 1, 3);
    g.qk_head_dim = rng_between(r, 1, 4);
    g.v_head_dim = rng_between(r, 1, 4);
    g.max_seq_len = rng_between(r, 1, 12);
    const size_t windows[] = {0, 1, 2, 3, 4, 5, 6, g.max_seq_len, g.max_seq_len + 1, SIZE_MAX};
    g.sliding_window = pick(r, windows, COUNT(windows));
    g.qkv_conv_taps = rng_below(r, 5);
    random_globals(r, &g);
    random_engram(r, &g);
    return g;
}

static ndl_options random_options(rng *r, const ndl_geometry *g)
{
    const size_t hints[] = {0, 1, 1, 2, 3, 4, g->max_seq_len, g->max_seq_len + 1, SIZE_MAX};
    ndl_options o = {.precision = rng_one_in(r, 2) ? NDL_INT8 : NDL_F32,
                     .numerics = rng_one_in(r, 3) ? NDL_UPSTREAM : NDL_NEEDLE_CORE,
                     .hint = pick(r, hints, COUNT(hints))};
    return o;
}

/* ---------------------------------------------------------------- operations */

/* A token, then perhaps disturbed: an operation repeated, dropped, or swapped
 * with its neighbour. */
static void token(author *a, unsigned session)
{
    size_t first = a->s->n;
    author_token(a, session, false);
    size_t n = a->s->n - first, at = first + rng_below(&a->r, n);
    op *ops = a->s->ops;
    switch (rng_below(&a->r, 8)) {
    case 0: /* once more, at the end of the token or right away */
        if (a->s->n < MAX_OPS) {
            op again = ops[at];
            a->pos[session] += again.kind == OP_ADVANCE;
            ops[a->s->n++] = again;
        }
        break;
    case 1:
        a->pos[session] -= ops[at].kind == OP_ADVANCE;
        for (size_t i = at; i + 1 < a->s->n; i++)
            ops[i] = ops[i + 1];
        a->s->n--;
        break;
    case 2:
        if (at + 1 < a->s->n) {
            op o = ops[at];
            ops[at] = ops[at + 1];
            ops[at + 1] = o;
        }
        break;
    default:
        break;
    }
}

/* A position near something that matters, or anywhere at all. */
static size_t any_position(author *a, unsigned session)
{
    size_t pos = a->pos[session], max = a->s->geometry.max_seq_len;
    const size_t positions[] = {
        0,       1,       max - 1,           max,          max + 1,     2 * max, pos, pos + 1,
        pos + 2, pos / 2, pos ? pos - 1 : 0, SIZE_MAX - 1, SIZE_MAX - 2};
    return rng_one_in(&a->r, 2) ? pos + rng_below(&a->r, 4)
                                : pick(&a->r, positions, COUNT(positions));
}

static void move(author *a, unsigned session)
{
    size_t pos = any_position(a, session);
    author_emit(a, OP_SET_POS, session, 0, pos);
    a->pos[session] = pos;
}

/* One operation out of any order. */
static void stray(author *a, unsigned session)
{
    const ndl_geometry *g = &a->s->geometry;
    size_t layer = rng_below(&a->r, g->num_layers), sites = g->engram.num_sites;
    size_t site = sites ? rng_below(&a->r, sites) : 0;
    ndl_projection which = (ndl_projection)rng_below(&a->r, 3);
    switch (rng_below(&a->r, 13)) {
    case 0:
        author_emit(a, OP_PUSH_TOKEN, session, 0, rng_below(&a->r, 5));
        break;
    case 1:
        author_emit(a, OP_SEED_TOKENS, session, 0, rng_below(&a->r, 8));
        break;
    case 2:
        author_emit(a, OP_CONV_STEP, session, layer, 0)->which = which;
        break;
    case 3:
        author_emit(a, OP_PREFILL_CONV, session, layer, rng_below(&a->r, 7))->which = which;
        break;
    case 4:
        author_emit(a, OP_SEED_CONV, session, layer, 0)->which = which;
        break;
    case 5: /* without sites these are refused */
        author_emit(a, OP_ENGRAM_STEP, session, site, 0);
        break;
    case 6:
        author_emit(a, OP_PREFILL_ENGRAM, session, site, rng_below(&a->r, 15));
        break;
    case 7:
        author_emit(a, OP_SEED_ENGRAM, session, site, 0);
        break;
    case 8:
    case 9:
        author_emit(a, OP_WRITE, session, layer, any_position(a, session));
        break;
    case 10:
        author_emit(a, OP_SPAN, session, layer, any_position(a, session));
        break;
    case 11:
        author_emit(a, OP_ATTEND, session, layer, any_position(a, session));
        break;
    default:
        move(a, session);
        break;
    }
}

/* A call with one thing wrong. */
static void wrong(author *a, unsigned session)
{
    static const op_kind kinds[] = {OP_CONV_STEP,   OP_PREFILL_CONV,   OP_SEED_CONV,
                                    OP_ENGRAM_STEP, OP_PREFILL_ENGRAM, OP_SEED_ENGRAM,
                                    OP_WRITE,       OP_ATTEND};
    const ndl_geometry *g = &a->s->geometry;
    op *o = author_emit(a, kinds[rng_below(&a->r, COUNT(kinds))], session, 0, rng_below(&a->r, 4));
    bool of_site =
        o->kind == OP_ENGRAM_STEP || o->kind == OP_PREFILL_ENGRAM || o->kind == OP_SEED_ENGRAM;
    bool of_pos = o->kind == OP_WRITE || o->kind == OP_ATTEND;
    bool prefills = o->kind == OP_PREFILL_CONV || o->kind == OP_PREFILL_ENGRAM;
    o->which = (ndl_projection)rng_below(&a->r, 3);
    size_t there = of_site ? g->engram.num_sites : g->num_layers;
    switch (rng_below(&a->r, 3)) {
    case 0:
        o->at = rng_one_in(&a->r, 2) ? there : SIZE_MAX;
        break;
    case 1:
        if (of_pos || prefills) {
            o->n = of_pos ? SIZE_MAX : SIZE_MAX / rng_between(&a->r, 1, 8) + 1;
            break;
        }
        /* fall through */
    default:
        o->longer[o->kind == OP_SEED_CONV || o->kind == OP_SEED_ENGRAM ? 0 : rng_below(&a->r, 2)] =
            rng_one_in(&a->r, 2) ? 1 : -1;
        break;
    }
}

/* What concerns whole sessions. */
static void upheaval(author *a, unsigned session)
{
    unsigned name = (unsigned)rng_below(&a->r, 2);
    switch (rng_below(&a->r, 5)) {
    case 0:
        author_emit(a, OP_RESET, session, 0, 0);
        a->pos[session] = 0;
        break;
    case 4:
        author_emit(a, OP_LOAD, session, 0, 0);
        break;
    case 1:
        author_emit(a, OP_OPEN, session, 0, 0);
        a->pos[session] = 0;
        break;
    case 2:
        author_emit(a, OP_SNAPSHOT, session, 0, 0)->name = name;
        a->kept[name] = a->pos[session];
        break;
    default:
        author_emit(a, OP_RESTORE, session, 0, 0)->name = name;
        a->pos[session] = a->kept[name];
        break;
    }
}

static void fault(author *a, unsigned session)
{
    author_emit(a, OP_FAULT, session, 0, rng_between(&a->r, 1, 6));
    switch (rng_below(&a->r, 4)) {
    case 0:
        author_emit(a, OP_WRITE, session, rng_below(&a->r, a->s->geometry.num_layers),
                    a->pos[session] + 1 + rng_below(&a->r, 3));
        break;
    case 1:
        author_emit(a, OP_RESET, session, 0, 0);
        break;
    default:
        upheaval(a, session);
        break;
    }
}

void author_session(uint64_t seed, script *s)
{
    author a = {.r = {seed}, .s = s};
    snprintf(s->name, sizeof s->name, "NDL_SEED=%llu NDL_CASES=1", (unsigned long long)seed);
    s->n = s->n_words = 0;
    s->geometry = random_geometry(&a.r);
    s->options = random_options(&a.r, &s->geometry);
    s->pattern = (unsigned)rng_below(&a.r, COUNT(memory_patterns));
    a.theme = (payload)rng_below(&a.r, PAYLOADS);
    size_t length = rng_between(&a.r, 6, 60), disorder = rng_between(&a.r, 1, 16);
    if (rng_one_in(&a.r, 6)) {
        author_emit(&a, OP_OPEN, 1, 0, 0);
        a.two = true;
    }
    if (rng_one_in(&a.r, 3))
        author_prefill(&a, 0, rng_below(&a.r, 7));
    while (s->n < length) {
        unsigned session = a.two ? (unsigned)rng_below(&a.r, 2) : 0;
        size_t next = rng_below(&a.r, 32);
        if (next < disorder)
            stray(&a, session);
        else if (next == 31)
            wrong(&a, session);
        else if (next == 30)
            upheaval(&a, session);
        else if (next == 29)
            fault(&a, session);
        else if (next == 28 && rng_one_in(&a.r, 3))
            author_branch(&a, session);
        else if (next == 27 && rng_one_in(&a.r, 3))
            author_prefill(&a, session, rng_below(&a.r, 5));
        else
            token(&a, session);
    }
}
