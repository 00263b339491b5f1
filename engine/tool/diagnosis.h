/* Which mistakes explain a trace: every hypothesis tried on it, and ranked. */
#ifndef TOOL_DIAGNOSIS_H
#define TOOL_DIAGNOSIS_H

#include "trial.h"

/* How a hypothesis does on a trace. */
typedef struct standing {
    const hypothesis *hypothesis;
    size_t agreeing; /* entries of the tape that it gives as they are recorded */
    size_t apart;    /* of these, attention's within its tolerance, not bit for bit */
    bool exact;      /* all of them, and it came to the trace's end; see below */
    bool has_first;
    size_t first; /* the first entry that it does not give as recorded */
    trial_end end;
    char how[END_TEXT]; /* it ended, unless it came to the end */
    size_t stopped_at;  /* the call that was not made, or not finished */
    /* What it gives where the engine first differs. */
    char gives[SHOWN], gives_bits[SHOWN];
} standing;

typedef struct diagnosis {
    const tape *tape;
    difference evidence; /* at the tape's first entry that the engine does not give */
    standing *all;       /* best first */
    size_t count;
    size_t exact;  /* the first so many are exact */
    size_t better; /* and so many after them agree more than the engine does */
    size_t right;  /* entries that the engine gives as recorded */
    size_t pairs_tried;
} diagnosis;

/*
 * Tries all single mistakes, and pairs if no single one is exact and there are any.
 * Once a hypothesis gives attention bit for bit, too, those that only keep to its
 * tolerance are not exact: a port with another exponential leaves all of them in.
 * The tape differs from the engine. False, with p, if there are no processes.
 */
bool diagnose(diagnosis *d, const tape *t, const hypotheses *h, bool show_progress, problem *p);
void diagnosis_free(diagnosis *d);

/* An element of a result as text, and as bits where it has any. */
void element_of(const result *r, size_t i, char text[SHOWN], char bits[SHOWN]);

#endif
