/* What harnesses and tests share below everything else: the bits of floats,
 * seeded random numbers, memory that must be had. */
#ifndef BASE_H
#define BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of elements of an array (not of a pointer). */
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Ends the process, with a line to stderr, unless this holds: for what a harness
 * takes for granted. */
#define must(condition) ((condition) ? (void)0 : must_fail(__FILE__, __LINE__, #condition))
_Noreturn void must_fail(const char *file, int line, const char *condition);

/* Twice as wide as sizes and positions: what they come to without wrapping around. */
#if SIZE_MAX > UINT32_MAX
__extension__ typedef unsigned __int128 wide_size;
#else
typedef uint64_t wide_size;
#endif

/* ------------------------------------------------------------ bits of floats */

uint32_t bits_of(float x);
float float_of(uint32_t bits);
/* Equal as traces say it: the same bits, any NaN equal to any NaN. */
bool same_float(float a, float b);
/* Equal as numbers: zeros of either sign are equal too. */
bool same_number(float a, float b);
/* The first element that differs by same_float, or n. */
size_t first_difference(const float *a, const float *b, size_t n);

/* ------------------------------------------------------------ random numbers */

/* SplitMix64: a counter and a finaliser, so that every seed is as good as any
 * other and neighbouring seeds have nothing in common. */
typedef struct rng {
    uint64_t state;
} rng;

uint64_t rng_next(rng *r);
/* 0 .. n - 1; n is at least 1. */
size_t rng_below(rng *r, size_t n);
/* lo .. hi, both included. */
size_t rng_between(rng *r, size_t lo, size_t hi);
/* True once in n times. */
bool rng_one_in(rng *r, size_t n);

/* ------------------------------------------------------------------- memory */

/* Memory for a harness's own ends: what it asks for it must have. An array of
 * floats is exactly as long as said, so that a sanitizer sees one too far. */
void *must_have(size_t size);
float *new_array(size_t n);

#endif
