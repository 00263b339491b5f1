/* The eight tests that the original implementation came with, each under a
 * name of its own. */
#include "support.h"

#include <math.h>

/* Two kv heads of width 2, window 4 at layer 0; layer 1 is global. */
static ndl_geometry two_heads(size_t max_seq_len)
{
    ndl_geometry g = small_geometry();
    g.num_heads = g.num_kv_heads = 2;
    g.qk_head_dim = g.v_head_dim = 2;
    g.max_seq_len = max_seq_len;
    return g;
}

/* One head's key and value at a position: head 1 is a hundred times head 0, so
 * a scale that belongs to the other head shows. */
static float element(size_t pos, size_t head, size_t channel)
{
    float sign = channel ? -1.0f : 1.0f;
    return sign * (float)(pos + 1 + channel) * (head ? 100.0f : 1.0f);
}

static void write_position(ndl_session *s, size_t layer, size_t pos)
{
    float row[4];
    for (size_t i = 0; i < 4; i++)
        row[i] = element(pos, i / 2, i % 2);
    expect_ok(ndl_write_kv(s, layer, pos, row, 4, row, 4));
}

Test(original, int8_ring_wraps_and_grows_as_the_f32_ring)
{
    ndl_geometry g = two_heads(16);
    ndl_options f32 = {.hint = 2}, int8 = {.precision = NDL_INT8, .hint = 2};
    ndl_session *a = new_session(&g, &f32), *b = new_session(&g, &int8);
    for (size_t pos = 0; pos < 10; pos++) {
        write_position(a, 0, pos);
        write_position(b, 0, pos);
        ndl_kv floats, codes;
        expect_ok(ndl_kv_at(a, 0, &floats));
        expect_ok(ndl_kv_at(b, 0, &codes));
        expect_size(codes.slots, floats.slots);
        expect_size(codes.slots, pos < 2 ? 2 : 4);
        ndl_span span = span_of(b, 0, pos);
        expect_size(span.lo, span_of(a, 0, pos).lo);
        expect_size(span.hi, pos);
        for (size_t p = span.lo; p <= span.hi; p++) {
            for (size_t i = 0; i < 4; i++) {
                size_t at = p % codes.slots * 4 + i, head = p % codes.slots * 2 + i / 2;
                float x = element(p, i / 2, i % 2), scale = fabsf(element(p, i / 2, 1)) / 127.0f;
                expect_bits(floats.k[at], bits_of(x));
                expect_bits(floats.v[at], bits_of(x));
                expect_bits(codes.k_scales[head], bits_of(scale));
                expect_bits(codes.v_scales[head], bits_of(scale));
                cr_assert(codes.k_codes[at] == (int)roundf(x * (1.0f / scale)));
                cr_assert(codes.v_codes[at] == codes.k_codes[at]);
            }
        }
    }
    ndl_session_free(a);
    ndl_session_free(b);
}

Test(original, layers_grow_to_their_cap_and_no_further)
{
    ndl_geometry g = two_heads(16);
    ndl_options options = {.hint = 2};
    ndl_session *s = new_session(&g, &options);
    expect_size(slots_of(s, 0), 2);
    expect_size(slots_of(s, 1), 2);
    write_position(s, 0, 3);
    expect_size(slots_of(s, 0), 4);
    write_position(s, 0, 99);
    expect_size(slots_of(s, 0), 4);
    for (size_t pos = 0; pos < 10; pos++)
        write_position(s, 1, pos);
    cr_assert(slots_of(s, 1) > 9);
    write_position(s, 1, 99);
    expect_size(slots_of(s, 1), 16);
    ndl_session_free(s);
}

Test(original, a_global_layer_asks_for_no_more_than_it_stores_and_the_loss_shows)
{
    ndl_geometry g = two_heads(8);
    ndl_session *s = new_session(&g, NULL);
    for (size_t pos = 0; pos < 12; pos++) {
        write_position(s, 0, pos);
        write_position(s, 1, pos);
        ndl_span span = span_of(s, 1, pos);
        cr_assert(span.hi - span.lo + 1 <= slots_of(s, 1));
        cr_assert(ndl_is_saturated(s) == (pos > 8));
        expect_size(lost_of(s, 1), pos < 8 ? 0 : pos + 1 - 8);
        expect_ok(ndl_advance(s));
    }
    expect_size(slots_of(s, 1), 8);
    expect_size(span_of(s, 1, 11).lo, 4);
    cr_assert(ndl_is_saturated(s));
    ndl_session_free(s);
}

Test(original, a_short_session_pays_for_what_it_uses)
{
    ndl_geometry g = shipped_geometry();
    ndl_options some = {.hint = 512}, all = {.hint = g.max_seq_len};
    ndl_session *s = new_session(&g, &some), *full = new_session(&g, &all);
    size_t bytes = ndl_bytes(s);
    cr_assert(bytes > 8000000 && bytes < 9500000, "%zu", bytes);
    cr_assert(bytes < ndl_bytes(full) / 4);
    ndl_session_free(s);
    ndl_session_free(full);
}

Test(original, a_long_session_caps_local_layers_and_keeps_the_global_ones)
{
    ndl_geometry g = shipped_geometry();
    ndl_options options = {.hint = 512};
    ndl_session *s = new_session(&g, &options);
    static const float k[2 * 48], v[2 * 64];
    for (size_t pos = 0; pos < 4096; pos++) {
        for (size_t layer = 0; layer < g.num_layers; layer++)
            expect_ok(ndl_write_kv(s, layer, pos, k, COUNT(k), v, COUNT(v)));
        expect_ok(ndl_advance(s));
    }
    for (size_t layer = 0; layer < g.num_layers; layer++) {
        if (g.is_global[layer])
            cr_assert(slots_of(s, layer) >= 4096);
        else
            expect_size(slots_of(s, layer), 1024);
    }
    cr_assert(!ndl_is_saturated(s));
    ndl_session_free(s);
}

Test(original, spans_bound_local_layers_only)
{
    ndl_geometry g = two_heads(16);
    ndl_options options = {.hint = 16};
    ndl_session *s = new_session(&g, &options);
    ndl_span early = span_of(s, 0, 2), late = span_of(s, 0, 10), all = span_of(s, 1, 10);
    cr_assert(early.lo == 0 && early.hi == 2);
    cr_assert(late.lo == 7 && late.hi == 10);
    cr_assert(all.lo == 0 && all.hi == 10);
    ndl_session_free(s);
}

/* Values without a pattern that a wrong tap could hit by chance. */
static void fill(float *x, size_t n, uint64_t seed)
{
    rng r = {seed};
    for (size_t i = 0; i < n; i++)
        x[i] = (float)rng_between(&r, 1, 2000) / 1000.0f - 1.0005f;
}

Test(original, conv_step_matches_the_sequence)
{
    ndl_geometry g = two_heads(8);
    ndl_session *s = new_session(&g, NULL);
    float taps[3 * 4], sequence[9 * 4], steps[9 * 4];
    fill(taps, COUNT(taps), 1);
    fill(sequence, COUNT(sequence), 2);
    fill(steps, COUNT(steps), 2);
    for (size_t t = 0; t < 9; t++) {
        expect_ok(ndl_conv_step(s, 1, NDL_K, taps, COUNT(taps), steps + 4 * t, 4));
        expect_ok(ndl_advance(s));
    }
    expect_ok(ndl_causal_conv(9, 4, 3, taps, COUNT(taps), sequence, COUNT(sequence)));
    expect_floats(steps, sequence, COUNT(steps));
    ndl_session_free(s);
}

Test(original, engram_conv_step_matches_the_sequence)
{
    ndl_geometry g = two_heads(8);
    g.d_model = 4;
    ndl_session *s = new_session(&g, NULL);
    float taps[4 * 4], sequence[20 * 4], steps[20 * 4];
    fill(taps, COUNT(taps), 3);
    fill(sequence, COUNT(sequence), 4);
    fill(steps, COUNT(steps), 4);
    for (size_t t = 0; t < 20; t++) {
        expect_ok(ndl_engram_conv_step(s, 0, taps, COUNT(taps), steps + 4 * t, 4));
        expect_ok(ndl_advance(s));
    }
    expect_ok(ndl_value_conv(20, 4, 4, 3, 3, taps, COUNT(taps), sequence, COUNT(sequence)));
    expect_floats(steps, sequence, COUNT(steps));
    ndl_session_free(s);
}
