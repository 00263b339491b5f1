#include "prefix.h"

#include "outfile.h"
#include "replay.h"

#include <string.h>

typedef struct cut {
    FILE *out;
    size_t last;
} cut;

static bool header(void *context, replay *r, const char *line, size_t len)
{
    const cut *k = context;
    (void)r;
    while (len > 0 && strchr(" \t\r", line[len - 1]) != NULL)
        len--;
    fwrite(line, 1, len, k->out);
    fputc('\n', k->out);
    return true;
}

static bool is_output(const call *c, const json_member *m)
{
    for (size_t i = 0; i < MOST_OUTPUTS; i++)
        if (m == c->recorded[i])
            return true;
    return false;
}

static bool called(void *context, replay *r, const call *c)
{
    const cut *k = context;
    const char *between = "{";
    for (size_t i = 0; i < json_count(r->json); i++) {
        const json_member *m = json_at(r->json, i);
        if (m->parent >= 0 || is_output(c, m))
            continue;
        fputs(between, k->out);
        /* A refusal is allowed where a status is recorded, whichever it is. */
        if (m == c->recorded_status)
            fputs("\"status\":\"\"", k->out);
        else
            fwrite(m->whole, 1, (size_t)(m->end - m->whole), k->out);
        between = ",";
    }
    fputs("}\n", k->out);
    r->enough = c->line >= k->last;
    return true;
}

static void unheard(void *context, const replay *r, warning_kind kind, const char *text)
{
    (void)context;
    (void)r;
    (void)kind;
    (void)text;
}

bool prefix_write(const char *trace, size_t last_line, const char *path, const char **about,
                  problem *p)
{
    replay_options how = {.backend = &backend_engine, .max_memory = replay_default_memory()};
    outfile out;
    size_t line;
    *about = path;
    if (!outfile_open(&out, path, p))
        return false;
    cut k = {out.file, last_line};
    listener l = {.context = &k, .header = header, .called = called, .warned = unheard};
    if (!replay_file(trace, &how, &l, p, &line)) {
        outfile_drop(&out);
        *about = trace;
        return false;
    }
    return outfile_keep(&out, p);
}
