/*
 * Lock-step: a script, run by the engine and by the reference side by side, with
 * everything that either shows compared after every operation.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include "cover.h"
#include "observe.h"
#include "script.h"

/* Run it; the finding is empty when engine and reference agree throughout.
 * failed_at is the operation after which they did not; cover may be NULL. */
void lockstep_run(script *s, finding *f, size_t *failed_at, coverage *cover);

/* What each session that is live at the end shows, as one number; 0: there is none.
 * only_end: nothing is compared before the end but what calls give. */
typedef struct lockstep_end {
    bool only_end;
    uint64_t digest[2];
} lockstep_end;
void lockstep_run_to(script *s, finding *f, size_t *failed_at, coverage *cover, lockstep_end *end);

/* Drop operations and simplify payloads while the run still fails. */
void lockstep_shrink(script *s);

#endif
