/* Attention of heads as wide, and over as many positions, as what a kernel does at
 * once, one less, one more: bit for bit what the reference gives. */
#include "observe.h"
#include "payload.h"
#include "support.h"

#include <stdlib.h>

enum { POSITIONS = 150, WIDEST = 130, MOST_HEADS = 17 };

static bool is_looked_at(size_t n)
{
    return n < 10 || n % 24 < 2 || n % 64 < 2;
}

static void attend_at(const ndl_session *s, const ref_session *ref, const float *q, finding *f)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    const size_t pos = ndl_pos(s), q_dim = ndl_geometry_q_dim(g);
    const size_t out_dim = ndl_geometry_out_dim(g);
    const size_t len = ndl_attend_scratch(g, pos + 1);
    float engine[MOST_HEADS * WIDEST], reference[MOST_HEADS * WIDEST];
    float *scratch = malloc(len * sizeof *scratch);

    cr_assert(scratch != NULL && out_dim <= COUNT(engine));
    expect_ok(ndl_attend_step(s, 0, pos, q, q_dim, scratch, len, engine, out_dim));
    expect_ok(ref_attend_step(ref, 0, pos, q, q_dim, reference, out_dim));
    compare_floats(f, "out", engine, reference, out_dim, true);
    free(scratch);
}

static void attend_over_all(size_t heads, size_t k_width, size_t v_width, ndl_precision precision)
{
    ndl_geometry g = small_geometry();
    g.num_kv_heads = 1;
    g.num_heads = heads;
    g.qk_head_dim = k_width;
    g.v_head_dim = v_width;
    g.max_seq_len = POSITIONS;
    g.sliding_window = 0;
    ndl_options o = {.precision = precision};
    ndl_session *s = new_session(&g, &o);
    ref_session *ref = NULL;
    rng r = {k_width};
    finding f = {""};

    expect_ok(ref_session_new(&g, &o, ndl_expf, &ref));
    for (size_t pos = 0; pos < POSITIONS; pos++) {
        float k[WIDEST], v[WIDEST], q[MOST_HEADS * WIDEST];
        fill_payload(&r, PAY_PLAIN, k_width, k, k_width);
        fill_payload(&r, PAY_PLAIN, v_width, v, v_width);
        fill_payload(&r, PAY_PLAIN, k_width, q, heads * k_width);
        expect_ok(ndl_set_pos(s, pos));
        expect_ok(ndl_write_kv(s, 0, pos, k, k_width, v, v_width));
        expect_ok(ref_write_kv(ref, 0, pos, k, k_width, v, v_width));
        if (is_looked_at(pos + 1))
            attend_at(s, ref, q, &f);
        cr_assert(!found(&f), "%zu heads, widths %zu and %zu, position %zu: %s", heads, k_width,
                  v_width, pos, f.text);
    }
    ndl_session_free(s);
    ref_session_free(ref);
}

Test(attend, rows_of_whole_blocks_and_of_parts)
{
    const size_t widths[] = {1,  15, 16, 17, 24, 31, 32,  33,  47,
                             48, 49, 63, 64, 65, 80, 127, 128, 130};

    for (size_t i = 0; i < COUNT(widths); i++) {
        const size_t other = widths[COUNT(widths) - 1 - i];
        attend_over_all(2, widths[i], other, NDL_F32);
        attend_over_all(2, widths[i], other, NDL_INT8);
    }
}

Test(attend, query_heads_of_whole_packs_and_of_parts)
{
    for (size_t heads = 1; heads <= MOST_HEADS; heads++) {
        attend_over_all(heads, 17, 33, NDL_F32);
        attend_over_all(heads, 17, 33, NDL_INT8);
    }
}
