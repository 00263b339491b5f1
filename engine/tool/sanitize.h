/*
 * MemorySanitizer cannot see what libraries write that were built without it.
 * zlib and yajl are such: what zlib returns is declared written in reader.c, byte
 * for byte; what yajl works in, in yajl_memory.c and report_json.c. And while yajl
 * parses, its own calls of strlen and the like are not held against it: they read
 * its stack, which nobody saw it write.
 */
#ifndef TOOL_SANITIZE_H
#define TOOL_SANITIZE_H

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define WRITTEN(memory, size) __msan_unpoison((memory), (size))
#define LIBRARY_BEGIN __msan_scoped_disable_interceptor_checks()
#define LIBRARY_END __msan_scoped_enable_interceptor_checks()
#endif
#endif

/* Sanitizers reserve more of the address space than a limit would leave them. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SPACE_IS_TAKEN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SPACE_IS_TAKEN 1
#endif
#endif
#ifndef SPACE_IS_TAKEN
#define SPACE_IS_TAKEN 0
#endif

#ifndef WRITTEN
#define WRITTEN(memory, size) ((void)0)
#define LIBRARY_BEGIN ((void)0)
#define LIBRARY_END ((void)0)
#endif

#endif
