/* A failed session, made small. */
#include "lockstep.h"

static bool fails(script *s)
{
    finding f;
    size_t at;
    lockstep_run(s, &f, &at, NULL);
    return found(&f);
}

/* The script without n operations from `from` on. */
static void without(const script *s, size_t from, size_t n, script *out)
{
    *out = *s;
    for (size_t i = from; i + n < s->n; i++)
        out->ops[i] = s->ops[i + n];
    out->n -= n;
}

/* Keep a change if the run still fails. */
static bool keep(script *s, script *changed)
{
    if (!fails(changed))
        return false;
    *s = *changed;
    return true;
}

void lockstep_shrink(script *s)
{
    static script tried;
    finding f;
    size_t at;
    lockstep_run(s, &f, &at, NULL);
    if (at + 1 < s->n) {
        without(s, at + 1, s->n - at - 1, &tried);
        keep(s, &tried);
    }
    for (size_t n = s->n; n > 0; n /= 2) {
        for (size_t from = 0; from + n <= s->n;) {
            without(s, from, n, &tried);
            if (!keep(s, &tried))
                from++;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        tried = *s;
        tried.ops[i].taps = tried.ops[i].rows = PAY_DIGITS;
        keep(s, &tried);
    }
    fails(s); /* leaves the statuses of the script that stays */
}
