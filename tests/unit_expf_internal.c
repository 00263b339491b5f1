/* Rows of the exponential: each element by itself, and nothing behind the last. */
#include "support.h"
#include "trusted/expf.h"

/* Every number of blocks and of what is left over. What is behind a row would change if
 * it were part of it, or were only held to what the exponential can give. */
Test(expf_internal, ATT_002_rows_of_every_length)
{
    enum { LONGEST = 200, BEHIND = 70 };

    for (size_t n = 0; n <= LONGEST; n++) {
        float x[LONGEST + BEHIND], want[LONGEST + BEHIND];
        for (size_t i = 0; i < n + BEHIND; i++) {
            x[i] = i < n ? -0.37f * (float)i : i % 2 ? 200 : -200;
            want[i] = i < n ? ndl_expf(x[i]) : x[i];
        }
        ndl_exp_row(x, n);
        expect_floats(x, want, n + BEHIND);
    }
}
