/* Sessions as bytes: what is written, what comes back, what is refused. */
#include "digest.h"
#include "life.h"
#include "memory.h"
#include "saved.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- saving */

/* A session whose every number is chosen, and what chapter 8 makes of it: worked
 * out from its table, hashes too, by a program that has nothing else of ours. */
static const ndl_geometry chosen = {
    .vocab_size = 9,
    .d_model = 1,
    .num_heads = 2,
    .num_kv_heads = 1,
    .num_layers = 2,
    .qk_head_dim = 1,
    .v_head_dim = 2,
    .max_seq_len = 4,
    .sliding_window = 2,
    .is_global = {0, 1},
    .qkv_conv_taps = 2,
    .engram = {.num_orders = 1,
               .orders = {2},
               .heads = 1,
               .slots = 5,
               .sub_dim = 7,
               .num_sites = 1,
               .sites = {1},
               .conv_taps = 2,
               .conv_dilation = 1,
               .seed_heads = 3},
};

static const char *const chosen_f32 = "6e646c2d736176650100000000000000ec000000"
                                      "000000002a05ae53ff3e22e60000000000000000"
                                      "0000000000000000030000000000000006000000"
                                      "0000000002000000000000000200000000000000"
                                      "0000000000000000040000000000000004000000"
                                      "0000000044332211feffffff0000000000000000"
                                      "0000000000000000000000000000000000000000"
                                      "000000004523a17f000000000000000000000000"
                                      "0000000000000000000000c00000000000000000"
                                      "000000000000000000000000000000000000fe42"
                                      "0000c03f00000000000000000000000000000080"
                                      "0000803f010000009ab35c1512595488";

static const char *const chosen_int8 = "6e646c2d736176650100000000000000e6000000"
                                       "000000002a05ae53ff3e22e60100000000000000"
                                       "0100000000000000030000000000000006000000"
                                       "0000000002000000000000000200000000000000"
                                       "0000000000000000040000000000000004000000"
                                       "0000000044332211feffffff00000000803f0000"
                                       "803f000000000000803f0000803f000000000000"
                                       "00004523a17f0000000000000000000000810000"
                                       "803f0000803f0000803f0402813c000000000000"
                                       "7f020000803f0000803f0000803f0000803f0000"
                                       "00000000000000000000000000800000803f0100"
                                       "000029392943aa17fb0c";

static ndl_session *chosen_session(ndl_precision precision)
{
    ndl_options options = {.precision = precision, .hint = 3};
    if (precision == NDL_INT8)
        options.numerics = NDL_UPSTREAM;
    ndl_session *s = new_session(&chosen, &options);
    const uint32_t tokens[3] = {7, 0x11223344, 0xFFFFFFFE};
    const float k = -2, v[2] = {127, 1.5f}, v_tail[2] = {-0.0f, 1};
    uint32_t bits[2] = {0x7FA12345, 1}; /* a signalling NaN, a subnormal */
    float special[2];
    memcpy(special, bits, sizeof special);
    ndl_seed_tokens(s, tokens, 3);
    expect_ok(ndl_write_kv(s, 1, 3, &k, 1, v, 2));
    expect_ok(ndl_seed_conv_tail(s, 0, NDL_K, &special[0], 1));
    expect_ok(ndl_seed_conv_tail(s, 1, NDL_V, v_tail, 2));
    expect_ok(ndl_seed_engram_tail(s, 0, &special[1], 1));
    expect_ok(ndl_set_pos(s, 6));
    return s;
}

static void expect_hex(const saved *b, const char *hex)
{
    expect_size(2 * b->len, strlen(hex));
    for (size_t i = 0; i < b->len; i++) {
        const char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
        unsigned long want = strtoul(digits, NULL, 16);
        cr_assert(b->bytes[i] == want, "byte %zu is %02x, not %02lx", i, b->bytes[i], want);
    }
}

Test(save, SES_010_bytes_are_those_of_the_table)
{
    for (int precision = NDL_F32; precision <= NDL_INT8; precision++) {
        ndl_session *s = chosen_session((ndl_precision)precision);
        saved b = save_of(s);
        expect_hex(&b, precision == NDL_F32 ? chosen_f32 : chosen_int8);
        free(b.bytes);
        ndl_session_free(s);
    }
}

Test(save, SES_010_size_is_80_and_16_a_layer_and_the_bytes)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        ndl_session *s = new_session(&k.geometry, &k.options);
        rng r = {i};
        for (size_t t = 0; t < 12; t++, live_token(s, &r))
            expect_size(ndl_session_save_size(s), 80 + 16 * k.geometry.num_layers + ndl_bytes(s));
        ndl_session_free(s);
    }
}

Test(save, SES_010_another_length_is_refused_and_nothing_written)
{
    ndl_session *s = chosen_session(NDL_F32);
    size_t len = ndl_session_save_size(s);
    const size_t lengths[] = {0, 1, 8, len - 1, len + 1, 2 * len, SIZE_MAX};
    uint8_t *bytes = malloc(2 * len);
    cr_assert(bytes != NULL);
    memset(bytes, 0xA5, 2 * len);
    for (size_t i = 0; i < COUNT(lengths); i++)
        expect_status(ndl_session_save(s, bytes, lengths[i]), NDL_E_LENGTH);
    expect_status(ndl_session_save(s, NULL, 0), NDL_E_LENGTH);
    for (size_t i = 0; i < 2 * len; i++)
        cr_assert(bytes[i] == 0xA5);
    free(bytes);
    ndl_session_free(s);
}

/* Whatever fresh memory held, and whatever the history was before. */
Test(save, SES_011_equal_sessions_save_the_same_bytes)
{
    for (size_t i = 0; i < KINDS; i++) {
        saved first = {NULL, 0};
        for (size_t p = 0; p < COUNT(memory_patterns); p++) {
            kind k = kind_of_session(i);
            memory m = {.pattern = memory_patterns[p]};
            ndl_allocator a = memory_allocator(&m);
            k.options.allocator = &a;
            ndl_session *s = new_session(&k.geometry, &k.options);
            /* a past that a reset forgets, in every second one */
            rng past = {p}, r = {i};
            if (p % 2) {
                live(s, &past, 9);
                expect_ok(ndl_session_reset(s));
            }
            ndl_push_token(s, 5);
            ndl_seed_tokens(s, NULL, 0);
            live(s, &r, 1);
            saved b = save_of(s);
            if (p == 0)
                first = b;
            else {
                cr_assert(same_save(&b, &first), "%s, pattern %zu", k.name, p);
                free(b.bytes);
            }
            ndl_session_free(s);
        }
        free(first.bytes);
    }
}

/* ------------------------------------------------------------------ loading */

static void expect_alike(const kind *k, ndl_session *s, size_t age)
{
    saved b = save_of(s);
    ndl_session *t = load_of(&k->geometry, &b);
    saved again = save_of(t);
    cr_assert(same_save(&b, &again), "%s at %zu", k->name, age);
    cr_assert(digest_of(t) == digest_of(s), "%s at %zu", k->name, age);
    rng one = {age}, two = {age};
    cr_assert(live(s, &one, 10) == live(t, &two, 10), "%s at %zu", k->name, age);
    cr_assert(digest_of(t) == digest_of(s), "%s at %zu", k->name, age);
    expect_ok(ndl_session_reset(s));
    expect_ok(ndl_session_reset(t));
    cr_assert(digest_of(t) == digest_of(s), "%s at %zu", k->name, age);
    free(b.bytes);
    free(again.bytes);
    ndl_session_free(t);
}

Test(save, SES_004_a_loaded_session_continues_alike)
{
    for (size_t i = 0; i < KINDS; i++) {
        kind k = kind_of_session(i);
        /* Before, while and after its rings grow and wrap. */
        for (size_t age = 0; age < 14; age++) {
            ndl_session *s = new_session(&k.geometry, &k.options);
            rng r = {age};
            live(s, &r, age);
            expect_alike(&k, s, age);
            ndl_session_free(s);
        }
    }
}

/* Numbers as large as they get, and those that a reset goes by. */
Test(save, SES_004_position_hint_and_lost_come_back)
{
    kind k = kind_of_session(4);
    ndl_session *s = new_session(&k.geometry, &k.options);
    const float x = 1;
    expect_ok(ndl_write_kv(s, 1, SIZE_MAX - 1, &x, 1, &x, 1));
    expect_ok(ndl_set_pos(s, SIZE_MAX - 1));
    saved b = save_of(s);
    ndl_session *t = load_of(&k.geometry, &b);
    expect_size(ndl_pos(t), SIZE_MAX - 1);
    expect_size(ndl_session_hint(t), SIZE_MAX);
    expect_size(lost_of(t, 1), SIZE_MAX - 8);
    expect_size(lost_of(t, 0), 0);
    cr_assert(ndl_session_precision(t) == k.options.precision);
    free(b.bytes);
    ndl_session_free(s);
    ndl_session_free(t);
}

/* A store's floats, a tail's and a site's: the bits come back, NaNs' too. */
Test(save, SES_004_every_bit_of_a_float_comes_back)
{
    static const uint32_t patterns[] = {0,          0x80000000, 1,          0x807FFFFF,
                                        0x7F800000, 0xFF800000, 0x7F800001, 0xFFBFFFFF,
                                        0x7FC00000, 0xFFFFFFFF, 0x7F7FFFFF, 0x01020304};
    ndl_geometry g = small_geometry();
    ndl_session *s = new_session(&g, NULL);
    for (size_t i = 0; i < COUNT(patterns); i++) {
        float x[9];
        for (size_t j = 0; j < COUNT(x); j++)
            memcpy(&x[j], &patterns[i], sizeof x[j]);
        expect_ok(ndl_write_kv(s, 0, 0, x, 1, x, 1));
        expect_ok(ndl_seed_conv_tail(s, 1, NDL_V, x, 2));
        expect_ok(ndl_seed_engram_tail(s, 0, x, 9));
        saved b = save_of(s);
        ndl_session *t = load_of(&g, &b);
        ndl_kv kv;
        ndl_rows tail, site;
        expect_ok(ndl_kv_at(t, 0, &kv));
        expect_ok(ndl_conv_tail(t, 1, NDL_V, &tail));
        expect_ok(ndl_engram_tail(t, 0, &site));
        cr_assert(memcmp(kv.k, x, 4) == 0 && memcmp(kv.v, x, 4) == 0, "%08x", patterns[i]);
        cr_assert(memcmp(tail.data, x, 8) == 0, "%08x", patterns[i]);
        cr_assert(memcmp(site.data, x, 36) == 0, "%08x", patterns[i]);
        free(b.bytes);
        ndl_session_free(t);
    }
    ndl_session_free(s);
}

/* ------------------------------------------------------------------ refusals */

static saved small_save(size_t i, ndl_geometry *g)
{
    kind k = kind_of_session(i);
    ndl_session *s = new_session(&k.geometry, &k.options);
    rng r = {i};
    live(s, &r, 6);
    saved b = save_of(s);
    ndl_session_free(s);
    *g = k.geometry;
    return b;
}

/* The bytes stand alone in memory, so that a sanitizer sees what is read of them. */
Test(save, SES_012_cut_short_at_every_length)
{
    for (size_t i = 0; i < KINDS; i++) {
        ndl_geometry g;
        saved b = small_save(i, &g);
        for (size_t len = 0; len < b.len; len++) {
            uint8_t *cut = malloc(len ? len : 1);
            cr_assert(cut != NULL);
            memcpy(cut, b.bytes, len);
            expect_load(&g, cut, len, len < 8 ? NDL_E_SAVE : NDL_E_SAVE_LENGTH);
            free(cut);
        }
        expect_load(&g, NULL, 0, NDL_E_SAVE);
        free(b.bytes);
    }
}

Test(save, SES_012_longer_than_it_says)
{
    ndl_geometry g;
    saved b = small_save(0, &g);
    for (size_t more = 1; more < 20; more++) {
        uint8_t *longer = calloc(b.len + more, 1);
        cr_assert(longer != NULL);
        memcpy(longer, b.bytes, b.len);
        expect_load(&g, longer, b.len + more, NDL_E_SAVE_LENGTH);
        free(longer);
    }
    free(b.bytes);
}

Test(save, SES_012_every_byte_altered)
{
    for (size_t i = 0; i < KINDS; i++) {
        ndl_geometry g;
        saved b = small_save(i, &g);
        for (size_t at = 0; at < b.len; at++)
            for (unsigned with = 1; with < 256; with += with < 8 || with > 240 ? 1 : 19) {
                b.bytes[at] ^= (uint8_t)with;
                expect_load(&g, b.bytes, b.len,
                            at < 8    ? NDL_E_SAVE
                            : at < 16 ? NDL_E_SAVE_VERSION
                            : at < 24 ? NDL_E_SAVE_LENGTH
                                      : NDL_E_SAVE_CHECKSUM);
                b.bytes[at] ^= (uint8_t)with;
            }
        free(b.bytes);
    }
}

/* Each geometry is valid, and other than that of the save in one number. */
Test(save, SES_013_every_other_geometry_is_refused)
{
    static const change changes[] = {
        SET(vocab_size, 101),         SET(d_model, 2),           SET(num_heads, 2),
        SET(num_layers, 3),           SET(qk_head_dim, 2),       SET(v_head_dim, 2),
        SET(max_seq_len, 9),          SET(sliding_window, 3),    SET(qkv_conv_taps, 2),
        SET(engram.num_orders, 1),    SET(engram.orders[0], 1),  SET(engram.orders[1], 4),
        SET(engram.heads, 2),         SET(engram.slots, 17),     SET(engram.sub_dim, 2),
        SET(engram.num_sites, 0),     SET(engram.sites[0], 1),   SET(engram.conv_taps, 3),
        SET(engram.conv_dilation, 2), SET(engram.seed_heads, 1),
    };
    ndl_geometry g, other;
    saved b = small_save(0, &g);
    for (size_t i = 0; i < COUNT(changes); i++) {
        other = g;
        apply_change(&other, changes[i]);
        expect_load(&other, b.bytes, b.len, NDL_E_SAVE_GEOMETRY);
    }
    other = g;
    other.num_heads = other.num_kv_heads = 2;
    expect_load(&other, b.bytes, b.len, NDL_E_SAVE_GEOMETRY);
    for (size_t layer = 0; layer < 2; layer++) {
        other = g;
        other.is_global[layer] = !g.is_global[layer];
        expect_load(&other, b.bytes, b.len, NDL_E_SAVE_GEOMETRY);
    }
    /* one that cannot be used says why, whatever the bytes are */
    other = g;
    other.num_layers = 0;
    expect_load(&other, b.bytes, b.len, NDL_E_NUM_LAYERS);
    expect_load(&other, NULL, 0, NDL_E_NUM_LAYERS);
    free(b.bytes);
}

Test(save, SES_013_what_is_not_looked_at_has_no_part)
{
    ndl_geometry g;
    saved b = small_save(0, &g);
    g.is_global[1] = 255;
    g.engram.orders[2] = g.engram.orders[3] = 77;
    g.engram.sites[1] = g.engram.sites[15] = 99;
    ndl_session *t = load_of(&g, &b);
    saved again = save_of(t);
    cr_assert(same_save(&b, &again));
    free(b.bytes);
    free(again.bytes);
    ndl_session_free(t);
}

/* One number of the save of six tokens of small_geometry (hint 1: layer 0 has its
 * cap of 4 slots, layer 1 its cap of 8, after 1, 2, 4 and 8), checksum made right. */
static void expect_number(size_t kind_number, size_t at, uint64_t number, ndl_status want)
{
    ndl_geometry g;
    saved b = small_save(kind_number, &g);
    put_number(&b, at, number);
    seal(&b);
    if (want != NDL_OK)
        expect_load(&g, b.bytes, b.len, want);
    else
        ndl_session_free(load_of(&g, &b));
    free(b.bytes);
}

enum { VERSION = 8, LENGTH = 16, PRECISION = 32, NUMERICS = 40, HINT = 48, POS = 56, HELD = 64 };
enum { SLOTS_0 = 72, WRITTEN_0 = 80, SLOTS_1 = 88, WRITTEN_1 = 96 };

Test(save, SES_014_numbers_that_no_session_has)
{
    const struct {
        size_t at;
        uint64_t number;
        ndl_status want;
    } cases[] = {
        {VERSION, 0, NDL_E_SAVE_VERSION},
        {VERSION, 2, NDL_E_SAVE_VERSION},
        {VERSION, UINT64_C(1) << 56, NDL_E_SAVE_VERSION},
        {LENGTH, 0, NDL_E_SAVE_LENGTH},
        {LENGTH, UINT64_MAX, NDL_E_SAVE_LENGTH},
        {PRECISION, 1, NDL_E_SAVE_VALUES}, /* f32 stores are longer */
        {PRECISION, 2, NDL_E_SAVE_VALUES},
        {PRECISION, UINT64_C(1) << 32, NDL_E_SAVE_VALUES},
        {NUMERICS, 1, NDL_OK},
        {NUMERICS, 2, NDL_E_SAVE_VALUES},
        {NUMERICS, UINT64_C(1) << 32, NDL_E_SAVE_VALUES},
        {HINT, 0, NDL_OK},
        {HINT, 5, NDL_OK},
        {HINT, 6, NDL_E_SAVE_VALUES}, /* layer 1 would not have grown for position 5 */
        {HINT, 8, NDL_OK},            /* nor needed to */
        {HINT, SIZE_MAX, NDL_OK},
        {POS, 0, NDL_OK},
        {POS, SIZE_MAX - 1, NDL_OK},
        {POS, SIZE_MAX, NDL_E_SIZE},
        {POS, UINT64_MAX, NDL_E_SIZE},
        {HELD, 2, NDL_E_SAVE_VALUES}, /* three are there */
        {HELD, 4, NDL_E_SAVE_VALUES}, /* M is 3 */
        {HELD, UINT64_MAX, NDL_E_SAVE_VALUES},
        {HELD, UINT64_C(1) << 62, NDL_E_SAVE_VALUES},
        {SLOTS_0, 0, NDL_E_SAVE_VALUES},
        {SLOTS_0, 3, NDL_E_SAVE_VALUES},
        {SLOTS_0, 5, NDL_E_SAVE_VALUES},
        {SLOTS_0, UINT64_C(1) << 61, NDL_E_SAVE_VALUES},
        {SLOTS_0, UINT64_MAX, NDL_E_SAVE_VALUES},
        {WRITTEN_0, 0, NDL_E_SAVE_VALUES},
        {WRITTEN_0, 1, NDL_E_SAVE_VALUES}, /* position 0 fits the reserve */
        {WRITTEN_0, 2, NDL_OK},
        {WRITTEN_0, SIZE_MAX, NDL_OK},
        {SLOTS_1, 0, NDL_E_SAVE_VALUES},
        {SLOTS_1, 9, NDL_E_SAVE_VALUES},
        {WRITTEN_1, 9, NDL_OK}, /* it is at its cap */
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        expect_number(0, cases[i].at, cases[i].number, cases[i].want);
#if SIZE_MAX < UINT64_MAX
    expect_number(0, HINT, UINT64_C(1) << 32, NDL_E_SIZE);
    expect_number(0, WRITTEN_0, UINT64_C(1) << 32, NDL_E_SIZE);
    expect_number(0, WRITTEN_1, UINT64_C(1) << 32, NDL_E_SIZE);
#endif
}

/* Slots of one layer and less of another: as long as before, and still refused. */
Test(save, SES_014_slots_are_held_to_their_caps_one_by_one)
{
    ndl_geometry g;
    saved b = small_save(0, &g);
    put_number(&b, SLOTS_0, 5);
    put_number(&b, SLOTS_1, 7);
    seal(&b);
    expect_load(&g, b.bytes, b.len, NDL_E_SAVE_VALUES);
    put_number(&b, SLOTS_0, 4);
    put_number(&b, SLOTS_1, UINT64_C(8) + (UINT64_C(1) << 61)); /* 8 * slots wraps to 64 */
    seal(&b);
    expect_load(&g, b.bytes, b.len, NDL_E_SAVE_VALUES);
    free(b.bytes);
}

/* Lengths that are right, so that the bounds alone can refuse. In small_geometry
 * the caps are 4 and 8, M is 3, and after six tokens both rings are at their cap. */
Test(save, SES_014_rings_and_histories_of_every_size)
{
    for (size_t i = 0; i < 2; i++) {
        ndl_geometry g;
        saved b = small_save(i, &g);
        for (size_t slots = 0; slots < 12; slots++)
            for (size_t layer = 0; layer < 2; layer++) {
                saved c = resized(&g, &b, layer, slots, 3);
                /* six positions are written to each */
                if (slots == (layer == 0 ? 4 : 8) || (layer == 1 && (slots == 6 || slots == 7)))
                    ndl_session_free(load_of(&g, &c));
                else
                    expect_load(&g, c.bytes, c.len, NDL_E_SAVE_VALUES);
                free(c.bytes);
            }
        for (size_t held = 0; held < 6; held++) {
            saved c = resized(&g, &b, SIZE_MAX, 0, held);
            if (held <= 3)
                ndl_session_free(load_of(&g, &c));
            else
                expect_load(&g, c.bytes, c.len, NDL_E_SAVE_VALUES);
            free(c.bytes);
        }
        free(b.bytes);
    }
}

/* A ring is never smaller than its reserve. */
Test(save, SES_014_rings_below_their_reserve)
{
    ndl_geometry g = small_geometry();
    ndl_options options = {.hint = 5};
    ndl_session *s = new_session(&g, &options);
    saved b = save_of(s);
    for (size_t slots = 0; slots < 10; slots++) {
        saved c = resized(&g, &b, 1, slots, 0);
        if (slots == 5)
            ndl_session_free(load_of(&g, &c));
        else
            expect_load(&g, c.bytes, c.len, NDL_E_SAVE_VALUES);
        free(c.bytes);
    }
    free(b.bytes);
    ndl_session_free(s);
}

/* Below its cap a ring has a slot for every position written. */
Test(save, SES_014_written_beyond_a_ring_that_can_grow)
{
    ndl_geometry g = small_geometry();
    ndl_options options = {.hint = 3};
    ndl_session *s = new_session(&g, &options);
    saved b = save_of(s);
    const struct {
        uint64_t written;
        ndl_status want;
    } cases[] = {{0, NDL_OK}, {1, NDL_OK}, {3, NDL_OK}, {4, NDL_E_SAVE_VALUES}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        put_number(&b, WRITTEN_0, cases[i].written);
        seal(&b);
        if (cases[i].want != NDL_OK)
            expect_load(&g, b.bytes, b.len, cases[i].want);
        else
            ndl_session_free(load_of(&g, &b));
    }
    free(b.bytes);
    ndl_session_free(s);
}

/* Too short for the layers' numbers, though it is as long as it says. */
Test(save, SES_014_a_save_without_room_for_its_layers)
{
    ndl_geometry g;
    for (size_t len = 80; len < 112; len++) {
        saved b = small_save(0, &g);
        uint8_t *cut = malloc(len);
        cr_assert(cut != NULL);
        memcpy(cut, b.bytes, len);
        saved c = {cut, len};
        put_number(&c, LENGTH, len);
        seal(&c);
        expect_load(&g, cut, len, NDL_E_SAVE_VALUES);
        free(cut);
        free(b.bytes);
    }
}

/* With room for the layers' numbers and nothing else these are looked at before it shows
 * that the rest is missing. */
Test(save, SES_014_a_save_with_room_for_its_layers_alone)
{
    ndl_geometry g;
    saved b = small_save(0, &g), c = {NULL, 80 + 16 * g.num_layers};
    c.bytes = malloc(c.len);
    cr_assert(c.bytes != NULL);
    memcpy(c.bytes, b.bytes, c.len);
    put_number(&c, LENGTH, c.len);
    put_number(&c, POS, SIZE_MAX);
    seal(&c);
    expect_load(&g, c.bytes, c.len, NDL_E_SIZE);
    put_number(&c, POS, 6);
    seal(&c);
    expect_load(&g, c.bytes, c.len, NDL_E_SAVE_VALUES);
    free(b.bytes);
    free(c.bytes);
}

/* Scales are never negative and never NaNs; zero and infinity they may be. */
Test(save, SES_014_scales_that_quantising_cannot_give)
{
    static const struct {
        uint32_t bits;
        ndl_status want;
    } cases[] = {{0, NDL_OK},
                 {1, NDL_OK},
                 {0x7F800000, NDL_OK},
                 {0x7F800001, NDL_E_SAVE_VALUES},
                 {0x7FC00000, NDL_E_SAVE_VALUES},
                 {0x80000000, NDL_E_SAVE_VALUES},
                 {0xBF800000, NDL_E_SAVE_VALUES},
                 {0xFFFFFFFF, NDL_E_SAVE_VALUES}};
    /* 4 slots in layer 0 and 8 in layer 1; three tokens; tails of 2 rows of 3 */
    const size_t layer_0 = 104 + 12, layer_1 = layer_0 + 4 * 10 + 24;
    const size_t at[] = {layer_0 + 4, layer_0 + 4 + 12, layer_0 + 24, layer_0 + 36,
                         layer_1 + 8, layer_1 + 8 + 28, layer_1 + 48, layer_1 + 76};
    ndl_geometry g;
    saved b = small_save(1, &g);
    for (size_t i = 0; i < COUNT(at); i++)
        for (size_t j = 0; j < COUNT(cases); j++) {
            uint8_t before[4];
            memcpy(before, b.bytes + at[i], 4);
            for (unsigned byte = 0; byte < 4; byte++)
                b.bytes[at[i] + byte] = (uint8_t)(cases[j].bits >> (8 * byte));
            seal(&b);
            if (cases[j].want != NDL_OK)
                expect_load(&g, b.bytes, b.len, cases[j].want);
            else
                ndl_session_free(load_of(&g, &b));
            memcpy(b.bytes + at[i], before, 4);
        }
    free(b.bytes);
}

/* The last scale of every array, where a slot has two. */
Test(save, SES_014_scales_of_every_head)
{
    ndl_geometry g;
    saved b = small_save(3, &g); /* two kv heads of 3 and 5 channels */
    const size_t k = ndl_geometry_k_dim(&g), v = ndl_geometry_v_dim(&g), q = ndl_geometry_q_dim(&g);
    const size_t tails = 4 * (g.qkv_conv_taps - 1) * (q + k + v);
    size_t at = 72 + 16 * g.num_layers + 4 * (size_t)number_at(&b, HELD);

    expect_size(number_at(&b, PRECISION), 1);
    for (size_t layer = 0; layer < g.num_layers; layer++) {
        const size_t slots = (size_t)number_at(&b, SLOTS_0 + 16 * layer);
        const size_t ends[2] = {at + slots * (k + 8), at + slots * (k + 8 + v + 8)};
        for (size_t i = 0; i < COUNT(ends); i++) {
            b.bytes[ends[i] - 1] ^= 0x80; /* its sign */
            seal(&b);
            expect_load(&g, b.bytes, b.len, NDL_E_SAVE_VALUES);
            b.bytes[ends[i] - 1] ^= 0x80;
        }
        at = ends[1] + tails;
    }
    seal(&b);
    ndl_session_free(load_of(&g, &b));
    free(b.bytes);
}

Test(save, SES_001_load_fails_at_every_allocation)
{
    for (size_t i = 0; i < KINDS; i++) {
        ndl_geometry g;
        saved b = small_save(i, &g);
        memory m = {.pattern = 0xFFFFFFFF};
        ndl_allocator a = memory_allocator(&m);
        ndl_session *t = NULL;
        size_t k = 1;
        for (;; k++) {
            m.fail_in = k;
            ndl_status got = ndl_session_load(&g, &a, b.bytes, b.len, &t);
            if (m.fail_in) {
                expect_status(got, NDL_OK);
                break;
            }
            expect_status(got, NDL_E_MEMORY);
            cr_assert(t == NULL);
            expect_size(m.live, 0);
            expect_size(m.blocks, 0);
        }
        m.fail_in = 0;
        cr_assert(k > 3);
        saved again = save_of(t);
        cr_assert(same_save(&b, &again));
        ndl_session_free(t);
        expect_size(m.live, 0);
        expect_size(m.misuses, 0);
        free(b.bytes);
        free(again.bytes);
    }
}

/* What is refused for its bytes has asked for no memory. */
Test(save, SES_001_a_refused_load_allocates_nothing)
{
    ndl_geometry g;
    saved b = small_save(0, &g);
    memory m = {.pattern = 0};
    ndl_allocator a = memory_allocator(&m);
    ndl_session *t = NULL;
    put_number(&b, HELD, UINT64_C(1) << 60);
    seal(&b);
    expect_status(ndl_session_load(&g, &a, b.bytes, b.len, &t), NDL_E_SAVE_VALUES);
    expect_status(ndl_session_load(&g, &a, b.bytes, b.len - 1, &t), NDL_E_SAVE_LENGTH);
    g.vocab_size++;
    expect_status(ndl_session_load(&g, &a, b.bytes, b.len, &t), NDL_E_SAVE_GEOMETRY);
    expect_size(m.allocations, 0);
    cr_assert(t == NULL);
    free(b.bytes);
}
