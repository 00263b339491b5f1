/* Attention of heads as wide, and over as many positions, as what a kernel does at
 * once, one less, one more: bit for bit what the reference gives. */
#include "observe.h"
#include "payload.h"
#include "support.h"

#include <stdlib.h>

enum { POSITIONS = 150, MOST_HEADS = 17 };

/* kv heads, query heads for each of them, the widths of a key and a value, a window or 0. */
typedef struct shape {
    size_t kv, group, k_width, v_width, window;
} shape;

static bool is_looked_at(size_t n)
{
    return n < 10 || n % 24 < 2 || n % 64 < 2;
}

static void attend_at(const ndl_session *s, const ref_session *ref, const float *q, finding *f)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    const size_t pos = ndl_pos(s), q_dim = ndl_geometry_q_dim(g);
    const size_t out_dim = ndl_geometry_out_dim(g);
    const ndl_span span = span_of(s, 0, pos);
    const size_t len = ndl_attend_scratch(g, span.hi - span.lo + 1);
    float *scratch = malloc(len * sizeof *scratch);
    float *engine = malloc(out_dim * sizeof *engine), *reference = malloc(out_dim * sizeof *engine);

    cr_assert(scratch != NULL && engine != NULL && reference != NULL);
    expect_ok(ndl_attend_step(s, 0, pos, q, q_dim, scratch, len, engine, out_dim));
    expect_ok(ref_attend_step(ref, 0, pos, q, q_dim, reference, out_dim));
    compare_floats(f, "out", engine, reference, out_dim, true);
    free(scratch);
    free(engine);
    free(reference);
}

static void attend_over_all(shape a, ndl_precision precision)
{
    ndl_geometry g = small_geometry();
    g.num_kv_heads = a.kv;
    g.num_heads = a.kv * a.group;
    g.qk_head_dim = a.k_width;
    g.v_head_dim = a.v_width;
    g.max_seq_len = POSITIONS;
    g.sliding_window = a.window;
    ndl_options o = {.precision = precision};
    ndl_session *s = new_session(&g, &o);
    ref_session *ref = NULL;
    rng r = {a.k_width};
    finding f = {""};
    const size_t k_dim = ndl_geometry_k_dim(&g), v_dim = ndl_geometry_v_dim(&g);
    const size_t q_dim = ndl_geometry_q_dim(&g);
    /* of their lengths exactly, so that sanitizers see what is read behind them */
    float *k = malloc(k_dim * sizeof *k), *v = malloc(v_dim * sizeof *v);
    float *q = malloc(q_dim * sizeof *q);

    cr_assert(k != NULL && v != NULL && q != NULL);
    expect_ok(ref_session_new(&g, &o, ndl_expf, &ref));
    for (size_t pos = 0; pos < POSITIONS; pos++) {
        fill_payload(&r, PAY_PLAIN, a.k_width, k, k_dim);
        fill_payload(&r, PAY_PLAIN, a.v_width, v, v_dim);
        fill_payload(&r, PAY_PLAIN, a.k_width, q, q_dim);
        expect_ok(ndl_set_pos(s, pos));
        expect_ok(ndl_write_kv(s, 0, pos, k, k_dim, v, v_dim));
        expect_ok(ref_write_kv(ref, 0, pos, k, k_dim, v, v_dim));
        if (is_looked_at(pos + 1))
            attend_at(s, ref, q, &f);
        cr_assert(!found(&f), "%zu kv heads, %zu heads each, widths %zu and %zu, position %zu: %s",
                  a.kv, a.group, a.k_width, a.v_width, pos, f.text);
    }
    free(k);
    free(v);
    free(q);
    ndl_session_free(s);
    ref_session_free(ref);
}

static void attend_over_all_in_both(shape a)
{
    attend_over_all(a, NDL_F32);
    attend_over_all(a, NDL_INT8);
}

Test(attend, rows_of_whole_blocks_and_of_parts)
{
    const size_t widths[] = {1,  15, 16, 17, 24, 31, 32,  33,  47,
                             48, 49, 63, 64, 65, 80, 127, 128, 130};

    for (size_t i = 0; i < COUNT(widths); i++)
        attend_over_all_in_both((shape){1, 2, widths[i], widths[COUNT(widths) - 1 - i], 0});
}

Test(attend, query_heads_of_whole_packs_and_of_parts)
{
    for (size_t group = 1; group <= MOST_HEADS; group++)
        attend_over_all_in_both((shape){1, group, 17, 33, 0});
}

/* A span of more than two chunks that begins anywhere in a ring, beside those of other
 * kv heads: parts of it end where a chunk is full, where the ring ends and where it ends. */
Test(attend, ATT_003_spans_of_many_chunks_that_wrap)
{
    const shape shapes[] = {{3, 1, 5, 7, 61},
                            {2, 5, 17, 24, 49},
                            {3, 9, 9, 5, 30},
                            {2, 11, 80, 65, 73},
                            {2, 8, 1, 1, 25}};

    for (size_t i = 0; i < COUNT(shapes); i++)
        attend_over_all_in_both(shapes[i]);
}

/* Of a sequence's rows only those of the window are read, wherever in it they are. */
Test(attend, ATT_004_windows_narrower_than_the_sequence)
{
    enum { ROWS = 70, QUERIES = 4, KV = 2, WIDTH = 3 };
    const ndl_geometry g = {
        .num_heads = QUERIES, .num_kv_heads = KV, .qk_head_dim = WIDTH, .v_head_dim = WIDTH};
    float k[ROWS * KV * WIDTH], v[COUNT(k)], q[ROWS * QUERIES * WIDTH];
    float engine[COUNT(q)], reference[COUNT(q)];
    const ndl_kv kv = {.precision = NDL_F32, .slots = ROWS, .k = k, .v = v};
    const size_t len = ndl_attend_scratch(&g, ROWS);
    float *scratch = malloc(len * sizeof *scratch);
    rng r = {1};

    cr_assert(scratch != NULL);
    fill_payload(&r, PAY_PLAIN, WIDTH, k, COUNT(k));
    fill_payload(&r, PAY_PLAIN, WIDTH, v, COUNT(v));
    fill_payload(&r, PAY_PLAIN, WIDTH, q, COUNT(q));
    for (size_t window = 0; window <= ROWS; window++) {
        expect_ok(
            ndl_attend_sequence(&g, window, &kv, q, COUNT(q), scratch, len, engine, COUNT(engine)));
        expect_ok(ref_attend_sequence(ndl_expf, &g, window, &kv, q, COUNT(q), reference,
                                      COUNT(reference)));
        expect_floats(engine, reference, COUNT(engine));
    }
    free(scratch);
}
