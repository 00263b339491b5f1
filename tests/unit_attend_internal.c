/* Scratch: as much as attention writes, and no more. */
#include "support.h"

#include <stdlib.h>

/* Not what a sum, a score or its inverse comes to. */
#define UNTOUCHED 0x7FABCDEF

static void expect_all_used(size_t kv_heads, size_t group)
{
    const ndl_geometry g = {
        .num_heads = kv_heads * group, .num_kv_heads = kv_heads, .qk_head_dim = 1, .v_head_dim = 1};
    const float row[3 * 40] = {1, 2, 3};
    const ndl_kv kv = {.precision = NDL_F32, .slots = 3, .k = row, .v = row};
    const size_t len = ndl_attend_scratch(&g, 3);
    float *scratch = malloc(len * sizeof *scratch), out[3 * 40];

    cr_assert(scratch != NULL && g.num_heads <= 40);
    for (size_t i = 0; i < len; i++)
        scratch[i] = float_of(UNTOUCHED);
    expect_ok(
        ndl_attend_sequence(&g, 0, &kv, row, 3 * g.num_heads, scratch, len, out, 3 * g.num_heads));
    for (size_t i = 0; i < len; i++)
        cr_assert(bits_of(scratch[i]) != UNTOUCHED, "%zu heads of %zu each: %zu of %zu", kv_heads,
                  group, i, len);
    free(scratch);
}

Test(attend_internal, ATT_005_scratch_is_no_longer_than_what_is_used)
{
    for (size_t kv_heads = 1; kv_heads <= 4; kv_heads++)
        for (size_t group = 1; group <= 10; group++)
            expect_all_used(kv_heads, group);
}
