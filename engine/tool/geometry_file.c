/* Geometries out of files: a config, a trace, a model. */
#include "geometry.h"

#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The geometry of a text that is one object: a config, or what has one. */
static bool read_text(json *j, const char *text, size_t len, arena *a, ndl_geometry *g, problem *p)
{
    if (!json_read(j, text, len, a, p))
        return false;
    const json_member *config = json_find(j, -1, "config");
    if (config != NULL && config->kind != JSON_OBJECT)
        return fail(p, "\"config\" must be an object");
    return geometry_read(j, config == NULL ? -1 : json_index(j, config), g, NULL, NULL, p);
}

/* A trace has it in its first line; a config may be spread over several. */
static bool read_lines(reader *r, arena *a, ndl_geometry *g, problem *p)
{
    const char *line, *rest;
    size_t len, more;
    json *j = json_new();
    if (reader_line(r, &line, &len, p) != READER_LINE) {
        json_free(j);
        return p->text[0] == '\0' ? fail(p, "the file is empty") : false;
    }
    char *text = get_memory(len + 1);
    memcpy(text, line, len);
    text[len] = '\n';
    bool good = read_text(j, text, len, a, g, p);
    if (!good && json_count(j) <= 1) {
        json_free(j);
        j = json_new();
        good = reader_rest(r, &rest, &more, p) == READER_LINE;
        if (good) {
            text = get_more(text, len + 1 + more + 1);
            memcpy(text + len + 1, rest, more);
            text[len + 1 + more] = '\n';
            good = read_text(j, text, len + 1 + more, a, g, p);
        }
    }
    json_free(j);
    free(text);
    return good;
}

bool geometry_from_file(const char *path, ndl_geometry *g, problem *p)
{
    arena a = {NULL, 0, 0};
    p->text[0] = '\0';
    reader *r = reader_open(path, p);
    if (r == NULL)
        return false;
    bool good = read_lines(r, &a, g, p);
    reader_close(r);
    arena_free(&a);
    return good;
}

bool geometry_from_model(const char *path, ndl_geometry *g, ndl_precision *precision, problem *p)
{
    unsigned char header[NDL_CACT_HEADER];
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return fail(p, "%s", strerror(errno));
    size_t size = fread(header, 1, sizeof header, f);
    bool broken = ferror(f) != 0;
    int reason = errno;
    fclose(f);
    if (broken)
        return fail(p, "cannot be read: %s", strerror(reason));
    ndl_status status = ndl_geometry_from_cact(header, size, g, precision);
    return status == NDL_OK || fail(p, "%s: %s", ndl_status_name(status), ndl_status_text(status));
}
