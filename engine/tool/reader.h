/*
 * Lines of a file, of standard input ("-") or of a pipe, as they stand or
 * compressed with gzip, which is told by its first two bytes and not by a name.
 */
#ifndef TOOL_READER_H
#define TOOL_READER_H

#include "text.h"

#include <stdbool.h>
#include <stddef.h>

/* The longest line, without its end. */
enum { LINE_LIMIT = 64 * 1024 * 1024 };

typedef struct reader reader;

/* NULL, with what is wrong in p, if the file cannot be opened. */
reader *reader_open(const char *path, problem *p);
/* The same of a text in memory, which is copied; name is kept as it is. */
reader *reader_of_text(const char *name, const char *text, size_t len);
void reader_close(reader *r);

/* The name for messages: the path, "<stdin>" for "-". */
const char *reader_name(const reader *r);

typedef enum reader_result { READER_LINE, READER_END, READER_ERROR } reader_result;

/*
 * The next line, without its end; the byte after it is '\n' all the same, also
 * after a last line that has none. It stays until the next call.
 */
reader_result reader_line(reader *r, const char **line, size_t *len, problem *p);

/* All that is left as one text of at most LINE_LIMIT bytes. */
reader_result reader_rest(reader *r, const char **text, size_t *len, problem *p);

/* The number of the last line read, from 1; on an error the line it is in. */
size_t reader_number(const reader *r);

/* Bytes of the file read so far, and how many there are: 0 if that is not known. */
void reader_progress(const reader *r, unsigned long long *done, unsigned long long *all);

#endif
