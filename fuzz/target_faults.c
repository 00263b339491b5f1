/*
 * Every allocation of every operation fails once, with fresh memory holding each of
 * its patterns: the call says so and nothing has changed, nothing leaks, no block is
 * written outside, and the session goes on as if the call had not been made.
 * SES_001 SES_009
 */
#include "ops.h"
#include "target.h"

enum { MOST_OPS = 24, MOST_FAILURES = 40 };

static size_t failures(const coverage *c)
{
    return c->classes[FAILED_OPEN] + c->classes[FAILED_CLONE] + c->classes[FAILED_RESET] +
           c->classes[FAILED_LOAD] + c->classes[FAILED_WRITE];
}

/* The session with an operation that fails the k-th allocation of the one at `at`. */
static void with_fault(const script *s, size_t at, size_t k, script *out)
{
    out->geometry = s->geometry;
    out->options = s->options;
    out->n_words = s->n_words;
    for (size_t i = 0; i < s->n_words; i++)
        out->words[i] = s->words[i];
    for (size_t i = 0; i < s->n; i++)
        out->ops[i + (i >= at)] = s->ops[i];
    out->ops[at] = (op){.kind = OP_FAULT, .n = k};
    out->n = s->n + 1;
}

static bool allocates(op_kind kind)
{
    return kind == OP_WRITE || kind == OP_RESET || kind == OP_OPEN || kind == OP_SNAPSHOT ||
           kind == OP_RESTORE || kind == OP_LOAD;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static script s, tried;
    finding f;
    size_t failed_at;
    ops_decode(data, size, &s);
    s.n = s.n < MOST_OPS ? s.n : MOST_OPS;
    for (size_t at = 0; at < s.n; at++) {
        if (!allocates(s.ops[at].kind))
            continue;
        for (size_t k = 1; k <= MOST_FAILURES; k++) {
            size_t before = failures(&target_cover);
            with_fault(&s, at, k, &tried);
            tried.pattern = (unsigned)((s.pattern + k) % 4);
            lockstep_run(&tried, &f, &failed_at, &target_cover);
            target_report("SES_001_SES_009: an allocation fails", &f, &tried);
            if (failures(&target_cover) == before)
                break;
        }
    }
    return 0;
}
