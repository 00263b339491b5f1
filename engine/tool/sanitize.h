/*
 * MemorySanitizer cannot see what libraries write that were built without it.
 * zlib and yajl are such; what they hand over is declared written in exactly one
 * place each, reader.c and json.c (yajl's generator in report_json.c).
 */
#ifndef TOOL_SANITIZE_H
#define TOOL_SANITIZE_H

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define WRITTEN(memory, size) __msan_unpoison((memory), (size))
#define WRITTEN_STRING(text) __msan_unpoison_string(text)
#endif
#endif

#ifndef WRITTEN
#define WRITTEN(memory, size) ((void)0)
#define WRITTEN_STRING(text) ((void)0)
#endif

#endif
