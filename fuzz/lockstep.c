/* Runs a script on engine and reference, comparing after every operation. */
#include "digest.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- the calls */

/* A call that reads its first array and reads and writes, or writes, its
 * second: engine and reference each get a second array of their own. */
typedef struct io {
    const float *first;
    float *engine, *reference;
    size_t len[2];
} io;

static ndl_status call_engine(world *w, const op *o, const io *a)
{
    ndl_session *s = w->live[o->session].s;
    switch (o->kind) {
    case OP_CONV_STEP:
        return ndl_conv_step(s, o->at, o->which, a->first, a->len[0], a->engine, a->len[1]);
    case OP_PREFILL_CONV:
        return ndl_prefill_conv(s, o->at, o->which, a->first, a->len[0], o->n, a->engine,
                                a->len[1]);
    case OP_SEED_CONV:
        return ndl_seed_conv_tail(s, o->at, o->which, a->first, a->len[0]);
    case OP_ENGRAM_STEP:
        return ndl_engram_conv_step(s, o->at, a->first, a->len[0], a->engine, a->len[1]);
    case OP_PREFILL_ENGRAM:
        return ndl_prefill_engram(s, o->at, a->first, a->len[0], o->n, a->engine, a->len[1]);
    case OP_SEED_ENGRAM:
        return ndl_seed_engram_tail(s, o->at, a->first, a->len[0]);
    case OP_WRITE:
        return ndl_write_kv(s, o->at, o->n, a->first, a->len[0], a->engine, a->len[1]);
    default: {
        ndl_span span = {0, 0};
        ndl_status asked = ndl_span_at(s, o->at, o->n, &span);
        size_t len = ndl_attend_scratch(&w->script->geometry, span.hi - span.lo + 1);
        float *scratch = new_array(len);
        ndl_status got = ndl_attend_step(s, o->at, o->n, a->first, a->len[0], scratch, len,
                                         a->engine, a->len[1]);
        free(scratch);
        if (asked != NDL_OK && got != asked)
            note(w->f, "attend_step gives %s, span %s", ndl_status_name(got),
                 ndl_status_name(asked));
        return got;
    }
    }
}

static ndl_status call_reference(const world *w, const op *o, const io *a)
{
    ref_session *r = w->live[o->session].r;
    switch (o->kind) {
    case OP_CONV_STEP:
        return ref_conv_step(r, o->at, o->which, a->first, a->len[0], a->reference, a->len[1]);
    case OP_PREFILL_CONV:
        return ref_prefill_conv(r, o->at, o->which, a->first, a->len[0], o->n, a->reference,
                                a->len[1]);
    case OP_SEED_CONV:
        return ref_seed_conv_tail(r, o->at, o->which, a->first, a->len[0]);
    case OP_ENGRAM_STEP:
        return ref_engram_conv_step(r, o->at, a->first, a->len[0], a->reference, a->len[1]);
    case OP_PREFILL_ENGRAM:
        return ref_prefill_engram(r, o->at, a->first, a->len[0], o->n, a->reference, a->len[1]);
    case OP_SEED_ENGRAM:
        return ref_seed_engram_tail(r, o->at, a->first, a->len[0]);
    case OP_WRITE:
        return ref_write_kv(r, o->at, o->n, a->first, a->len[0], a->reference, a->len[1]);
    default:
        return ref_attend_step(r, o->at, o->n, a->first, a->len[0], a->reference, a->len[1]);
    }
}

/* An engine that could not have memory has done nothing, and then neither does
 * the reference. True if that is so. */
static bool out_of_memory(world *w, ndl_status got, size_t failures, class_id class)
{
    bool failed = w->m.failures > failures;
    if (failed != (got == NDL_E_MEMORY))
        note(w->f, "the engine gives %s and %s allocation failed", ndl_status_name(got),
             failed ? "an" : "no");
    if (failed)
        world_seen(w, class);
    return failed;
}

static void compare_status(world *w, ndl_status engine, ndl_status reference)
{
    if (engine != reference)
        note(w->f, "the engine gives %s, the reference %s", ndl_status_name(engine),
             ndl_status_name(reference));
}

static ndl_status run_arrays(world *w, const op *o)
{
    arrays takes = arrays_of(&w->script->geometry, o);
    io a = {.len = {takes.len[0], takes.len[1]}};
    float *first = new_array(a.len[0]), *before = new_array(a.len[1]);
    a.first = first;
    a.engine = new_array(a.len[1]);
    a.reference = new_array(a.len[1]);
    fill_array(w->script, o, 0, takes.width[0], first, a.len[0]);
    if (array_given(o->kind, 1))
        fill_array(w->script, o, 1, takes.width[1], before, a.len[1]);
    else
        memset(before, 0, a.len[1] * sizeof *before);
    memcpy(a.engine, before, a.len[1] * sizeof *before);
    memcpy(a.reference, before, a.len[1] * sizeof *before);

    size_t failures = w->m.failures;
    ndl_status got = call_engine(w, o, &a);
    if (!out_of_memory(w, got, failures, FAILED_WRITE))
        compare_status(w, got, call_reference(w, o, &a));
    if (got == NDL_OK && o->kind != OP_WRITE)
        compare_floats(w->f, "out", a.engine, a.reference, a.len[1], true);
    else /* what was refused, or only reads, leaves its arrays alone */
        compare_floats(w->f, "an argument", a.engine, before, a.len[1], false);
    if (got == NDL_OK && o->kind == OP_WRITE && w->options.precision == NDL_INT8) {
        world_count_codes(w, a.first, takes.width[0], a.len[0]);
        world_count_codes(w, a.engine, takes.width[1], a.len[1]);
    }
    world_count_refusal(w, o, got);
    free(first);
    free(before);
    free(a.engine);
    free(a.reference);
    return got;
}

static void run_tokens(const world *w, const op *o)
{
    const pair *p = &w->live[o->session];
    uint32_t tokens[MAX_TOKENS];
    if (o->kind == OP_PUSH_TOKEN) {
        ndl_push_token(p->s, (uint32_t)o->n);
        ref_push_token(p->r, (uint32_t)o->n);
        return;
    }
    fill_tokens(w->script, o, tokens);
    ndl_seed_tokens(p->s, tokens, o->n);
    ref_seed_tokens(p->r, tokens, o->n);
}

static ndl_status run_position(world *w, const op *o)
{
    const pair *p = &w->live[o->session];
    ndl_status engine, reference;
    if (o->kind == OP_SPAN) {
        ndl_span a = {0, 0}, b = {0, 0};
        engine = ndl_span_at(p->s, o->at, o->n, &a);
        reference = ref_span_at(p->r, o->at, o->n, &b);
        if (a.lo != b.lo || a.hi != b.hi)
            note(w->f, "span is %zu..%zu, the reference has %zu..%zu", a.lo, a.hi, b.lo, b.hi);
    } else if (o->kind == OP_SET_POS) {
        world_seen(w, o->n < ndl_pos(p->s) ? OPS_SET_POS_BACK : OPS_SET_POS_FORWARD);
        engine = ndl_set_pos(p->s, o->n);
        reference = ref_set_pos(p->r, o->n);
    } else {
        engine = ndl_advance(p->s);
        reference = ref_advance(p->r);
    }
    compare_status(w, engine, reference);
    world_count_refusal(w, o, engine);
    return engine;
}

static void discard(pair *p)
{
    ndl_session_free(p->s);
    ref_session_free(p->r);
    *p = (pair){NULL, NULL};
}

/* A pair made by `from`, or a new one, in the place of another. */
static ndl_status replace(world *w, pair *place, const pair *from, class_id failed)
{
    pair made = {NULL, NULL};
    size_t failures = w->m.failures;
    ndl_status got = from ? ndl_session_clone(from->s, &made.s)
                          : ndl_session_new(&w->script->geometry, &w->options, &made.s);
    if (out_of_memory(w, got, failures, failed)) {
        if (made.s)
            note(w->f, "*out has changed");
        return got;
    }
    compare_status(w, got,
                   from ? ref_session_clone(from->r, &made.r)
                        : ref_session_new(&w->script->geometry, &w->options, ndl_expf, &made.r));
    if (got == NDL_OK) {
        discard(place);
        *place = made;
    }
    return got;
}

/* A pair made of the bytes that the engine's session saves. */
static ndl_status load(world *w, pair *place)
{
    const ndl_geometry *g = &w->script->geometry;
    pair made = {NULL, NULL};
    size_t len = ndl_session_save_size(place->s), failures = w->m.failures;
    uint8_t *bytes = must_have(len);
    compare_status(w, ndl_session_save(place->s, bytes, len), NDL_OK);
    ndl_status got = ndl_session_load(g, &w->allocator, bytes, len, &made.s);
    if (out_of_memory(w, got, failures, FAILED_LOAD)) {
        if (made.s)
            note(w->f, "*out has changed");
    } else {
        compare_status(w, got, ref_session_load(g, ndl_expf, bytes, len, &made.r));
        if (got == NDL_OK && made.r) {
            discard(place);
            *place = made;
            compare_saves(w->f, made.s, made.r);
            world_seen(w, OPS_LOAD);
        }
    }
    free(bytes);
    return got;
}

static ndl_status run_whole(world *w, const op *o)
{
    pair *p = &w->live[o->session], *kept = &w->kept[o->name];
    ndl_status got;
    switch (o->kind) {
    case OP_OPEN:
        w->twins = 0;
        return replace(w, p, NULL, FAILED_OPEN);
    case OP_SNAPSHOT:
        got = replace(w, kept, p, FAILED_CLONE);
        if (got == NDL_OK)
            w->origin[o->name] = 1 + o->session;
        return got;
    case OP_RESTORE:
        got = replace(w, p, kept, FAILED_CLONE);
        w->twins = got == NDL_OK && w->origin[o->name] != 1 + o->session ? 3 : 0;
        return got;
    case OP_LOAD:
        return load(w, p);
    default: {
        size_t failures = w->m.failures;
        got = ndl_session_reset(p->s);
        if (!out_of_memory(w, got, failures, FAILED_RESET))
            compare_status(w, got, ref_session_reset(p->r));
        world_seen(w, OPS_RESET);
        return got;
    }
    }
}

/* -------------------------------------------------------------------- the run */

/* An operation on a session, or from a snapshot, that does not exist (any more,
 * once others were dropped) does nothing. */
static bool possible(const world *w, const op *o)
{
    if (o->kind == OP_RESTORE)
        return w->kept[o->name].s != NULL;
    return o->kind == OP_OPEN || o->kind == OP_FAULT || w->live[o->session].s != NULL;
}

static ndl_status run_op(world *w, op *o)
{
    if (o->kind == OP_FAULT) {
        w->m.fail_in = o->n;
        return NDL_OK;
    }
    if (o->kind == OP_PUSH_TOKEN || o->kind == OP_SEED_TOKENS) {
        run_tokens(w, o);
        return NDL_OK;
    }
    if (o->kind == OP_SPAN || o->kind == OP_SET_POS || o->kind == OP_ADVANCE)
        return run_position(w, o);
    return o->kind >= OP_RESET ? run_whole(w, o) : run_arrays(w, o);
}

/* All that can be seen, and that memory keeps to its bound (SES_009). */
static void compare_world(world *w)
{
    const ndl_geometry *g = &w->script->geometry;
    const pair *pairs[4] = {&w->live[0], &w->live[1], &w->kept[0], &w->kept[1]};
    size_t bound = 0;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        if (!pairs[i]->s)
            continue;
        compare_sessions(w->f, pairs[i]->s, pairs[i]->r);
        bound += ndl_bytes(pairs[i]->s) + 1024 + 256 * (g->num_layers + g->engram.num_sites) +
                 4 * ndl_geometry_max_order(g);
    }
    if (w->m.live > bound)
        note(w->f, "%zu bytes are held, the bound is %zu", w->m.live, bound);
    if (w->m.misuses)
        note(w->f, "memory was asked for or returned with a wrong size");
}

void lockstep_run(script *s, finding *f, size_t *failed_at, coverage *cover)
{
    lockstep_run_to(s, f, failed_at, cover, NULL);
}

void lockstep_run_to(script *s, finding *f, size_t *failed_at, coverage *cover, lockstep_end *end)
{
    coverage unused = {{0}, {0}};
    world w = {.script = s, .f = f, .cover = cover ? cover : &unused, .options = s->options};
    w.m.pattern = memory_patterns[s->pattern];
    w.allocator = memory_allocator(&w.m);
    w.options.allocator = &w.allocator;
    *f = (finding){""};
    world_count_geometry(w.cover, s);
    replace(&w, &w.live[0], NULL, FAILED_OPEN);
    compare_world(&w);
    *failed_at = 0;
    for (size_t i = 0; i < s->n && !found(f); i++) {
        op *o = &s->ops[i];
        *failed_at = i;
        o->status = NDL_OK;
        if (!possible(&w, o))
            continue;
        size_t slots[NDL_MAX_LAYERS] = {0};
        for (size_t layer = 0; w.live[o->session].s && layer < s->geometry.num_layers; layer++)
            slots[layer] = slots_of(w.live[o->session].s, layer);
        world_count_before(&w, o);
        o->status = run_op(&w, o);
        if (!end || !end->only_end || i + 1 == s->n)
            compare_world(&w);
        world_count_after(&w, o, slots);
    }
    for (size_t i = 0; i < 2; i++) {
        if (w.live[i].s && !found(f))
            compare_saves(f, w.live[i].s, w.live[i].r);
        if (end)
            end->digest[i] = w.live[i].s ? digest_of(w.live[i].s) : 0;
        discard(&w.live[i]);
        discard(&w.kept[i]);
    }
    if (w.m.live || w.m.blocks)
        note(f, "%zu bytes in %zu blocks were never given back", w.m.live, w.m.blocks);
}
