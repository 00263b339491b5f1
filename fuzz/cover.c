/* Counts the classes that the runs of random sessions reach. */
#include "world.h"

void world_seen(world *w, class_id c)
{
    w->cover->classes[c]++;
}

const char *coverage_text(size_t i)
{
    static const char *const texts[] = {
#define X(id, text) text,
        CLASS_LIST(X)
#undef X
    };
    return i < CLASSES ? texts[i] : payload_text((payload)(i - CLASSES));
}

size_t coverage_count(const coverage *c, size_t i)
{
    return i < CLASSES ? c->classes[i] : c->payloads[i - CLASSES];
}

const char *coverage_missing(const coverage *c)
{
    for (size_t i = 0; i < COVERED; i++) {
        if (coverage_count(c, i) == 0)
            return coverage_text(i);
    }
    return NULL;
}

/* Sets a bit of a set; true if it was set before. */
static bool twice(uint64_t *set, size_t bit)
{
    bool before = *set >> bit & 1;
    *set |= UINT64_C(1) << bit;
    return before;
}

/* A decoder makes each call of a token once, layer after layer, and attends
 * over what it has written. */
static void count_order(world *w, const op *o)
{
    token_seen *t = &w->token[o->session];
    bool again = false;
    if (o->kind == OP_ADVANCE) {
        size_t layers = w->script->geometry.num_layers;
        uint64_t all = layers < 64 ? (UINT64_C(1) << layers) - 1 : UINT64_MAX;
        if (t->last_layer > 0 && t->written != all)
            world_seen(w, OPS_SKIP);
        *t = (token_seen){0};
        return;
    }
    if (o->at >= 64)
        return;
    if (o->kind == OP_WRITE)
        again = twice(&t->written, o->at);
    else if (o->kind == OP_ATTEND)
        again = twice(&t->attended, o->at);
    else if (o->kind == OP_CONV_STEP)
        again = twice(&t->convolved[o->which], o->at);
    else if (o->kind == OP_ENGRAM_STEP)
        again = twice(&t->engram, o->at);
    if (again)
        world_seen(w, OPS_DUPLICATE);
    if (o->kind != OP_WRITE && o->kind != OP_CONV_STEP)
        return;
    if (o->at + 1 < t->last_layer || (o->kind == OP_WRITE && t->attended >> o->at & 1))
        world_seen(w, OPS_REORDER);
    t->last_layer = o->at + 1;
}

void world_count_before(world *w, const op *o)
{
    count_order(w, o);
    for (unsigned i = 0; i < 2; i++) {
        if (array_given(o->kind, i) && (i ? o->rows : o->taps) < PAYLOADS)
            w->cover->payloads[i ? o->rows : o->taps]++;
    }
    if (o->session != w->last && w->live[0].s && w->live[1].s)
        world_seen(w, OPS_TWO_SESSIONS);
    w->last = o->session;
    if (o->kind == OP_WRITE && o->at < w->script->geometry.num_layers) {
        size_t slots = slots_of(w->live[o->session].s, o->at), pos = ndl_pos(w->live[o->session].s);
        if (o->n < pos)
            world_seen(w, OPS_OLDER_WRITE);
        if (o->n > pos + 1 && o->n >= slots)
            world_seen(w, OPS_FAR_WRITE);
    }
    if ((o->kind == OP_PREFILL_CONV || o->kind == OP_PREFILL_ENGRAM) && o->n == 0)
        world_seen(w, OPS_PREFILL_0);
    if (o->kind == OP_SEED_CONV || o->kind == OP_SEED_ENGRAM)
        world_seen(w, OPS_SEED);
}

/* The borders that a ring of `before` slots meets on a write at pos. */
static void count_ring(world *w, size_t before, size_t after, size_t cap, size_t pos)
{
    if (after > before) {
        bool far = pos >= 2 * before;
        world_seen(w, far                ? AT_GROWTH_FAR
                      : 2 * before > cap ? AT_GROWTH_CUT
                      : after == cap     ? AT_GROWTH_TO_CAP
                                         : AT_GROWTH_DOUBLES);
    }
    if (after < cap)
        return;
    if (pos + 1 == cap)
        world_seen(w, AT_SLOTS_FULL);
    if (pos == cap)
        world_seen(w, AT_FIRST_WRAP);
    if (pos == 2 * cap)
        world_seen(w, AT_SECOND_WRAP);
}

/* The borders of what reaches back: windows, taps, tokens. */
static void count_reach(world *w, const op *o)
{
    const ndl_geometry *g = &w->script->geometry;
    const ndl_session *s = w->live[o->session].s;
    size_t pos = ndl_pos(s), held = 0, window = 0;
    switch (o->kind) {
    case OP_ATTEND:
        must(ndl_geometry_window(g, o->at, &window) == NDL_OK);
        if (window > 0 && o->n + 1 == window)
            world_seen(w, AT_WINDOW_FULL);
        if (window > 0 && o->n == window)
            world_seen(w, AT_WINDOW_PASSED);
        break;
    case OP_CONV_STEP:
        if (g->qkv_conv_taps > 1 && pos + 1 == g->qkv_conv_taps)
            world_seen(w, AT_ALL_TAPS);
        break;
    case OP_ENGRAM_STEP:
        if (g->engram.conv_taps > 1 && pos > 0 &&
            pos == (g->engram.conv_taps - 1) * (g->engram.conv_dilation > ndl_geometry_max_order(g)
                                                    ? g->engram.conv_dilation
                                                    : ndl_geometry_max_order(g)))
            world_seen(w, AT_ALL_ENGRAM_TAPS);
        break;
    case OP_PUSH_TOKEN:
        (void)ndl_history(s, &held);
        if (held > 1 && held == ndl_geometry_max_order(g))
            world_seen(w, AT_HISTORY_FULL);
        break;
    default:
        break;
    }
}

void world_count_codes(world *w, const float *row, size_t width, size_t n)
{
    for (size_t start = 0; start < n; start += width) {
        float absmax = 0.0f;
        for (size_t i = start; i < start + width && i < n; i++) {
            float size = row[i] < 0.0f ? -row[i] : row[i];
            absmax = size > absmax ? size : absmax;
        }
        if (!(absmax > 0.0f))
            continue;
        float scale = absmax / 127.0f, inverse = 1.0f / scale;
        if (bits_of(absmax) == 0x02FE0004)
            world_seen(w, AT_FIRST_FINITE);
        if (bits_of(absmax) == 0x02FE0003)
            world_seen(w, AT_LAST_INFINITE);
        if (scale == 0.0f)
            world_seen(w, AT_SCALE_ZERO);
        for (size_t i = start; i < start + width && i < n; i++) {
            float code = row[i] * inverse, size = code < 0.0f ? -code : code;
            if (size < 128.0f && size - (float)(int)size == 0.5f)
                world_seen(w, AT_TIE);
            if (size >= 126.5f && size < 127.5f)
                world_seen(w, AT_LAST_CODE);
            if (code <= -127.5f && w->options.numerics == NDL_NEEDLE_CORE)
                world_seen(w, AT_LOWEST_CODE);
        }
    }
}

void world_count_after(world *w, const op *o, const size_t *slots_before)
{
    const ndl_session *s = w->live[o->session].s;
    bool whole = o->kind >= OP_RESET;
    if (!s || o->status != NDL_OK || o->kind == OP_FAULT)
        return;
    if (o->kind == OP_CONV_STEP && w->split[o->session])
        world_seen(w, OPS_SPLIT);
    w->split[o->session] = o->kind == OP_PREFILL_CONV ? o->n > 0
                           : o->kind == OP_CONV_STEP  ? false
                                                      : w->split[o->session] && !whole;
    /* Both halves of a cloned pair have gone on. */
    if (w->twins && !whole) {
        w->twins &= ~(1u << o->session);
        if (!w->twins)
            world_seen(w, OPS_DIVERGE);
    }
    if (ndl_pos(s) == SIZE_MAX - 1)
        world_seen(w, OPS_POS_LAST);
    if (ndl_is_saturated(s))
        world_seen(w, SEEN_SATURATED);
    count_reach(w, o);
    if (o->kind != OP_WRITE && o->kind != OP_ATTEND)
        return;
    size_t slots = slots_of(s, o->at), cap = 0;
    must(ndl_geometry_cap(&w->script->geometry, o->at, &cap) == NDL_OK);
    if (o->kind == OP_WRITE)
        count_ring(w, slots_before[o->at], slots, cap, o->n);
    if (lost_of(s, o->at) > 0)
        world_seen(w, SEEN_LOST);
    if (o->kind == OP_WRITE && slots > slots_before[o->at])
        world_seen(w, SEEN_GROWTH);
    if (o->kind == OP_WRITE && o->n >= slots)
        world_seen(w, SEEN_WRAP);
    if (o->kind == OP_ATTEND && o->n > ndl_pos(s))
        world_seen(w, OPS_UNWRITTEN);
}

void world_count_geometry(coverage *c, const script *s)
{
    const ndl_geometry *g = &s->geometry;
    const ndl_engram *e = &g->engram;
    if (ndl_geometry_validate(g) != NDL_OK)
        return;
    size_t window = g->sliding_window, globals = 0, adjacent = 0;
    for (size_t i = 0; i < g->num_layers; i++) {
        globals += g->is_global[i];
        adjacent += i > 0 && g->is_global[i] && g->is_global[i - 1];
    }
    const bool is[] = {
        [GEO_WINDOW_0] = window == 0,
        [GEO_WINDOW_1] = window == 1,
        [GEO_WINDOW_BELOW_TAPS] =
            window > 0 && window<g->qkv_conv_taps, [GEO_WINDOW_ABOVE_MAX] = window> g->max_seq_len,
        [GEO_WINDOW_ODD] = (window & (window - 1)) != 0,
        [GEO_GLOBAL_NONE] = globals == 0,
        [GEO_GLOBAL_ALL] = globals == g->num_layers,
        [GEO_GLOBAL_ADJACENT] = adjacent > 0 &&
                                globals<g->num_layers, [GEO_DILATION_NOT_M] = e->num_sites> 0 &&
                                e->conv_taps > 1 && e->conv_dilation != ndl_geometry_max_order(g),
        [GEO_TAPS_0] = g->qkv_conv_taps == 0,
        [GEO_TAPS_1] = g->qkv_conv_taps == 1,
        [GEO_ENGRAM_TAPS_1] = e->num_sites > 0 && e->conv_taps == 1,
        [GEO_SEED_HEADS] = e->num_orders > 1 && e->seed_heads != 0,
        [GEO_NO_ORDERS] = e->num_orders == 0,
        [GEO_NO_SITES] = e->num_sites == 0,
        [GEO_GROUPED] = g->num_kv_heads > 1 && g->num_heads > g->num_kv_heads,
        [HINT_0] = s->options.hint == 0,
        [HINT_BEYOND] = s->options.hint > g->max_seq_len,
        [INT8_NEEDLE_CORE] =
            s->options.precision == NDL_INT8 && s->options.numerics == NDL_NEEDLE_CORE,
        [INT8_UPSTREAM] = s->options.precision == NDL_INT8 && s->options.numerics == NDL_UPSTREAM,
        [POISON_0] = s->pattern == 0,
        [POISON_1] = s->pattern == 1,
        [POISON_2] = s->pattern == 2,
        [POISON_3] = s->pattern == 3,
    };
    for (size_t i = 0; i < COUNT(is); i++)
        c->classes[i] += is[i];
}

void world_count_refusal(world *w, const op *o, ndl_status got)
{
    bool prefill = o->kind == OP_PREFILL_CONV || o->kind == OP_PREFILL_ENGRAM;
    if (got == NDL_E_LAYER)
        world_seen(w, REFUSED_LAYER);
    else if (got == NDL_E_SITE)
        world_seen(w, REFUSED_SITE);
    else if (got == NDL_E_LENGTH)
        world_seen(w, prefill && o->n > MAX_WORDS ? REFUSED_WRAP : REFUSED_LENGTH);
    else if (got == NDL_E_POSITION)
        world_seen(w, REFUSED_POSITION);
}
