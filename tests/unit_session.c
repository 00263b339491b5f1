/* A new session, its position, reset and what is refused at its making. */
#include "digest.h"
#include "life.h"

static void expect_empty_store(const ndl_session *s, size_t layer)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    bool int8 = ndl_session_precision(s) == NDL_INT8;
    ndl_kv kv;
    expect_ok(ndl_kv_at(s, layer, &kv));
    cr_assert(kv.precision == ndl_session_precision(s));
    cr_assert((kv.k == NULL) == int8 && (kv.v == NULL) == int8);
    cr_assert((kv.k_codes == NULL) == !int8 && (kv.v_codes == NULL) == !int8);
    cr_assert((kv.k_scales == NULL) == !int8 && (kv.v_scales == NULL) == !int8);
    size_t keys = kv.slots * ndl_geometry_k_dim(g), values = kv.slots * ndl_geometry_v_dim(g);
    for (size_t i = 0; !int8 && i < keys; i++)
        expect_bits(kv.k[i], 0);
    for (size_t i = 0; !int8 && i < values; i++)
        expect_bits(kv.v[i], 0);
    for (size_t i = 0; int8 && i < keys; i++)
        cr_assert(kv.k_codes[i] == 0);
    for (size_t i = 0; int8 && i < values; i++)
        cr_assert(kv.v_codes[i] == 0);
    for (size_t i = 0; int8 && i < kv.slots * g->num_kv_heads; i++) {
        expect_bits(kv.k_scales[i], 0x3F800000);
        expect_bits(kv.v_scales[i], 0x3F800000);
    }
}

static void expect_zeros(const ndl_rows *tail, size_t rows, size_t dim)
{
    expect_size(tail->rows, rows);
    expect_size(tail->dim, dim);
    for (size_t i = 0; i < rows * dim; i++)
        expect_bits(tail->data[i], 0);
}

Test(session, SES_007_a_new_session_is_empty)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        const ndl_geometry *g = &k.geometry;
        ndl_session *s = new_session(g, &k.options);
        const size_t dim[3] = {ndl_geometry_q_dim(g), ndl_geometry_k_dim(g), ndl_geometry_v_dim(g)};
        for (size_t layer = 0; layer < g->num_layers; layer++) {
            expect_empty_store(s, layer);
            expect_size(lost_of(s, layer), 0);
            for (int which = NDL_Q; which <= NDL_V; which++) {
                ndl_rows tail;
                expect_ok(ndl_conv_tail(s, layer, (ndl_projection)which, &tail));
                expect_zeros(&tail, g->qkv_conv_taps ? g->qkv_conv_taps - 1 : 0, dim[which]);
            }
        }
        for (size_t site = 0; site < g->engram.num_sites; site++) {
            ndl_rows tail;
            expect_ok(ndl_engram_tail(s, site, &tail));
            expect_zeros(&tail, ndl_geometry_reach(g), g->d_model);
        }
        size_t held = 77;
        ndl_history(s, &held);
        expect_size(held, 0);
        expect_size(ndl_pos(s), 0);
        expect_size(ndl_len(s), 0);
        cr_assert(ndl_is_empty(s));
        cr_assert(!ndl_is_saturated(s));
        ndl_session_free(s);
    }
}

Test(session, SES_007_it_says_what_it_was_made_of)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        ndl_session *s = new_session(&k.geometry, &k.options);
        cr_assert(ndl_session_precision(s) == k.options.precision);
        cr_assert(ndl_session_numerics(s) == k.options.numerics);
        expect_size(ndl_session_hint(s), k.options.hint);
        cr_assert(memcmp(ndl_session_geometry(s), &k.geometry, sizeof k.geometry) == 0);
        cr_assert(ndl_session_geometry(s) != &k.geometry);
        ndl_session_free(s);
    }
}

Test(session, SES_007_no_options_are_all_zero)
{
    ndl_geometry g = small_geometry();
    ndl_options zero = {.hint = 0};
    ndl_session *a = new_session(&g, NULL), *b = new_session(&g, &zero);
    cr_assert(digest_of(a) == digest_of(b));
    cr_assert(ndl_session_precision(a) == NDL_F32);
    cr_assert(ndl_session_numerics(a) == NDL_NEEDLE_CORE);
    ndl_session_free(a);
    ndl_session_free(b);
}

/* min(max(hint, 1), max_seq_len, cap): window 4, max_seq_len 8. */
Test(session, KV_008_slots_of_a_new_session)
{
    static const size_t hints[][3] = {{0, 1, 1}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3},       {4, 4, 4},
                                      {5, 4, 5}, {8, 4, 8}, {9, 4, 8}, {SIZE_MAX, 4, 8}};
    ndl_geometry g = small_geometry();
    for (size_t i = 0; i < COUNT(hints); i++) {
        for (int precision = NDL_F32; precision <= NDL_INT8; precision++) {
            ndl_options options = {.precision = (ndl_precision)precision, .hint = hints[i][0]};
            ndl_session *s = new_session(&g, &options);
            expect_size(slots_of(s, 0), hints[i][1]);
            expect_size(slots_of(s, 1), hints[i][2]);
            ndl_session_free(s);
        }
    }
}

Test(session, SES_001_unknown_precisions_and_profiles_are_refused)
{
    ndl_geometry g = small_geometry();
    ndl_options precision = {.precision = (ndl_precision)2};
    ndl_options numerics = {.numerics = (ndl_numerics)2};
    ndl_session *s = NULL;
    expect_status(ndl_session_new(&g, &precision, &s), NDL_E_PRECISION);
    expect_status(ndl_session_new(&g, &numerics, &s), NDL_E_NUMERICS);
    cr_assert(s == NULL);
}

Test(session, SES_001_freeing_nothing_does_nothing)
{
    ndl_session_free(NULL);
}

Test(session, SES_008_position_len_and_is_empty)
{
    ndl_geometry g = small_geometry();
    ndl_session *s = new_session(&g, NULL);
    for (size_t pos = 1; pos < 20; pos++) {
        expect_ok(ndl_advance(s));
        expect_size(ndl_pos(s), pos);
        expect_size(ndl_len(s), pos);
        cr_assert(!ndl_is_empty(s));
    }
    expect_ok(ndl_set_pos(s, 0));
    cr_assert(ndl_is_empty(s));
    expect_ok(ndl_set_pos(s, SIZE_MAX - 1));
    expect_size(ndl_pos(s), SIZE_MAX - 1);
    ndl_session_free(s);
}

Test(session, SES_008_the_last_position_is_refused)
{
    ndl_geometry g = small_geometry();
    ndl_session *s = new_session(&g, NULL);
    uint64_t before = digest_of(s);
    expect_status(ndl_set_pos(s, SIZE_MAX), NDL_E_POSITION);
    cr_assert(digest_of(s) == before);
    expect_ok(ndl_set_pos(s, SIZE_MAX - 1));
    before = digest_of(s);
    expect_status(ndl_advance(s), NDL_E_POSITION);
    cr_assert(digest_of(s) == before);
    ndl_session_free(s);
}

/* set_pos alone is no rollback: everything else stays. */
Test(session, SES_008_set_pos_changes_the_position_alone)
{
    kind k = kind_of_session(3);
    ndl_session *s = new_session(&k.geometry, &k.options);
    rng r = {1};
    live(s, &r, 6);
    uint64_t before = digest_of(s);
    expect_ok(ndl_set_pos(s, 2));
    cr_assert(digest_of(s) != before);
    expect_ok(ndl_set_pos(s, 6));
    cr_assert(digest_of(s) == before);
    ndl_session_free(s);
}

Test(session, SES_006_reset_gives_a_new_session)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        ndl_session *s = new_session(&k.geometry, &k.options);
        uint64_t fresh = digest_of(s);
        rng first = {i}, second = {i};
        uint64_t once = live(s, &first, 20);
        cr_assert(digest_of(s) != fresh);
        expect_ok(ndl_session_reset(s));
        cr_assert(digest_of(s) == fresh, "%s", k.name);
        cr_assert(live(s, &second, 20) == once, "%s", k.name);
        ndl_session_free(s);
    }
}

Test(session, SES_006_reset_of_a_new_session_changes_nothing)
{
    kind k = kind_of_session(2);
    ndl_session *s = new_session(&k.geometry, &k.options);
    uint64_t fresh = digest_of(s);
    expect_ok(ndl_session_reset(s));
    expect_ok(ndl_session_reset(s));
    cr_assert(digest_of(s) == fresh);
    ndl_session_free(s);
}
