/* A script in memory, line by line, so that lines can be left out of it. */
#ifndef TOOL_SCRIPT_H
#define TOOL_SCRIPT_H

#include "tape.h"

typedef struct script {
    char **lines; /* without their ends; the first is the header */
    size_t count;
} script;

/* A small session at the boundaries (boundary.h). */
void script_of_boundaries(script *s, uint64_t seed, size_t words);
void script_copy(script *to, const script *from);
void script_free(script *s);

/* Leaves out so many lines from one on. */
void script_drop(script *s, size_t first, size_t count);

/* As one text; the caller frees it. */
char *script_text(const script *s, size_t *len);
void script_write(const script *s, FILE *out);

/* What the engine makes of it; false: it refuses something, and it is no script. */
bool script_tape(const script *s, tape *t);

/*
 * Leaves out every line without which a test still holds; of it a tape is made for the
 * test. It holds for the script as it is.
 */
typedef bool script_test(void *context, const tape *t);
void script_shrink(script *s, script_test *holds, void *context);

#endif
