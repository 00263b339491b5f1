#include "replay.h"

#include "den.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t replay_default_memory(void)
{
    const uint64_t four = UINT64_C(4) << 30;
    return four < SIZE_MAX ? (size_t)four : SIZE_MAX;
}

void replay_warn(replay *r, warning_kind kind, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    progress_clear(&r->progress);
    r->listener->warned(r->listener->context, r, kind, text);
}

float *replay_floats(replay *r, size_t count, const char *what)
{
    size_t size = product(count, sizeof(float));
    if (!budget_fits(&r->budget, size, what, &r->problem))
        return NULL;
    return r->inputs != NULL ? den_take(r->inputs, size) : arena_take(&r->arena, size);
}

static bool is_text(const json_member *m, const char *text)
{
    return m != NULL && m->string_len == strlen(text) &&
           memcmp(m->string, text, m->string_len) == 0;
}

enum { MOST_SETTLED = 1 << 20 };

/* Floats of a call to where a mistake finds the same on both sides of them in every run. */
static void settle(replay *r, call *c)
{
    den_clear(r->inputs);
    for (size_t i = 0; i < MOST_INPUTS; i++) {
        argument *a = &c->in[i];
        if (!a->given || a->floats == NULL || a->count > MOST_SETTLED)
            continue;
        float *copy = den_take(r->inputs, a->count * sizeof *copy);
        if (copy == NULL)
            continue;
        memcpy(copy, a->floats, a->count * sizeof *copy);
        a->floats = copy;
    }
}

bool replay_call(replay *r, call *c)
{
    if (!replay_find_session(r, c))
        return false;
    if (r->inputs != NULL)
        settle(r, c);
    c->number = ++r->operations;
    if (r->listener->bound != NULL)
        r->listener->bound(r->listener->context, r, c);
    /* The reference allocates otherwise: where the engine was made to fail, nothing
     * has changed, so leaving the call out is replaying it. */
    if (!r->backend->uses_allocator && is_text(c->recorded_status, ndl_status_name(NDL_E_MEMORY))) {
        c->skipped = true;
        c->status = NDL_E_MEMORY;
    } else if (!c->op->run(r, c) || !replay_memory(r, c->status)) {
        return false;
    }
    r->budget.injected = false;
    if (c->status != NDL_OK && c->recorded_status == NULL)
        return bind_refused(r, c);
    return r->listener->called == NULL || r->listener->called(r->listener->context, r, c);
}

static bool do_line(replay *r, const char *line, size_t len)
{
    call c = {.line = reader_number(r->reader), .status = NDL_OK};
    r->line = c.line;
    return json_read(r->json, line, len, &r->arena, &r->problem) && bind_line(r, &c) &&
           replay_call(r, &c);
}

static bool is_blank(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r')
            return false;
    return true;
}

static bool do_lines(replay *r)
{
    const char *line;
    size_t len;
    bool header = false;
    for (;;) {
        arena_clear(&r->arena);
        progress_step(&r->progress, r->reader);
        switch (reader_line(r->reader, &line, &len, &r->problem)) {
        case READER_ERROR:
            return false;
        case READER_END:
            return header || fail(&r->problem, "the file is empty: a trace begins with its header");
        case READER_LINE:
            break;
        }
        if (is_blank(line, len))
            continue;
        if (header) {
            if (!do_line(r, line, len))
                return false;
            if (r->enough)
                return true;
            continue;
        }
        header = true;
        if (!trace_read_header(r, line, len) ||
            (r->listener->header != NULL &&
             !r->listener->header(r->listener->context, r, line, len)))
            return false;
    }
}

static void release_session(void *context, void *thing)
{
    replay *r = context;
    session *s = thing;
    if (r->complete)
        usage_end(r, s->usage);
    replay_session_free(r, s);
}

static void release_save(void *context, void *thing)
{
    replay_save_free(context, thing);
}

static void release_tensor(void *context, void *thing)
{
    (void)context;
    free(thing);
}

void replay_begin(replay *r, const replay_options *options, const listener *l)
{
    memset(r, 0, sizeof *r);
    r->backend = options->backend;
    r->listener = l;
    budget_init(&r->budget, options->max_memory);
    r->budget.under = options->memory;
    r->inputs = options->inputs;
    r->options.allocator = &r->budget.allocator;
}

void replay_end(replay *r)
{
    names_free(&r->sessions, release_session, r);
    r->complete = false;
    names_free(&r->snapshots, release_session, r);
    names_free(&r->saves, release_save, r);
    names_free(&r->tensors, release_tensor, NULL);
    names_free(&r->warned, NULL, NULL);
    arena_free(&r->arena);
}

bool replay_reader(reader *opened, const replay_options *options, const listener *l, problem *p,
                   size_t *line)
{
    replay *r = get_memory(sizeof *r);
    replay_begin(r, options, l);
    r->reader = opened;
    r->json = json_new();
    r->values = (values){r->json, &r->arena, &r->tensors, &r->problem};
    progress_start(&r->progress, options->progress);

    bool good = do_lines(r);
    progress_clear(&r->progress);
    if (!good)
        *p = r->problem;
    *line = reader_number(r->reader);

    r->complete = good && !r->enough;
    replay_end(r);
    json_free(r->json);
    reader_close(r->reader);
    free(r);
    return good;
}

bool replay_file(const char *path, const replay_options *options, const listener *l, problem *p,
                 size_t *line)
{
    *line = 0;
    reader *opened = reader_open(path, p);
    return opened != NULL && replay_reader(opened, options, l, p, line);
}
