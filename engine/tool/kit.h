/* A few short sessions of which every known mistake fails at least one. */
#ifndef TOOL_KIT_H
#define TOOL_KIT_H

#include "script.h"
#include "trial.h"

typedef struct kit_script {
    script script;
    bool *fails;      /* a hypothesis each: it does not give what the engine gives */
    bool *chosen_for; /* of them those that no script before it is failed by */
    size_t count;     /* of these */
} kit_script;

typedef struct kit {
    const hypotheses *hypotheses;
    kit_script *scripts; /* those that were chosen, the one that most fail first */
    size_t count;
    bool *equal;  /* a hypothesis each: no session tells it from the engine */
    bool visible; /* progress is shown */
} kit;

/* Chooses them. False, with p, if there are no processes. */
bool kit_make(kit *k, const hypotheses *h, bool show_progress, problem *p);
void kit_free(kit *k);

/* Which hypotheses do not give on a tape what the engine gives; false: no processes. */
bool kit_fails(const hypotheses *h, const tape *t, bool *fails, problem *p);

#endif
