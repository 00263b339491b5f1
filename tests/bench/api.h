/*
 * The calls of ndl.h out of a shared library that was built beforehand: the
 * engine as it is installed, the same without its clones, the baseline. One
 * process holds several, and measures each through the same pointers.
 */
#ifndef BENCH_API_H
#define BENCH_API_H

#include "ndl.h"

/* What a decoder calls, which every library has, and what only an engine has. */
#define API_DECODER(X)                                                                             \
    X(session_new)                                                                                 \
    X(session_free)                                                                                \
    X(set_pos)                                                                                     \
    X(push_token)                                                                                  \
    X(seed_tokens)                                                                                 \
    X(history)                                                                                     \
    X(engram_index)                                                                                \
    X(conv_step)                                                                                   \
    X(seed_conv_tail)                                                                              \
    X(engram_conv_step)                                                                            \
    X(seed_engram_tail)                                                                            \
    X(write_kv)                                                                                    \
    X(span_at)                                                                                     \
    X(kv_at)                                                                                       \
    X(attend_scratch)                                                                              \
    X(attend_step)
#define API_ENGINE(X)                                                                              \
    X(session_clone)                                                                               \
    X(session_save_size)                                                                           \
    X(session_save)                                                                                \
    X(session_load)                                                                                \
    X(bytes)                                                                                       \
    X(conv_tail)                                                                                   \
    X(engram_tail)

typedef struct api {
    const char *name;
    bool engine; /* it has the second list, too; those pointers are NULL otherwise */
#define X(call) __typeof__(ndl_##call) *(call);
    API_DECODER(X)
    API_ENGINE(X)
#undef X
} api;

/* Opens a library; says what is wrong and ends the program if it cannot. */
api api_open(const char *name, const char *path);
/* A symbol of any other library that was opened so. */
void *library_open(const char *path);
void *library_symbol(void *library, const char *symbol);

/* Ends the program with status 2 and a message unless the call gave NDL_OK. */
void must(ndl_status status, const api *a, const char *what);

#endif
