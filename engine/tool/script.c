#include "script.h"

#include "boundary.h"

#include <stdlib.h>
#include <string.h>

static char *line_of(const char *text, size_t len)
{
    char *line = get_memory(len + 1);
    memcpy(line, text, len);
    line[len] = '\0';
    return line;
}

static void take_lines(script *s, const char *text, size_t len)
{
    size_t room = 0;
    memset(s, 0, sizeof *s);
    for (const char *at = text, *end = text + len; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop == NULL ? end : stop;
        if (s->count == room) {
            room = room * 2 + 64;
            s->lines = get_more(s->lines, room * sizeof *s->lines);
        }
        s->lines[s->count++] = line_of(at, (size_t)(stop - at));
        at = stop + 1;
    }
}

void script_of_boundaries(script *s, uint64_t seed, size_t words)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_text(&text, &len);
    boundary_write(out, &(boundary){.seed = seed, .words = words});
    if (fclose(out) != 0)
        out_of_memory(len);
    take_lines(s, text, len);
    free(text);
}

void script_copy(script *to, const script *from)
{
    to->count = from->count;
    to->lines = get_memory((from->count + 1) * sizeof *to->lines);
    for (size_t i = 0; i < from->count; i++)
        to->lines[i] = line_of(from->lines[i], strlen(from->lines[i]));
}

void script_free(script *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->lines[i]);
    free(s->lines);
    memset(s, 0, sizeof *s);
}

void script_drop(script *s, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        free(s->lines[i]);
    memmove(s->lines + first, s->lines + first + count,
            (s->count - first - count) * sizeof *s->lines);
    s->count -= count;
}

void script_write(const script *s, FILE *out)
{
    for (size_t i = 0; i < s->count; i++)
        fprintf(out, "%s\n", s->lines[i]);
}

char *script_text(const script *s, size_t *len)
{
    size_t used = 0;
    *len = 0;
    for (size_t i = 0; i < s->count; i++)
        *len += strlen(s->lines[i]) + 1;
    char *text = get_memory(*len + 1);
    for (size_t i = 0; i < s->count; i++) {
        const size_t one = strlen(s->lines[i]);
        memcpy(text + used, s->lines[i], one);
        text[used + one] = '\n';
        used += one + 1;
    }
    return text;
}

bool script_tape(const script *s, tape *t)
{
    problem p;
    size_t len, line;
    char *text = script_text(s, &len);
    bool good = tape_of_text(t, "script", text, len, &p, &line);
    free(text);
    return good;
}

/* Whether the test holds without some lines; then they are left out. */
static bool left_out(script *s, size_t first, size_t count, script_test *holds, void *context)
{
    script less;
    tape t;
    script_copy(&less, s);
    script_drop(&less, first, count);
    bool good = script_tape(&less, &t);
    if (good) {
        good = holds(context, &t);
        tape_free(&t);
    }
    if (good) {
        script_free(s);
        *s = less;
    } else {
        script_free(&less);
    }
    return good;
}

void script_shrink(script *s, script_test *holds, void *context)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t size = s->count / 2; size > 0; size /= 2)
            for (size_t end = s->count; end > size;) {
                /* From the end on: what comes last depends on what is before it. */
                const size_t first = end - size;
                if (first > 0 && left_out(s, first, size, holds, context))
                    changed = true;
                end = first < s->count ? first : s->count;
            }
    }
}
