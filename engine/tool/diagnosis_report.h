/* What `ndl diagnose` says of a trace, to people or, with --json, to programs. */
#ifndef TOOL_DIAGNOSIS_REPORT_H
#define TOOL_DIAGNOSIS_REPORT_H

#include "diagnosis.h"
#include "emit.h"
#include "fingerprint.h"

#include <stdio.h>

typedef struct case_file {
    const char *name;
    int status;             /* EXIT_... of this trace */
    const tape *tape;       /* NULL: it cannot be read */
    const diagnosis *found; /* NULL: it cannot be read, or has no mistake */
    const fingerprints *prints;
    const char *shrunk; /* where --shrink wrote the prefix; NULL: nowhere */
    size_t line;        /* of what cannot be read */
    const char *error;
} case_file;

typedef struct diagnosis_report diagnosis_report;
struct diagnosis_report {
    FILE *out;
    const hypotheses *hypotheses;
    size_t most;  /* hypotheses that are not exact, and are shown */
    bool several; /* traces */
    void *json;
    void (*one)(diagnosis_report *r, const case_file *c);
    /* all: those that are exact on every trace that has a mistake; several traces only. */
    void (*end)(diagnosis_report *r, const hypothesis *const *all, size_t count, int status);
};

void diagnosis_to_people(diagnosis_report *r);
void diagnosis_to_programs(diagnosis_report *r);

/* A mistake of a hypothesis, as an object. */
void put_mistake(emit *j, const mistake *m);

/* The name of an entry's output, and the claim that fixes it. */
const char *entry_output(const tape *t, const entry *e);
const char *entry_claim(const tape *t, const entry *e);

/* "line 52: operation 51, span: \"lo\"" */
enum { PLACE_TEXT = 200 };
const char *entry_text(char out[PLACE_TEXT], const tape *t, const entry *e);
/* "layer 0, position 1"; element: of the output, if whole is false. */
const char *entry_where(char out[PLACE_TEXT], const tape *t, const entry *e, size_t element,
                        bool whole);

enum { VALUE_TEXT = 2 * SHOWN + 4 };
/* The value of a call at fault as text: what is recorded, what the engine gives. */
void evidence_texts(const tape *t, const diagnosis *d, char recorded[VALUE_TEXT],
                    char right[VALUE_TEXT]);

#endif
