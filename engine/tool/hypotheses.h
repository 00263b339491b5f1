/*
 * Hypotheses: the engine with one known mistake of ports, or two, each a shared
 * object that says of itself what the mistake is. They are found in a folder.
 */
#ifndef TOOL_HYPOTHESES_H
#define TOOL_HYPOTHESES_H

#include "backend.h"
#include "text.h"

/* One mistake, as the header of its patch describes it. What it does not say is "". */
typedef struct mistake {
    char *name, *sentence, *kind, *look, *claims, *target;
} mistake;

enum { MOST_MISTAKES = 2 };

typedef struct hypothesis {
    char *name; /* "window-one-wide"; of two mistakes "a+b" */
    mistake mistakes[MOST_MISTAKES];
    size_t count;  /* of mistakes; 0: the engine as it is */
    char *path;    /* of its library; NULL: the engine as it is */
    void *library; /* opened when it is first used */
} hypothesis;

typedef struct hypotheses {
    hypothesis *all; /* single mistakes first, then by name */
    size_t count, singles;
    char *where; /* the folder that they were found in */
} hypotheses;

/*
 * All of a folder; NULL is the one of NDL_HYPOTHESES, or else the one that belongs to
 * this command: beside it where it was built, under lib where it is installed. False,
 * with p, if there is none, or if one of them is not what it should be.
 */
bool hypotheses_load(hypotheses *h, const char *folder, problem *p);

/* The same of one that is known by name, or of none for "right". */
bool hypotheses_load_one(hypotheses *h, const char *folder, const char *name, problem *p);
void hypotheses_free(hypotheses *h);

/* By name; "right" is the engine as it is. NULL, with p, if there is none. */
const hypothesis *hypotheses_find(const hypotheses *h, const char *name, problem *p);

/* where.c: a path from the folder that the command is in. */
extern const char hypotheses_from_here[];

/* The engine as it is. */
extern const hypothesis right_engine;

/*
 * The calls of a hypothesis. One is in use at a time: asking for another's makes what
 * was returned before the other's too.
 */
const backend *hypothesis_backend(const hypothesis *h);

/* backend_hypothesis.c: takes the calls out of a library; false: p names one that it lacks. */
bool backend_take(void *library, problem *p);
extern const backend backend_hypothesis;

#endif
