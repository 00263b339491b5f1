/* A diagnosis for people. */
#include "diagnosis_report.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LABEL = 12, WIDTH = 92 };

static bool in_colour(const diagnosis_report *r)
{
    const char *no = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return (no == NULL || *no == '\0') && (terminal == NULL || strcmp(terminal, "dumb") != 0) &&
           isatty(fileno(r->out));
}

static const char *colour(const diagnosis_report *r, const char *code)
{
    return in_colour(r) ? code : "";
}

#define RED(r) colour(r, "\033[1;31m")
#define GREEN(r) colour(r, "\033[32m")
#define BOLD(r) colour(r, "\033[1m")
#define PLAIN(r) colour(r, "\033[0m")

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* Text after a label, in lines that are not too long. */
static void say(FILE *out, size_t indent, const char *label, const char *text)
{
    size_t at = (size_t)fprintf(out, "%*s%-*s", (int)indent, "", label == NULL ? 0 : LABEL,
                                label == NULL ? "" : label);
    const size_t begin = at + (label == NULL ? 2 : 0);
    bool first = true;
    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        if (!first && at + 1 + len > WIDTH) {
            fprintf(out, "\n%*s", (int)begin, "");
            at = begin;
        } else if (!first) {
            fputc(' ', out);
            at++;
        }
        fwrite(text, 1, len, out);
        at += len;
        first = false;
        text += len;
        while (*text == ' ')
            text++;
    }
    fputc('\n', out);
}

static void say_mistakes(diagnosis_report *r, const hypothesis *h)
{
    for (size_t i = 0; i < h->count; i++) {
        const mistake *m = &h->mistakes[i];
        char rule[256];
        say(r->out, 4, h->count > 1 ? m->name : "mistake", m->sentence);
        if (*m->look != '\0')
            say(r->out, 4, "look at", m->look);
        if (*m->claims == '\0')
            continue;
        snprintf(rule, sizeof rule, "%s, %s", m->claims, chapter_of(m->claims));
        say(r->out, 4, "breaks", rule);
    }
}

/* Where the trace first differs from the engine, and all values there. */
static void say_evidence(diagnosis_report *r, const case_file *c)
{
    const tape *t = c->tape;
    const diagnosis *d = c->found;
    const entry *e = &t->entries[t->first];
    char at[PLACE_TEXT], where[PLACE_TEXT], recorded[VALUE_TEXT], right[VALUE_TEXT];
    bool element = d->evidence.kind == DIFF_ELEMENT && e->right.count > 1;
    const char *claim = entry_claim(t, e);
    evidence_texts(t, d, recorded, right);
    say(r->out, 4, "seen first", entry_text(at, t, e));
    if (*entry_where(where, t, e, d->evidence.first, !element) != '\0')
        say(r->out, 4, "where", where);
    fprintf(r->out, "    %-*s%s\n    %-*s%s\n", LABEL, "recorded", recorded, LABEL, "right", right);
    const size_t shown = d->exact > 0 || d->better == 0 ? d->exact : 1;
    for (size_t i = 0; i < shown; i++) {
        const standing *s = &d->all[i];
        fprintf(r->out, "    %-*s%s%s%s  (%s)\n", LABEL, i == 0 ? "hypothesis" : "", s->gives,
                *s->gives != '\0' && *s->gives_bits != '\0' ? "  " : "", s->gives_bits,
                s->hypothesis->name);
    }
    fprintf(r->out, "    %-*s%s, %s\n", LABEL, "rule", claim, chapter_of(claim));
}

static void say_prints(diagnosis_report *r, const case_file *c)
{
    char at[PLACE_TEXT];
    if (c->prints->count == 0)
        return;
    fprintf(r->out, "  what the values say:\n");
    for (size_t i = 0; i < c->prints->count; i++) {
        const fingerprint *f = &c->prints->all[i];
        const entry *e = &c->tape->entries[f->entry];
        char text[PRINT_TEXT + PLACE_TEXT + 64], times[40] = "";
        if (f->times > 1)
            snprintf(times, sizeof times, " (and %zu time%s more)", f->times - 1,
                     plural(f->times - 1));
        snprintf(text, sizeof text, "%s: %s%s", entry_text(at, c->tape, e), f->text, times);
        say(r->out, 4, NULL, text);
    }
}

static void say_standing(diagnosis_report *r, const case_file *c, const standing *s)
{
    char at[PLACE_TEXT], text[PLACE_TEXT + END_TEXT + 64];
    int used = snprintf(text, sizeof text, "%zu of %zu", s->agreeing, c->tape->entry_count);
    if (s->end != TRIAL_ENDED && s->end != TRIAL_STOPPED)
        used += snprintf(
            text + used, sizeof text - (size_t)used, "; at line %zu it %s",
            c->tape->calls[s->stopped_at < c->tape->call_count ? s->stopped_at : 0].line, s->how);
    if (s->has_first && used > 0 && (size_t)used < sizeof text)
        snprintf(text + used, sizeof text - (size_t)used, "; fails first at %s",
                 entry_text(at, c->tape, &c->tape->entries[s->first]));
    fprintf(r->out, "    %-34s%s\n", s->hypothesis->name, text);
}

static void say_ranking(diagnosis_report *r, const case_file *c)
{
    const diagnosis *d = c->found;
    size_t shown = d->better < r->most ? d->better : r->most;
    if (d->better == 0) {
        if (d->exact == 0)
            fprintf(r->out, "  no hypothesis agrees more often than the engine does: %zu of %zu\n",
                    d->right, c->tape->entry_count);
        return;
    }
    fprintf(r->out, "  not exact, but nearer than the engine (%zu of %zu outputs):\n", d->right,
            c->tape->entry_count);
    for (size_t i = 0; i < shown; i++)
        say_standing(r, c, &d->all[d->exact + i]);
    if (shown < d->better)
        fprintf(r->out, "    and %zu more\n", d->better - shown);
}

/* Hypotheses that would explain the trace if no other gave attention bit for bit. */
static void say_within(diagnosis_report *r, const diagnosis *d)
{
    size_t said = 0;
    for (size_t i = d->exact; i < d->exact + d->better; i++) {
        const standing *s = &d->all[i];
        if (s->end == TRIAL_ENDED && !s->has_first)
            fprintf(r->out, "%s%s",
                    said++ == 0 ? "  within attention's tolerance, but not bit for bit: " : ", ",
                    s->hypothesis->name);
    }
    if (said > 0)
        fputc('\n', r->out);
}

static void say_title(diagnosis_report *r, const case_file *c)
{
    const diagnosis *d = c->found;
    print_name(r->out, c->name);
    if (d->exact == 1) {
        fprintf(r->out, ": %sexplained%s by %s%s%s: ", GREEN(r), PLAIN(r), BOLD(r),
                d->all[0].hypothesis->name, PLAIN(r));
        if (c->tape->entry_count == 1)
            fputs("its only output is as it gives it\n", r->out);
        else
            fprintf(r->out, "all %zu outputs are as it gives them\n", c->tape->entry_count);
    } else if (d->exact > 1) {
        fprintf(r->out, ": %sexplained%s by each of %zu hypotheses: ", GREEN(r), PLAIN(r),
                d->exact);
        if (c->tape->entry_count == 1)
            fputs("its only output is as they give it\n", r->out);
        else
            fprintf(r->out, "all %zu outputs are as they give them\n", c->tape->entry_count);
    } else {
        fprintf(r->out, ": %snot explained%s by any hypothesis", RED(r), PLAIN(r));
        if (d->pairs_tried > 0)
            fprintf(r->out, ", nor by two at once");
        fprintf(r->out, ": %zu of %zu outputs differ\n", c->tape->differing, c->tape->entry_count);
    }
}

static void say_shrunk(diagnosis_report *r, const case_file *c)
{
    const tape *t = c->tape;
    size_t line = entry_call(t, &t->entries[t->first])->line;
    fprintf(r->out, "  the smallest prefix that shows the difference is lines 1 to %zu", line);
    if (c->shrunk == NULL) {
        fprintf(r->out, "; --shrink FILE writes it as a script\n");
        return;
    }
    fputs(", as a script in ", r->out);
    print_name(r->out, c->shrunk);
    fputc('\n', r->out);
}

static void one(diagnosis_report *r, const case_file *c)
{
    if (c->tape == NULL) {
        fflush(r->out);
        say_about(c->name, c->line, "%s", c->error);
        return;
    }
    if (c->found == NULL) {
        print_name(r->out, c->name);
        fprintf(r->out, ": %sno mistake%s: all %zu output%s are as they should be\n", GREEN(r),
                PLAIN(r), c->tape->entry_count, plural(c->tape->entry_count));
        return;
    }
    const diagnosis *d = c->found;
    say_title(r, c);
    for (size_t i = 0; i < d->exact; i++) {
        if (d->exact > 1)
            fprintf(r->out, "  %s%s%s\n", BOLD(r), d->all[i].hypothesis->name, PLAIN(r));
        say_mistakes(r, d->all[i].hypothesis);
    }
    if (d->exact > 1)
        fprintf(r->out,
                "  this trace cannot tell them apart; ndl discriminate %s %s writes a script "
                "that does\n",
                d->all[0].hypothesis->name, d->all[1].hypothesis->name);
    say_within(r, d);
    fprintf(r->out, "  the evidence:\n");
    say_evidence(r, c);
    say_prints(r, c);
    if (d->exact == 0) {
        say_ranking(r, c);
        say_shrunk(r, c);
    } else if (c->shrunk != NULL) {
        say_shrunk(r, c);
    }
}

static void end(diagnosis_report *r, const hypothesis *const *all, size_t count, int status)
{
    (void)status;
    if (!r->several)
        return;
    fputs("together: ", r->out);
    if (count == 0)
        fputs("no hypothesis explains every trace that has a mistake\n", r->out);
    for (size_t i = 0; i < count; i++)
        fprintf(r->out, "%s%s%s", i == 0 ? "" : ", ", all[i]->name,
                i + 1 < count ? ""
                : count == 1  ? " explains"
                              : " explain");
    if (count > 0)
        fputs(" every trace that has a mistake\n", r->out);
}

void diagnosis_to_people(diagnosis_report *r)
{
    r->one = one;
    r->end = end;
}
