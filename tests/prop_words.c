/* Every word of token-level operations in every small geometry, in lock-step: words
 * that begin with two letters of any kind, or with NDL_WORDS, and end with tokens,
 * until each ring has grown, wrapped and overflowed; and a few geometries with six. */
#include "lockstep_case.h"
#include "support.h"
#include "words.h"

typedef void geometry_of(size_t i, ndl_geometry *g, ndl_options *options);

static void every_word(geometry_of *of, size_t first, size_t step, size_t n, size_t mixed)
{
    static script s;
    words_count count = {0, 0};
    for (size_t i = first; i < n; i += step) {
        ndl_geometry g;
        ndl_options options;
        finding f;
        of(i, &g, &options);
        case_begin(i);
        if (words_run(&g, &options, mixed, &count, &s, &f))
            continue;
        /* Once more with a comparison after every operation, shrunk and kept. */
        cr_assert(lockstep_try(&s, NULL, &f), "geometry %zu, %s: %s", i, s.name, f.text);
        cr_assert_fail("geometry %zu, %s: engine and reference differ at its end alone", i, s.name);
    }
    cr_assert(count.states > n / step);
}

static size_t letters(void)
{
    size_t mixed = (size_t)number_from("NDL_WORDS", instrumented() ? 1 : 2);
    return mixed < 6 ? mixed : 6;
}

Test(prop_words, KV_006_and_SPAN_004_words_in_every_ring)
{
    every_word(words_ring, 0, 1, words_rings(), letters());
}

Test(prop_words, CONV_003_and_ENG_003_words_with_every_tail)
{
    every_word(words_tail, 0, 1, words_tails(), letters());
}

/* In f32 and in int8, with a window and without. */
Test(prop_words, KV_006_and_SPAN_004_long_words_in_small_rings)
{
    every_word(words_ring, 0, 53, 107, instrumented() ? 3 : 6);
}
