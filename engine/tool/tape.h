/*
 * A trace in memory: its calls with their inputs, what it records of each, and what
 * the engine gives. Made by one replay of the file, it can be played on any backend
 * without being read again. Inputs are written to when it is played, so each playing
 * is a process of its own (trial.h).
 */
#ifndef TOOL_TAPE_H
#define TOOL_TAPE_H

#include "compare.h"

enum { STATUS_OF = MOST_OUTPUTS }; /* as an output's index: the call's status */

/* A status that has no name here: what a trace may record of a call. */
enum { STATUS_UNKNOWN = 999 };

/* What a line records of one output, and what the engine gives for it. */
typedef struct entry {
    size_t call, output;
    recording recorded;
    char status[SHOWN]; /* as it is recorded */
    result right;       /* not given: the engine refuses the call */
    bool right_agrees;  /* as ndl check compares */
} entry;

typedef struct tape {
    char *name;
    bool has_config;
    ndl_geometry geometry;
    ndl_options options; /* without an allocator */
    bool has_precision, has_hint;
    call *calls;
    size_t call_count;
    entry *entries; /* in the order of calls, and of outputs within a call */
    size_t entry_count;
    size_t differing;   /* entries that the engine does not give */
    size_t first;       /* of these, if there is one */
    size_t right_bytes; /* of the outputs that the engine gives */
    double seconds;     /* that the engine took */
    arena arena;
} tape;

/* Reads a trace. False, with the line (0: none in particular), if it is none. */
bool tape_read(tape *t, const char *path, size_t max_memory, bool show_progress, bool show_warnings,
               problem *p, size_t *line);
/* The same of a text in memory. */
bool tape_of_text(tape *t, const char *name, const char *text, size_t len, problem *p,
                  size_t *line);
void tape_free(tape *t);

/*
 * Plays it on a backend, each call's results handed to the listener, which has no
 * header. *made counts the calls that were made. False if one could not be: p says why.
 */
bool tape_play(const tape *t, const backend *b, struct den *memory, struct den *inputs,
               const listener *l, size_t *made, problem *p);

/* Whether what is given for an entry is what the trace records, as ndl check has it. */
bool entry_agrees(const tape *t, const entry *e, const result *given, difference *d);
/* What agrees: bit for bit, too. */
bool entry_same(const entry *e, const result *given);

/* The call of an entry. */
const call *entry_call(const tape *t, const entry *e);

/* Bytes of a result's elements, and where they are. */
size_t result_size(const result *r);
const void *result_data(const result *r);

#endif
