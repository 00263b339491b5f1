/* What was recorded against what the replay gives. */
#ifndef TOOL_COMPARE_H
#define TOOL_COMPARE_H

#include "replay.h"

/* How far floats may be apart, as a share of the recorded ones' root mean square. */
#define ATTENTION_TOLERANCE 1e-5

typedef struct rules {
    bool exact;        /* attention is compared bit for bit, too */
    double *tolerance; /* an operation each; negative: the default */
} rules;

typedef enum verdict {
    AGREES,
    WITHIN, /* a tolerance that was asked for, and not the default one */
    DIFFERS
} verdict;

typedef enum difference_kind {
    DIFF_ELEMENT, /* the first that differs is shown */
    DIFF_LENGTH,  /* and before it none does */
    DIFF_HASH,
    DIFF_STATUS,
    DIFF_REFUSED /* there is nothing to compare with: the call was refused */
} difference_kind;

enum { SHOWN = 48 };

typedef struct difference {
    difference_kind kind;
    size_t recorded, replayed; /* elements */
    size_t differing;          /* of those that both have */
    size_t first;
    output_kind element;
    /* The first that differs. */
    char recorded_text[SHOWN], replayed_text[SHOWN];
    char recorded_bits[SHOWN], replayed_bits[SHOWN]; /* hex; empty for integers */
    bool has_distance;
    uint64_t distance; /* in units of the last place */
    /* Of floats that are compared within a tolerance: the farthest that was, as a
     * share of the root mean square; and what was allowed. */
    bool measured;
    double worst, allowed;
} difference;

/* What a line records for an output: its value, or a hash of it. */
typedef struct recording {
    bool hashed;
    uint64_t hash;
    result value;
} recording;

/* Reads it, as a value of this kind; arrays lie in the line's arena. */
bool read_recording(replay *r, const call *c, size_t i, output_kind kind, recording *what);

/* What an operation's floats may be apart when nobody says otherwise. */
double default_tolerance(const operation *op, bool exact);

/* Compares a value of the same kind with what is recorded. */
verdict compare_values(const recording *what, const result *out, double tolerance,
                       double by_default, difference *d);

/*
 * Compares output i of a call with what the line records for it. False if what is
 * recorded cannot be read: the replay's problem says why.
 */
bool compare_output(replay *r, const call *c, size_t i, const rules *by, verdict *v, difference *d);

/* The status; it is recorded. */
verdict compare_status(const call *c, difference *d);

#endif
