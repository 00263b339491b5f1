#include "diagnosis.h"

#include "values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void element_of(const result *r, size_t i, char text[SHOWN], char bits[SHOWN])
{
    text[0] = bits[0] = '\0';
    if (r->kind != OUT_NUMBER && r->kind != OUT_BOOL && i >= r->count) {
        snprintf(text, SHOWN, "nothing: it has %zu elements", r->count);
        return;
    }
    switch (r->kind) {
    case OUT_NUMBER:
        snprintf(text, SHOWN, "%zu", r->number);
        break;
    case OUT_BOOL:
        snprintf(text, SHOWN, "%s", r->number != 0 ? "true" : "false");
        break;
    case OUT_WORDS:
        snprintf(text, SHOWN, "%" PRIu32, r->words[i]);
        break;
    case OUT_CODES:
        snprintf(text, SHOWN, "%d", r->codes[i]);
        snprintf(bits, SHOWN, "%02x", (unsigned)r->codes[i] & 0xff);
        break;
    case OUT_BYTES:
        snprintf(text, SHOWN, "%u", (unsigned)r->bytes[i]);
        snprintf(bits, SHOWN, "%02x", (unsigned)r->bytes[i]);
        break;
    case OUT_FLOATS:
        float_text(text, r->floats[i]);
        snprintf(bits, SHOWN, "%08" PRIx32, float_bits(r->floats[i]));
        break;
    }
}

/* What a hypothesis gives where the engine first differs from the trace. */
static void show_given(standing *s, const entry *e, const result *value, const difference *at)
{
    if (e->output == STATUS_OF) {
        snprintf(s->gives, SHOWN, "\"%s\"", ndl_status_name((ndl_status)value->number));
    } else if (e->recorded.hashed) {
        uint64_t hash = value->kind == OUT_BYTES ? byte_hash(value->bytes, value->count)
                                                 : float_hash(value->floats, value->count);
        snprintf(s->gives_bits, SHOWN, "%016" PRIx64, hash);
    } else if (at->kind == DIFF_LENGTH) {
        snprintf(s->gives, SHOWN, "%zu element%s", value->count, value->count == 1 ? "" : "s");
    } else {
        element_of(value, at->first, s->gives, s->gives_bits);
    }
}

static void stand(standing *s, const tape *t, const trial *done, const difference *evidence)
{
    size_t g = 0;
    difference d;
    memset(s, 0, sizeof *s);
    s->hypothesis = done->hypothesis;
    s->end = done->end;
    s->stopped_at = done->made;
    if (done->end != TRIAL_ENDED)
        trial_end_text(s->how, done);
    for (size_t i = 0; i < t->entry_count; i++) {
        const entry *e = &t->entries[i];
        while (g < done->count &&
               (done->given[g].call < e->call ||
                (done->given[g].call == e->call && done->given[g].output != e->output)))
            g++;
        bool has = g < done->count && done->given[g].call == e->call;
        if (has && i == t->first)
            show_given(s, e, &done->given[g].value, evidence);
        if (has && entry_agrees(t, e, &done->given[g].value, &d)) {
            s->agreeing++;
            s->apart += !entry_same(e, &done->given[g].value);
        } else if (!s->has_first) {
            s->has_first = true;
            s->first = i;
        }
        g += has;
    }
    s->exact = done->end == TRIAL_ENDED && !s->has_first;
}

static int by_rank(const void *a, const void *b)
{
    const standing *x = a, *y = b;
    if (x->exact != y->exact)
        return x->exact ? -1 : 1;
    if (x->agreeing != y->agreeing)
        return x->agreeing > y->agreeing ? -1 : 1;
    if (x->apart != y->apart)
        return x->apart < y->apart ? -1 : 1;
    if (x->hypothesis->count != y->hypothesis->count)
        return x->hypothesis->count < y->hypothesis->count ? -1 : 1;
    return strcmp(x->hypothesis->name, y->hypothesis->name);
}

/* As many at a time as there are processors, up to this. */
enum { MOST_AT_ONCE = 8 };

static size_t at_once(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MOST_AT_ONCE ? MOST_AT_ONCE : (size_t)n;
}

static void show_progress_of(size_t done, size_t all)
{
    if (done % 8 == 0)
        fprintf(stderr, "\r\033[K%zu of %zu hypotheses", done, all);
}

/* Tries the hypotheses from first to end; those that cannot be tried are an error. */
static bool try_all(diagnosis *d, const hypotheses *h, size_t first, size_t end, trial_mode mode,
                    bool visible, problem *p)
{
    trial running[MOST_AT_ONCE];
    const size_t wide = at_once();
    bool good = true;
    for (size_t i = first, started = first; i < end; i++) {
        while (good && started < end && started - i < wide) {
            good = trial_start(&running[started % wide], &h->all[started], d->tape, mode, p);
            started++;
        }
        if (i >= started)
            break;
        trial *one = &running[i % wide];
        if (one->pid > 0) {
            trial_wait(one);
            stand(&d->all[d->count++], d->tape, one, &d->evidence);
        }
        trial_free(one);
        if (visible)
            show_progress_of(i - first, end - first);
    }
    if (visible)
        fputs("\r\033[K", stderr);
    return good;
}

static void keep_to_bits(diagnosis *d)
{
    bool any = false;
    for (size_t i = 0; i < d->count; i++)
        any = any || (d->all[i].exact && d->all[i].apart == 0);
    for (size_t i = 0; any && i < d->count; i++)
        d->all[i].exact = d->all[i].exact && d->all[i].apart == 0;
}

bool diagnose(diagnosis *d, const tape *t, const hypotheses *h, bool show_progress, problem *p)
{
    const entry *e = &t->entries[t->first];
    memset(d, 0, sizeof *d);
    d->tape = t;
    if (e->right.given)
        entry_agrees(t, e, &e->right, &d->evidence);
    else
        d->evidence.kind = DIFF_REFUSED;
    for (size_t i = 0; i < t->entry_count; i++)
        d->right += t->entries[i].right_agrees;
    d->all = get_memory((h->count + 1) * sizeof *d->all);
    bool visible = show_progress && isatty(STDERR_FILENO);
    bool good = try_all(d, h, 0, h->singles, TRY_ENTRIES, visible, p), any = false;
    for (size_t i = 0; i < d->count; i++)
        any = any || d->all[i].exact;
    /* Of two mistakes the one that a trace does not show explains nothing: a pair is
     * looked at when one mistake is not enough. */
    if (good && !any && h->count > h->singles) {
        d->pairs_tried = h->count - h->singles;
        good = try_all(d, h, h->singles, h->count, TRY_UNTIL, visible, p);
    }
    if (!good) {
        diagnosis_free(d);
        return false;
    }
    keep_to_bits(d);
    qsort(d->all, d->count, sizeof *d->all, by_rank);
    while (d->exact < d->count && d->all[d->exact].exact)
        d->exact++;
    while (d->exact + d->better < d->count && d->all[d->exact + d->better].agreeing > d->right)
        d->better++;
    return true;
}

void diagnosis_free(diagnosis *d)
{
    free(d->all);
    memset(d, 0, sizeof *d);
}
