/* Base64 as RFC 4648 has it, padded, without line breaks. */
#ifndef TOOL_BASE64_H
#define TOOL_BASE64_H

#include "text.h"

#include <stddef.h>
#include <stdio.h>

/* Bytes that len characters stand for, at most. */
size_t base64_room(size_t len);

/* Decodes len characters; *size is the number of bytes. */
bool base64_decode(const char *text, size_t len, unsigned char *out, size_t *size, problem *p);

/* Characters, padding included, that size bytes become. */
size_t base64_length(size_t size);

/* Encodes size bytes to base64_length(size) characters; no '\0' is added. */
void base64_encode(const unsigned char *bytes, size_t size, char *out);

#endif
