#include "base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void must_fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: it must be that %s\n", file, line, condition);
    abort();
}

/* ------------------------------------------------------------ bits of floats */

uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

bool same_float(float a, float b)
{
    return bits_of(a) == bits_of(b) || (a != a && b != b);
}

bool same_number(float a, float b)
{
    return a == b || (a != a && b != b);
}

size_t first_difference(const float *a, const float *b, size_t n)
{
    size_t i = 0;
    while (i < n && same_float(a[i], b[i]))
        i++;
    return i;
}

/* ------------------------------------------------------------ random numbers */

uint64_t rng_next(rng *r)
{
    uint64_t z = r->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

size_t rng_below(rng *r, size_t n)
{
    return (size_t)(rng_next(r) % n);
}

size_t rng_between(rng *r, size_t lo, size_t hi)
{
    return lo + rng_below(r, hi - lo + 1);
}

bool rng_one_in(rng *r, size_t n)
{
    return rng_below(r, n) == 0;
}

/* -------------------------------------------------------------------- memory */

void *must_have(size_t size)
{
    void *memory = malloc(size ? size : 1);
    must(memory != NULL);
    return memory;
}

float *new_array(size_t n)
{
    return must_have(n * sizeof(float));
}
