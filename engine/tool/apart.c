#include "apart.h"

#include "diagnosis.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* So many sessions of so many words: all that is looked at. */
static const struct {
    size_t words, seeds;
} rounds[APART_ROUNDS] = {{1, 100}, {2, 100}, {3, 100}, {5, 150}, {8, 150}, {14, 100}, {24, 100}};

/* A round is left when so many of its sessions differ: the shortest is shrunk. */
enum { ENOUGH = 6 };

size_t apart_sessions(void)
{
    size_t all = 0;
    for (size_t i = 0; i < APART_ROUNDS; i++)
        all += rounds[i].seeds;
    return all;
}

typedef struct pair {
    const hypothesis *a, *b;
    bool ends;   /* one that crashes or hangs counts as a difference, too */
    bool ended;  /* and one did, in a session that was looked at */
    bool failed; /* there was no process to be had */
    size_t call, output;
    problem problem;
} pair;

static bool ended_well(const trial *t)
{
    return t->end == TRIAL_ENDED || t->end == TRIAL_REFUSED;
}

/* Whether a session tells them apart, and at which call. */
static bool differ(void *context, const tape *t)
{
    pair *k = context;
    trial x, y;
    bool started = trial_start(&x, k->a, t, TRY_ALL, &k->problem);
    bool both = trial_start(&y, k->b, t, TRY_ALL, &k->problem) && started;
    bool apart_here = false;
    if (both) {
        trial_wait(&x);
        trial_wait(&y);
        bool well = ended_well(&x) && ended_well(&y);
        apart_here = trials_differ(&x, &y, &k->call, &k->output);
        k->ended = k->ended || (apart_here && !well);
        apart_here = apart_here && (k->ends || well);
    }
    k->failed = k->failed || !both;
    trial_free(&x);
    trial_free(&y);
    return apart_here;
}

static const given *given_at(const trial *t, size_t at, size_t output)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->given[i].call == at && t->given[i].output == output)
            return &t->given[i];
    return NULL;
}

static void say_value(char out[END_TEXT], const trial *t, const given *g, const difference *d)
{
    char text[SHOWN], bits[SHOWN];
    if (g == NULL) {
        trial_end_text(out, t);
    } else if (g->output == STATUS_OF) {
        snprintf(out, END_TEXT, "\"%s\"", ndl_status_name((ndl_status)g->value.number));
    } else if (d->kind == DIFF_LENGTH) {
        snprintf(out, END_TEXT, "%zu element%s", g->value.count, g->value.count == 1 ? "" : "s");
    } else {
        element_of(&g->value, d->first, text, bits);
        snprintf(out, END_TEXT, "%s%s%s", text, *bits == '\0' ? "" : "  ", bits);
        if (g->value.count > 1)
            snprintf(out + strlen(out), END_TEXT - strlen(out), "  (element %zu of %zu)", d->first,
                     g->value.count);
    }
}

/* Both once more on what is left, to say how they differ. */
static bool describe(apart *found, pair *k, problem *p)
{
    tape t;
    trial x, y;
    difference d;
    memset(&d, 0, sizeof d);
    if (!script_tape(&found->script, &t))
        return fail(p, "the session that was found cannot be replayed");
    if (!trial_run(&x, k->a, &t, TRY_ALL, p) || !trial_run(&y, k->b, &t, TRY_ALL, p)) {
        tape_free(&t);
        return false;
    }
    trials_differ(&x, &y, &k->call, &k->output);
    const call *c = &t.calls[k->call < t.call_count ? k->call : t.call_count - 1];
    const given *g = given_at(&x, k->call, k->output), *h = given_at(&y, k->call, k->output);
    if (g != NULL && h != NULL && g->value.kind == h->value.kind) {
        const recording what = {.value = g->value};
        const double tolerance = default_tolerance(c->op, false);
        compare_values(&what, &h->value, tolerance, tolerance, &d);
    }
    snprintf(found->op, sizeof found->op, "%s", c->op->name);
    snprintf(found->output, sizeof found->output, "%s", output_name(c, k->output));
    say_value(found->a, &x, g, &d);
    say_value(found->b, &y, h, &d);
    trial_free(&x);
    trial_free(&y);
    tape_free(&t);
    return true;
}

/* Leaves out what comes after the difference. */
static void cut(script *s, const tape *t, size_t at)
{
    const size_t last = t->calls[at < t->call_count ? at : t->call_count - 1].line;
    if (last < s->count)
        script_drop(s, last, s->count - last);
}

/* One round: the shortest of the sessions that differ, up to where they do. */
static bool search_round(apart *found, pair *k, size_t round, bool visible)
{
    size_t differing = 0;
    for (uint64_t seed = 1; seed <= rounds[round].seeds && differing < ENOUGH && !k->failed;
         seed++) {
        script s;
        tape t;
        found->sessions++;
        if (visible && found->sessions % 16 == 0)
            fprintf(stderr, "\r\033[K%zu of %zu sessions", found->sessions, apart_sessions());
        script_of_boundaries(&s, seed, rounds[round].words);
        if (script_tape(&s, &t)) {
            if (differ(k, &t)) {
                differing++;
                cut(&s, &t, k->call);
                if (found->script.lines == NULL || s.count < found->script.count) {
                    script_free(&found->script);
                    script_copy(&found->script, &s);
                }
            }
            tape_free(&t);
        }
        script_free(&s);
    }
    return differing > 0;
}

apart_result apart_search(apart *found, const hypothesis *a, const hypothesis *b,
                          bool show_progress, problem *p)
{
    pair k = {.a = a, .b = b};
    const bool visible = show_progress && isatty(STDERR_FILENO);
    bool any = false;
    memset(found, 0, sizeof *found);
    /* What can be seen in values first; then in a crash, or in a session without end. */
    for (unsigned pass = 0; pass < 2 && !any && (pass == 0 || k.ended); pass++) {
        k.ends = pass == 1;
        found->sessions = 0;
        for (size_t round = 0; round < APART_ROUNDS && !any && !k.failed; round++)
            any = search_round(found, &k, round, visible);
    }
    if (any && !k.failed)
        script_shrink(&found->script, differ, &k);
    if (visible)
        fputs("\r\033[K", stderr);
    if (k.failed) {
        *p = k.problem;
        return APART_ERROR;
    }
    if (!any)
        return APART_EQUAL;
    return describe(found, &k, p) ? APART_FOUND : APART_ERROR;
}

void apart_free(apart *found)
{
    script_free(&found->script);
}
