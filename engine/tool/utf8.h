/* UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing past 10FFFF. */
#ifndef TOOL_UTF8_H
#define TOOL_UTF8_H

#include <stddef.h>

/* How many of the first bytes are well-formed characters: len if all are. */
size_t utf8_valid(const char *text, size_t len);

#endif
