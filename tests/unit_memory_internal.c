/* Requests for memory that no session makes: sizes that cannot be said in bytes. */
#include "memory.h"
#include "support.h"
#include "trusted/alloc.h"

Test(memory_internal, SES_009_a_size_that_wraps_is_not_asked_for)
{
    memory m = {.pattern = 0};
    ndl_allocator a = memory_allocator(&m);
    cr_assert(ndl_alloc_f32(&a, SIZE_MAX / sizeof(float) + 1) == NULL);
    cr_assert(ndl_alloc_sites(&a, SIZE_MAX) == NULL);
    expect_size(m.allocations, 0);
    /* The largest that can be said is asked for, and is not there. */
    m.fail_in = 1;
    cr_assert(ndl_alloc_f32(&a, SIZE_MAX / sizeof(float)) == NULL);
    expect_size(m.allocations, 1);
    expect_size(m.failures, 1);
}
