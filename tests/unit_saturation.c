/* The saturation flag, as the original has it, and what is exact beside it. */
#include "support.h"

Test(saturation, KV_011_false_until_the_advance_after_history_was_lost)
{
    ndl_geometry g = small_geometry();
    ndl_session *s = new_session(&g, NULL);
    for (size_t pos = 0; pos < 12; pos++) {
        write_number(s, 0, pos, 1, 1);
        write_number(s, 1, pos, 1, 1);
        /* The write of position 8 drops position 0, at position 8 still. */
        expect_size(lost_of(s, 1), pos < 8 ? 0 : pos - 7);
        cr_assert(ndl_is_saturated(s) == (pos > 8), "at %zu", pos);
        expect_ok(ndl_advance(s));
        cr_assert(ndl_is_saturated(s) == (pos + 1 > 8), "after %zu", pos);
        expect_size(lost_of(s, 0), 0);
    }
    ndl_session_free(s);
}

/* First fault: it lags behind the loss by one advance. */
Test(saturation, KV_011_fault_1_it_turns_true_one_advance_late)
{
    ndl_geometry g = small_geometry();
    ndl_options options = {.hint = 8};
    ndl_session *s = new_session(&g, &options);
    for (size_t pos = 0; pos < 8; pos++) {
        write_number(s, 1, pos, 1, 1);
        expect_ok(ndl_advance(s));
    }
    write_number(s, 1, 8, 1, 1);
    expect_size(lost_of(s, 1), 1);
    cr_assert(!ndl_is_saturated(s));
    expect_ok(ndl_advance(s));
    cr_assert(ndl_is_saturated(s));
    ndl_session_free(s);
}

/* Second fault: a window wider than max_seq_len overflows without a word. */
Test(saturation, KV_011_fault_2_it_is_blind_to_a_window_wider_than_the_store)
{
    ndl_geometry g = small_geometry();
    g.is_global[1] = 0;
    g.sliding_window = 10;
    ndl_session *s = new_session(&g, NULL);
    for (size_t pos = 0; pos < 20; pos++) {
        write_number(s, 0, pos, 1, 1);
        expect_ok(ndl_advance(s));
        cr_assert(!ndl_is_saturated(s));
        size_t n = pos + 1;
        expect_size(lost_of(s, 0), n <= 8 ? 0 : n == 9 ? 1 : 2);
    }
    ndl_session_free(s);
}

/* Third fault: a bare set_pos turns it on, with nothing lost or even written. */
Test(saturation, KV_011_fault_3_a_bare_set_pos_turns_it_on)
{
    ndl_geometry g = small_geometry();
    ndl_session *s = new_session(&g, NULL);
    expect_ok(ndl_set_pos(s, 1));
    cr_assert(!ndl_is_saturated(s));
    expect_ok(ndl_set_pos(s, 2));
    cr_assert(ndl_is_saturated(s));
    expect_size(lost_of(s, 1), 0);
    expect_ok(ndl_set_pos(s, 0));
    cr_assert(!ndl_is_saturated(s));
    ndl_session_free(s);
}

Test(saturation, KV_011_local_layers_never_count)
{
    ndl_geometry g = small_geometry();
    g.is_global[1] = 0;
    ndl_session *s = new_session(&g, NULL);
    expect_ok(ndl_set_pos(s, SIZE_MAX - 1));
    cr_assert(!ndl_is_saturated(s));
    ndl_session_free(s);
}

Test(saturation, KV_011_one_layer_without_a_window_is_enough)
{
    ndl_geometry g = small_geometry();
    g.num_layers = 3;
    for (size_t global = 0; global < 3; global++) {
        for (size_t i = 0; i < 3; i++)
            g.is_global[i] = i == global;
        ndl_session *s = new_session(&g, NULL);
        for (size_t i = 0; i < 3; i++)
            write_number(s, i, 3, 1, 1);
        expect_ok(ndl_set_pos(s, 4));
        cr_assert(!ndl_is_saturated(s));
        expect_ok(ndl_set_pos(s, 5));
        cr_assert(ndl_is_saturated(s));
        ndl_session_free(s);
    }
}

Test(saturation, KV_011_window_0_means_that_every_layer_counts)
{
    ndl_geometry g = small_geometry();
    g.sliding_window = 0;
    g.is_global[1] = 0;
    ndl_session *s = new_session(&g, NULL);
    expect_ok(ndl_set_pos(s, 2));
    cr_assert(ndl_is_saturated(s));
    ndl_session_free(s);
}

/* Against its meaning: positions 0..n-1 written in order, those of the window
 * that no slot holds. */
Test(saturation, KV_010_lost_counts_what_is_no_longer_held)
{
    for (size_t i = 0; i < 7u * 8 * 10; i++) {
        ndl_geometry g = small_geometry();
        g.sliding_window = i % 7;
        g.max_seq_len = i / 7 % 8 + 1;
        ndl_options options = {.hint = i / 56};
        ndl_session *s = new_session(&g, &options);
        expect_size(lost_of(s, 0), 0);
        for (size_t n = 1; n < 20; n++) {
            write_number(s, 0, n - 1, (float)n, 0);
            ndl_kv kv;
            expect_ok(ndl_kv_at(s, 0, &kv));
            size_t window = g.sliding_window ? g.sliding_window : SIZE_MAX, lost = 0;
            for (size_t p = n > window ? n - window : 0; p < n; p++)
                lost += kv.k[p % kv.slots] != (float)(p + 1);
            expect_size(lost_of(s, 0), lost);
        }
        ndl_session_free(s);
    }
}

/* The newest position ever written counts, in whatever order. */
Test(saturation, KV_010_lost_follows_the_largest_position)
{
    ndl_geometry g = small_geometry();
    ndl_session *s = new_session(&g, NULL);
    write_number(s, 1, 20, 1, 1);
    expect_size(lost_of(s, 1), 13);
    write_number(s, 1, 3, 1, 1);
    expect_size(lost_of(s, 1), 13);
    write_number(s, 1, SIZE_MAX - 1, 1, 1);
    expect_size(lost_of(s, 1), SIZE_MAX - 8);
    write_number(s, 0, SIZE_MAX - 1, 1, 1);
    expect_size(lost_of(s, 0), 0);
    expect_ok(ndl_set_pos(s, 0));
    expect_size(lost_of(s, 1), SIZE_MAX - 8);
    ndl_session_free(s);
}

Test(saturation, KV_010_refused)
{
    ndl_geometry g = small_geometry();
    ndl_session *s = new_session(&g, NULL);
    size_t untouched = 77;
    expect_status(ndl_lost(s, 2, &untouched), NDL_E_LAYER);
    expect_status(ndl_lost(s, SIZE_MAX, &untouched), NDL_E_LAYER);
    expect_status(ndl_slots(s, 2, &untouched), NDL_E_LAYER);
    expect_size(untouched, 77);
    ndl_session_free(s);
}
