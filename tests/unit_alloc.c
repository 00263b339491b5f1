/* Memory that cannot be had: every allocation failing in turn, in every call
 * that asks for memory. The status says so, nothing has changed, nothing is
 * kept, and the same call succeeds as soon as there is memory. */
#include "digest.h"
#include "life.h"
#include "memory.h"

typedef struct fixture {
    memory m;
    ndl_allocator allocator;
    kind k;
} fixture;

static void prepare(fixture *f, size_t i, uint32_t pattern)
{
    f->m = (memory){.pattern = pattern};
    f->allocator = memory_allocator(&f->m);
    f->k = kind_of_session(i);
    f->k.options.allocator = &f->allocator;
}

static void expect_all_given_back(const fixture *f)
{
    expect_size(f->m.live, 0);
    expect_size(f->m.blocks, 0);
    expect_size(f->m.misuses, 0);
}

/* Makes the k-th next allocation fail; true if the call then failed for it, as
 * it must, and false if it asked for fewer than k. */
static bool failed_for_memory(memory *m, size_t k, ndl_status got, const char *name)
{
    if (m->fail_in) {
        cr_assert(got == NDL_OK, "%s: %s without a failure", name, ndl_status_name(got));
        m->fail_in = 0;
        return false;
    }
    cr_assert(got == NDL_E_MEMORY, "%s: %s although allocation %zu failed", name,
              ndl_status_name(got), k);
    return true;
}

Test(alloc, SES_001_new_fails_at_every_allocation)
{
    for (size_t i = 0; i < KINDS; i++) {
        fixture f;
        prepare(&f, i, 0xFFFFFFFF);
        size_t k = 1;
        for (;; k++) {
            ndl_session *s = NULL;
            f.m.fail_in = k;
            ndl_status got = ndl_session_new(&f.k.geometry, &f.k.options, &s);
            if (!failed_for_memory(&f.m, k, got, f.k.name)) {
                ndl_session_free(s);
                break;
            }
            cr_assert(s == NULL);
            expect_all_given_back(&f);
        }
        cr_assert(k > 2, "%s", f.k.name);
        expect_all_given_back(&f);
    }
}

Test(alloc, SES_001_clone_fails_at_every_allocation)
{
    for (size_t i = 0; i < KINDS; i++) {
        fixture f;
        prepare(&f, i, 0xFFFFFFFF);
        ndl_session *s = new_session(&f.k.geometry, &f.k.options), *copy = NULL;
        rng r = {i};
        live(s, &r, 5);
        uint64_t digest = digest_of(s);
        size_t live_before = f.m.live, k = 1;
        for (;; k++) {
            f.m.fail_in = k;
            if (!failed_for_memory(&f.m, k, ndl_session_clone(s, &copy), f.k.name))
                break;
            cr_assert(copy == NULL && digest_of(s) == digest);
            expect_size(f.m.live, live_before);
        }
        cr_assert(k > 2, "%s", f.k.name);
        cr_assert(digest_of(copy) == digest);
        ndl_session_free(copy);
        ndl_session_free(s);
        expect_all_given_back(&f);
    }
}

Test(alloc, SES_001_reset_fails_at_every_allocation)
{
    for (size_t i = 0; i < KINDS; i++) {
        fixture f;
        prepare(&f, i, 0xFFFFFFFF);
        ndl_session *s = new_session(&f.k.geometry, &f.k.options);
        uint64_t fresh = digest_of(s);
        rng r = {i};
        live(s, &r, 7);
        uint64_t digest = digest_of(s);
        size_t live_before = f.m.live, k = 1;
        for (;; k++) {
            f.m.fail_in = k;
            if (!failed_for_memory(&f.m, k, ndl_session_reset(s), f.k.name))
                break;
            cr_assert(digest_of(s) == digest, "%s, allocation %zu", f.k.name, k);
            expect_size(f.m.live, live_before);
        }
        cr_assert(digest_of(s) == fresh, "%s", f.k.name);
        ndl_session_free(s);
        expect_all_given_back(&f);
    }
}

/* What has not grown is cleared where it is, so that there is nothing that can fail. */
Test(alloc, SES_006_a_reset_without_growth_asks_for_no_memory)
{
    for (size_t i = 0; i < KINDS; i++) {
        fixture f;
        prepare(&f, i, 0xFFFFFFFF);
        ndl_session *s = new_session(&f.k.geometry, &f.k.options);
        const uint64_t fresh = digest_of(s);
        ndl_push_token(s, 5);
        expect_ok(ndl_set_pos(s, 3));
        f.m.fail_in = 1;
        expect_ok(ndl_session_reset(s));
        cr_assert(digest_of(s) == fresh, "%s", f.k.name);
        ndl_session_free(s);
        expect_all_given_back(&f);
    }
}

Test(alloc, SES_001_growth_fails_at_every_allocation)
{
    for (size_t i = 0; i < KINDS; i++) {
        fixture f;
        prepare(&f, i, 0xFFFFFFFF);
        ndl_session *s = new_session(&f.k.geometry, &f.k.options);
        size_t layer = f.k.geometry.num_layers > 2 ? 1 : 0, grown = 0;
        const float row[10] = {1, -2, 3, -4, 5, -6, 7, -8, 9, -10};
        size_t k_dim = ndl_geometry_k_dim(&f.k.geometry), v_dim = ndl_geometry_v_dim(&f.k.geometry);
        for (size_t pos = 0; pos < 9; pos++) {
            uint64_t digest = digest_of(s);
            size_t live_before = f.m.live, k = 1;
            for (;; k++) {
                f.m.fail_in = k;
                ndl_status got = ndl_write_kv(s, layer, pos, row, k_dim, row, v_dim);
                if (!failed_for_memory(&f.m, k, got, f.k.name))
                    break;
                cr_assert(digest_of(s) == digest, "%s, allocation %zu", f.k.name, k);
                expect_size(f.m.live, live_before);
            }
            grown += k > 1;
        }
        /* the one kind that reserves everything at once never grows */
        cr_assert((grown > 0) == (f.k.options.hint != SIZE_MAX), "%s", f.k.name);
        ndl_session_free(s);
        expect_all_given_back(&f);
    }
}

/* Nothing that was not written shows, whatever fresh memory held: the same
 * life over four patterns gives one digest after every token. */
Test(alloc, SES_007_fresh_memory_never_shows)
{
    for (size_t i = 0; i < KINDS; i++) {
        uint64_t digests[20] = {0}, outputs[20] = {0};
        for (size_t p = 0; p < COUNT(memory_patterns); p++) {
            fixture f;
            prepare(&f, i, memory_patterns[p]);
            ndl_session *s = new_session(&f.k.geometry, &f.k.options), *copy = NULL;
            rng r = {i};
            for (size_t t = 0; t < 20; t++) {
                if (t == 10)
                    expect_ok(ndl_session_reset(s));
                if (t == 13) { /* skipped positions leave slots unwritten */
                    expect_ok(ndl_set_pos(s, 6));
                    expect_ok(ndl_session_clone(s, &copy));
                    ndl_session_free(s);
                    s = copy;
                }
                uint64_t out = live_token(s, &r), digest = digest_of(s);
                if (p == 0) {
                    outputs[t] = out;
                    digests[t] = digest;
                }
                cr_assert(digest == digests[t] && out == outputs[t], "%s over %08x, token %zu",
                          f.k.name, memory_patterns[p], t);
            }
            ndl_session_free(s);
            expect_all_given_back(&f);
        }
    }
}

/* The words an allocator may use as its context are its own. */
Test(alloc, SES_001_the_allocator_is_copied)
{
    fixture f;
    prepare(&f, 0, 0);
    ndl_allocator passing = f.allocator;
    f.k.options.allocator = &passing;
    ndl_session *s = new_session(&f.k.geometry, &f.k.options);
    passing = (ndl_allocator){NULL, NULL, NULL};
    rng r = {1};
    live(s, &r, 9);
    ndl_session_free(s);
    expect_all_given_back(&f);
}
