/* The sessions of a trace: made, cloned, found by their names, paid for. */
#include "replay.h"

#include <stdlib.h>
#include <string.h>

bool replay_log(replay *r, session *s, size_t bytes)
{
    if (r->backend->uses_allocator)
        return true;
    if (!budget_charge(&r->budget, bytes, "the reference's log", &r->problem))
        return false;
    s->logged += bytes;
    return true;
}

/* After a call that allocates: whether a failure is the trace's to record. */
bool replay_memory(replay *r, ndl_status status)
{
    char want[SIZE_TEXT], limit[SIZE_TEXT];
    if (status != NDL_E_MEMORY || r->budget.injected)
        return true;
    if (!r->budget.refused)
        return fail(&r->problem, "memory cannot be had");
    return fail(&r->problem, "an allocation of %s would go beyond --max-memory, %s",
                size_text(want, r->budget.wanted), size_text(limit, r->budget.limit));
}

static session *wrap(replay *r, void *state, usage *u, size_t logged)
{
    session *s = get_memory(sizeof *s);
    *s = (session){state, u, logged};
    r->budget.used += usage_bytes(&r->geometry);
    return s;
}

bool replay_session_new(replay *r, session **out, ndl_status *status)
{
    void *state;
    size_t size = session_size(&r->geometry, r->options.precision, r->options.hint);
    if (!budget_fits(&r->budget, sum(size, usage_bytes(&r->geometry)), "the session", &r->problem))
        return false;
    *status = r->backend->session_new(&r->geometry, &r->options, &state);
    if (!replay_memory(r, *status))
        return false;
    if (*status == NDL_OK)
        *out = wrap(r, state, usage_new(&r->geometry), 0);
    return true;
}

bool replay_session_clone(replay *r, const session *s, session **out, ndl_status *status)
{
    void *state;
    size_t size = r->backend->uses_allocator ? r->backend->bytes(s->state) : s->logged;
    if (!budget_fits(&r->budget, sum(size, usage_bytes(&r->geometry)), "the clone", &r->problem))
        return false;
    *status = r->backend->session_clone(s->state, &state);
    if (!replay_memory(r, *status))
        return false;
    if (*status == NDL_OK) {
        r->budget.used += s->logged;
        *out = wrap(r, state, usage_clone(s->usage), s->logged);
    }
    return true;
}

void replay_session_free(replay *r, session *s)
{
    r->backend->session_free(s->state);
    usage_free(s->usage);
    budget_refund(&r->budget, s->logged + usage_bytes(&r->geometry));
    free(s);
}

/* `main` is there from the start, but a trace of kernels alone need not pay for it. */
static bool make_main(replay *r)
{
    ndl_status status;
    session *s;
    const char *missing = !r->has_config      ? "config"
                          : !r->has_precision ? "precision"
                          : !r->has_hint      ? "hint"
                                              : NULL;
    if (r->has_main)
        return true;
    if (missing != NULL)
        return fail(&r->problem, "a session is needed here, and the header has no \"%s\"", missing);
    if (!replay_session_new(r, &s, &status))
        return false;
    if (status != NDL_OK)
        return fail(&r->problem, "a session cannot be made: %s", ndl_status_text(status));
    names_add(&r->sessions, "main", 4)->thing = s;
    r->has_main = true;
    return true;
}

bool replay_find_session(replay *r, call *c)
{
    char q[QUOTED];
    const json_member *m = c->named_session;
    if (m != NULL && !value_is_string(m, &r->problem))
        return false;
    if (c->op->stateless)
        return true;
    if (!make_main(r))
        return false;
    const char *name = m == NULL ? "main" : m->string;
    const size_t name_len = m == NULL ? strlen(name) : m->string_len;
    names_entry *e = names_find(&r->sessions, name, name_len);
    if (e == NULL && strcmp(c->op->name, "open") != 0)
        return fail(&r->problem, "there is no session %s: \"open\" makes one",
                    quoted(q, name, name_len));
    if (e != NULL) {
        c->session = e->thing;
        c->position = r->backend->pos(c->session->state);
    }
    return true;
}
