/* Engine and reference in lock-step on random sessions. The sessions of a run
 * are dealt out to several tests, which run side by side; each of them must
 * reach every class of geometries, payloads and operations. */
#include "lockstep_case.h"
#include "support.h"

#define SHARES 8

static void run_share(size_t share)
{
    size_t cases = case_count(20000);
    uint64_t first = first_seed();
    coverage cover = {{0}, {0}};
    size_t done = 0;
    for (size_t i = share; i < cases; i += SHARES, done++) {
        finding f;
        cr_assert(lockstep_case(first + i, &cover, &f), "NDL_SEED=%llu NDL_CASES=1: %s",
                  (unsigned long long)(first + i), f.text);
    }
    /* A few cases, run again by hand, cannot have everything. */
    if (done >= 2000) {
        const char *missing = coverage_missing(&cover);
        cr_assert(missing == NULL, "never produced: %s", missing);
    }
}

Test(lockstep, share_1)
{
    run_share(0);
}

Test(lockstep, share_2)
{
    run_share(1);
}

Test(lockstep, share_3)
{
    run_share(2);
}

Test(lockstep, share_4)
{
    run_share(3);
}

Test(lockstep, share_5)
{
    run_share(4);
}

Test(lockstep, share_6)
{
    run_share(5);
}

Test(lockstep, share_7)
{
    run_share(6);
}

Test(lockstep, share_8)
{
    run_share(7);
}
