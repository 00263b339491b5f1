/* Every word of token-level operations up to a length, in lock-step. Two layers,
 * a window of 2 or 3 and a hint of 1 are small enough for rings to grow, wrap
 * and overflow within a word. NDL_WORDS is the length. */
#include "author.h"
#include "life.h"
#include "lockstep_case.h"

#define LONGEST 8

static void every_word(const ndl_geometry *g, ndl_options options)
{
    size_t length = (size_t)number_from("NDL_WORDS", instrumented() ? 3 : 5), words = 1;
    length = length < 1 ? 1 : length > LONGEST ? LONGEST : length;
    for (size_t i = 0; i < length; i++)
        words *= LETTERS;
    static script s;
    for (size_t word = 0; word < words; word++) {
        unsigned letters[LONGEST];
        for (size_t i = 0, rest = word; i < length; i++, rest /= LETTERS)
            letters[i] = (unsigned)(rest % LETTERS);
        case_begin(word);
        author_word(g, &options, letters, length, &s);
        finding f;
        cr_assert(lockstep_try(&s, NULL, &f), "%s: %s", s.name, f.text);
    }
}

/* One kv head of width 1, a site, three taps: the smallest that has everything. */
static ndl_geometry smallest(size_t window)
{
    ndl_geometry g = small_geometry();
    g.sliding_window = window;
    g.max_seq_len = 4;
    g.engram.conv_taps = 3;
    g.engram.conv_dilation = 1;
    return g;
}

Test(prop_words, KV_006_and_CONV_003_words_in_f32)
{
    ndl_geometry g = smallest(3);
    ndl_options o = {.precision = NDL_F32};
    every_word(&g, o);
}

Test(prop_words, KV_006_and_CONV_003_words_in_int8)
{
    ndl_geometry g = smallest(2);
    ndl_options o = {.precision = NDL_INT8};
    every_word(&g, o);
}

/* Two kv heads of two query heads each, two sites. */
Test(prop_words, KV_006_and_CONV_003_words_of_grouped_heads)
{
    ndl_geometry g = smallest(3);
    g.num_heads = 4;
    g.num_kv_heads = 2;
    g.qk_head_dim = 2;
    g.engram.num_sites = 2;
    g.engram.sites[1] = 1;
    ndl_options o = {.precision = NDL_INT8, .numerics = NDL_UPSTREAM, .hint = 2};
    every_word(&g, o);
}
