/* The token history and the n-gram hash. */
#include "support.h"

static void expect_history(const ndl_session *s, const uint32_t *tokens, size_t n)
{
    size_t held = 77;
    const uint32_t *history = ndl_history(s, &held);
    expect_size(held, n);
    for (size_t i = 0; i < n; i++)
        cr_assert(history[i] == tokens[i], "token %zu is %u", i, history[i]);
}

Test(tokens, TOK_001_the_last_M_in_order)
{
    for (size_t m = 1; m < 6; m++) {
        ndl_geometry g = small_geometry();
        g.engram.orders[0] = 1;
        g.engram.orders[1] = m;
        ndl_session *s = new_session(&g, NULL);
        uint32_t pushed[12];
        for (size_t n = 0; n < COUNT(pushed); n++) {
            expect_history(s, pushed + (n > m ? n - m : 0), n > m ? m : n);
            pushed[n] = UINT32_MAX - (uint32_t)n;
            ndl_push_token(s, pushed[n]);
        }
        ndl_session_free(s);
    }
}

Test(tokens, TOK_001_without_orders_one_token_is_kept)
{
    ndl_geometry g = small_geometry();
    g.engram.num_orders = 0;
    ndl_session *s = new_session(&g, NULL);
    for (uint32_t token = 5; token < 9; token++) {
        ndl_push_token(s, token);
        expect_history(s, &token, 1);
    }
    ndl_session_free(s);
}

Test(tokens, TOK_002_seeding_keeps_the_last_M_of_what_it_is_given)
{
    static const uint32_t tokens[] = {11, 12, 13, 14, 15, 16};
    for (size_t before = 0; before < 5; before++) {
        for (size_t n = 0; n <= COUNT(tokens); n++) {
            ndl_geometry g = small_geometry();
            ndl_session *s = new_session(&g, NULL);
            for (size_t i = 0; i < before; i++)
                ndl_push_token(s, 99);
            ndl_seed_tokens(s, n ? tokens : NULL, n);
            expect_history(s, tokens + (n > 3 ? n - 3 : 0), n > 3 ? 3 : n);
            ndl_push_token(s, 17);
            size_t held = 0;
            cr_assert(ndl_history(s, &held)[n > 2 ? 2 : n] == 17);
            ndl_session_free(s);
        }
    }
}

/* Indices worked out from the definition by a program of its own, in another
 * language, which reproduces every recorded index. */
static const struct {
    uint32_t tokens[3];
    size_t n, seed_heads;
    uint32_t indices[6];
} vectors[] = {
    {{0}, 0, 0, {10891, 7446, 16797, 9300, 11585, 4054}},
    {{7}, 1, 0, {8812, 30, 9807, 13131, 11083, 14682}},
    {{5, 6}, 2, 0, {10239, 18181, 734, 17941, 16278, 337}},
    {{1, 2, 3}, 3, 0, {4683, 4348, 5537, 10726, 15498, 10382}},
    {{1, 2, 3}, 3, 3, {4683, 4348, 5537, 10726, 15498, 10382}},
    {{1, 2, 3}, 3, 8, {4683, 4348, 5537, 15310, 13291, 3057}},
    {{UINT32_MAX, 0x80000000, 0xDEADBEEF}, 3, 0, {15371, 5062, 5630, 16253, 8901, 13714}},
};

Test(tokens, TOK_004_the_hash)
{
    for (size_t i = 0; i < COUNT(vectors); i++) {
        ndl_geometry g = shipped_geometry();
        g.engram.seed_heads = vectors[i].seed_heads;
        ndl_session *s = new_session(&g, NULL);
        ndl_seed_tokens(s, vectors[i].tokens, vectors[i].n);
        for (size_t table = 0; table < 6; table++) {
            uint32_t index = 77;
            expect_ok(ndl_engram_index(s, table, &index));
            cr_assert(index == vectors[i].indices[table], "vector %zu, table %zu: %u", i, table,
                      index);
        }
        ndl_session_free(s);
    }
}

/* With more slots than 32 bits reach, the index is the hash itself. Orders that
 * are not sorted, and one twice: table t is order t / heads. */
Test(tokens, TOK_004_the_whole_hash_and_orders_as_they_stand)
{
    static const uint32_t want[] = {0x427440D6, 0x113A7CC2, 0x5BFD6203, 0x2C522501,
                                    0xDB0A5FBF, 0x4D3C91CF, 0xC36DB2CA, 0x65B0E209};
    static const uint32_t tokens[] = {1, 2, 3};
    ndl_geometry g = small_geometry();
    g.engram.num_orders = 4;
    g.engram.orders[0] = 3;
    g.engram.orders[1] = 1;
    g.engram.orders[2] = g.engram.orders[3] = 2;
    g.engram.heads = 2;
    g.engram.slots = SIZE_MAX;
    ndl_session *s = new_session(&g, NULL);
    ndl_seed_tokens(s, tokens, 3);
    for (size_t table = 0; table < COUNT(want); table++) {
        uint32_t index = 77;
        expect_ok(ndl_engram_index(s, table, &index));
        cr_assert(index == want[table], "table %zu: %08x", table, index);
    }
    ndl_session_free(s);
}

/* The seed is a number modulo 2^32, however large its factors are. */
Test(tokens, TOK_004_a_stride_beyond_32_bits_wraps)
{
    static const size_t strides[] = {SIZE_MAX, SIZE_MAX - 4, (size_t)UINT32_MAX};
    for (size_t i = 0; i < COUNT(strides); i++) {
        ndl_geometry g = small_geometry();
        g.engram.num_orders = 4;
        g.engram.orders[0] = g.engram.orders[1] = g.engram.orders[2] = g.engram.orders[3] = 1;
        g.engram.heads = 2;
        g.engram.slots = SIZE_MAX;
        g.engram.seed_heads = strides[i];
        ndl_session *s = new_session(&g, NULL);
        ndl_push_token(s, 0x1234);
        for (size_t table = 0; table < 8; table++) {
            uint32_t o = (uint32_t)(table / 2), h = (uint32_t)(table % 2), index = 77;
            uint32_t acc = 0x9E3779B9u * (o * (uint32_t)strides[i] + h + 1);
            acc = (acc ^ 0x1234) * 0x01000193u;
            acc ^= acc >> 15;
            expect_ok(ndl_engram_index(s, table, &index));
            cr_assert(index == acc, "table %zu: %08x, not %08x", table, index, acc);
        }
        ndl_session_free(s);
    }
}

Test(tokens, TOK_003_an_index_is_below_slots)
{
    rng r = {1};
    static const size_t slots[] = {1, 2, 3, 16, 18432, 65537};
    for (size_t i = 0; i < COUNT(slots); i++) {
        ndl_geometry g = shipped_geometry();
        g.engram.slots = slots[i];
        ndl_session *s = new_session(&g, NULL);
        for (size_t n = 0; n < 200; n++) {
            ndl_push_token(s, (uint32_t)rng_next(&r));
            for (size_t table = 0; table < 6; table++) {
                uint32_t index = UINT32_MAX;
                expect_ok(ndl_engram_index(s, table, &index));
                cr_assert(index < slots[i]);
            }
        }
        ndl_session_free(s);
    }
}

Test(tokens, TOK_003_a_table_there_is_not_is_refused)
{
    ndl_geometry g = shipped_geometry();
    ndl_session *s = new_session(&g, NULL);
    uint32_t index = 77;
    expect_status(ndl_engram_index(s, 6, &index), NDL_E_TABLE);
    expect_status(ndl_engram_index(s, SIZE_MAX, &index), NDL_E_TABLE);
    cr_assert(index == 77);
    ndl_session_free(s);
    g.engram.num_orders = 0;
    s = new_session(&g, NULL);
    expect_status(ndl_engram_index(s, 0, &index), NDL_E_TABLE);
    cr_assert(index == 77);
    ndl_session_free(s);
}
