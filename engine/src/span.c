/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "span.h"

ndl_span ndl_span_of(size_t window, size_t slots, size_t pos)
{
    ndl_span span = {.lo = 0, .hi = pos};

    /* pos + 1 - window, said so that it cannot overflow. */
    if (window != 0 && pos >= window)
        span.lo = pos - window + 1;
    if (pos >= slots && pos - slots + 1 > span.lo)
        span.lo = pos - slots + 1;
    return span;
}

size_t ndl_span_lost(size_t window, size_t slots, size_t n)
{
    const size_t asked = window != 0 && window < n ? window : n;

    return asked > slots ? asked - slots : 0;
}

bool ndl_span_saturated(size_t window, size_t slots, size_t pos)
{
    return window == 0 && pos > slots;
}
