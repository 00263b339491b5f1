/* Growth and spans where no session can go: rings of any size up to SIZE_MAX,
 * against the formulas in twice as wide arithmetic. */
#include "ring.h"
#include "span.h"
#include "support.h"

/* Small numbers, halves and ends. */
static const size_t numbers[] = {0,
                                 1,
                                 2,
                                 3,
                                 4,
                                 5,
                                 7,
                                 8,
                                 9,
                                 1023,
                                 1024,
                                 SIZE_MAX / 4,
                                 SIZE_MAX / 4 + 1,
                                 SIZE_MAX / 2 - 1,
                                 SIZE_MAX / 2,
                                 SIZE_MAX / 2 + 1,
                                 SIZE_MAX / 2 + 2,
                                 SIZE_MAX - 2,
                                 SIZE_MAX - 1,
                                 SIZE_MAX};

static wide_size least(wide_size a, wide_size b)
{
    return a < b ? a : b;
}

static wide_size most(wide_size a, wide_size b)
{
    return a > b ? a : b;
}

Test(ring_internal, KV_002_growth_never_overflows)
{
    for (size_t i = 0; i < COUNT(numbers); i++) {
        for (size_t j = i; j < COUNT(numbers); j++) {
            for (size_t p = 0; p < COUNT(numbers); p++) {
                size_t slots = numbers[i], cap = numbers[j], pos = numbers[p];
                if (slots == 0 || pos == SIZE_MAX)
                    continue;
                wide_size want = slots;
                if (pos >= slots && slots < cap)
                    want = least(cap, most((wide_size)2 * slots, (wide_size)pos + 1));
                cr_assert(ndl_ring_want(slots, cap, pos) == want, "slots %zu, cap %zu, pos %zu",
                          slots, cap, pos);
            }
        }
    }
}

Test(ring_internal, SPAN_001_spans_never_overflow)
{
    for (size_t i = 0; i < COUNT(numbers); i++) {
        for (size_t j = 1; j < COUNT(numbers); j++) {
            for (size_t p = 0; p + 1 < COUNT(numbers); p++) {
                size_t window = numbers[i], slots = numbers[j], pos = numbers[p];
                wide_size after = (wide_size)pos + 1,
                          a = window && after > window ? after - window : 0;
                wide_size lo = most(a, after > slots ? after - slots : 0);
                ndl_span span = ndl_span_of(window, slots, pos);
                cr_assert(span.lo == lo && span.hi == pos, "window %zu, slots %zu, pos %zu", window,
                          slots, pos);
            }
        }
    }
}
