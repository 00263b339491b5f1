/* Operations on tokens, the position, and sessions as wholes. */
#include "ops.h"

#include <stdlib.h>
#include <string.h>

bool op_tensor(replay *r, call *c)
{
    const argument *name = &c->in[0], *data = &c->in[1];
    size_t size = sizeof(tensor) + data->count * sizeof(float);
    if (!budget_charge(&r->budget, sum(size, name->len), "the tensor", &r->problem))
        return false;
    tensor *t = get_memory(size);
    t->count = data->count;
    memcpy(t->data, data->floats, data->count * sizeof(float));
    /* A name declared again means the new tensor from here on. */
    names_entry *e = names_add(&r->tensors, name->text, name->len);
    tensor *old = e->thing;
    if (old != NULL)
        budget_refund(&r->budget, sizeof *old + old->count * sizeof(float) + name->len);
    free(old);
    e->thing = t;
    return true;
}

static void give_history(replay *r, call *c)
{
    size_t len;
    const uint32_t *tokens = r->backend->history(c->session->state, &len);
    give_words(c, 0, tokens, len, "entry");
}

bool op_push_token(replay *r, call *c)
{
    if (!replay_log(r, c->session, sizeof(uint32_t)))
        return false;
    r->backend->push_token(c->session->state, (uint32_t)c->in[0].number);
    usage_push(r, c->session->usage);
    give_history(r, c);
    return true;
}

bool op_seed_tokens(replay *r, call *c)
{
    const argument *tokens = &c->in[0];
    if (!replay_log(r, c->session, tokens->count * sizeof(uint32_t)))
        return false;
    r->backend->seed_tokens(c->session->state, tokens->words, tokens->count);
    usage_seed_tokens(c->session->usage);
    give_history(r, c);
    return true;
}

bool op_engram_indices(replay *r, call *c)
{
    size_t tables = ndl_geometry_tables(&r->geometry);
    size_t size = product(tables, sizeof(uint32_t));
    if (!budget_fits(&r->budget, size, "the list of indices", &r->problem))
        return false;
    uint32_t *indices = arena_take(&r->arena, size);
    for (size_t t = 0; t < tables; t++) {
        c->status = r->backend->engram_index(c->session->state, t, &indices[t]);
        if (c->status != NDL_OK)
            return true;
    }
    give_words(c, 0, indices, tables, "table");
    return true;
}

bool op_set_pos(replay *r, call *c)
{
    c->status = r->backend->set_pos(c->session->state, c->in[0].number);
    if (c->status == NDL_OK)
        usage_set_pos(r, c->session->usage, c->position, c->in[0].number);
    return true;
}

bool op_advance(replay *r, call *c)
{
    c->status = r->backend->advance(c->session->state);
    if (c->status != NDL_OK)
        return true;
    usage_advance(r, c->session->usage);
    give_number(c, 0, r->backend->pos(c->session->state));
    return true;
}

bool op_is_saturated(replay *r, call *c)
{
    give_bool(c, 0, r->backend->is_saturated(c->session->state));
    return true;
}

bool op_bytes(replay *r, call *c)
{
    give_number(c, 0, r->backend->bytes(c->session->state));
    return true;
}

/* A session takes another's place under a name. */
static void put(replay *r, names_entry *e, session *s)
{
    if (e->thing != NULL)
        replay_session_free(r, e->thing);
    e->thing = s;
}

bool op_snapshot(replay *r, call *c)
{
    session *s;
    const argument *name = &c->in[0];
    if (!budget_fits(&r->budget, name->len, "the name", &r->problem) ||
        !replay_session_clone(r, c->session, &s, &c->status))
        return false;
    if (c->status == NDL_OK)
        put(r, names_add(&r->snapshots, name->text, name->len), s);
    return true;
}

static names_entry *own_entry(replay *r, const call *c)
{
    const json_member *m = c->named_session;
    return m == NULL ? names_find(&r->sessions, "main", 4)
                     : names_add(&r->sessions, m->string, m->string_len);
}

bool op_restore(replay *r, call *c)
{
    char q[QUOTED];
    session *s;
    const argument *name = &c->in[0];
    names_entry *e = names_find(&r->snapshots, name->text, name->len);
    if (e == NULL)
        return fail(&r->problem, "there is no snapshot %s", quoted(q, name->text, name->len));
    if (!replay_session_clone(r, e->thing, &s, &c->status))
        return false;
    if (c->status == NDL_OK)
        put(r, own_entry(r, c), s);
    return true;
}

bool op_reset(replay *r, call *c)
{
    session *s = c->session;
    size_t size = session_size(&r->geometry, r->options.precision, r->options.hint);
    /* A ring that has grown is replaced by a smaller one before it is given back. */
    if (!budget_fits(&r->budget, size, "the reset", &r->problem))
        return false;
    c->status = r->backend->session_reset(s->state);
    if (c->status != NDL_OK)
        return true;
    usage_free(s->usage);
    s->usage = usage_new(&r->geometry);
    budget_refund(&r->budget, s->logged);
    s->logged = 0;
    return true;
}

bool op_open(replay *r, call *c)
{
    char q[QUOTED];
    session *s;
    if (c->named_session == NULL)
        return fail(&r->problem, "open needs \"session\", the name of the new session");
    if (c->session != NULL)
        return fail(&r->problem, "the session %s is open already",
                    quoted(q, c->named_session->string, c->named_session->string_len));
    if (!replay_session_new(r, &s, &c->status))
        return false;
    if (c->status == NDL_OK) {
        names_entry *e = own_entry(r, c);
        put(r, e, s);
    }
    return true;
}

bool op_fault(replay *r, call *c)
{
    const argument *alloc = &c->in[0], *poison = &c->in[1];
    if (!alloc->given && !poison->given)
        return fail(&r->problem, "fault needs \"alloc\" or \"poison\"");
    if (poison->given && poison->number > 255)
        return fail(&r->problem, "\"poison\" is %zu: a byte is up to 255", poison->number);
    if (alloc->given)
        r->budget.fail_in = alloc->number;
    if (poison->given)
        r->budget.poison = (int)poison->number;
    return true;
}
