#include "tape.h"

#include "den.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What is made of a trace while it is read. */
typedef struct making {
    tape *tape;
    size_t calls_room, entries_room;
    bool show_warnings;
    /* Inputs that come from a tensor are kept once, not once a call. */
    struct {
        const float *from;
        float *copy;
        size_t count;
    } kept[256];
} making;

static void *keep(tape *t, const void *from, size_t size)
{
    void *copy = arena_take(&t->arena, size);
    if (size > 0)
        memcpy(copy, from, size);
    return copy;
}

static float *keep_floats(making *m, const float *from, size_t count)
{
    size_t i = (size_t)((uintptr_t)from >> 6) % (sizeof m->kept / sizeof m->kept[0]);
    if (m->kept[i].from == from && m->kept[i].count == count &&
        (count == 0 || memcmp(m->kept[i].copy, from, count * sizeof *from) == 0))
        return m->kept[i].copy;
    float *copy = keep(m->tape, from, count * sizeof *from);
    m->kept[i].from = from;
    m->kept[i].copy = copy;
    m->kept[i].count = count;
    return copy;
}

static const json_member *keep_text(tape *t, const json_member *m)
{
    if (m == NULL)
        return NULL;
    json_member *copy = keep(t, m, sizeof *m);
    copy->whole = copy->text = copy->end = copy->name = NULL;
    copy->string = keep(t, m->string, m->string_len);
    return copy;
}

static void keep_argument(making *m, input_kind kind, argument *a)
{
    tape *t = m->tape;
    if (!a->given)
        return;
    if (kind == IN_NAME)
        a->text = keep(t, a->text, a->len);
    if (a->codes != NULL)
        a->codes = keep(t, a->codes, a->count);
    if (a->words != NULL)
        a->words = keep(t, a->words, a->count * sizeof *a->words);
    if (a->bytes != NULL)
        a->bytes = keep(t, a->bytes, a->count);
    if (a->floats != NULL && kind == IN_SCRATCHED)
        a->floats = keep(t, a->floats, a->count * sizeof *a->floats);
    else if (a->floats != NULL)
        a->floats = keep_floats(m, a->floats, a->count);
}

static void bound(void *context, replay *r, const call *c)
{
    making *m = context;
    tape *t = m->tape;
    (void)r;
    if (t->call_count == m->calls_room) {
        m->calls_room = m->calls_room * 2 + 64;
        t->calls = get_more(t->calls, m->calls_room * sizeof *t->calls);
    }
    call *copy = &t->calls[t->call_count++];
    *copy = *c;
    copy->session = NULL;
    copy->named_session = keep_text(t, c->named_session);
    copy->recorded_status = keep_text(t, c->recorded_status);
    memset(copy->recorded, 0, sizeof copy->recorded);
    for (size_t i = 0; i < MOST_INPUTS && c->op->in[i].kind != IN_NONE; i++)
        keep_argument(m, c->op->in[i].kind, &copy->in[i]);
}

size_t result_size(const result *r)
{
    switch (r->kind) {
    case OUT_WORDS:
        return r->count * sizeof *r->words;
    case OUT_FLOATS:
        return r->count * sizeof *r->floats;
    case OUT_CODES:
    case OUT_BYTES:
        return r->count;
    default:
        return 0;
    }
}

const void *result_data(const result *r)
{
    switch (r->kind) {
    case OUT_WORDS:
        return r->words;
    case OUT_FLOATS:
        return r->floats;
    case OUT_CODES:
        return r->codes;
    case OUT_BYTES:
        return r->bytes;
    default:
        return NULL;
    }
}

static void keep_result(tape *t, result *r)
{
    const size_t size = result_size(r);
    switch (r->kind) {
    case OUT_WORDS:
        r->words = keep(t, r->words, size);
        break;
    case OUT_FLOATS:
        r->floats = keep(t, r->floats, size);
        break;
    case OUT_CODES:
        r->codes = keep(t, r->codes, size);
        break;
    case OUT_BYTES:
        r->bytes = keep(t, r->bytes, size);
        break;
    default:
        break;
    }
}

/* The kind of a value when there is none of the engine's to go by. */
static output_kind guess(const replay *r, const call *c, size_t i)
{
    const char *name = c->op->out[i].name;
    const json_member *m = c->recorded[i];
    bool rows = strcmp(name, "k") == 0 || strcmp(name, "v") == 0;
    if (m->kind == JSON_NUMBER)
        return OUT_NUMBER;
    if (m->kind == JSON_TRUE || m->kind == JSON_FALSE)
        return OUT_BOOL;
    if (strcmp(name, "history") == 0 || strcmp(name, "indices") == 0)
        return OUT_WORDS;
    if (strcmp(name, "data") == 0)
        return OUT_BYTES;
    if (strcmp(name, "q") == 0 || (rows && r->options.precision == NDL_INT8))
        return OUT_CODES;
    return OUT_FLOATS;
}

static size_t status_number(const json_member *m)
{
    for (int s = NDL_OK; s <= (int)NDL_E_SAVE_VALUES; s++) {
        const char *name = ndl_status_name((ndl_status)s);
        if (strlen(name) == m->string_len && memcmp(name, m->string, m->string_len) == 0)
            return (size_t)s;
    }
    return STATUS_UNKNOWN;
}

static entry *add_entry(making *m, size_t output)
{
    tape *t = m->tape;
    if (t->entry_count == m->entries_room) {
        m->entries_room = m->entries_room * 2 + 64;
        t->entries = get_more(t->entries, m->entries_room * sizeof *t->entries);
    }
    entry *e = &t->entries[t->entry_count++];
    memset(e, 0, sizeof *e);
    e->call = t->call_count - 1;
    e->output = output;
    return e;
}

static void judge(making *m, entry *e)
{
    tape *t = m->tape;
    difference d;
    e->right_agrees = e->right.given && entry_agrees(t, e, &e->right, &d);
    if (!e->right_agrees && t->differing++ == 0)
        t->first = t->entry_count - 1;
}

static bool called(void *context, replay *r, const call *c)
{
    making *m = context;
    tape *t = m->tape;
    for (size_t i = 0; c->status == NDL_OK && i < MOST_OUTPUTS; i++)
        t->right_bytes += c->out[i].given ? result_size(&c->out[i]) : 0;
    if (c->recorded_status != NULL) {
        entry *e = add_entry(m, STATUS_OF);
        e->recorded.value = (result){.given = true,
                                     .kind = OUT_NUMBER,
                                     .count = 1,
                                     .number = status_number(c->recorded_status)};
        snprintf(e->status, sizeof e->status, "%.*s", (int)c->recorded_status->string_len,
                 c->recorded_status->string);
        e->right = (result){.given = true, .kind = OUT_NUMBER, .count = 1, .number = c->status};
        judge(m, e);
    }
    for (size_t i = 0; i < MOST_OUTPUTS && c->op->out[i].name != NULL; i++) {
        if (c->recorded[i] == NULL)
            continue;
        bool given = c->status == NDL_OK && c->out[i].given;
        if (c->status == NDL_OK && !given)
            return fail(&r->problem, "\"%s\" is no output of %s in an f32 session",
                        c->op->out[i].name, c->op->name);
        entry *e = add_entry(m, i);
        if (!read_recording(r, c, i, given ? c->out[i].kind : guess(r, c, i), &e->recorded))
            return false;
        if (!e->recorded.hashed)
            keep_result(t, &e->recorded.value);
        if (given) {
            e->right = c->out[i];
            keep_result(t, &e->right);
        }
        judge(m, e);
    }
    return true;
}

static bool header(void *context, replay *r, const char *line, size_t len)
{
    making *m = context;
    tape *t = m->tape;
    (void)line;
    (void)len;
    t->geometry = r->geometry;
    t->options = r->options;
    t->options.allocator = NULL;
    t->has_config = r->has_config;
    t->has_precision = r->has_precision;
    t->has_hint = r->has_hint;
    return true;
}

static void warned(void *context, const replay *r, warning_kind kind, const char *text)
{
    const making *m = context;
    if (m->show_warnings)
        say_about(reader_name(r->reader), reader_number(r->reader), "%s: %s",
                  kind == WARNING_USAGE ? "usage" : "warning", text);
}

static bool make(tape *t, reader *from, const replay_options *how, bool show_warnings, problem *p,
                 size_t *line)
{
    making *m = get_memory(sizeof *m);
    listener l = {m, header, called, warned, bound};
    memset(m, 0, sizeof *m);
    memset(t, 0, sizeof *t);
    m->tape = t;
    m->show_warnings = show_warnings;
    t->name = get_memory(strlen(reader_name(from)) + 1);
    strcpy(t->name, reader_name(from));
    clock_t start = clock();
    bool good = replay_reader(from, how, &l, p, line);
    t->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    free(m);
    if (!good)
        tape_free(t);
    return good;
}

bool tape_read(tape *t, const char *path, size_t max_memory, bool show_progress, bool show_warnings,
               problem *p, size_t *line)
{
    const replay_options how = {&backend_engine, max_memory, show_progress, NULL, NULL};
    *line = 0;
    reader *opened = reader_open(path, p);
    return opened != NULL && make(t, opened, &how, show_warnings, p, line);
}

bool tape_of_text(tape *t, const char *name, const char *text, size_t len, problem *p, size_t *line)
{
    const replay_options how = {&backend_engine, replay_default_memory(), false, NULL, NULL};
    return make(t, reader_of_text(name, text, len), &how, false, p, line);
}

void tape_free(tape *t)
{
    free(t->name);
    free(t->calls);
    free(t->entries);
    arena_free(&t->arena);
    memset(t, 0, sizeof *t);
}

const call *entry_call(const tape *t, const entry *e)
{
    return &t->calls[e->call];
}

bool entry_agrees(const tape *t, const entry *e, const result *given, difference *d)
{
    const double tolerance = default_tolerance(entry_call(t, e)->op, false);
    memset(d, 0, sizeof *d);
    if (!given->given || given->kind != e->recorded.value.kind) {
        if (given->given && e->recorded.hashed)
            return compare_values(&e->recorded, given, tolerance, tolerance, d) == AGREES;
        d->kind = DIFF_REFUSED;
        return false;
    }
    return compare_values(&e->recorded, given, tolerance, tolerance, d) == AGREES;
}

bool entry_same(const entry *e, const result *given)
{
    difference d = {.differing = 0};
    return compare_values(&e->recorded, given, 0, 0, &d) == AGREES;
}

static void unheard(void *context, const replay *r, warning_kind kind, const char *text)
{
    (void)context;
    (void)r;
    (void)kind;
    (void)text;
}

bool tape_play(const tape *t, const backend *b, struct den *memory, struct den *inputs,
               const listener *l, size_t *made, problem *p)
{
    replay_options how = {b, replay_default_memory(), false, &memory->allocator, inputs};
    listener own = *l;
    replay *r = get_memory(sizeof *r);
    bool good = true;
    own.warned = unheard;
    replay_begin(r, &how, &own);
    r->geometry = t->geometry;
    r->options.precision = t->options.precision;
    r->options.numerics = t->options.numerics;
    r->options.hint = t->options.hint;
    r->has_config = t->has_config;
    r->has_precision = t->has_precision;
    r->has_hint = t->has_hint;
    for (size_t i = 0; good && i < t->call_count; i++) {
        call c = t->calls[i];
        arena_clear(&r->arena);
        *made = i;
        r->line = c.line;
        r->place = i;
        /* A tensor's floats are in the calls that use it. */
        if (strcmp(c.op->name, "tensor") != 0)
            good = replay_call(r, &c);
    }
    if (good)
        *made = t->call_count;
    else
        *p = r->problem;
    replay_end(r);
    free(r);
    return good;
}
