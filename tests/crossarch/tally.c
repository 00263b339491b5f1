/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "tally.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a, 64 bits. */
#define BASIS UINT64_C(0xCBF29CE484222325)

static uint64_t add_bytes(uint64_t hash, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        hash = (hash ^ (value >> 8 * i & 0xFF)) * UINT64_C(0x100000001B3);
    return hash;
}

static uint32_t bits_of_float(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return (bits & UINT32_C(0x7FFFFFFF)) > UINT32_C(0x7F800000) ? UINT32_C(0x7FC00000) : bits;
}

tally tally_new(void)
{
    tally t;

    for (int k = 0; k < KIND_COUNT; k++) {
        t.hash[k] = BASIS;
        t.outputs[k] = 0;
    }
    return t;
}

static void add_output(tally *t, kind k, uint64_t digest)
{
    t->hash[k] = add_bytes(t->hash[k], digest, 8);
    t->outputs[k]++;
}

void tally_floats(tally *t, kind k, const float *x, size_t n)
{
    uint64_t hash = BASIS;

    for (size_t i = 0; i < n; i++)
        hash = add_bytes(hash, bits_of_float(x[i]), 4);
    add_output(t, k, hash);
}

void tally_codes(tally *t, kind k, const int8_t *x, size_t n)
{
    uint64_t hash = BASIS;

    for (size_t i = 0; i < n; i++)
        hash = add_bytes(hash, (uint8_t)x[i], 1);
    add_output(t, k, hash);
}

void tally_bytes(tally *t, kind k, const uint8_t *x, size_t n)
{
    uint64_t hash = BASIS;

    for (size_t i = 0; i < n; i++)
        hash = add_bytes(hash, x[i], 1);
    add_output(t, k, hash);
}

void tally_numbers(tally *t, kind k, const uint64_t *x, size_t n)
{
    uint64_t hash = BASIS;

    for (size_t i = 0; i < n; i++)
        hash = add_bytes(hash, x[i], 8);
    add_output(t, k, hash);
}

void tally_number(tally *t, kind k, size_t x)
{
    const uint64_t number = x;

    tally_numbers(t, k, &number, 1);
}

bool tally_equal(const tally *a, const tally *b)
{
    for (int k = 0; k < KIND_COUNT; k++)
        if (a->hash[k] != b->hash[k] || a->outputs[k] != b->outputs[k])
            return false;
    return true;
}

void tally_print(const tally *t, const char *session)
{
    static const char *const names[] = {
#define X(name) #name,
        KINDS(X)
#undef X
    };

    for (int k = 0; k < KIND_COUNT; k++)
        if (t->outputs[k] != 0)
            printf("%s %s %zu %016" PRIx64 "\n", session, names[k], t->outputs[k], t->hash[k]);
}
