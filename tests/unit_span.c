/* The positions that a query attends over. */
#include "support.h"

/* The definition: the positions p <= pos that are within the window, if there
 * is one, and among the last `slots`. */
static size_t lowest(size_t pos, size_t window, size_t slots)
{
    size_t lo = pos;
    while (lo > 0 && (window == 0 || pos - (lo - 1) < window) && pos - (lo - 1) < slots)
        lo--;
    return lo;
}

Test(span, SPAN_001_to_003_every_small_ring_and_position)
{
    for (size_t i = 0; i < 7u * 8 * 10; i++) {
        ndl_geometry g = small_geometry();
        g.sliding_window = i % 7;
        g.max_seq_len = i / 7 % 8 + 1;
        ndl_options options = {.hint = i / 56};
        ndl_session *s = new_session(&g, &options);
        for (size_t written = 0; written < 20; written++) {
            size_t slots = slots_of(s, 0);
            for (size_t pos = 0; pos < 30; pos++) {
                ndl_span span = span_of(s, 0, pos);
                cr_assert(span.lo == lowest(pos, g.sliding_window, slots) && span.hi == pos,
                          "window %zu, slots %zu: %zu..%zu at %zu", g.sliding_window, slots,
                          span.lo, span.hi, pos);
                size_t width = span.hi - span.lo + 1;
                cr_assert(width <= slots);
                cr_assert(g.sliding_window == 0 || width <= g.sliding_window);
                for (size_t a = span.lo; a <= span.hi; a++) {
                    for (size_t b = span.lo; b < a; b++)
                        cr_assert(a % slots != b % slots);
                }
            }
            write_number(s, 0, written, 1, 1);
        }
        ndl_session_free(s);
    }
}

Test(span, SPAN_004_positions_written_in_order_are_still_stored)
{
    for (size_t hint = 0; hint < 10; hint++) {
        ndl_geometry g = small_geometry();
        ndl_options options = {.hint = hint};
        ndl_session *s = new_session(&g, &options);
        for (size_t pos = 0; pos < 20; pos++) {
            for (size_t layer = 0; layer < 2; layer++) {
                write_number(s, layer, pos, (float)pos, -(float)pos);
                ndl_kv kv;
                expect_ok(ndl_kv_at(s, layer, &kv));
                ndl_span span = span_of(s, layer, pos);
                for (size_t p = span.lo; p <= span.hi; p++) {
                    expect_bits(kv.k[p % kv.slots], bits_of((float)p));
                    expect_bits(kv.v[p % kv.slots], bits_of(-(float)p));
                }
                /* and nothing that the window and the cap allow is left out */
                size_t cap = layer ? 8 : 4;
                expect_size(span.lo, pos + 1 > cap ? pos + 1 - cap : 0);
            }
        }
        ndl_session_free(s);
    }
}

Test(span, SPAN_001_the_last_positions_there_are)
{
    ndl_geometry g = small_geometry();
    g.is_global[1] = 0;
    g.num_layers = 3;
    g.is_global[2] = 1;
    ndl_options options = {.hint = 8};
    for (size_t window = 0; window < 10; window++) {
        g.sliding_window = window;
        ndl_session *s = new_session(&g, &options);
        size_t width = window && window < 8 ? window : 8;
        expect_size(span_of(s, 0, SIZE_MAX - 1).lo, SIZE_MAX - width);
        expect_size(span_of(s, 0, SIZE_MAX - 1).hi, SIZE_MAX - 1);
        expect_size(span_of(s, 2, SIZE_MAX - 1).lo, SIZE_MAX - 8);
        ndl_session_free(s);
    }
}

Test(span, SPAN_001_a_window_of_SIZE_MAX_is_bounded_by_the_slots)
{
    ndl_geometry g = small_geometry();
    g.sliding_window = SIZE_MAX;
    ndl_options options = {.hint = 8};
    ndl_session *s = new_session(&g, &options);
    expect_size(span_of(s, 0, SIZE_MAX - 1).lo, SIZE_MAX - 8);
    expect_size(span_of(s, 0, 9).lo, 2);
    ndl_session_free(s);
}

/* Asked before the ring has grown for it, a span is that of the old slots. */
Test(span, SPAN_001_asked_before_its_position_is_written)
{
    ndl_geometry g = small_geometry();
    ndl_session *s = new_session(&g, NULL);
    write_number(s, 1, 0, 1, 1);
    expect_size(span_of(s, 1, 1).lo, 1);
    expect_size(span_of(s, 1, 5).lo, 5);
    write_number(s, 1, 1, 1, 1);
    expect_size(span_of(s, 1, 1).lo, 0);
    expect_size(span_of(s, 1, 2).lo, 1);
    expect_size(slots_of(s, 1), 2);
    ndl_session_free(s);
}

Test(span, SPAN_001_refused)
{
    ndl_geometry g = small_geometry();
    ndl_session *s = new_session(&g, NULL);
    ndl_span span = {77, 78};
    expect_status(ndl_span_at(s, 0, SIZE_MAX, &span), NDL_E_POSITION);
    expect_status(ndl_span_at(s, 2, 0, &span), NDL_E_LAYER);
    expect_status(ndl_span_at(s, SIZE_MAX, 0, &span), NDL_E_LAYER);
    cr_assert(span.lo == 77 && span.hi == 78);
    ndl_session_free(s);
}
