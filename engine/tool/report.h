/* What `ndl check` says, to people or, with --json, to programs. */
#ifndef TOOL_REPORT_H
#define TOOL_REPORT_H

#include "compare.h"

#include <stdio.h>

/* What is counted of a file, and of all of them. */
typedef struct tally {
    size_t operations;
    size_t compared; /* outputs */
    size_t without;  /* operations that had none to compare */
    size_t differing, within;
    size_t usage, unknown; /* warnings */
    bool attended;         /* attention was compared within a tolerance */
    double worst;          /* and this was the farthest, as a share of the rms */
    size_t worst_line;
} tally;

enum { STATUS_OUTPUT = MOST_OUTPUTS }; /* as an output's index: the status */

typedef struct report report;
struct report {
    FILE *out;
    const char *against; /* the backend's name */
    bool quiet;          /* only what is wrong */
    bool show_warnings;
    size_t max_mismatches, max_warnings;
    void *json; /* report_json.c's own */

    void (*file_begin)(report *r, const char *file);
    void (*warning)(report *r, const char *file, size_t line, warning_kind kind, const char *text);
    void (*mismatch)(report *r, const char *file, const call *c, size_t output, verdict v,
                     const difference *d);
    /* line: 0 if it is about none in particular */
    void (*error)(report *r, const char *file, size_t line, const char *text);
    void (*file_end)(report *r, const char *file, const tally *t, int status);
    void (*end)(report *r, const tally *total, size_t files, const size_t by_status[4], int status);
};

void report_to_people(report *r);
void report_to_programs(report *r);

/* "agrees", "differs", "error", "nothing compared": an exit status as a word. */
const char *status_word(int status);

/* ---------------------------------------------------- for both: places, rules */

enum { MOST_PLACES = 10 };

typedef struct place {
    const char *name; /* "layer", "head"; "which" and "session" have text */
    size_t number;
    const char *text;
    size_t len;
    bool of_element; /* one element's, and not the whole output's */
} place;

/* Where an element of an output is; returns how many places are given. */
size_t find_places(const call *c, size_t output, size_t element, place places[MOST_PLACES]);

/* The claim that fixes an output's value, and the chapter it stands in. */
const char *claim_of(const call *c, size_t output);
const char *chapter_of(const char *claim);

/* The output's name. */
const char *output_name(const call *c, size_t output);

/* An element of what has a hash: a float or a byte. */
const char *element_text(char out[FLOAT_TEXT], const result *r, size_t i);

#endif
