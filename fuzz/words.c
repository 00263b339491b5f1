#include "words.h"

#include "author.h"
#include "lockstep.h"

#include <stdlib.h>

/* --------------------------------------------------------------- geometries */

enum { MOST_WINDOW = 4, MOST_POSITIONS = 6, MOST_TAPS = 3, MOST_DILATION = 3, MOST_ORDER = 3 };

/* The digit of a mixed number, least one first. */
static size_t digit(size_t *number, size_t base)
{
    size_t value = *number % base;
    *number /= base;
    return value;
}

/* One head of width 1 in two layers. */
static ndl_geometry two_layers(void)
{
    return (ndl_geometry){.num_layers = 2,
                          .num_heads = 1,
                          .num_kv_heads = 1,
                          .qk_head_dim = 1,
                          .v_head_dim = 1,
                          .d_model = 1,
                          .vocab_size = 8};
}

/* Pairs of a max_seq_len and a hint from 1 up to it; windows, each with the four
 * ways in which layers are global, which without a window are one. */
enum { PAIRS = MOST_POSITIONS * (MOST_POSITIONS + 1) / 2, WINDOWS = 4 * MOST_WINDOW + 1 };

size_t words_rings(void)
{
    return (size_t)2 * WINDOWS * PAIRS;
}

void words_ring(size_t i, ndl_geometry *g, ndl_options *options)
{
    *g = two_layers();
    *options = (ndl_options){.precision = digit(&i, 2) ? NDL_INT8 : NDL_F32};
    size_t window = digit(&i, WINDOWS);
    g->is_global[0] = window % 2 != 0;
    g->is_global[1] = window / 2 % 2 != 0;
    g->sliding_window = (window + 3) / 4;
    size_t pair = digit(&i, PAIRS), max = 1;
    while (pair >= max)
        pair -= max++;
    g->max_seq_len = max;
    options->hint = 1 + pair;
}

size_t words_tails(void)
{
    return (size_t)(MOST_TAPS + 1) * MOST_TAPS * MOST_DILATION * (MOST_ORDER + 1);
}

void words_tail(size_t i, ndl_geometry *g, ndl_options *options)
{
    *g = two_layers();
    *options = (ndl_options){.precision = NDL_F32, .hint = 1};
    g->sliding_window = 2;
    g->max_seq_len = 4;
    g->is_global[1] = true;
    g->qkv_conv_taps = digit(&i, MOST_TAPS + 1);
    g->engram.num_sites = 2;
    g->engram.sites[1] = 1;
    g->engram.conv_taps = 1 + digit(&i, MOST_TAPS);
    g->engram.conv_dilation = 1 + digit(&i, MOST_DILATION);
    size_t order = digit(&i, MOST_ORDER + 1);
    if (order > 0) {
        g->engram.num_orders = 1;
        g->engram.orders[0] = order;
        g->engram.heads = 1;
        g->engram.slots = 16;
        g->engram.sub_dim = 1;
    }
}

/* As many tokens as the largest ring gets slots, and three. */
static size_t tokens(const ndl_geometry *g)
{
    size_t most = 0;
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        size_t cap;
        must(ndl_geometry_cap(g, layer, &cap) == NDL_OK);
        most = cap > most ? cap : most;
    }
    return most + 3;
}

/* -------------------------------------------------------------------- states */

/* Digests of the states that were reached: open addressing, half full at most. */
typedef struct states {
    uint64_t *digests;
    size_t room, used;
} states;

/* Where a digest is, or the free place where it would be. */
static size_t place_of(const states *set, uint64_t digest)
{
    size_t at = digest % set->room;
    while (set->digests[at] != 0 && set->digests[at] != digest)
        at = (at + 1) % set->room;
    return at;
}

static void grow(states *set)
{
    states larger = {NULL, set->room ? 2 * set->room : 1024, set->used};
    larger.digests = must_have(larger.room * sizeof *larger.digests);
    for (size_t i = 0; i < larger.room; i++)
        larger.digests[i] = 0;
    for (size_t i = 0; i < set->room; i++) {
        if (set->digests[i])
            larger.digests[place_of(&larger, set->digests[i])] = set->digests[i];
    }
    free(set->digests);
    *set = larger;
}

static bool add_state(states *set, uint64_t digest)
{
    digest += digest == 0; /* 0 is a free place */
    if (2 * (set->used + 1) > set->room)
        grow(set);
    size_t at = place_of(set, digest);
    if (set->digests[at] == digest)
        return false;
    set->digests[at] = digest;
    set->used++;
    return true;
}

/* --------------------------------------------------------------------- words */

enum { LONGEST = 16, MOST_LETTERS = 32 };

typedef struct word {
    letter letters[LONGEST];
    size_t n;
} word;

/* Words still to be gone on with, in the order in which they were found, so that a
 * state is gone on with from the shortest word that leads there. */
typedef struct words {
    word *list;
    size_t room, n;
} words;

static void add_word(words *w, const word *new)
{
    if (w->n == w->room) {
        w->room = w->room ? 2 * w->room : 256;
        must((w->list = realloc(w->list, w->room * sizeof *w->list)) != NULL);
    }
    w->list[w->n++] = *new;
}

/* The letters that may follow a word: prompts past the end of every ring, positions
 * back, and one ahead; in the end tokens alone. */
static size_t letters_after(const ndl_geometry *g, const word *w, size_t mixed, letter *letters)
{
    size_t n = 0, pos = word_pos(w->letters, w->n);
    letters[n++] = (letter){LETTER_TOKEN, 0};
    if (w->n >= mixed)
        return n;
    letters[n++] = (letter){LETTER_CLONE, 0};
    letters[n++] = (letter){LETTER_RESET, 0};
    for (size_t i = 1; i <= g->max_seq_len + 1; i++)
        letters[n++] = (letter){LETTER_PREFILL, (unsigned char)i};
    const size_t places[] = {0, pos / 2, pos - 1, pos + 1};
    for (size_t i = 0; i < COUNT(places); i++) {
        bool again = pos == 0 && i < 3;
        for (size_t k = 0; k < i; k++)
            again |= places[k] == places[i];
        if (!again)
            letters[n++] = (letter){LETTER_SET_POS, (unsigned char)places[i]};
    }
    must(n <= MOST_LETTERS);
    return n;
}

/* An origin that stays beside its clone counts for one letter more: else the states
 * would be all pairs of two sessions. */
static bool origin_counts(const word *w)
{
    size_t last = w->n;
    while (last > 0 && w->letters[last - 1].kind != LETTER_CLONE)
        last--;
    return last > 0 && w->n - last <= 1;
}

/* Engine and reference agree after it; then `state` is what it leads to. */
static bool run_word(const ndl_geometry *g, const ndl_options *options, const word *w,
                     uint64_t *state, script *s, finding *f)
{
    lockstep_end end = {.only_end = true};
    size_t at;
    author_word(g, options, w->letters, w->n, s);
    lockstep_run_to(s, f, &at, NULL, &end);
    rng mix = {end.digest[0] ^ (2 * word_pos(w->letters, w->n) + word_is_odd(w->letters, w->n))};
    *state = rng_next(&mix);
    if (origin_counts(w)) {
        mix.state = *state ^ end.digest[1];
        *state = rng_next(&mix);
    }
    return !found(f);
}

bool words_run(const ndl_geometry *g, const ndl_options *options, size_t mixed, words_count *count,
               script *s, finding *f)
{
    const size_t length = mixed + tokens(g);
    states seen = {NULL, 0, 0};
    words queue = {NULL, 0, 0};
    bool agree = true;
    must(length <= LONGEST);
    add_word(&queue, &(word){.n = 0});
    for (size_t next = 0; agree && next < queue.n; next++) {
        word w = queue.list[next];
        letter letters[MOST_LETTERS];
        size_t n = letters_after(g, &w, mixed, letters);
        w.n++;
        for (size_t i = 0; agree && i < n; i++) {
            uint64_t state;
            w.letters[w.n - 1] = letters[i];
            agree = run_word(g, options, &w, &state, s, f);
            count->sessions++;
            if (agree && add_state(&seen, state) && w.n < length)
                add_word(&queue, &w);
        }
    }
    count->states += seen.used;
    free(seen.digests);
    free(queue.list);
    return agree;
}
