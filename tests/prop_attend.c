/* Attention of a session against a reference whose exponential is MPFR's: bit
 * for bit, since both are correctly rounded. */
#include "observe.h"
#include "oracle.h"
#include "payload.h"
#include "support.h"

#include <stdlib.h>

static void attend_both(const ndl_session *s, const ref_session *r, size_t layer, size_t pos,
                        const float *q, finding *f)
{
    const ndl_geometry *g = ndl_session_geometry(s);
    float engine[64], reference[64];
    ndl_span span = span_of(s, layer, pos);
    size_t len = ndl_attend_scratch(g, span.hi - span.lo + 1), q_dim = ndl_geometry_q_dim(g);
    size_t out_dim = ndl_geometry_out_dim(g);
    float *scratch = malloc(len * sizeof *scratch);
    cr_assert(scratch != NULL && q_dim <= COUNT(engine) && out_dim <= COUNT(engine));
    expect_ok(ndl_attend_step(s, layer, pos, q, q_dim, scratch, len, engine, out_dim));
    expect_ok(ref_attend_step(r, layer, pos, q, q_dim, reference, out_dim));
    compare_floats(f, "out", engine, reference, out_dim, true);
    free(scratch);
}

Test(prop_attend, ATT_001_a_step_with_the_exponential_of_MPFR)
{
    size_t cases = case_count(3000);
    for (size_t i = 0; i < cases; i++) {
        uint64_t seed = first_seed() + i;
        rng r = {seed};
        case_begin(seed);
        ndl_geometry g = small_geometry();
        g.num_kv_heads = rng_between(&r, 1, 2);
        g.num_heads = g.num_kv_heads * rng_between(&r, 1, 3);
        g.qk_head_dim = rng_between(&r, 1, 8);
        g.v_head_dim = rng_between(&r, 1, 8);
        g.max_seq_len = rng_between(&r, 1, 16);
        g.sliding_window = rng_below(&r, 8);
        ndl_options o = {.precision = rng_one_in(&r, 2) ? NDL_INT8 : NDL_F32,
                         .numerics = rng_one_in(&r, 2) ? NDL_UPSTREAM : NDL_NEEDLE_CORE};
        ndl_session *s = new_session(&g, &o);
        ref_session *ref = NULL;
        expect_ok(ref_session_new(&g, &o, oracle_expf, &ref));
        payload p = (payload)rng_below(&r, PAYLOADS);
        finding f = {""};
        for (size_t pos = 0; pos < 12 && !found(&f); pos++) {
            float k[64], v[64], q[64];
            fill_payload(&r, p, g.qk_head_dim, k, COUNT(k));
            fill_payload(&r, p, g.v_head_dim, v, COUNT(v));
            fill_payload(&r, p == PAY_NAN ? PAY_PLAIN : p, g.qk_head_dim, q, COUNT(q));
            for (size_t layer = 0; layer < 2; layer++) {
                size_t k_dim = ndl_geometry_k_dim(&g), v_dim = ndl_geometry_v_dim(&g);
                expect_ok(ndl_write_kv(s, layer, pos, k, k_dim, v, v_dim));
                expect_ok(ref_write_kv(ref, layer, pos, k, k_dim, v, v_dim));
                attend_both(s, ref, layer, pos, q, &f);
            }
        }
        cr_assert(!found(&f), "NDL_SEED=%llu NDL_CASES=1: %s", (unsigned long long)seed, f.text);
        ndl_session_free(s);
        ref_session_free(ref);
    }
}
