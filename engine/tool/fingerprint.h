/*
 * What the values of a trace say of themselves, whatever the hypotheses are: an
 * output that is not as it should be is compared with what else there was.
 */
#ifndef TOOL_FINGERPRINT_H
#define TOOL_FINGERPRINT_H

#include "tape.h"

enum { PRINT_TEXT = 320, MOST_PRINTS = 12 };

typedef struct fingerprint {
    size_t entry; /* the first that it was seen at */
    size_t times;
    const char *kind; /* "tap", "row", "scale", ...: the same for the same finding */
    char text[PRINT_TEXT];
} fingerprint;

typedef struct fingerprints {
    fingerprint all[MOST_PRINTS]; /* as they were found; the same finding once */
    size_t count;
} fingerprints;

/* Reads them off a tape that differs from the engine. */
void fingerprints_of(fingerprints *f, const tape *t);

#endif
