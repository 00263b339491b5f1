/*
 * What the tests share: the bits of floats, seeded random numbers, small
 * geometries and assertions on statuses.
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include "base.h"
#include "ndl.h"
#include "observe.h"

#include <criterion/criterion.h>

/* ------------------------------------------------------------ seeded cases */

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
/* Span of a layer that must exist; slots_of and lost_of are in observe.h. */
ndl_span span_of(const ndl_session *s, size_t layer, size_t pos);
/* Write the same number to every element of a position's key and value. */
void write_number(ndl_session *s, size_t layer, size_t pos, float k, float v);

#endif
