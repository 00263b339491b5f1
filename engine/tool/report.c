#include "report.h"

#include <stdio.h>
#include <string.h>

const char *status_word(int status)
{
    switch (status) {
    case EXIT_AGREE:
        return "agrees";
    case EXIT_DIFFERS:
        return "differs";
    case EXIT_NOTHING:
        return "nothing compared";
    default:
        return "error";
    }
}

const char *output_name(const call *c, size_t output)
{
    return output == STATUS_OUTPUT ? "status" : c->op->out[output].name;
}

const char *claim_of(const call *c, size_t output)
{
    if (output == STATUS_OUTPUT || c->status != NDL_OK)
        return "SES_001";
    return c->out[output].claim != NULL ? c->out[output].claim : c->op->out[output].claim;
}

const char *chapter_of(const char *claim)
{
    static const struct {
        const char *prefix, *chapter;
    } chapters[] = {
        {"GEO", "spec/01-geometry.md"},       {"KV", "spec/02-keys-and-values.md"},
        {"SPAN", "spec/03-spans.md"},         {"CONV", "spec/04-convolution-tails.md"},
        {"ENG", "spec/05-engram-history.md"}, {"TOK", "spec/05-engram-history.md"},
        {"QNT", "spec/06-int8.md"},           {"ATT", "spec/07-attention.md"},
        {"SES", "spec/08-session.md"},
    };
    size_t len = strcspn(claim, "_");
    for (size_t i = 0; i < sizeof chapters / sizeof chapters[0]; i++)
        if (strlen(chapters[i].prefix) == len && memcmp(chapters[i].prefix, claim, len) == 0)
            return chapters[i].chapter;
    return "spec/00-reading-guide.md";
}

static place *add(place places[MOST_PLACES], size_t *n, const char *name, size_t number)
{
    place *p = &places[(*n)++];
    *p = (place){.name = name, .number = number};
    return p;
}

/* The axes of an output, and the place of an element on each. */
static void add_axes(const call *c, const result *out, size_t element, place places[MOST_PLACES],
                     size_t *n)
{
    size_t inner = 1, at[MOST_AXES] = {0};
    for (size_t a = MOST_AXES; a-- > 0;) {
        if (out->axis[a].name == NULL || out->axis[a].extent == 0)
            continue;
        at[a] = element / inner % out->axis[a].extent;
        inner *= out->axis[a].extent;
    }
    for (size_t a = 0; a < MOST_AXES; a++) {
        size_t position;
        if (out->axis[a].name == NULL)
            continue;
        add(places, n, out->axis[a].name, at[a])->of_element = true;
        if (strcmp(out->axis[a].name, "slot") == 0 && c->session != NULL &&
            usage_held(c->session->usage, c->in[0].number, at[a], &position))
            add(places, n, "position", position)->of_element = true;
    }
}

size_t find_places(const call *c, size_t output, size_t element, place places[MOST_PLACES])
{
    size_t n = 0;
    bool positioned = c->op->stateless;
    if (c->named_session != NULL) {
        place *p = add(places, &n, "session", 0);
        p->text = c->named_session->string;
        p->len = c->named_session->string_len;
    }
    for (size_t i = 0; i < MOST_INPUTS && c->op->in[i].kind != IN_NONE; i++) {
        const char *name = c->op->in[i].name;
        if (!c->in[i].given)
            continue;
        if (c->op->in[i].kind == IN_WHICH) {
            place *p = add(places, &n, "which", 0);
            p->text = &"qkv"[c->in[i].number];
            p->len = 1;
        } else if (strcmp(name, "layer") == 0 || strcmp(name, "site") == 0) {
            add(places, &n, name, c->in[i].number);
        } else if (strcmp(name, "pos") == 0) {
            add(places, &n, "position", c->in[i].number);
            positioned = true;
        }
    }
    const result *out = output == STATUS_OUTPUT ? NULL : &c->out[output];
    for (size_t a = 0; out != NULL && a < MOST_AXES; a++)
        if (out->axis[a].name != NULL &&
            (strcmp(out->axis[a].name, "position") == 0 || strcmp(out->axis[a].name, "slot") == 0))
            positioned = true;
    /* The session's own position, where no other says it better. */
    if (!positioned && (c->session != NULL || c->position > 0))
        add(places, &n, "position", c->position);
    if (out != NULL && out->given)
        add_axes(c, out, element, places, &n);
    return n;
}

const char *element_text(char out[FLOAT_TEXT], const result *r, size_t i)
{
    if (r->kind != OUT_BYTES)
        return float_text(out, r->floats[i]);
    snprintf(out, FLOAT_TEXT, "%u", (unsigned)r->bytes[i]);
    return out;
}
