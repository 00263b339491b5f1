#include "fill.h"

#include <string.h>

/* A disk that fills up is noticed before the rest of a long script is replayed. What
 * there is to say of it is said at the end: it is not about the script. */
static bool still_good(const fill *k, replay *r)
{
    return !ferror(k->out) || fail(&r->problem, "%s", "");
}

static bool header(void *context, replay *r, const char *line, size_t len)
{
    const fill *k = context;
    while (len > 0 && strchr(" \t\r", line[len - 1]) != NULL)
        len--;
    fwrite(line, 1, len, k->out);
    fputc('\n', k->out);
    return still_good(k, r);
}

static bool is_output(const call *c, const json_member *m)
{
    if (m == c->recorded_status)
        return true;
    for (size_t i = 0; i < MOST_OUTPUTS; i++)
        if (m == c->recorded[i])
            return true;
    return false;
}

static void write_result(const fill *k, const call *c, const result *out)
{
    FILE *f = k->out;
    switch (out->kind) {
    case OUT_NUMBER:
        fprintf(f, "%zu", out->number);
        break;
    case OUT_BOOL:
        fputs(out->number != 0 ? "true" : "false", f);
        break;
    case OUT_WORDS:
        write_words(f, out->words, out->count);
        break;
    case OUT_CODES:
        write_codes(f, out->codes, out->count, k->form);
        break;
    case OUT_BYTES:
        write_bytes(f, out->bytes, out->count, k->form);
        break;
    case OUT_FLOATS:
        /* Attention is compared within a tolerance, for which a hash has no room. */
        write_floats(f, out->floats, out->count,
                     k->form == FORM_HASH && c->op->attention ? FORM_BASE64 : k->form);
        break;
    }
}

static bool called(void *context, replay *r, const call *c)
{
    const fill *k = context;
    FILE *f = k->out;
    const char *between = "{";
    r->enough = k->last > 0 && c->line >= k->last;
    for (size_t i = 0; i < json_count(r->json); i++) {
        const json_member *m = json_at(r->json, i);
        if (m->parent >= 0 || is_output(c, m))
            continue;
        fputs(between, f);
        fwrite(m->whole, 1, (size_t)(m->end - m->whole), f);
        between = ",";
    }
    for (size_t i = 0; !k->bare && c->status == NDL_OK && i < MOST_OUTPUTS; i++)
        if (c->out[i].given) {
            fprintf(f, ",\"%s\":", c->op->out[i].name);
            write_result(k, c, &c->out[i]);
        }
    if (c->recorded_status != NULL)
        fprintf(f, ",\"status\":\"%s\"", k->bare ? "" : ndl_status_name(c->status));
    fputs("}\n", f);
    return still_good(k, r);
}

static void warned(void *context, const replay *r, warning_kind kind, const char *text)
{
    const fill *k = context;
    if (!k->quiet)
        say_about(reader_name(r->reader), reader_number(r->reader), "%s: %s",
                  kind == WARNING_USAGE ? "usage" : "warning", text);
}

static listener listener_of(fill *f)
{
    return (listener){.context = f, .header = header, .called = called, .warned = warned};
}

bool fill_file(fill *f, const char *path, const replay_options *how, problem *p, size_t *line)
{
    const listener l = listener_of(f);
    return replay_file(path, how, &l, p, line);
}

bool fill_text(fill *f, const char *name, const char *text, size_t len, problem *p, size_t *line)
{
    const replay_options how = {.backend = &backend_engine, .max_memory = replay_default_memory()};
    const listener l = listener_of(f);
    return replay_reader(reader_of_text(name, text, len), &how, &l, p, line);
}
