/* The shortest session that tells two hypotheses apart, among many small ones. */
#ifndef TOOL_APART_H
#define TOOL_APART_H

#include "script.h"
#include "trial.h"

typedef enum apart_result { APART_FOUND, APART_EQUAL, APART_ERROR } apart_result;

typedef struct apart {
    script script;   /* its last line is where they differ */
    size_t sessions; /* that were looked at */
    char op[32], output[32];
    /* What each gives there: a value, or how it ended. */
    char a[END_TEXT], b[END_TEXT];
} apart;

apart_result apart_search(apart *found, const hypothesis *a, const hypothesis *b,
                          bool show_progress, problem *p);
void apart_free(apart *found);

/* The sessions that are looked at, shortest first. */
enum { APART_ROUNDS = 7 };
size_t apart_sessions(void);

#endif
