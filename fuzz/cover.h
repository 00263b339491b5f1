/* What sessions must reach: classes of geometries, operations and payloads, and
 * facts that are seen when they run. A class that is never produced is a class
 * that nothing tests. */
#ifndef COVER_H
#define COVER_H

#include "payload.h"

/* Payloads have a count each besides. */
#define CLASS_LIST(X)                                                                              \
    X(GEO_WINDOW_0, "window 0")                                                                    \
    X(GEO_WINDOW_1, "window 1")                                                                    \
    X(GEO_WINDOW_BELOW_TAPS, "window below the tap count")                                         \
    X(GEO_WINDOW_ABOVE_MAX, "window above max_seq_len")                                            \
    X(GEO_WINDOW_ODD, "window not a power of two")                                                 \
    X(GEO_GLOBAL_NONE, "no global layer")                                                          \
    X(GEO_GLOBAL_ALL, "all layers global")                                                         \
    X(GEO_GLOBAL_ADJACENT, "adjacent global layers")                                               \
    X(GEO_DILATION_NOT_M, "D other than M")                                                        \
    X(GEO_TAPS_0, "no taps")                                                                       \
    X(GEO_TAPS_1, "one tap")                                                                       \
    X(GEO_ENGRAM_TAPS_1, "one engram tap")                                                         \
    X(GEO_SEED_HEADS, "seed_heads set")                                                            \
    X(GEO_NO_ORDERS, "no orders")                                                                  \
    X(GEO_NO_SITES, "no sites")                                                                    \
    X(GEO_GROUPED, "grouped heads")                                                                \
    X(HINT_0, "hint 0")                                                                            \
    X(HINT_BEYOND, "hint beyond max_seq_len")                                                      \
    X(INT8_NEEDLE_CORE, "int8 of needle-core")                                                     \
    X(INT8_UPSTREAM, "int8 of upstream")                                                           \
    X(POISON_0, "fresh memory 00000000")                                                           \
    X(POISON_1, "fresh memory 3E3E3E3E")                                                           \
    X(POISON_2, "fresh memory FFFFFFFF")                                                           \
    X(POISON_3, "fresh memory 7FA00000")                                                           \
    X(OPS_DUPLICATE, "an operation repeated")                                                      \
    X(OPS_REORDER, "operations out of order")                                                      \
    X(OPS_SKIP, "operations skipped")                                                              \
    X(OPS_SPLIT, "prefill, then steps")                                                            \
    X(OPS_PREFILL_0, "a prefill of no rows")                                                       \
    X(OPS_SEED, "a tail seeded by hand")                                                           \
    X(OPS_SET_POS_BACK, "set_pos back")                                                            \
    X(OPS_SET_POS_FORWARD, "set_pos forward")                                                      \
    X(OPS_POS_LAST, "the last position there is")                                                  \
    X(OPS_RESET, "reset")                                                                          \
    X(OPS_LOAD, "a session saved and loaded")                                                      \
    X(OPS_TWO_SESSIONS, "two sessions interleaved")                                                \
    X(OPS_DIVERGE, "a clone and its origin, each going on")                                        \
    X(OPS_OLDER_WRITE, "a write of an older position")                                             \
    X(OPS_FAR_WRITE, "a write far ahead")                                                          \
    X(OPS_UNWRITTEN, "attention to a position never written")                                      \
    X(SEEN_GROWTH, "a ring that grew")                                                             \
    X(SEEN_WRAP, "a ring that wrapped")                                                            \
    X(SEEN_SATURATED, "saturation")                                                                \
    X(SEEN_LOST, "lost positions")                                                                 \
    X(FAILED_OPEN, "a failed allocation of a new session")                                         \
    X(FAILED_CLONE, "a failed allocation of a clone")                                              \
    X(FAILED_RESET, "a failed allocation of a reset")                                              \
    X(FAILED_LOAD, "a failed allocation of a load")                                                \
    X(FAILED_WRITE, "a failed allocation of growth")                                               \
    X(REFUSED_LAYER, "a layer refused")                                                            \
    X(REFUSED_SITE, "a site refused")                                                              \
    X(REFUSED_LENGTH, "a length refused")                                                          \
    X(REFUSED_WRAP, "a number of rows whose product wraps, refused")                               \
    X(REFUSED_POSITION, "a position refused")                                                      \
    X(AT_WINDOW_FULL, "attention that fills its window exactly")                                   \
    X(AT_WINDOW_PASSED, "attention one position past its first full window")                       \
    X(AT_SLOTS_FULL, "a write to the last slot of a ring at its cap")                              \
    X(AT_FIRST_WRAP, "the first position that wraps")                                              \
    X(AT_SECOND_WRAP, "the position that wraps a second time")                                     \
    X(AT_GROWTH_DOUBLES, "growth to exactly twice the slots, below the cap")                       \
    X(AT_GROWTH_TO_CAP, "growth whose double is exactly the cap")                                  \
    X(AT_GROWTH_CUT, "growth whose double is cut to the cap")                                      \
    X(AT_GROWTH_FAR, "growth to a position past the double")                                       \
    X(AT_ALL_TAPS, "the first step on which all taps count")                                       \
    X(AT_ALL_ENGRAM_TAPS, "the first engram step on which all taps count")                         \
    X(AT_HISTORY_FULL, "the token that fills the history")                                         \
    X(AT_TIE, "an element halfway between two codes")                                              \
    X(AT_LAST_CODE, "an element whose code is 127 or -127")                                        \
    X(AT_LOWEST_CODE, "an element whose code is -128")                                             \
    X(AT_FIRST_FINITE, "the smallest absmax whose scale has a finite reciprocal")                  \
    X(AT_LAST_INFINITE, "the largest absmax whose scale has none")                                 \
    X(AT_SCALE_ZERO, "an absmax whose scale is zero")

typedef enum class_id {
#define X(id, text) id,
    CLASS_LIST(X)
#undef X
        CLASSES
} class_id;

typedef struct coverage {
    size_t classes[CLASSES], payloads[PAYLOADS];
} coverage;

/* All of them in one row: classes, then payloads. */
#define COVERED ((size_t)CLASSES + (size_t)PAYLOADS)
/* The text of the i-th, and how often it was seen. */
const char *coverage_text(size_t i);
size_t coverage_count(const coverage *c, size_t i);
/* The text of a class that was never produced, or NULL. */
const char *coverage_missing(const coverage *c);

#endif
