/*
 * A trace, replayed: each line read, its operation called on the backend, and
 * what came out handed to a listener that compares it (check) or writes it down
 * (run). One file at a time; nothing is kept of a line once it is done but what
 * the sessions, the tensors and the snapshots hold.
 */
#ifndef TOOL_REPLAY_H
#define TOOL_REPLAY_H

#include "backend.h"
#include "budget.h"
#include "names.h"
#include "progress.h"
#include "reader.h"
#include "usage.h"
#include "values.h"

typedef struct replay replay;
typedef struct call call;

/* ------------------------------------------------------------- operations */

enum { MOST_INPUTS = 12, MOST_OUTPUTS = 5 };

typedef enum input_kind {
    IN_NONE, /* ends the list */
    IN_SIZE,
    IN_WORD, /* 32 bits */
    IN_NAME,
    IN_WHICH,     /* "q", "k", "v" */
    IN_FLOATS,    /* read */
    IN_SCRATCHED, /* floats that the call replaces by its result */
    IN_ROWS,      /* floats, or int8 codes when k_scale says so */
    IN_BYTES,
    IN_WORDS
} input_kind;

typedef struct input_spec {
    const char *name;
    input_kind kind;
    bool optional;
} input_spec;

typedef enum output_kind {
    OUT_NUMBER,
    OUT_BOOL,
    OUT_WORDS,
    OUT_FLOATS,
    OUT_CODES,
    OUT_BYTES
} output_kind;

typedef struct output_spec {
    const char *name;
    const char *claim; /* that fixes its value, unless the call says another */
} output_spec;

typedef struct operation {
    const char *name;
    bool stateless; /* needs no session */
    bool attention; /* its floats went through exp */
    bool floats;    /* there are floats in its outputs */
    input_spec in[MOST_INPUTS];
    output_spec out[MOST_OUTPUTS];
    /* Calls the backend. False: the trace is at fault, and the replay's problem says how. */
    bool (*run)(replay *r, call *c);
} operation;

extern const operation operations[];
extern const size_t operation_count; /* up to MOST_OPERATIONS */
enum { MOST_OPERATIONS = 64 };

/* An operation by its name, or NULL. */
const operation *operation_named(const char *text, size_t len);

/* ------------------------------------------------------------------- calls */

typedef struct session {
    void *state;
    usage *usage;
    size_t logged; /* bytes charged for what the reference keeps of its calls */
} session;

typedef struct argument {
    bool given;
    size_t number;
    const char *text;
    size_t len;
    float *floats;
    const int8_t *codes;
    const uint32_t *words;
    const uint8_t *bytes;
    size_t count;    /* of an array */
    size_t expected; /* its right count, where the call knows it */
    bool expects;
} argument;

/* One axis of an output's shape, so that an element can be found by name. */
typedef struct axis {
    const char *name;
    size_t extent;
} axis;

enum { MOST_AXES = 3 };

typedef struct result {
    bool given; /* an int8 session gives what an f32 one does not */
    output_kind kind;
    size_t number;
    const uint32_t *words;
    const float *floats;
    const int8_t *codes;
    const uint8_t *bytes;
    size_t count;
    axis axis[MOST_AXES]; /* outermost first; the rest have no name */
    const char *claim;
} result;

struct call {
    const operation *op;
    size_t line;   /* of the file */
    size_t number; /* of the operation, from 1 */
    const json_member *named_session, *recorded_status;
    session *session;
    size_t position; /* the session's, before the call */
    argument in[MOST_INPUTS];
    const json_member *recorded[MOST_OUTPUTS];
    result out[MOST_OUTPUTS]; /* if status is NDL_OK */
    ndl_status status;
    bool skipped; /* not made: an allocation that only the engine makes was to fail */
};

/* ------------------------------------------------------------------ replay */

typedef enum warning_kind { WARNING_USAGE, WARNING_UNKNOWN } warning_kind;

typedef struct listener {
    void *context;
    /* The header; what follows the others may be NULL. False: with r's problem set. */
    bool (*header)(void *context, replay *r, const char *line, size_t len);
    bool (*called)(void *context, replay *r, const call *c);
    void (*warned)(void *context, const replay *r, warning_kind kind, const char *text);
    /* Before the call is made, which may write to its inputs. */
    void (*bound)(void *context, replay *r, const call *c);
} listener;

typedef struct replay_options {
    const backend *backend;
    size_t max_memory;
    bool progress;
    const ndl_allocator *memory; /* that sessions are made of; NULL: malloc's */
    struct den *inputs;          /* that a call's floats lie in; NULL: where they were read */
} replay_options;

/* 4 GiB, or all that a smaller machine can count. */
size_t replay_default_memory(void);

struct replay {
    const backend *backend;
    const listener *listener;
    reader *reader;
    json *json;
    arena arena;
    values values;
    problem problem;
    budget budget;
    struct den *inputs;
    progress progress;

    /* The header's. */
    bool has_config, has_precision, has_hint;
    ndl_geometry geometry;
    ndl_options options;

    names tensors, sessions, snapshots, saves, warned;
    bool has_main;
    bool complete; /* the file was read to its end: sessions end well */
    bool enough;   /* the listener has what it wanted: the rest is not looked at */
    size_t line;   /* of the call at hand */
    size_t place;  /* and where it stands on a tape */
    size_t operations;
    sequences sequences;
};

/*
 * Replays a file. False if it cannot be read to its end: p says why, and *line is
 * the line, 0 if it is none in particular.
 */
bool replay_file(const char *path, const replay_options *options, const listener *l, problem *p,
                 size_t *line);

/* The same of a reader, which is closed. */
bool replay_reader(reader *opened, const replay_options *options, const listener *l, problem *p,
                   size_t *line);

/*
 * A replay without a file: of calls that are bound already. A call is made in its
 * session; false: the problem says why it could not be.
 */
void replay_begin(replay *r, const replay_options *options, const listener *l);
bool replay_call(replay *r, call *c);
void replay_end(replay *r);

/* For the operations. */

/* Warns, with the file and line that is being replayed. */
void replay_warn(replay *r, warning_kind kind, const char *format, ...) PRINTF_LIKE(3, 4);

/* Floats in the arena for an output whose size the trace does not bound; NULL: a problem. */
float *replay_floats(replay *r, size_t count, const char *what);

/* Counts what the reference keeps of a call; false: a problem. */
bool replay_log(replay *r, session *s, size_t bytes);

/* A session put in place of another's contents; both may fail as the allocator does. */
bool replay_session_new(replay *r, session **out, ndl_status *status);
bool replay_session_clone(replay *r, const session *s, session **out, ndl_status *status);
void replay_session_free(replay *r, session *s);

/* What `save` kept under a name. */
void replay_save_free(replay *r, void *saved);

/* The parts of a replay, each in a file of its own. */

/* trace.c: the header. */
bool trace_read_header(replay *r, const char *line, size_t len);
/* bind.c: the line that was read as a call; and what to say of a call that the
 * trace does not record as refused, and that is. */
bool bind_line(replay *r, call *c);
bool bind_refused(replay *r, const call *c);
/* session.c: the session that a call acts on; and whether a call that could not
 * have its memory is a thing for the trace to record, as where it was told to fail. */
bool replay_find_session(replay *r, call *c);
bool replay_memory(replay *r, ndl_status status);

#endif
