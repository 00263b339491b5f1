#include "json.h"

#include "sanitize.h"
#include "utf8.h"
#include "yajl_memory.h"

#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_parse.h>

enum {
    DEEPEST = 32,      /* containers within one another */
    MOST_MEMBERS = 256 /* of one line: their names are compared with one another */
};

/* A container that is open, and whether what is in it is kept. */
typedef enum scope { SCOPE_OBJECT, SCOPE_ARRAY, SCOPE_SKIPPED } scope;

struct json {
    yajl_handle yajl;
    const char *line, *line_end;
    arena *memory;
    problem *problem;

    json_member member[MOST_MEMBERS];
    size_t members;
    uint32_t *item; /* the kind in the upper bits, the offset in the line below */
    size_t items, room;

    struct {
        scope scope;
        int member; /* SCOPE_OBJECT: whose value it is, -1 for the line's own */
        bool array; /* an array, kept or not */
    } open[DEEPEST];
    size_t depth;
    int current;     /* the member whose value comes next, -1: none */
    const char *end; /* where the last token of a kept object ended */
    bool complete;   /* the line's own object has been closed */
};

enum { OFFSET_BITS = 28 };

/* What yajl passes over between tokens. */
#define SPACE " \t\n\v\f\r"

/* Where in the line the token ends that yajl is handing over. */
static const char *here(const json *j)
{
    return j->line + yajl_get_bytes_consumed(j->yajl);
}

/* Past these characters, and not past the line. */
static const char *skip(const json *j, const char *at, const char *these)
{
    while (at < j->line_end && *at != '\0' && strchr(these, *at) != NULL)
        at++;
    return at;
}

static bool push_item(json *j, json_item_kind kind, const char *at)
{
    if (j->items == j->room) {
        j->room = j->room == 0 ? 1024 : 2 * j->room;
        j->item = get_more(j->item, j->room * sizeof *j->item);
    }
    j->item[j->items++] = (uint32_t)kind << OFFSET_BITS | (uint32_t)(at - j->line);
    return true;
}

/* A value that holds nothing else; at is where it begins. */
static bool scalar(json *j, json_kind kind, json_item_kind item, const char *at)
{
    if (j->depth == 0)
        return fail(j->problem, "a line must be one object");
    if (j->open[j->depth - 1].scope == SCOPE_ARRAY)
        return push_item(j, item, at);
    if (j->current >= 0) {
        json_member *m = &j->member[j->current];
        m->kind = kind;
        m->end = j->end = here(j);
        j->current = -1;
    }
    return true;
}

static int on_null(void *context)
{
    json *j = context;
    return scalar(j, JSON_NULL, ITEM_OTHER, here(j) - 4);
}

static int on_boolean(void *context, int yes)
{
    json *j = context;
    return scalar(j, yes ? JSON_TRUE : JSON_FALSE, ITEM_OTHER, here(j) - (yes ? 4 : 5));
}

static int on_number(void *context, const char *text, size_t len)
{
    json *j = context;
    (void)text;
    return scalar(j, JSON_NUMBER, ITEM_NUMBER, here(j) - len);
}

/* A string's bytes: in the line, or decoded by yajl into a buffer that it reuses. */
static const char *keep(json *j, const unsigned char *text, size_t len)
{
    const char *in_line = here(j) - 1 - len;
    if (in_line >= j->line && (const char *)text == in_line)
        return in_line;
    WRITTEN(text, len); /* partly from yajl's stack */
    char *copy = arena_take(j->memory, len + 1);
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

static int on_string(void *context, const unsigned char *text, size_t len)
{
    json *j = context;
    if (j->depth > 0 && j->open[j->depth - 1].scope == SCOPE_ARRAY) {
        const char *s = keep(j, text, len);
        json_item_kind kind = len == 3 && memcmp(s, "nan", 3) == 0    ? ITEM_NAN
                              : len == 3 && memcmp(s, "inf", 3) == 0  ? ITEM_INF
                              : len == 4 && memcmp(s, "-inf", 4) == 0 ? ITEM_NEG_INF
                                                                      : ITEM_STRING;
        return push_item(j, kind, here(j) - 1);
    }
    if (j->depth > 0 && j->current >= 0) {
        json_member *m = &j->member[j->current];
        m->string = keep(j, text, len);
        m->string_len = len;
    }
    return scalar(j, JSON_STRING, ITEM_STRING, here(j));
}

static bool open_container(json *j, bool array)
{
    scope s = SCOPE_SKIPPED;
    int owner = -1;
    if (j->complete)
        return fail(j->problem, "a line must be one object, and nothing after it");
    if (j->depth == DEEPEST)
        return fail(j->problem, "nested more than %d deep", DEEPEST);
    if (j->depth == 0) {
        if (array)
            return fail(j->problem, "a line must be one object");
        s = SCOPE_OBJECT;
        j->end = here(j);
    } else if (j->open[j->depth - 1].scope == SCOPE_ARRAY) {
        push_item(j, ITEM_OTHER, here(j) - 1);
    } else if (j->open[j->depth - 1].scope == SCOPE_OBJECT) {
        /* In an object, yajl hands over no value without its name before it. */
        json_member *m = &j->member[j->current];
        owner = j->current;
        m->kind = array ? JSON_ARRAY : JSON_OBJECT;
        m->first = j->items;
        bool config = m->parent < 0 && json_named(m, "config");
        bool engram = json_named(m, "engram"); /* also of a config that stands alone */
        s = array ? SCOPE_ARRAY : config || engram ? SCOPE_OBJECT : SCOPE_SKIPPED;
    }
    j->open[j->depth].scope = s;
    j->open[j->depth].member = owner;
    j->open[j->depth].array = array;
    j->depth++;
    j->current = -1;
    return true;
}

static bool close_container(json *j)
{
    j->depth--;
    if (j->depth == 0)
        j->complete = true;
    int owner = j->open[j->depth].member;
    if (owner >= 0) {
        json_member *m = &j->member[owner];
        m->end = j->end = here(j);
        m->count = j->items - m->first;
    }
    j->current = -1;
    return true;
}

static int on_start_map(void *context)
{
    return open_container(context, false);
}

static int on_end_map(void *context)
{
    return close_container(context);
}

static int on_start_array(void *context)
{
    return open_container(context, true);
}

static int on_end_array(void *context)
{
    return close_container(context);
}

static int on_key(void *context, const unsigned char *text, size_t len)
{
    json *j = context;
    char q[QUOTED];
    if (j->open[j->depth - 1].scope != SCOPE_OBJECT)
        return 1;
    int parent = j->open[j->depth - 1].member;
    const char *name = keep(j, text, len);
    for (size_t i = 0; i < j->members; i++) {
        const json_member *m = &j->member[i];
        if (m->parent == parent && m->name_len == len && memcmp(m->name, name, len) == 0)
            return fail(j->problem, "%s stands here twice", quoted(q, name, len));
    }
    if (j->members == MOST_MEMBERS)
        return fail(j->problem, "more than %d members on a line", MOST_MEMBERS);
    j->current = (int)j->members++;
    j->member[j->current] = (json_member){
        .name = name,
        .name_len = len,
        .parent = parent,
        .whole = skip(j, j->end, SPACE ","),
        .text = skip(j, here(j), SPACE ":"),
    };
    return 1;
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_start_map,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end_map,
    .yajl_start_array = on_start_array,
    .yajl_end_array = on_end_array,
};

json *json_new(void)
{
    json *j = get_memory(sizeof *j);
    memset(j, 0, sizeof *j);
    j->yajl = yajl_alloc(&callbacks, &yajl_memory, j);
    /* Every line is a value of its own; its UTF-8 is checked here, and strictly. */
    yajl_config(j->yajl, yajl_allow_multiple_values, 1);
    yajl_config(j->yajl, yajl_dont_validate_strings, 1);
    return j;
}

void json_free(json *j)
{
    if (j == NULL)
        return;
    yajl_free(j->yajl);
    free(j->item);
    free(j);
}

/* What yajl has against the line, without its line end. */
static bool refused(json *j, problem *p)
{
    unsigned char *text = yajl_get_error(j->yajl, 0, NULL, 0);
    const char *said = (const char *)text;
    say_problem(p, "not JSON at byte %zu: %.*s", yajl_get_bytes_consumed(j->yajl),
                (int)strcspn(said, "\n"), said);
    yajl_free_error(j->yajl, text);
    return false;
}

bool json_read(json *j, const char *line, size_t len, arena *a, problem *p)
{
    if (len >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0)
        return fail(p, "begins with a byte order mark, which is no part of JSON");
    size_t valid = utf8_valid(line, len);
    if (valid < len)
        return fail(p, "not UTF-8 at byte %zu", valid + 1);
    j->line = line;
    j->line_end = line + len;
    j->memory = a;
    j->problem = p;
    j->members = j->items = j->depth = 0;
    j->current = -1;
    j->complete = false;
    /* With the '\n', so that a number or a word at the end is complete. */
    LIBRARY_BEGIN;
    yajl_status status = yajl_parse(j->yajl, (const unsigned char *)line, len + 1);
    LIBRARY_END;
    switch (status) {
    case yajl_status_client_canceled:
        return false;
    case yajl_status_error:
        return refused(j, p);
    case yajl_status_ok:
        break;
    }
    if (!j->complete)
        return fail(p, "the line ends before its object does");
    return true;
}

size_t json_count(const json *j)
{
    return j->members;
}

const json_member *json_at(const json *j, size_t i)
{
    return &j->member[i];
}

const json_member *json_find(const json *j, int parent, const char *name)
{
    for (size_t i = 0; i < j->members; i++)
        if (j->member[i].parent == parent && json_named(&j->member[i], name))
            return &j->member[i];
    return NULL;
}

int json_index(const json *j, const json_member *m)
{
    return (int)(m - j->member);
}

json_item_kind json_item(const json *j, const json_member *m, size_t i, const char **text)
{
    uint32_t item = j->item[m->first + i];
    *text = j->line + (item & ((1u << OFFSET_BITS) - 1));
    return (json_item_kind)(item >> OFFSET_BITS);
}

bool json_named(const json_member *m, const char *name)
{
    return m->name_len == strlen(name) && memcmp(m->name, name, m->name_len) == 0;
}

const char *json_shown(char out[QUOTED], const json_member *m)
{
    size_t len = (size_t)(m->end - m->text);
    return m->kind == JSON_STRING ? quoted(out, m->string, m->string_len)
                                  : quoted(out, m->text, len);
}
