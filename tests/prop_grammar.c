/* The fuzzers' grammar: bytes as sessions, and sessions as bytes. */
#include "../fuzz/ops.h"
#include "author.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define ROOM ((size_t)1 << 19)

/* What a script prints; the caller frees it. */
static char *printed(const script *s)
{
    char *text;
    size_t len;
    FILE *to = open_memstream(&text, &len);
    cr_assert(to != NULL);
    script_print(s, to);
    fclose(to);
    return text;
}

static void expect_same(const script *a, script *b, uint64_t seed)
{
    memcpy(b->name, a->name, sizeof b->name);
    char *x = printed(a), *y = printed(b);
    cr_assert(strcmp(x, y) == 0, "NDL_SEED=%llu NDL_CASES=1", (unsigned long long)seed);
    free(x);
    free(y);
}

Test(prop_grammar, a_session_as_bytes_is_that_session)
{
    static script s, back;
    static uint8_t bytes[ROOM];
    uint64_t first = first_seed();
    for (size_t i = 0; i < case_count(2000); i++) {
        case_begin(first + i);
        author_session(first + i, &s);
        size_t len = ops_encode(&s, bytes, ROOM);
        cr_assert(len > 0);
        ops_decode(bytes, len, &back);
        cr_assert(back.n == s.n && back.pattern == s.pattern);
        expect_same(&s, &back, first + i);
        cr_assert(len == ops_encode(&back, bytes, ROOM));
        /* One byte less room than it takes is too little. */
        cr_assert(ops_encode(&s, bytes, len - 1) == 0);
    }
}

/* Any bytes: those that a session was made of need not be the ones it is
 * written as, but what it is written as is the session. */
Test(prop_grammar, any_bytes_are_a_session)
{
    static script s, back;
    static uint8_t bytes[ROOM];
    uint64_t first = first_seed();
    size_t operations = 0, cases = case_count(20000);
    for (size_t i = 0; i < cases; i++) {
        uint8_t input[256];
        rng r = {first + i};
        case_begin(first + i);
        size_t len = rng_below(&r, sizeof input + 1);
        for (size_t k = 0; k < len; k++)
            input[k] = (uint8_t)(rng_next(&r) >> 20);
        ops_decode(input, len, &s);
        operations += s.n;
        size_t again = ops_encode(&s, bytes, ROOM);
        cr_assert(again > 0, "NDL_SEED=%llu NDL_CASES=1", (unsigned long long)(first + i));
        ops_decode(bytes, again, &back);
        cr_assert(back.n == s.n);
        expect_same(&s, &back, first + i);
    }
    /* Few random bytes are a geometry that is refused. */
    cr_assert(cases < 100 || operations > 5 * cases, "%zu operations of %zu", operations, cases);
}
