#include "emit.h"

#include "sanitize.h"
#include "text.h"
#include "yajl_memory.h"

#include <inttypes.h>
#include <string.h>
#include <yajl/yajl_gen.h>

static void print(void *context, const char *text, size_t len)
{
    WRITTEN(text, len); /* it may lie on yajl's stack */
    fwrite(text, 1, len, context);
}

static void string(emit *e, const char *text)
{
    /* A path may be no UTF-8, and then stands here as ASCII. */
    char q[QUOTED];
    if (yajl_gen_string(e, (const unsigned char *)text, strlen(text)) == yajl_gen_invalid_string) {
        quoted(q, text, strlen(text));
        yajl_gen_string(e, (const unsigned char *)q, strlen(q));
    }
}

static void named(emit *e, const char *name)
{
    if (name != NULL)
        string(e, name);
}

emit *emit_begin(FILE *out)
{
    emit *e = yajl_gen_alloc(&yajl_memory);
    yajl_gen_config(e, yajl_gen_print_callback, print, out);
    yajl_gen_config(e, yajl_gen_beautify, 1);
    yajl_gen_config(e, yajl_gen_indent_string, "  ");
    yajl_gen_config(e, yajl_gen_validate_utf8, 1);
    yajl_gen_map_open(e);
    return e;
}

void emit_end(emit *e)
{
    yajl_gen_map_close(e);
    yajl_gen_free(e);
}

void emit_text(emit *e, const char *name, const char *text)
{
    named(e, name);
    string(e, text);
}

void emit_number(emit *e, const char *name, uint64_t n)
{
    char text[24];
    named(e, name);
    snprintf(text, sizeof text, "%" PRIu64, n);
    yajl_gen_number(e, text, strlen(text));
}

void emit_bool(emit *e, const char *name, bool yes)
{
    named(e, name);
    yajl_gen_bool(e, yes);
}

void emit_null(emit *e, const char *name)
{
    named(e, name);
    yajl_gen_null(e);
}

void emit_word(emit *e, const char *name, const char *text)
{
    if (*text == '\0')
        emit_null(e, name);
    else
        emit_text(e, name, text);
}

void emit_open(emit *e, const char *name)
{
    named(e, name);
    yajl_gen_map_open(e);
}

void emit_close(emit *e)
{
    yajl_gen_map_close(e);
}

void emit_list(emit *e, const char *name)
{
    named(e, name);
    yajl_gen_array_open(e);
}

void emit_list_end(emit *e)
{
    yajl_gen_array_close(e);
}
