/*
 * One line of a trace as a list of members. yajl reads the JSON; what is kept of
 * a value is where it stands in the line, so that numbers keep their own text,
 * base64 is decoded where it lies, and a member can be written out again as it
 * was. Kept are the members of the line's own object, of `config` in it and of
 * `engram`; whatever else is nested is checked and forgotten.
 */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include "arena.h"
#include "text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum json_kind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

typedef struct json_member {
    const char *name; /* decoded */
    size_t name_len;
    int parent; /* the member whose object this is in; -1: the line's own */
    json_kind kind;
    const char *whole, *text, *end; /* in the line: the member, its value, where both end */
    const char *string;             /* decoded, of JSON_STRING */
    size_t string_len;
    size_t first, count; /* of JSON_ARRAY: its items */
} json_member;

/* An item of an array: what it is and where in the line it begins. */
typedef enum json_item_kind {
    ITEM_NUMBER,
    ITEM_NAN,     /* "nan" */
    ITEM_INF,     /* "inf" */
    ITEM_NEG_INF, /* "-inf" */
    ITEM_STRING,  /* any other string */
    ITEM_OTHER    /* null, a truth value, something nested */
} json_item_kind;

typedef struct json json;

json *json_new(void);
void json_free(json *j);

/*
 * Reads a line of len bytes, after which there is a '\n'. What was read stays
 * valid until the next call and as long as the line and the arena do.
 */
bool json_read(json *j, const char *line, size_t len, arena *a, problem *p);

/* The members in the order of the line. */
size_t json_count(const json *j);
const json_member *json_at(const json *j, size_t i);

/* A member by its name, or NULL. parent: -1, or the index of the object. */
const json_member *json_find(const json *j, int parent, const char *name);

int json_index(const json *j, const json_member *m);

/* Item i of an array; *text is where a number begins, which other characters end. */
json_item_kind json_item(const json *j, const json_member *m, size_t i, const char **text);

/* Whether a member's name is this. */
bool json_named(const json_member *m, const char *name);

/* The value as a message shows it. Returns out. */
const char *json_shown(char out[QUOTED], const json_member *m);

#endif
