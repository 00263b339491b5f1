/* Clones, and sessions side by side. */
#include "digest.h"
#include "life.h"

static ndl_session *clone_of(const ndl_session *s)
{
    ndl_session *copy = NULL;
    expect_ok(ndl_session_clone(s, &copy));
    cr_assert(copy != NULL && copy != s);
    return copy;
}

Test(twins, SES_002_a_clone_continues_alike)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        /* Before, while and after its rings grow and wrap. */
        for (size_t age = 0; age < 14; age++) {
            ndl_session *s = new_session(&k.geometry, &k.options);
            rng r = {age};
            live(s, &r, age);
            ndl_session *copy = clone_of(s);
            cr_assert(digest_of(copy) == digest_of(s), "%s at %zu", k.name, age);
            rng a = {99}, b = {99};
            cr_assert(live(s, &a, 10) == live(copy, &b, 10), "%s at %zu", k.name, age);
            cr_assert(digest_of(copy) == digest_of(s), "%s at %zu", k.name, age);
            ndl_session_free(s);
            ndl_session_free(copy);
        }
    }
}

Test(twins, SES_002_neither_sees_what_the_other_does)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        ndl_session *s = new_session(&k.geometry, &k.options);
        rng r = {7};
        live(s, &r, 5);
        ndl_session *copy = clone_of(s);
        uint64_t before = digest_of(s);
        live(copy, &r, 8);
        cr_assert(digest_of(s) == before, "%s", k.name);
        uint64_t after = digest_of(copy);
        live(s, &r, 3);
        expect_ok(ndl_session_reset(s));
        cr_assert(digest_of(copy) == after, "%s", k.name);
        ndl_session_free(s);
        cr_assert(digest_of(copy) == after, "%s", k.name);
        live(copy, &r, 3);
        ndl_session_free(copy);
    }
}

Test(twins, SES_002_a_clone_of_a_clone_outlives_both)
{
    kind k = kind_of_session(3);
    ndl_session *s = new_session(&k.geometry, &k.options);
    rng r = {8};
    live(s, &r, 4);
    uint64_t digest = digest_of(s);
    ndl_session *copy = clone_of(s), *third = clone_of(copy);
    ndl_session_free(copy);
    ndl_session_free(s);
    cr_assert(digest_of(third) == digest);
    ndl_session_free(third);
}

/* Two lives, one after the other, and the same two token by token in turn. */
Test(twins, SES_003_interleaved_sessions_do_not_meet)
{
    for (size_t i = 0; i + 1 < KINDS; i++) {
        kind k[2] = {kind_of_session(i), kind_of_session(i + 1)};
        uint64_t apart[2][20], digest[2];
        for (size_t j = 0; j < 2; j++) {
            ndl_session *s = new_session(&k[j].geometry, &k[j].options);
            rng r = {j};
            for (size_t t = 0; t < 20; t++)
                apart[j][t] = live_token(s, &r);
            digest[j] = digest_of(s);
            ndl_session_free(s);
        }
        ndl_session *s[2] = {new_session(&k[0].geometry, &k[0].options),
                             new_session(&k[1].geometry, &k[1].options)};
        rng r[2] = {{0}, {1}};
        for (size_t t = 0; t < 20; t++) {
            for (size_t j = 0; j < 2; j++)
                cr_assert(live_token(s[j], &r[j]) == apart[j][t], "%s at %zu", k[j].name, t);
        }
        for (size_t j = 0; j < 2; j++) {
            cr_assert(digest_of(s[j]) == digest[j], "%s", k[j].name);
            ndl_session_free(s[j]);
        }
    }
}

Test(twins, SES_005_equal_sessions_give_one_digest)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        uint64_t first = 0;
        for (size_t twin = 0; twin < 5; twin++) {
            ndl_session *s = new_session(&k.geometry, &k.options);
            rng r = {3};
            uint64_t digest = live(s, &r, 17) ^ digest_of(s);
            ndl_session_free(s);
            if (twin == 0)
                first = digest;
            cr_assert(digest == first, "%s", k.name);
        }
    }
}
