/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "bytes.h"

#include "../little.h"

/* A float goes from memory to memory: passed or returned by value it may go
 * through a register that makes a signalling NaN a quiet one. */
typedef union word {
    float x;
    uint32_t bits;
} word;

void ndl_put_f32(uint8_t *to, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const word w = {.x = x[i]};

        ndl_put_u32(to + 4 * i, w.bits);
    }
}

void ndl_get_f32(float *x, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const word w = {.bits = ndl_get_u32(from + 4 * i)};

        x[i] = w.x;
    }
}
