/* What the floats of a call may be. Random numbers miss most of what matters,
 * so each class aims at one thing. */
#ifndef PAYLOAD_H
#define PAYLOAD_H

#include "base.h"

/* Class, and what the rows of it hold. */
#define PAYLOAD_LIST(X)                                                                            \
    X(PAY_PLAIN, "numbers in [-2, 2)")                                                             \
    X(PAY_WIDE, "numbers of every magnitude, another for each row")                                \
    X(PAY_DIGITS, "small integers, whose sums are exact")                                          \
    X(PAY_TIES, "halves of the scale, next to an absmax of 127 times a power of two")              \
    X(PAY_HALF, "absmax / 2 and its neighbours")                                                   \
    X(PAY_ODD254, "odd multiples of absmax / 254 and their neighbours")                            \
    X(PAY_ZERO, "zeros")                                                                           \
    X(PAY_MINUS_ZERO, "zeros of either sign")                                                      \
    X(PAY_SUBNORMAL, "subnormals")                                                                 \
    X(PAY_TINY_SCALE, "an absmax whose scale is subnormal, at and about the known thresholds")     \
    X(PAY_ABOVE_HALF, "above 65504, the largest half-precision number")                            \
    X(PAY_LARGE, "FLT_MAX and near it")                                                            \
    X(PAY_INF, "infinities among numbers")                                                         \
    X(PAY_NAN, "NaNs, quiet and signalling, among numbers")                                        \
    X(PAY_BITS, "any bits at all")

typedef enum payload {
#define X(id, text) id,
    PAYLOAD_LIST(X)
#undef X
        PAYLOADS
} payload;

const char *payload_text(payload p);

/* Fill rows of `width` floats, each with an absmax of its own; len need not be
 * a multiple of width. */
void fill_payload(rng *r, payload p, size_t width, float *x, size_t len);

#endif
