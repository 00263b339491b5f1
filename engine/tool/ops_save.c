/* Operations that make bytes of a session and a session of bytes. */
#include "ops.h"

#include <stdlib.h>
#include <string.h>

/* A save that has a name; and how its session was used, which the bytes do not tell. */
typedef struct kept_save {
    usage *usage;
    size_t count;
    uint8_t bytes[];
} kept_save;

static size_t kept_size(const replay *r, size_t count)
{
    return sum(sizeof(kept_save) + usage_bytes(&r->geometry), count);
}

void replay_save_free(replay *r, void *saved)
{
    kept_save *kept = saved;
    usage_free(kept->usage);
    budget_refund(&r->budget, kept_size(r, kept->count));
    free(kept);
}

static bool keep(replay *r, const call *c, const argument *name, const uint8_t *bytes, size_t count)
{
    size_t size = kept_size(r, count);
    if (!budget_charge(&r->budget, size, "the save", &r->problem))
        return false;
    kept_save *kept = get_memory(sizeof *kept + count);
    kept->usage = usage_clone(c->session->usage);
    kept->count = count;
    memcpy(kept->bytes, bytes, count);
    names_entry *e = names_add(&r->saves, name->text, name->len);
    if (e->thing != NULL)
        replay_save_free(r, e->thing);
    e->thing = kept;
    return true;
}

bool op_save(replay *r, call *c)
{
    const argument *name = &c->in[0];
    const void *state = c->session->state;
    size_t count = r->backend->save_size(state);
    if (!budget_fits(&r->budget, count, "the save", &r->problem))
        return false;
    uint8_t *bytes = arena_take(&r->arena, count);
    c->status = r->backend->save(state, bytes, count);
    if (c->status != NDL_OK)
        return true;
    give_number(c, 0, count);
    shape(give_bytes(c, 1, bytes, count), AXIS("byte", count), NO_AXIS, NO_AXIS);
    return !name->given || keep(r, c, name, bytes, count);
}

bool op_load(replay *r, call *c)
{
    const argument *name = &c->in[0], *data = &c->in[1];
    const kept_save *kept = NULL;
    void *state;
    if (name->given == data->given)
        return fail(&r->problem, "load needs \"name\" or \"data\", and not both");
    if (name->given) {
        char q[QUOTED];
        names_entry *e = names_find(&r->saves, name->text, name->len);
        if (e == NULL)
            return fail(&r->problem, "there is no save %s", quoted(q, name->text, name->len));
        kept = e->thing;
    }
    const uint8_t *bytes = kept != NULL ? kept->bytes : data->bytes;
    size_t count = kept != NULL ? kept->count : data->count;
    if (!budget_fits(&r->budget, count, "the session", &r->problem))
        return false;
    c->status = r->backend->load(&r->geometry, r->options.allocator, bytes, count, &state);
    if (!replay_memory(r, c->status))
        return false;
    if (c->status != NDL_OK)
        return true;
    session *s = c->session;
    r->backend->session_free(s->state);
    s->state = state;
    usage_free(s->usage);
    s->usage = kept != NULL ? usage_clone(kept->usage)
                            : usage_loaded(&r->geometry, r->backend->pos(state));
    budget_refund(&r->budget, s->logged);
    s->logged = 0;
    return replay_log(r, s, count);
}
