/*
 * A diagnosis for programs: one JSON document.
 *
 *   {"ndl": version, "hypotheses": how many, "pairs": how many,
 *    "files": [file...], "together": [name...] or null, "exit": the exit status}
 *
 * A file has "file", "exit", and
 *   if it cannot be read: "line" (null: none in particular), "error";
 *   otherwise "outputs", "differing", and if some differ
 *   "evidence": {"line", "operation", "op", "output", "where", "recorded", "right",
 *     "claim", "chapter"},
 *   "exact": [hypothesis...], "nearer": [hypothesis...], "engine": outputs it gives,
 *   "fingerprints": [{"line", "op", "output", "kind", "times", "text"}...],
 *   "prefix": {"lines", "script": a file's name or null}.
 * A hypothesis has "name", "mistakes": [{"name", "sentence", "kind", "target",
 *   "claims", "look"}], "outputs": how many it gives as recorded, "within_tolerance": of
 *   these, attention's that it does not give bit for bit, "gives": its value at the
 *   evidence, and if it is not exact "fails": {"line", "operation", "op", "output"} or
 *   null, and "ends".
 */
#include "diagnosis_report.h"

#include "emit.h"
#include "report.h"

#include <string.h>

static void put_place(emit *j, const tape *t, const entry *e)
{
    const call *c = entry_call(t, e);
    emit_number(j, "line", c->line);
    emit_number(j, "operation", c->number);
    emit_text(j, "op", c->op->name);
    emit_text(j, "output", entry_output(t, e));
}

static void put_evidence(emit *j, const case_file *c)
{
    const tape *t = c->tape;
    const entry *e = &t->entries[t->first];
    const difference *at = &c->found->evidence;
    char where[PLACE_TEXT], recorded[VALUE_TEXT], right[VALUE_TEXT];
    bool element = at->kind == DIFF_ELEMENT && e->right.count > 1;
    evidence_texts(t, c->found, recorded, right);
    emit_open(j, "evidence");
    put_place(j, t, e);
    emit_word(j, "where", entry_where(where, t, e, at->first, !element));
    emit_text(j, "recorded", recorded);
    emit_text(j, "right", right);
    emit_text(j, "claim", entry_claim(t, e));
    emit_text(j, "chapter", chapter_of(entry_claim(t, e)));
    emit_close(j);
}

void put_mistake(emit *j, const mistake *m)
{
    emit_open(j, NULL);
    emit_text(j, "name", m->name);
    emit_text(j, "sentence", m->sentence);
    emit_word(j, "kind", m->kind);
    emit_word(j, "target", m->target);
    emit_word(j, "claims", m->claims);
    emit_word(j, "look", m->look);
    emit_close(j);
}

static void put_standing(emit *j, const tape *t, const standing *s)
{
    char gives[VALUE_TEXT];
    emit_open(j, NULL);
    emit_text(j, "name", s->hypothesis->name);
    emit_list(j, "mistakes");
    for (size_t i = 0; i < s->hypothesis->count; i++)
        put_mistake(j, &s->hypothesis->mistakes[i]);
    emit_list_end(j);
    emit_number(j, "outputs", s->agreeing);
    emit_number(j, "within_tolerance", s->apart);
    snprintf(gives, sizeof gives, "%s%s%s", s->gives,
             *s->gives != '\0' && *s->gives_bits != '\0' ? "  " : "", s->gives_bits);
    emit_word(j, "gives", gives);
    if (!s->exact) {
        if (s->has_first) {
            emit_open(j, "fails");
            put_place(j, t, &t->entries[s->first]);
            emit_close(j);
        } else {
            emit_null(j, "fails");
        }
        emit_word(j, "ends", s->how);
    }
    emit_close(j);
}

static void put_found(emit *j, const diagnosis_report *r, const case_file *c)
{
    const diagnosis *d = c->found;
    const tape *t = c->tape;
    put_evidence(j, c);
    emit_list(j, "exact");
    for (size_t i = 0; i < d->exact; i++)
        put_standing(j, t, &d->all[i]);
    emit_list_end(j);
    emit_number(j, "engine", d->right);
    emit_list(j, "nearer");
    for (size_t i = 0; i < d->better && i < r->most; i++)
        put_standing(j, t, &d->all[d->exact + i]);
    emit_list_end(j);
    emit_list(j, "fingerprints");
    for (size_t i = 0; i < c->prints->count; i++) {
        const fingerprint *f = &c->prints->all[i];
        emit_open(j, NULL);
        put_place(j, t, &t->entries[f->entry]);
        emit_text(j, "kind", f->kind);
        emit_number(j, "times", f->times);
        emit_text(j, "text", f->text);
        emit_close(j);
    }
    emit_list_end(j);
    emit_open(j, "prefix");
    emit_number(j, "lines", entry_call(t, &t->entries[t->first])->line);
    emit_word(j, "script", c->shrunk != NULL ? c->shrunk : "");
    emit_close(j);
}

static void one(diagnosis_report *r, const case_file *c)
{
    emit *j = r->json;
    emit_open(j, NULL);
    emit_text(j, "file", c->name);
    emit_number(j, "exit", (uint64_t)c->status);
    if (c->tape == NULL) {
        if (c->line > 0)
            emit_number(j, "line", c->line);
        else
            emit_null(j, "line");
        emit_text(j, "error", c->error);
    } else {
        emit_number(j, "outputs", c->tape->entry_count);
        emit_number(j, "differing", c->tape->differing);
        if (c->found != NULL)
            put_found(j, r, c);
    }
    emit_close(j);
}

static void end(diagnosis_report *r, const hypothesis *const *all, size_t count, int status)
{
    emit *j = r->json;
    emit_list_end(j);
    if (r->several) {
        emit_list(j, "together");
        for (size_t i = 0; i < count; i++)
            emit_text(j, NULL, all[i]->name);
        emit_list_end(j);
    } else {
        emit_null(j, "together");
    }
    emit_number(j, "exit", (uint64_t)status);
    emit_end(j);
}

void diagnosis_to_programs(diagnosis_report *r)
{
    emit *j = emit_begin(r->out);
    r->json = j;
    r->one = one;
    r->end = end;
    emit_text(j, "ndl", NDL_VERSION);
    emit_number(j, "hypotheses", r->hypotheses->singles);
    emit_number(j, "pairs", r->hypotheses->count - r->hypotheses->singles);
    emit_list(j, "files");
}
