/* JSON that is written: a document of yajl's, whose members are put one by one. */
#ifndef TOOL_EMIT_H
#define TOOL_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct yajl_gen_t emit;

/* A document that begins with an object, and its end. */
emit *emit_begin(FILE *out);
void emit_end(emit *e);

/* name: NULL in an array. */
void emit_text(emit *e, const char *name, const char *text);
void emit_number(emit *e, const char *name, uint64_t n);
void emit_bool(emit *e, const char *name, bool yes);
void emit_null(emit *e, const char *name);
/* An empty text as null. */
void emit_word(emit *e, const char *name, const char *text);
void emit_open(emit *e, const char *name);
void emit_close(emit *e);
void emit_list(emit *e, const char *name);
void emit_list_end(emit *e);

#endif
