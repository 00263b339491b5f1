#include "kit.h"

#include "apart.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The sessions that scripts are chosen from; what none of them shows is sought alone. */
enum { SESSIONS = 60, WORDS = 18, AT_ONCE = 4 };

/* Whether a hypothesis comes to the end of a tape, or is refused, with other values than
 * the engine's. A crash fails a kit, too, but is no good to learn from. */
static bool is_told(const trial *right, const trial *t, bool ends)
{
    size_t at, output;
    bool well = t->end == TRIAL_ENDED || t->end == TRIAL_REFUSED;
    return (ends || well) && trials_differ(right, t, &at, &output);
}

/* Some hypotheses, tried some at a time, up to the first that is not told if `all`. */
static bool try_some(const hypotheses *h, const size_t *which, size_t count, const tape *t,
                     bool ends, bool *told, bool all, problem *p)
{
    trial right, running[AT_ONCE];
    bool good = trial_run(&right, &right_engine, t, TRY_ALL, p), stop = false;
    if (!good)
        return false;
    for (size_t i = 0, started = 0; i < count; i++) {
        while (good && !stop && started < count && started - i < AT_ONCE) {
            good = trial_start(&running[started % AT_ONCE], &h->all[which[started]], t, TRY_ALL, p);
            started++;
        }
        told[i] = false;
        if (i >= started)
            continue;
        trial *one = &running[i % AT_ONCE];
        if (one->pid > 0) {
            trial_wait(one);
            told[i] = is_told(&right, one, ends);
            stop = stop || (all && !told[i]);
        }
        trial_free(one);
    }
    trial_free(&right);
    return good;
}

bool kit_fails(const hypotheses *h, const tape *t, bool *fails, problem *p)
{
    size_t *all = get_memory((h->singles + 1) * sizeof *all);
    for (size_t i = 0; i < h->singles; i++)
        all[i] = i;
    bool good = try_some(h, all, h->singles, t, true, fails, false, p);
    free(all);
    return good;
}

/* ----------------------------------------------------------------- choosing */

static kit_script *add(kit_script **pool, size_t *count, const hypotheses *h)
{
    *pool = get_more(*pool, (*count + 1) * sizeof **pool);
    kit_script *s = &(*pool)[(*count)++];
    memset(s, 0, sizeof *s);
    s->fails = get_memory(h->singles + 1);
    s->chosen_for = get_memory(h->singles + 1);
    memset(s->fails, 0, h->singles + 1);
    memset(s->chosen_for, 0, h->singles + 1);
    return s;
}

static void release(kit_script *s)
{
    script_free(&s->script);
    free(s->fails);
    free(s->chosen_for);
}

static bool draw_pool(const kit *k, kit_script **pool, size_t *count, problem *p)
{
    const hypotheses *h = k->hypotheses;
    size_t *all = get_memory((h->singles + 1) * sizeof *all);
    bool good = true;
    for (size_t i = 0; i < h->singles; i++)
        all[i] = i;
    for (uint64_t seed = 1; good && seed <= SESSIONS; seed++) {
        tape t;
        kit_script *s = add(pool, count, h);
        if (k->visible)
            fprintf(stderr, "\r\033[K%d of %d sessions", (int)seed, SESSIONS);
        script_of_boundaries(&s->script, seed, WORDS);
        if (!script_tape(&s->script, &t))
            continue;
        good = try_some(h, all, h->singles, &t, false, s->fails, false, p);
        tape_free(&t);
    }
    free(all);
    return good;
}

/* Hypotheses that no session of the pool tells: each looked for alone. */
static bool seek_rest(kit *k, kit_script **pool, size_t *count, problem *p)
{
    const hypotheses *h = k->hypotheses;
    for (size_t i = 0; i < h->singles; i++) {
        apart found;
        bool known = false;
        for (size_t s = 0; !known && s < *count; s++)
            known = (*pool)[s].fails[i];
        if (known)
            continue;
        if (k->visible)
            fprintf(stderr, "\r\033[Kseeking %s", h->all[i].name);
        apart_result end = apart_search(&found, &h->all[i], &right_engine, false, p);
        if (end == APART_ERROR)
            return false;
        k->equal[i] = end == APART_EQUAL;
        if (end == APART_FOUND) {
            kit_script *s = add(pool, count, h);
            script_copy(&s->script, &found.script);
            s->fails[i] = true;
        }
        apart_free(&found);
    }
    return true;
}

/* Takes the script that most of those fail that fail none yet, again and again. */
static void cover(kit *k, kit_script *pool, size_t count)
{
    const size_t n = k->hypotheses->singles;
    bool *done = get_memory(n + 1);
    memset(done, 0, n + 1);
    for (;;) {
        size_t best = count, most = 0;
        for (size_t s = 0; s < count; s++) {
            size_t fresh = 0;
            for (size_t i = 0; i < n; i++)
                fresh += pool[s].fails[i] && !done[i];
            if (fresh > most) {
                most = fresh;
                best = s;
            }
        }
        if (best == count)
            break;
        kit_script *chosen = add(&k->scripts, &k->count, k->hypotheses);
        script_copy(&chosen->script, &pool[best].script);
        memcpy(chosen->fails, pool[best].fails, n);
        for (size_t i = 0; i < n; i++) {
            chosen->chosen_for[i] = pool[best].fails[i] && !done[i];
            done[i] = done[i] || pool[best].fails[i];
        }
        chosen->count = most;
    }
    free(done);
}

/* ---------------------------------------------------------------- shrinking */

typedef struct wanted {
    const hypotheses *hypotheses;
    size_t *which;
    bool *told;
    size_t count;
    problem problem;
    bool failed, ends;
} wanted;

/* Whether all that a script was chosen for still fail it. */
static bool still_told(void *context, const tape *t)
{
    wanted *w = context;
    if (w->failed ||
        !try_some(w->hypotheses, w->which, w->count, t, w->ends, w->told, true, &w->problem)) {
        w->failed = true;
        return false;
    }
    for (size_t i = 0; i < w->count; i++)
        if (!w->told[i]) {
            /* It is asked first the next time: what failed once may fail again. */
            const size_t one = w->which[i];
            memmove(w->which + 1, w->which, i * sizeof *w->which);
            w->which[0] = one;
            return false;
        }
    return true;
}

static bool shrink(kit *k, kit_script *s, problem *p)
{
    const size_t n = k->hypotheses->singles;
    tape t;
    wanted w = {.hypotheses = k->hypotheses};
    w.which = get_memory((n + 1) * sizeof *w.which);
    w.told = get_memory(n + 1);
    for (size_t i = 0; i < n; i++)
        if (s->chosen_for[i])
            w.which[w.count++] = i;
    /* One that only crashes is told by that. */
    if (script_tape(&s->script, &t)) {
        w.ends = !still_told(&w, &t);
        tape_free(&t);
    }
    script_shrink(&s->script, still_told, &w);
    if (!w.failed && script_tape(&s->script, &t)) {
        w.failed = !kit_fails(k->hypotheses, &t, s->fails, &w.problem);
        tape_free(&t);
    }
    *p = w.problem;
    free(w.which);
    free(w.told);
    return !w.failed;
}

bool kit_make(kit *k, const hypotheses *h, bool show_progress, problem *p)
{
    kit_script *pool = NULL;
    size_t count = 0;
    memset(k, 0, sizeof *k);
    k->hypotheses = h;
    k->visible = show_progress && isatty(STDERR_FILENO);
    k->equal = get_memory(h->singles + 1);
    memset(k->equal, 0, h->singles + 1);
    bool good = draw_pool(k, &pool, &count, p) && seek_rest(k, &pool, &count, p);
    if (good)
        cover(k, pool, count);
    for (size_t i = 0; i < count; i++)
        release(&pool[i]);
    free(pool);
    for (size_t i = 0; good && i < k->count; i++) {
        if (k->visible)
            fprintf(stderr, "\r\033[Kshortening %zu of %zu", i + 1, k->count);
        good = shrink(k, &k->scripts[i], p);
    }
    if (k->visible)
        fputs("\r\033[K", stderr);
    if (!good)
        kit_free(k);
    return good;
}

void kit_free(kit *k)
{
    for (size_t i = 0; i < k->count; i++)
        release(&k->scripts[i]);
    free(k->scripts);
    free(k->equal);
    memset(k, 0, sizeof *k);
}
