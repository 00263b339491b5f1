/*
 * A table from names to things, as a search tree of the C library's. Names are
 * bytes with a length: a trace may put anything into them.
 */
#ifndef TOOL_NAMES_H
#define TOOL_NAMES_H

#include <stddef.h>

typedef struct names_entry {
    char *text;
    size_t len;
    void *thing;
} names_entry;

typedef struct names {
    void *root;
} names;

/* The entry of a name, or NULL. */
names_entry *names_find(const names *n, const char *text, size_t len);

/* The entry of a name, made with thing NULL if there was none. */
names_entry *names_add(names *n, const char *text, size_t len);

/* Gives back all entries, each thing through release if there is one. */
void names_free(names *n, void (*release)(void *context, void *thing), void *context);

#endif
