/*
 * The same calls, made to two sessions in turns, leave both as they leave one alone;
 * so does a clone, made anywhere between, that goes on beside its origin; and a
 * clone that goes on otherwise leaves its origin alone. SES_002 SES_003 SES_005
 */
#include "digest.h"
#include "ops.h"
#include "target.h"

static script alone, both;

/* Of the calls of a session those that concern it alone. */
static bool keeps(op_kind kind)
{
    return kind != OP_OPEN && kind != OP_SNAPSHOT && kind != OP_RESTORE && kind != OP_FAULT;
}

static void add(script *s, const op *o, unsigned session)
{
    if (s->n == MAX_OPS)
        return;
    s->ops[s->n] = *o;
    s->ops[s->n++].session = session;
}

/* Run it, and what its sessions show at the end. */
static void digests(script *s, uint64_t digest[2])
{
    finding f;
    size_t at;
    lockstep_end end = {.only_end = true};
    lockstep_run_to(s, &f, &at, &target_cover, &end);
    target_report("SES_003: engine and reference differ", &f, s);
    digest[0] = end.digest[0];
    digest[1] = end.digest[1];
}

static void same(const char *what, uint64_t a, uint64_t b, const script *s)
{
    finding f = {""};
    if (a != b)
        note(&f, "the sessions show %016llx and %016llx", (unsigned long long)a,
             (unsigned long long)b);
    target_report(what, &f, s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static script s;
    uint64_t one[2], two[2];
    const op open = {.kind = OP_OPEN, .session = 1}, snapshot = {.kind = OP_SNAPSHOT};
    const op restore = {.kind = OP_RESTORE};
    ops_decode(data, size, &s);
    alone = s;
    alone.n = 0;
    for (size_t i = 0; i < s.n && alone.n < MAX_OPS / 2 - 2; i++) {
        if (keeps(s.ops[i].kind))
            add(&alone, &s.ops[i], 0);
    }
    if (alone.n == 0)
        return 0;
    digests(&alone, one);

    both = alone;
    both.n = 0;
    add(&both, &open, 1);
    for (size_t i = 0; i < alone.n; i++) {
        add(&both, &alone.ops[i], 0);
        add(&both, &alone.ops[i], 1);
    }
    digests(&both, two);
    same("SES_005: twins", two[0], two[1], &both);
    same("SES_003: a session beside another", one[0], two[0], &both);

    size_t middle = size > 0 ? data[size - 1] % (alone.n + 1) : 0;
    both.n = 0;
    for (size_t i = 0; i < middle; i++)
        add(&both, &alone.ops[i], 0);
    add(&both, &snapshot, 0);
    add(&both, &restore, 1);
    size_t fork = both.n;
    for (size_t i = middle; i < alone.n; i++) {
        add(&both, &alone.ops[i], 1);
        add(&both, &alone.ops[i], 0);
    }
    digests(&both, two);
    same("SES_002: a clone that goes on like its origin", two[0], two[1], &both);
    same("SES_002: an origin whose clone goes on", one[0], two[0], &both);

    both.n = fork;
    for (size_t i = middle; i < alone.n; i++) {
        add(&both, &alone.ops[alone.n - 1 - (i - middle)], 1);
        add(&both, &alone.ops[i], 0);
    }
    digests(&both, two);
    same("SES_003: an origin whose clone goes another way", one[0], two[0], &both);
    return 0;
}
