/* The geometry in the header of a .cact model file, built byte by byte. */
#include "support.h"

#include <stdlib.h>
#include <string.h>

/* The header's fields, by number. */
enum {
    TAG,
    NUM_TENSORS,
    CODEBOOK_LEN,
    KV_WINDOW,
    KV_BITS,
    VOCAB_SIZE,
    OUT_VOCAB,
    D_MODEL,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    QK_HEAD_DIM,
    V_HEAD_DIM,
    MAX_SEQ_LEN,
    HADA_N,
    MHC_LANES,
    SLIDING_WINDOW,
    GLOBAL_LOW,
    GLOBAL_HIGH,
    QKV_CONV_TAPS,
    SLOTS,
    SUB_DIM,
    NUM_TABLES,
    CONV_TAPS,
    CONV_DILATION,
    SEED_HEADS,
    NUM_ORDERS,
    ORDERS,
    NUM_SITES = ORDERS + 4,
    SITES,
    ROPE_THETA = SITES + 16,
    FIELDS
};

typedef struct header {
    uint8_t bytes[NDL_CACT_HEADER];
} header;

static void set(header *h, size_t field, uint32_t value)
{
    for (size_t i = 0; i < 4; i++)
        h->bytes[4 * field + i] = (uint8_t)(value >> 8 * i);
}

/* The header of the model as it ships. */
static header shipped(void)
{
    static const uint32_t values[FIELDS] = {
        [TAG] = 0x05E12A84,
        [NUM_TENSORS] = 300,
        [CODEBOOK_LEN] = 256,
        [KV_WINDOW] = 1024,
        [KV_BITS] = 8,
        [VOCAB_SIZE] = 8192,
        [OUT_VOCAB] = 8000,
        [D_MODEL] = 768,
        [NUM_HEADS] = 12,
        [NUM_KV_HEADS] = 2,
        [NUM_LAYERS] = 20,
        [QK_HEAD_DIM] = 48,
        [V_HEAD_DIM] = 64,
        [MAX_SEQ_LEN] = 8192,
        [HADA_N] = 256,
        [MHC_LANES] = 4,
        [SLIDING_WINDOW] = 1024,
        [GLOBAL_LOW] = 1u << 4 | 1u << 9 | 1u << 14 | 1u << 19,
        [QKV_CONV_TAPS] = 3,
        [SLOTS] = 18432,
        [SUB_DIM] = 128,
        [NUM_TABLES] = 6,
        [CONV_TAPS] = 4,
        [CONV_DILATION] = 3,
        [NUM_ORDERS] = 2,
        [ORDERS] = 2,
        [ORDERS + 1] = 3,
        [NUM_SITES] = 5,
        [SITES] = 3,
        [SITES + 1] = 7,
        [SITES + 2] = 11,
        [SITES + 3] = 15,
        [SITES + 4] = 19,
        [ROPE_THETA] = 0x461C4000,
    };
    header h;
    for (size_t i = 0; i < FIELDS; i++)
        set(&h, i, values[i]);
    return h;
}

Test(cact, GEO_009_the_fields_fill_the_header)
{
    expect_size((size_t)FIELDS * 4, NDL_CACT_HEADER);
}

static void expect_geometry(const ndl_geometry *got, const ndl_geometry *want)
{
    /* Every member is a number of the same size, but for the marks of global
     * layers, and there is no padding to fear: 64 bytes keep the alignment. */
    cr_assert(memcmp(got, want, sizeof *got) == 0);
}

Test(cact, GEO_009_the_shipped_header_is_the_shipped_geometry)
{
    header h = shipped();
    ndl_geometry g, want = shipped_geometry();
    ndl_precision precision = NDL_F32;
    expect_ok(ndl_geometry_from_cact(h.bytes, sizeof h.bytes, &g, &precision));
    expect_geometry(&g, &want);
    cr_assert(precision == NDL_INT8);
}

Test(cact, GEO_009_more_bytes_may_follow_and_alignment_is_free)
{
    header h = shipped();
    uint8_t file[NDL_CACT_HEADER + 9];
    memset(file, 0xA5, sizeof file);
    for (size_t shift = 0; shift < 4; shift++) {
        memcpy(file + shift, h.bytes, sizeof h.bytes);
        ndl_geometry g, want = shipped_geometry();
        ndl_precision precision;
        expect_ok(ndl_geometry_from_cact(file + shift, sizeof file - shift, &g, &precision));
        expect_geometry(&g, &want);
    }
}

Test(cact, GEO_009_only_8_bits_suggest_int8)
{
    const uint32_t bits[] = {0, 4, 7, 8, 9, 16, 32, 0x108, UINT32_MAX};
    for (size_t i = 0; i < COUNT(bits); i++) {
        header h = shipped();
        set(&h, KV_BITS, bits[i]);
        ndl_geometry g;
        ndl_precision precision;
        expect_ok(ndl_geometry_from_cact(h.bytes, sizeof h.bytes, &g, &precision));
        cr_assert(precision == (bits[i] == 8 ? NDL_INT8 : NDL_F32), "%u", bits[i]);
    }
}

/* Each byte counts: a field of four different bytes comes back whole. */
Test(cact, GEO_009_fields_are_little_endian)
{
    const struct {
        size_t field, offset;
    } carried[] = {
        {VOCAB_SIZE, offsetof(ndl_geometry, vocab_size)},
        {SLIDING_WINDOW, offsetof(ndl_geometry, sliding_window)},
        {SLOTS, offsetof(ndl_geometry, engram.slots)},
        {SUB_DIM, offsetof(ndl_geometry, engram.sub_dim)},
        {SEED_HEADS, offsetof(ndl_geometry, engram.seed_heads)},
        {ORDERS + 1, offsetof(ndl_geometry, engram.orders[1])},
    };
    for (size_t i = 0; i < COUNT(carried); i++) {
        header h = shipped();
        set(&h, carried[i].field, 0x81020384);
        ndl_geometry g, want = shipped_geometry();
        change c = {carried[i].offset, 0x81020384};
        apply_change(&want, c);
        ndl_precision precision;
        expect_ok(ndl_geometry_from_cact(h.bytes, sizeof h.bytes, &g, &precision));
        expect_geometry(&g, &want);
    }
}

Test(cact, GEO_009_other_fields_are_carried_by_nobody)
{
    const size_t others[] = {NUM_TENSORS, CODEBOOK_LEN, KV_WINDOW, OUT_VOCAB,
                             HADA_N,      MHC_LANES,    ROPE_THETA};
    for (size_t i = 0; i < COUNT(others); i++) {
        header h = shipped();
        set(&h, others[i], 0xFFC0FFEE);
        ndl_geometry g, want = shipped_geometry();
        ndl_precision precision;
        expect_ok(ndl_geometry_from_cact(h.bytes, sizeof h.bytes, &g, &precision));
        expect_geometry(&g, &want);
    }
}

Test(cact, GEO_009_both_halves_of_the_mask)
{
    header h = shipped();
    set(&h, NUM_LAYERS, 64);
    set(&h, GLOBAL_LOW, 0x80000001);
    set(&h, GLOBAL_HIGH, 0x80000001);
    ndl_geometry g;
    ndl_precision precision;
    expect_ok(ndl_geometry_from_cact(h.bytes, sizeof h.bytes, &g, &precision));
    for (size_t layer = 0; layer < 64; layer++) {
        bool global = layer == 0 || layer == 31 || layer == 32 || layer == 63;
        cr_assert((g.is_global[layer] != 0) == global, "layer %zu", layer);
    }
}

Test(cact, GEO_009_a_model_without_engram)
{
    header h = shipped();
    for (size_t i = SLOTS; i < ROPE_THETA; i++)
        set(&h, i, 0);
    ndl_geometry g;
    ndl_precision precision;
    expect_ok(ndl_geometry_from_cact(h.bytes, sizeof h.bytes, &g, &precision));
    expect_size(ndl_geometry_tables(&g), 0);
    expect_size(ndl_geometry_reach(&g), 0);
    expect_size(g.engram.num_sites, 0);
    expect_size(g.engram.heads, 0);
}

Test(cact, GEO_009_what_is_beyond_the_counts_is_zero)
{
    header h = shipped();
    for (size_t i = 2; i < NDL_MAX_ORDERS; i++)
        set(&h, ORDERS + i, 9);
    for (size_t i = 5; i < NDL_MAX_SITES; i++)
        set(&h, SITES + i, 1);
    ndl_geometry g;
    ndl_precision precision;
    expect_ok(ndl_geometry_from_cact(h.bytes, sizeof h.bytes, &g, &precision));
    for (size_t i = 2; i < NDL_MAX_ORDERS; i++)
        expect_size(g.engram.orders[i], 0);
    for (size_t i = 5; i < NDL_MAX_SITES; i++)
        expect_size(g.engram.sites[i], 0);
}

static const struct {
    size_t field;
    uint32_t value;
    ndl_status status;
} bad[] = {
    {TAG, 0, NDL_E_CACT},
    {TAG, 0x842AE105, NDL_E_CACT},
    {TAG, 0x05E12A85, NDL_E_CACT},
    {TAG, 0x05E12B84, NDL_E_CACT},
    {TAG, 0x05E02A84, NDL_E_CACT},
    {TAG, 0x04E12A84, NDL_E_CACT},
    {NUM_TABLES, 5, NDL_E_CACT_TABLES},
    {NUM_TABLES, UINT32_MAX, NDL_E_CACT_TABLES},
    {NUM_TABLES, 0, NDL_E_TABLE_HEADS},
    {NUM_LAYERS, 0, NDL_E_NUM_LAYERS},
    {NUM_HEADS, 0, NDL_E_NUM_HEADS},
    {NUM_KV_HEADS, 0, NDL_E_NUM_KV_HEADS},
    {QK_HEAD_DIM, 0, NDL_E_QK_HEAD_DIM},
    {V_HEAD_DIM, 0, NDL_E_V_HEAD_DIM},
    {MAX_SEQ_LEN, 0, NDL_E_MAX_SEQ_LEN},
    {D_MODEL, 0, NDL_E_D_MODEL},
    {SLOTS, 0, NDL_E_TABLE_SLOTS},
    {NUM_HEADS, 13, NDL_E_HEAD_GROUPS},
    {ORDERS, 0, NDL_E_ORDER_ZERO},
    {SITES + 4, 20, NDL_E_SITE_LAYER},
    {SITES, UINT32_MAX, NDL_E_SITE_LAYER},
    {GLOBAL_LOW, 1u << 20, NDL_E_GLOBAL_LAYER},
    {GLOBAL_LOW, 1u << 31, NDL_E_GLOBAL_LAYER},
    {GLOBAL_HIGH, 1, NDL_E_GLOBAL_LAYER},
    {GLOBAL_HIGH, 1u << 31, NDL_E_GLOBAL_LAYER},
    {SITES, 7, NDL_E_SITE_TWICE},
    {CONV_TAPS, 0, NDL_E_CONV_TAPS},
    {CONV_DILATION, 0, NDL_E_DILATION},
    {NUM_LAYERS, 65, NDL_E_MANY_LAYERS},
    {NUM_LAYERS, UINT32_MAX, NDL_E_MANY_LAYERS},
    {NUM_SITES, 17, NDL_E_MANY_SITES},
    {NUM_SITES, UINT32_MAX, NDL_E_MANY_SITES},
};

static void expect_refused(const uint8_t *bytes, size_t len, ndl_status status)
{
    ndl_geometry g, before;
    memset(&g, 0x5A, sizeof g);
    before = g;
    ndl_precision precision = NDL_INT8;
    expect_status(ndl_geometry_from_cact(bytes, len, &g, &precision), status);
    cr_assert(memcmp(&g, &before, sizeof g) == 0);
    cr_assert(precision == NDL_INT8);
}

Test(cact, GEO_009_each_bad_header_has_its_status_and_changes_nothing)
{
    for (size_t i = 0; i < COUNT(bad); i++) {
        header h = shipped();
        set(&h, KV_BITS, 32);
        if (bad[i].field == NUM_SITES) {
            /* All places filled, so that the count is the only fault. */
            for (uint32_t j = 0; j < NDL_MAX_SITES; j++)
                set(&h, SITES + j, j);
        }
        set(&h, bad[i].field, bad[i].value);
        expect_refused(h.bytes, sizeof h.bytes, bad[i].status);
    }
}

/* Five orders would need a table count that five divides. */
Test(cact, GEO_009_too_many_orders)
{
    header h = shipped();
    set(&h, NUM_ORDERS, 5);
    set(&h, NUM_TABLES, 10);
    set(&h, ORDERS + 2, 1);
    set(&h, ORDERS + 3, 1);
    expect_refused(h.bytes, sizeof h.bytes, NDL_E_MANY_ORDERS);
}

Test(cact, GEO_009_sizes_that_overflow)
{
    header h = shipped();
    set(&h, MAX_SEQ_LEN, UINT32_MAX);
    set(&h, QK_HEAD_DIM, UINT32_MAX);
    expect_refused(h.bytes, sizeof h.bytes, NDL_E_SIZE);
}

Test(cact, GEO_009_too_short_at_every_length)
{
    header h = shipped();
    for (size_t len = 0; len < sizeof h.bytes; len++) {
        /* A block of exactly this length, so that a sanitizer sees what is
         * read beyond it. */
        uint8_t *bytes = malloc(len ? len : 1);
        cr_assert(bytes != NULL);
        memcpy(bytes, h.bytes, len);
        expect_refused(bytes, len, NDL_E_CACT);
        free(bytes);
    }
    expect_refused(NULL, 0, NDL_E_CACT);
}
