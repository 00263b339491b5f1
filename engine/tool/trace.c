/* The header of a trace. */
#include "geometry.h"
#include "replay.h"

#include <string.h>

static const char *const known[] = {"needle_trace", "source", "note",   "id",      "claims",
                                    "precision",    "hint",   "config", "numerics"};

static void warn_unknown(void *context, const json_member *m)
{
    char q[QUOTED];
    replay_warn(context, WARNING_UNKNOWN, "unknown member %s of the config is ignored",
                quoted(q, m->name, m->name_len));
}

/* A member that is one of two words: *second says which. */
static bool one_of(const json_member *m, const char *first, const char *other, bool *second,
                   problem *p)
{
    char q[QUOTED], shown[QUOTED];
    if (!value_is_string(m, p))
        return false;
    *second = m->string_len == strlen(other) && memcmp(m->string, other, m->string_len) == 0;
    if (*second || (m->string_len == strlen(first) && memcmp(m->string, first, m->string_len) == 0))
        return true;
    return fail(p, "%s must be \"%s\" or \"%s\", not %s", quoted(q, m->name, m->name_len), first,
                other, json_shown(shown, m));
}

static bool version(const json *j, problem *p)
{
    char shown[QUOTED];
    const json_member *m = json_find(j, -1, "needle_trace");
    if (m == NULL)
        return fail(p, "this is no header: the first line of a trace has \"needle_trace\":1");
    if (m->kind != JSON_NUMBER || m->end - m->text != 1 || *m->text != '1')
        return fail(p, "\"needle_trace\" is %s: version 1 is the one known here",
                    json_shown(shown, m));
    return true;
}

/* Free text is free, but it is text. */
static bool texts(const json *j, problem *p)
{
    static const char *const free_text[] = {"source", "note", "id"};
    for (size_t i = 0; i < sizeof free_text / sizeof free_text[0]; i++) {
        const json_member *m = json_find(j, -1, free_text[i]);
        if (m != NULL && !value_is_string(m, p))
            return false;
    }
    const json_member *claims = json_find(j, -1, "claims");
    if (claims == NULL)
        return true;
    if (!value_is_array(claims, p))
        return false;
    for (size_t i = 0; i < claims->count; i++) {
        const char *text;
        if (json_item(j, claims, i, &text) == ITEM_NUMBER ||
            json_item(j, claims, i, &text) == ITEM_OTHER)
            return fail(p, "\"claims\"[%zu] must be a string", i);
    }
    return true;
}

bool trace_read_header(replay *r, const char *line, size_t len)
{
    problem *p = &r->problem;
    const json *j = r->json;
    const json_member *m;
    bool second = false;
    if (!json_read(r->json, line, len, &r->arena, p) || !version(j, p) || !texts(j, p))
        return false;
    if ((m = json_find(j, -1, "precision")) != NULL) {
        if (!one_of(m, "f32", "int8", &second, p))
            return false;
        r->options.precision = second ? NDL_INT8 : NDL_F32;
        r->has_precision = true;
    }
    if ((m = json_find(j, -1, "numerics")) != NULL) {
        if (!one_of(m, "needle-core", "upstream", &second, p))
            return false;
        r->options.numerics = second ? NDL_UPSTREAM : NDL_NEEDLE_CORE;
    }
    if ((m = json_find(j, -1, "hint")) != NULL) {
        if (!value_size(m, SIZE_MAX, &r->options.hint, p))
            return false;
        r->has_hint = true;
    }
    if ((m = json_find(j, -1, "config")) != NULL) {
        if (m->kind != JSON_OBJECT)
            return fail(p, "\"config\" must be an object");
        if (!geometry_read(j, json_index(j, m), &r->geometry, warn_unknown, r, p))
            return false;
        r->has_config = true;
    }
    for (size_t i = 0; i < json_count(j); i++) {
        char q[QUOTED];
        m = json_at(j, i);
        bool is_known = m->parent >= 0;
        for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
            is_known = is_known || json_named(m, known[k]);
        if (!is_known)
            replay_warn(r, WARNING_UNKNOWN, "unknown member %s of the header is ignored",
                        quoted(q, m->name, m->name_len));
    }
    return true;
}
