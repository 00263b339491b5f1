/* A line as a call: its operation, its inputs, the outputs it records. */
#include "replay.h"

#include <string.h>

/* A warning about a member that nobody knows, once a name. */
static void warn_unknown(replay *r, const call *c, const json_member *m)
{
    char q[QUOTED];
    if (names_find(&r->warned, m->name, m->name_len) != NULL)
        return;
    names_add(&r->warned, m->name, m->name_len);
    replay_warn(r, WARNING_UNKNOWN, "unknown member %s of %s is ignored",
                quoted(q, m->name, m->name_len), c->op->name);
}

static bool read_which(replay *r, const json_member *m, size_t *which)
{
    char q[QUOTED], shown[QUOTED];
    if (!value_is_string(m, &r->problem))
        return false;
    const char letters[] = {'q', 'k', 'v'};
    const char *at = m->string_len == 1 ? memchr(letters, m->string[0], sizeof letters) : NULL;
    if (at == NULL)
        return fail(&r->problem, "%s must be \"q\", \"k\" or \"v\", not %s",
                    quoted(q, m->name, m->name_len), json_shown(shown, m));
    *which = (size_t)(at - letters);
    return true;
}

static bool read_argument(replay *r, const input_spec *in, const json_member *m, argument *a)
{
    a->given = true;
    switch (in->kind) {
    case IN_SIZE:
        return value_size(m, SIZE_MAX, &a->number, &r->problem);
    case IN_WORD:
        return value_size(m, UINT32_MAX, &a->number, &r->problem);
    case IN_NAME:
        a->text = m->string;
        a->len = m->string_len;
        return value_is_string(m, &r->problem);
    case IN_WHICH:
        return read_which(r, m, &a->number);
    case IN_FLOATS:
        return value_floats(&r->values, m, false, &a->floats, &a->count);
    case IN_SCRATCHED:
        return value_floats(&r->values, m, true, &a->floats, &a->count);
    case IN_ROWS:
        if (json_find(r->json, -1, "k_scale") != NULL)
            return value_codes(&r->values, m, &a->codes, &a->count);
        return value_floats(&r->values, m, false, &a->floats, &a->count);
    case IN_BYTES:
        return value_bytes(&r->values, m, &a->bytes, &a->count);
    case IN_WORDS:
        return value_words(&r->values, m, &a->words, &a->count);
    case IN_NONE:
        break;
    }
    return true;
}

/* Which of an operation's inputs or outputs a member is; MOST_INPUTS if none. */
static size_t input_index(const operation *op, const json_member *m)
{
    for (size_t i = 0; i < MOST_INPUTS && op->in[i].kind != IN_NONE; i++)
        if (json_named(m, op->in[i].name))
            return i;
    return MOST_INPUTS;
}

static size_t output_index(const operation *op, const json_member *m)
{
    for (size_t i = 0; i < MOST_OUTPUTS && op->out[i].name != NULL; i++)
        if (json_named(m, op->out[i].name))
            return i;
    return MOST_OUTPUTS;
}

static bool find_operation(replay *r, call *c)
{
    char q[QUOTED];
    const json_member *m = json_find(r->json, -1, "op");
    if (json_find(r->json, -1, "needle_trace") != NULL)
        return fail(&r->problem,
                    "a second header: \"needle_trace\" may stand on the first line only");
    if (m == NULL)
        return fail(&r->problem, "the line has no \"op\"");
    if (!value_is_string(m, &r->problem))
        return false;
    c->op = operation_named(m->string, m->string_len);
    return c->op != NULL ||
           fail(&r->problem, "unknown operation %s", quoted(q, m->string, m->string_len));
}

/* Sorts the members of the line into inputs, outputs and the rest. */
static bool bind_members(replay *r, call *c)
{
    const operation *op = c->op;
    for (size_t i = 0; i < json_count(r->json); i++) {
        const json_member *m = json_at(r->json, i);
        size_t in = input_index(op, m), out = output_index(op, m);
        if (m->parent >= 0 || json_named(m, "op"))
            continue;
        if (json_named(m, "session"))
            c->named_session = m;
        else if (json_named(m, "status"))
            c->recorded_status = m;
        else if (in < MOST_INPUTS) {
            if (!read_argument(r, &op->in[in], m, &c->in[in]))
                return false;
        } else if (out < MOST_OUTPUTS)
            c->recorded[out] = m;
        else
            warn_unknown(r, c, m);
    }
    for (size_t i = 0; i < MOST_INPUTS && op->in[i].kind != IN_NONE; i++)
        if (!c->in[i].given && !op->in[i].optional)
            return fail(&r->problem, "%s needs \"%s\"", op->name, op->in[i].name);
    return c->recorded_status == NULL || value_is_string(c->recorded_status, &r->problem);
}

bool bind_line(replay *r, call *c)
{
    return find_operation(r, c) && bind_members(r, c);
}

/* Which input a refusal is about. */
static const char *blamed(ndl_status status)
{
    switch (status) {
    case NDL_E_LAYER:
        return "layer";
    case NDL_E_SITE:
        return "site";
    case NDL_E_POSITION:
        return "pos";
    case NDL_E_BITS:
        return "bits";
    case NDL_E_NUM_HEADS:
    case NDL_E_HEAD_GROUPS:
        return "num_heads";
    case NDL_E_NUM_KV_HEADS:
        return "num_kv_heads";
    case NDL_E_QK_HEAD_DIM:
        return "qk_head_dim";
    case NDL_E_V_HEAD_DIM:
        return "v_head_dim";
    default:
        return NULL;
    }
}

/* A refused call that the trace does not record as one: says why it was refused. */
bool bind_refused(replay *r, const call *c)
{
    const operation *op = c->op;
    const char *name = ndl_status_name(c->status), *text = ndl_status_text(c->status);
    const char *blame = blamed(c->status);
    for (size_t i = 0; i < MOST_INPUTS && op->in[i].kind != IN_NONE; i++) {
        const argument *a = &c->in[i];
        if (c->status == NDL_E_LENGTH && a->given && a->expects && a->expected != a->count)
            return fail(&r->problem, "%s is refused as %s: \"%s\" has %zu element%s, not %zu",
                        op->name, name, op->in[i].name, a->count, a->count == 1 ? "" : "s",
                        a->expected);
        if (blame != NULL && strcmp(op->in[i].name, blame) == 0)
            return fail(&r->problem, "%s is refused as %s: \"%s\" is %zu: %s", op->name, name,
                        blame, a->number, text);
    }
    return fail(&r->problem, "%s is refused as %s: %s", op->name, name, text);
}
