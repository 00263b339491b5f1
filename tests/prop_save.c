/* Random sessions, saved, altered and loaded: engine and reference refuse the same
 * bytes for the same reason, and make of the others the same sessions, which go on
 * alike and save the same bytes again. */
#include "author.h"
#include "life.h"
#include "saved.h"

#include <stdlib.h>
#include <string.h>

/* A number for one of the 8 bytes' places: of its neighbourhood, or of the ends. */
static uint64_t some_number(rng *r, uint64_t now)
{
    switch (rng_below(r, 7)) {
    case 0:
        return now + 1;
    case 1:
        return now - 1;
    case 2:
        return rng_below(r, 10);
    case 3:
        return UINT64_C(1) << rng_below(r, 64);
    case 4:
        return (UINT64_C(1) << rng_between(r, 1, 63)) + now; /* a product may wrap */
    case 5:                                                  /* about SIZE_MAX, here or elsewhere */
        return (UINT64_MAX >> (rng_one_in(r, 2) ? 32 : 0)) - rng_below(r, 3);
    default:
        return rng_next(r);
    }
}

/* Something of it becomes something else; then length and checksum are made right,
 * as a rule, so that what is behind them is looked at. */
static void alter(rng *r, saved *b, size_t layers)
{
    const size_t length = 16, precision = 32, numbers = 5 + 2 * layers;
    for (size_t times = rng_between(r, 1, 3); times > 0; times--) {
        size_t at = precision + 8 * rng_below(r, numbers);
        switch (rng_below(r, 5)) {
        case 0: /* bytes are lost, or there are more */
            b->len = rng_one_in(r, 2) ? rng_below(r, b->len + 1)
                                      : b->len - rng_below(r, b->len < 33 ? b->len + 1 : 33);
            break;
        case 1:
            if (b->len > 0)
                b->bytes[rng_below(r, b->len)] ^= (uint8_t)(1u << rng_below(r, 8));
            break;
        default:
            if (at + 8 <= b->len)
                put_number(b, at, some_number(r, number_at(b, at)));
            break;
        }
    }
    if (b->len >= 24 && !rng_one_in(r, 20))
        put_number(b, length, b->len);
    if (b->len >= 8 && !rng_one_in(r, 20))
        seal(b);
}

/* Bytes alone in memory: a sanitizer sees what is read behind them. */
static saved copy_of(const saved *b)
{
    saved c = {malloc(b->len ? b->len : 1), b->len};
    cr_assert(c.bytes != NULL);
    memcpy(c.bytes, b->bytes, b->len);
    return c;
}

/* Loads them twice; true if they are a session. */
static bool load_both(const ndl_geometry *g, const saved *b, uint64_t seed, size_t *refused)
{
    saved alone = copy_of(b);
    ndl_session *s = NULL;
    ref_session *t = NULL;
    ndl_status got = ndl_session_load(g, NULL, alone.bytes, alone.len, &s);
    ndl_status want = ref_session_load(g, ndl_expf, alone.bytes, alone.len, &t);
    cr_assert(got == want, "NDL_SEED=%llu NDL_CASES=1: the engine gives %s, the reference %s",
              (unsigned long long)seed, ndl_status_name(got), ndl_status_name(want));
    cr_assert((got == NDL_OK) == (s != NULL) && (got == NDL_OK) == (t != NULL));
    refused[got]++;
    if (got == NDL_OK) {
        finding f = {""};
        compare_sessions(&f, s, t);
        cr_assert(!found(&f), "NDL_SEED=%llu NDL_CASES=1: %s", (unsigned long long)seed, f.text);
        saved again = save_of(s);
        cr_assert(same_save(&again, b), "NDL_SEED=%llu NDL_CASES=1: other bytes are saved",
                  (unsigned long long)seed);
        free(again.bytes);
        /* and it is a session like any other: a sanitizer looks on */
        expect_ok(ndl_set_pos(s, ndl_pos(s) % 20));
        rng r = {seed};
        live(s, &r, 3);
        expect_ok(ndl_session_reset(s));
        live(s, &r, 1);
    }
    ndl_session_free(s);
    ref_session_free(t);
    free(alone.bytes);
    return got == NDL_OK;
}

/* A ring or the history made longer or shorter, and `written` moved: the length is
 * right, so that only the numbers' bounds are left to refuse it. */
static saved resized_at_random(rng *r, const ndl_geometry *g, const saved *b)
{
    size_t layer = rng_below(r, g->num_layers + 1), slots = 0, cap;
    size_t held =
        rng_one_in(r, 3) ? rng_below(r, ndl_geometry_max_order(g) + 3) : (size_t)number_at(b, 64);
    if (ndl_geometry_cap(g, layer, &cap) == NDL_OK)
        slots = rng_one_in(r, 2) ? rng_below(r, cap + 3) : cap;
    saved out = resized(g, b, layer, slots, held);
    if (layer < g->num_layers && rng_one_in(r, 2)) {
        put_number(&out, 72 + 16 * layer + 8, rng_below(r, cap + 3));
        seal(&out);
    }
    return out;
}

static void save_case(uint64_t seed, size_t *refused)
{
    static script of_seed; /* large; the process of a test has one thread */
    case_begin(seed);
    author_session(seed, &of_seed);
    const ndl_geometry *g = &of_seed.geometry;
    rng r = {seed};
    ndl_session *s = new_session(g, &of_seed.options);
    live(s, &r, rng_below(&r, 12));
    saved whole = save_of(s);
    cr_assert(load_both(g, &whole, seed, refused));
    for (size_t i = 0; i < 12; i++) {
        saved altered = i % 2 ? copy_of(&whole) : resized_at_random(&r, g, &whole);
        if (i % 2)
            alter(&r, &altered, g->num_layers);
        load_both(g, &altered, seed, refused);
        free(altered.bytes);
    }
    /* What is loaded goes on as what was saved. */
    ndl_session *t = load_of(g, &whole);
    rng one = {seed + 1}, two = {seed + 1};
    cr_assert(live(s, &one, 6) == live(t, &two, 6), "NDL_SEED=%llu NDL_CASES=1",
              (unsigned long long)seed);
    saved a = save_of(s), b = save_of(t);
    cr_assert(same_save(&a, &b), "NDL_SEED=%llu NDL_CASES=1", (unsigned long long)seed);
    free(a.bytes);
    free(b.bytes);
    free(whole.bytes);
    ndl_session_free(s);
    ndl_session_free(t);
}

Test(save, SES_004_SES_014_whatever_the_bytes_are)
{
    static const ndl_status reached[] = {
        NDL_OK,
        NDL_E_SAVE,
        NDL_E_SAVE_VERSION,
        NDL_E_SAVE_LENGTH,
        NDL_E_SAVE_CHECKSUM,
        NDL_E_SAVE_GEOMETRY,
        NDL_E_SAVE_VALUES,
        NDL_E_SIZE,
    };
    size_t cases = case_count(3000), refused[NDL_E_SAVE_VALUES + 1] = {0};
    for (size_t i = 0; i < cases; i++)
        save_case(first_seed() + i, refused);
    for (size_t i = 0; cases >= 3000 && i < COUNT(reached); i++)
        cr_assert(refused[reached[i]] > 0, "never seen: %s", ndl_status_name(reached[i]));
    cr_assert(cases < 3000 || refused[NDL_OK] > 2 * cases, "too few alterations are accepted");
}
