/*
 * What the tests share: the bits of floats, seeded random numbers, small
 * geometries and assertions on statuses.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include "ndl.h"

#include <criterion/criterion.h>

/* The number of elements of an array (not of a pointer). */
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

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

/* What a property runs on: case i of a run uses seed first_seed() + i, so
 * NDL_SEED=(the seed printed) NDL_CASES=1 runs a failed case alone. The numbers
 * come from variables of the environment, or are the usual ones. */
uint64_t number_from(const char *name, uint64_t usual);
uint64_t first_seed(void);
size_t case_count(size_t usual);
/* Built with a sanitizer, ten times slower: then a tenth of the usual cases do. */
bool instrumented(void);
/* Keeps the seed to be printed should the case crash. */
void case_begin(uint64_t seed);

/* ----------------------------------------------------------------- geometries */

/* Two layers, the second global; window 4, max_seq_len 8; one head of width 1;
 * three taps; orders 2 and 3; a site at layer 0 with four taps, three apart.
 * Small enough that every boundary is within a dozen steps. */
ndl_geometry small_geometry(void);
/* The model as it ships, and its rung with two layers. */
ndl_geometry shipped_geometry(void);
ndl_geometry rung_2_geometry(void);

/* A change of one size_t of a geometry, so that tables of geometries are data:
 * SET(engram.sites[1], 7). */
typedef struct change {
    size_t offset, value;
} change;
#define SET(field, value)                                                                          \
    {                                                                                              \
        offsetof(ndl_geometry, field), value                                                       \
    }
void apply_change(ndl_geometry *g, change c);

/* ----------------------------------------------------------------- assertions */

#define expect_status(call, want)                                                                  \
    do {                                                                                           \
        ndl_status got_ = (call);                                                                  \
        cr_assert(got_ == (want), "%s gives %s, not %s", #call, ndl_status_name(got_),             \
                  ndl_status_name(want));                                                          \
    } while (0)
#define expect_ok(call) expect_status(call, NDL_OK)

#define expect_size(got, want)                                                                     \
    do {                                                                                           \
        size_t got_ = (got), want_ = (want);                                                       \
        cr_assert(got_ == want_, "%s is %zu, not %zu", #got, got_, want_);                         \
    } while (0)

/* A float by its bits: the only way to tell zeros and NaNs apart. */
#define expect_bits(got, want)                                                                     \
    do {                                                                                           \
        uint32_t got_ = bits_of(got), want_ = (want);                                              \
        cr_assert(got_ == want_, "%s is %08x, not %08x", #got, got_, want_);                       \
    } while (0)

#define expect_floats(got, want, n)                                                                \
    do {                                                                                           \
        size_t at_ = first_difference((got), (want), (n));                                         \
        cr_assert(at_ == (n), "%s[%zu] is %.9g, not %.9g", #got, at_, (double)(got)[at_],          \
                  (double)(want)[at_]);                                                            \
    } while (0)

/* A session that must come to be; options may be NULL. */
ndl_session *new_session(const ndl_geometry *g, const ndl_options *options);
/* Slots, lost positions and span of a layer that must exist. */
size_t slots_of(const ndl_session *s, size_t layer);
size_t lost_of(const ndl_session *s, size_t layer);
ndl_span span_of(const ndl_session *s, size_t layer, size_t pos);
/* Write the same number to every element of a position's key and value. */
void write_number(ndl_session *s, size_t layer, size_t pos, float k, float v);

#endif
