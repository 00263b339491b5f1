/* What both reports say alike: which entry, where it is, and its values. */
#include "diagnosis_report.h"

#include "report.h"

#include <inttypes.h>
#include <string.h>

/* A call with what the engine gives for one entry: all that places need. */
static call with_output(const tape *t, const entry *e)
{
    call c = *entry_call(t, e);
    if (e->output != STATUS_OF)
        c.out[e->output] = e->right;
    return c;
}

const char *entry_output(const tape *t, const entry *e)
{
    return output_name(entry_call(t, e), e->output);
}

const char *entry_claim(const tape *t, const entry *e)
{
    call c = with_output(t, e);
    c.status = e->right.given ? NDL_OK : NDL_E_LAYER;
    return claim_of(&c, e->output);
}

const char *entry_text(char out[PLACE_TEXT], const tape *t, const entry *e)
{
    const call *c = entry_call(t, e);
    snprintf(out, PLACE_TEXT, "line %zu: operation %zu, %s: \"%s\"", c->line, c->number,
             c->op->name, entry_output(t, e));
    return out;
}

const char *entry_where(char out[PLACE_TEXT], const tape *t, const entry *e, size_t element,
                        bool whole)
{
    const call c = with_output(t, e);
    place places[MOST_PLACES];
    char q[QUOTED];
    size_t used = 0, n = find_places(&c, e->output, element, places);
    out[0] = '\0';
    for (size_t i = 0; i < n && used < PLACE_TEXT; i++) {
        const place *p = &places[i];
        if (whole && p->of_element)
            continue;
        used += (size_t)snprintf(out + used, PLACE_TEXT - used, "%s%s ", used == 0 ? "" : ", ",
                                 p->name);
        if (used >= PLACE_TEXT)
            break;
        if (p->text == NULL)
            used += (size_t)snprintf(out + used, PLACE_TEXT - used, "%zu", p->number);
        else
            used += (size_t)snprintf(out + used, PLACE_TEXT - used, "%s",
                                     p->len == 1 ? (char[]){*p->text, '\0'}
                                                 : quoted(q, p->text, p->len));
    }
    return out;
}

static void joined(char out[VALUE_TEXT], const char *text, const char *bits)
{
    snprintf(out, VALUE_TEXT, "%s%s%s", text, *text != '\0' && *bits != '\0' ? "  " : "", bits);
}

void evidence_texts(const tape *t, const diagnosis *d, char recorded[VALUE_TEXT],
                    char right[VALUE_TEXT])
{
    const entry *e = &t->entries[t->first];
    const difference *at = &d->evidence;
    char q[QUOTED];
    if (e->output == STATUS_OF) {
        snprintf(recorded, VALUE_TEXT, "%s", quoted(q, e->status, strlen(e->status)));
        snprintf(right, VALUE_TEXT, "\"%s\"", ndl_status_name((ndl_status)e->right.number));
    } else if (at->kind == DIFF_REFUSED) {
        snprintf(recorded, VALUE_TEXT, "a value");
        snprintf(right, VALUE_TEXT, "the call is refused");
    } else if (at->kind == DIFF_LENGTH) {
        snprintf(recorded, VALUE_TEXT, "%zu element%s", at->recorded, at->recorded == 1 ? "" : "s");
        snprintf(right, VALUE_TEXT, "%zu element%s", at->replayed, at->replayed == 1 ? "" : "s");
    } else {
        joined(recorded, at->recorded_text, at->recorded_bits);
        joined(right, at->replayed_text, at->replayed_bits);
    }
}
