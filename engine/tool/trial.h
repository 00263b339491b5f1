/*
 * A hypothesis, tried on a tape: in a process of its own, with limits, since an engine
 * with a mistake may do anything. What it gives is found in memory that both share.
 */
#ifndef TOOL_TRIAL_H
#define TOOL_TRIAL_H

#include "hypotheses.h"
#include "tape.h"

#include <sys/types.h>

typedef enum trial_end {
    TRIAL_ENDED,   /* every call was made */
    TRIAL_STOPPED, /* at the first entry that is not as recorded, as was asked */
    TRIAL_REFUSED, /* it refuses a call, or a call could not be made: problem says why */
    TRIAL_CRASHED, /* signal says how */
    TRIAL_HUNG,    /* it took far longer than the engine */
    TRIAL_FLOOD    /* it gives far more than the engine */
} trial_end;

typedef enum trial_mode {
    TRY_ENTRIES, /* what the trace records */
    TRY_UNTIL,   /* the same, up to the first that is not as recorded */
    TRY_ALL      /* everything that the calls give */
} trial_mode;

typedef struct given {
    size_t call, output; /* as an entry's */
    result value;
} given;

typedef struct trial {
    const hypothesis *hypothesis;
    const tape *tape;
    trial_end end;
    int signal;
    size_t made; /* calls that were */
    problem problem;
    given *given; /* in the order of the tape; NULL before trial_wait */
    size_t count;
    /* trial.c's own. */
    void *shared;
    size_t shared_size;
    pid_t pid;
    trial_mode mode;
} trial;

/* False, with p, if there is no process to be had. */
bool trial_start(trial *t, const hypothesis *h, const tape *on, trial_mode mode, problem *p);
void trial_wait(trial *t);
void trial_free(trial *t);

/* Start, wait. */
bool trial_run(trial *t, const hypothesis *h, const tape *on, trial_mode mode, problem *p);

/* The first call and output that two trials of one tape (TRY_ALL) give differently, as
 * ndl check compares; false: none. One that ends early differs at its end. */
bool trials_differ(const trial *a, const trial *b, size_t *call, size_t *output);

/* For the process of a hypothesis: seconds of its own time, and memory. */
void trial_limits(double seconds, size_t shared);

/* How it ended, as the end of "the hypothesis ...". Returns out. */
enum { END_TEXT = 160 };
const char *trial_end_text(char out[END_TEXT], const trial *t);

#endif
