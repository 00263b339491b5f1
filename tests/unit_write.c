/* Keys and values: growth, what a write keeps and what it touches. */
#include "life.h"

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static ndl_geometry ring(size_t window, size_t max_seq_len)
{
    ndl_geometry g = small_geometry();
    g.sliding_window = window;
    g.max_seq_len = max_seq_len;
    return g;
}

/* Every small ring, every hint, every pair of writes, both precisions: slots
 * as the formula has them. */
Test(kv, KV_002_growth_is_the_formula)
{
    for (size_t i = 0; i < 2u * 7 * 8 * 10; i++) {
        size_t window = i / 2 % 7, max_seq_len = i / 14 % 8 + 1, hint = i / 112;
        ndl_geometry g = ring(window, max_seq_len);
        ndl_options options = {.precision = i % 2 ? NDL_INT8 : NDL_F32, .hint = hint};
        size_t cap = window ? smaller(window, max_seq_len) : max_seq_len;
        for (size_t first = 0; first < 12; first++) {
            for (size_t second = 0; second < 12; second++) {
                ndl_session *s = new_session(&g, &options);
                size_t slots = smaller(larger(hint, 1), cap);
                const size_t writes[] = {first, second, SIZE_MAX - 1};
                for (size_t w = 0; w < COUNT(writes); w++) {
                    write_number(s, 0, writes[w], 1, 1);
                    if (writes[w] >= slots && slots < cap)
                        slots = smaller(cap, larger(2 * slots, writes[w] + 1));
                    expect_size(slots_of(s, 0), slots);
                }
                ndl_session_free(s);
            }
        }
    }
}

/* The key of a position in a store of one head of width 1: f32 holds it, int8
 * as 127 times its scale. */
static float key_at(const ndl_session *s, size_t layer, size_t slot)
{
    ndl_kv kv;
    expect_ok(ndl_kv_at(s, layer, &kv));
    return kv.k ? kv.k[slot] : (float)kv.k_codes[slot] * kv.k_scales[slot];
}

static float value_at(const ndl_session *s, size_t layer, size_t slot)
{
    ndl_kv kv;
    expect_ok(ndl_kv_at(s, layer, &kv));
    return kv.v ? kv.v[slot] : (float)kv.v_codes[slot] * kv.v_scales[slot];
}

/* Numbers that quantise exactly: 127 times a power of two keeps its scale. */
static float number(size_t pos)
{
    return 127.0f * (float)(1u << (pos % 20));
}

Test(kv, KV_003_growth_keeps_every_row_and_clears_the_new_ones)
{
    for (int precision = NDL_F32; precision <= NDL_INT8; precision++) {
        for (size_t far = 3; far < 16; far++) {
            ndl_geometry g = ring(0, 16);
            ndl_options options = {.precision = (ndl_precision)precision, .hint = 3};
            ndl_session *s = new_session(&g, &options);
            for (size_t pos = 0; pos < 3; pos++)
                write_number(s, 0, pos, number(pos), -number(pos));
            write_number(s, 0, far, 1, 1);
            ndl_kv kv;
            expect_ok(ndl_kv_at(s, 0, &kv));
            expect_size(kv.slots, smaller(16, larger(6, far + 1)));
            for (size_t slot = 0; slot < kv.slots; slot++) {
                if (slot == far)
                    continue;
                float want = slot < 3 ? number(slot) : 0;
                expect_bits(key_at(s, 0, slot), bits_of(want));
                expect_bits(value_at(s, 0, slot), bits_of(slot < 3 ? -want : 0));
                if (kv.k_scales && slot >= 3) {
                    expect_bits(kv.k_scales[slot], 0x3F800000);
                    expect_bits(kv.v_scales[slot], 0x3F800000);
                }
            }
            ndl_session_free(s);
        }
    }
}

Test(kv, KV_001_and_004_an_f32_row_reads_back_bit_for_bit)
{
    static const uint32_t rows[][2] = {{0x00000000, 0x80000000}, {0x00000001, 0x80000001},
                                       {0x007FFFFF, 0x00800000}, {0x7F7FFFFF, 0xFF7FFFFF},
                                       {0x7F800000, 0xFF800000}, {0x7FC00000, 0xFFC00001},
                                       {0x7F800001, 0xFFA5A5A5}, {0x3F800000, 0xBF800001}};
    ndl_geometry g = ring(4, 8);
    ndl_session *s = new_session(&g, NULL);
    for (size_t pos = 0; pos < COUNT(rows); pos++) {
        const float k = float_of(rows[pos][0]), v = float_of(rows[pos][1]);
        for (size_t layer = 0; layer < 2; layer++) {
            expect_ok(ndl_write_kv(s, layer, pos, &k, 1, &v, 1));
            ndl_kv kv;
            expect_ok(ndl_kv_at(s, layer, &kv));
            expect_bits(kv.k[pos % kv.slots], rows[pos][0]);
            expect_bits(kv.v[pos % kv.slots], rows[pos][1]);
        }
    }
    ndl_session_free(s);
}

/* Each kv head by itself, as quantise_rows would have it, in both profiles. */
Test(kv, KV_005_an_int8_row_reads_back_as_codes_and_scales)
{
    ndl_geometry g = kind_of_session(3).geometry;
    size_t heads = g.num_kv_heads, dk = g.qk_head_dim, dv = g.v_head_dim;
    rng r = {5};
    for (int profile = NDL_NEEDLE_CORE; profile <= NDL_UPSTREAM; profile++) {
        ndl_options options = {.precision = NDL_INT8, .numerics = (ndl_numerics)profile};
        ndl_session *s = new_session(&g, &options);
        for (size_t pos = 0; pos < 20; pos++) {
            float k[2 * 3], v[2 * 5], k_scales[2], v_scales[2];
            int8_t k_codes[2 * 3], v_codes[2 * 5];
            random_floats(&r, k, COUNT(k));
            random_floats(&r, v, COUNT(v));
            for (size_t i = 0; i < dk; i++)
                k[i] *= 100.0f; /* the heads' scales differ */
            for (size_t i = dv; i < 2 * dv; i++)
                v[i] *= 100.0f;
            expect_ok(ndl_write_kv(s, 2, pos, k, COUNT(k), v, COUNT(v)));
            expect_ok(ndl_quantize_rows(options.numerics, dk, k, COUNT(k), k_codes, COUNT(k_codes),
                                        k_scales, heads));
            expect_ok(ndl_quantize_rows(options.numerics, dv, v, COUNT(v), v_codes, COUNT(v_codes),
                                        v_scales, heads));
            ndl_kv kv;
            expect_ok(ndl_kv_at(s, 2, &kv));
            size_t slot = pos % kv.slots;
            for (size_t i = 0; i < COUNT(k); i++)
                cr_assert(kv.k_codes[slot * heads * dk + i] == k_codes[i]);
            for (size_t i = 0; i < COUNT(v); i++)
                cr_assert(kv.v_codes[slot * heads * dv + i] == v_codes[i]);
            expect_floats(kv.k_scales + slot * heads, k_scales, heads);
            expect_floats(kv.v_scales + slot * heads, v_scales, heads);
        }
        ndl_session_free(s);
    }
}

/* Whatever the hint was: the newest positions, as many as there are slots,
 * each in its slot. */
Test(kv, KV_006_in_order_writes_refine_the_full_history)
{
    for (int precision = NDL_F32; precision <= NDL_INT8; precision++) {
        for (size_t hint = 0; hint < 18; hint++) {
            ndl_geometry g = ring(5, 16);
            ndl_options options = {.precision = (ndl_precision)precision, .hint = hint};
            ndl_session *s = new_session(&g, &options);
            for (size_t n = 1; n < 40; n++) {
                for (size_t layer = 0; layer < 2; layer++) {
                    write_number(s, layer, n - 1, number(n - 1), -number(n - 1));
                    size_t slots = slots_of(s, layer);
                    cr_assert(slots >= smaller(n, layer ? 16 : 5));
                    for (size_t p = n > slots ? n - slots : 0; p < n; p++) {
                        expect_bits(key_at(s, layer, p % slots), bits_of(number(p)));
                        expect_bits(value_at(s, layer, p % slots), bits_of(-number(p)));
                    }
                }
            }
            ndl_session_free(s);
        }
    }
}

Test(kv, KV_012_an_older_position_overwrites_the_newer_one_of_its_slot)
{
    ndl_geometry g = ring(4, 8);
    ndl_session *s = new_session(&g, NULL);
    for (size_t pos = 0; pos < 7; pos++)
        write_number(s, 0, pos, number(pos), 0);
    write_number(s, 0, 2, 5, 0);
    expect_bits(key_at(s, 0, 6 % 4), bits_of(5));
    expect_bits(key_at(s, 0, 5 % 4), bits_of(number(5)));
    ndl_session_free(s);
}

Test(kv, KV_012_a_skipped_position_reads_what_its_slot_holds)
{
    for (int precision = NDL_F32; precision <= NDL_INT8; precision++) {
        ndl_geometry g = ring(4, 8);
        ndl_options options = {.precision = (ndl_precision)precision, .hint = 8};
        ndl_session *s = new_session(&g, &options);
        write_number(s, 0, 0, 127, 127);
        write_number(s, 0, 2, 127, 127);
        /* Never written: zeros, which attend like any key. */
        expect_bits(key_at(s, 0, 1), 0);
        const float q = 0;
        float out = 77;
        attend(s, 0, 2, &q, &out);
        cr_assert(out > 84.6f && out < 84.7f, "%.9g", (double)out); /* 2/3 of 127 */
        /* Written before: 4 lies in the slot of 0. */
        write_number(s, 0, 5, 127, 127);
        expect_bits(key_at(s, 0, 4 % 4), bits_of(127));
        ndl_session_free(s);
    }
}

static size_t bytes_by_formula(const ndl_session *s)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    size_t k = ndl_geometry_k_dim(g), v = ndl_geometry_v_dim(g), bytes = 0, held = 0;
    for (size_t layer = 0; layer < g->num_layers; layer++) {
        size_t slots = slots_of(s, layer);
        if (ndl_session_precision(s) == NDL_INT8)
            bytes += slots * (k + v) + 4 * slots * 2 * g->num_kv_heads;
        else
            bytes += 4 * slots * (k + v);
        if (g->qkv_conv_taps > 1)
            bytes += 4 * (g->qkv_conv_taps - 1) * (ndl_geometry_q_dim(g) + k + v);
    }
    ndl_history(s, &held);
    return bytes + 4 * g->engram.num_sites * ndl_geometry_reach(g) * g->d_model + 4 * held;
}

Test(kv, KV_007_bytes)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        ndl_session *s = new_session(&k.geometry, &k.options);
        rng r = {i};
        for (size_t t = 0; t < 12; t++) {
            expect_size(ndl_bytes(s), bytes_by_formula(s));
            live_token(s, &r);
        }
        expect_size(ndl_bytes(s), bytes_by_formula(s));
        ndl_session_free(s);
    }
}

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || (!a && !b) || memcmp(a, b, size) == 0;
}

static bool same_store(const ndl_session *a, const ndl_session *b, size_t layer)
{
    const ndl_geometry *g = ndl_session_geometry(a);
    size_t k = ndl_geometry_k_dim(g), v = ndl_geometry_v_dim(g);
    ndl_kv x, y;
    expect_ok(ndl_kv_at(a, layer, &x));
    expect_ok(ndl_kv_at(b, layer, &y));
    size_t n = x.slots, scales = n * g->num_kv_heads * 4;
    return n == y.slots && same_bytes(x.k, y.k, n * k * 4) && same_bytes(x.v, y.v, n * v * 4) &&
           same_bytes(x.k_codes, y.k_codes, n * k) && same_bytes(x.v_codes, y.v_codes, n * v) &&
           same_bytes(x.k_scales, y.k_scales, scales) && same_bytes(x.v_scales, y.v_scales, scales);
}

static bool same_tails(const ndl_session *a, const ndl_session *b)
{
    const ndl_geometry *g = ndl_session_geometry(a);
    ndl_rows x, y;
    for (size_t i = 0; i < 3 * g->num_layers; i++) {
        expect_ok(ndl_conv_tail(a, i / 3, (ndl_projection)(i % 3), &x));
        expect_ok(ndl_conv_tail(b, i / 3, (ndl_projection)(i % 3), &y));
        if (!same_bytes(x.data, y.data, x.rows * x.dim * 4))
            return false;
    }
    for (size_t i = 0; i < g->engram.num_sites; i++) {
        expect_ok(ndl_engram_tail(a, i, &x));
        expect_ok(ndl_engram_tail(b, i, &y));
        if (!same_bytes(x.data, y.data, x.rows * x.dim * 4))
            return false;
    }
    return true;
}

Test(kv, KV_009_a_write_touches_its_own_store_alone)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        for (size_t layer = 0; layer < k.geometry.num_layers; layer++) {
            ndl_session *s = new_session(&k.geometry, &k.options), *before = NULL;
            rng r = {i};
            live(s, &r, 6);
            expect_ok(ndl_session_clone(s, &before));
            write_number(s, layer, 7, 3, 4); /* grows the rings that can */
            write_number(s, layer, 8, 5, 6);
            for (size_t l = 0; l < k.geometry.num_layers; l++)
                cr_assert(same_store(s, before, l) == (l != layer), "%s, layer %zu", k.name, l);
            cr_assert(same_tails(s, before));
            expect_size(ndl_pos(s), ndl_pos(before));
            ndl_session_free(s);
            ndl_session_free(before);
        }
    }
}
