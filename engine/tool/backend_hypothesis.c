/* The engine as a shared object has it, whose calls are looked up by name. */
#include "hypotheses.h"

#include <dlfcn.h>
#include <string.h>

/* Each call that is used, by its name without ndl_; its type is the one of ndl.h. */
#define CALLS(X)                                                                                   \
    X(session_new)                                                                                 \
    X(session_free)                                                                                \
    X(session_clone)                                                                               \
    X(session_reset)                                                                               \
    X(session_save_size)                                                                           \
    X(session_save)                                                                                \
    X(session_load)                                                                                \
    X(pos)                                                                                         \
    X(set_pos)                                                                                     \
    X(advance)                                                                                     \
    X(bytes)                                                                                       \
    X(push_token)                                                                                  \
    X(seed_tokens)                                                                                 \
    X(history)                                                                                     \
    X(engram_index)                                                                                \
    X(write_kv)                                                                                    \
    X(slots)                                                                                       \
    X(span_at)                                                                                     \
    X(is_saturated)                                                                                \
    X(lost)                                                                                        \
    X(kv_at)                                                                                       \
    X(conv_step)                                                                                   \
    X(prefill_conv)                                                                                \
    X(seed_conv_tail)                                                                              \
    X(conv_tail)                                                                                   \
    X(engram_conv_step)                                                                            \
    X(prefill_engram)                                                                              \
    X(seed_engram_tail)                                                                            \
    X(engram_tail)                                                                                 \
    X(attend_step)                                                                                 \
    X(attend_sequence)                                                                             \
    X(fake_quant)                                                                                  \
    X(quantize_rows)                                                                               \
    X(causal_conv)                                                                                 \
    X(value_conv)

static struct {
#define X(name) __typeof__(&ndl_##name) name; // NOLINT(bugprone-macro-parentheses)
    CALLS(X)
#undef X
} now;

static bool look_up(void *library, const char *name, void *function, problem *p)
{
    void *found = dlsym(library, name);
    /* What dlsym returns is a function's address, which C has no conversion for. */
    memcpy(function, &found, sizeof found);
    return found != NULL || fail(p, "the call %s is missing", name);
}

bool backend_take(void *library, problem *p)
{
    bool good = true;
#define X(name) good = good && look_up(library, "ndl_" #name, &now.name, p);
    CALLS(X)
#undef X
    return good;
}

#define CALL(name) now.name
#define SESSION ndl_session
#define BACKEND backend_hypothesis
#define NAME "hypothesis"
#define USES_ALLOCATOR true

static ndl_status session_new(const ndl_geometry *g, const ndl_options *options, void **out)
{
    ndl_session *s;
    ndl_status status = now.session_new(g, options, &s);
    if (status == NDL_OK)
        *out = s;
    return status;
}

static ndl_status load(const ndl_geometry *g, const ndl_allocator *allocator, const uint8_t *bytes,
                       size_t len, void **out)
{
    ndl_session *s;
    ndl_status status = now.session_load(g, allocator, bytes, len, &s);
    if (status == NDL_OK)
        *out = s;
    return status;
}

static ndl_status attend_step(const void *s, size_t layer, size_t pos, const float *q, size_t q_len,
                              float *scratch, size_t scratch_len, float *out, size_t out_len)
{
    return now.attend_step(s, layer, pos, q, q_len, scratch, scratch_len, out, out_len);
}

static ndl_status attend_sequence(const ndl_geometry *g, size_t window, const ndl_kv *kv,
                                  const float *q, size_t q_len, float *scratch, size_t scratch_len,
                                  float *out, size_t out_len)
{
    return now.attend_sequence(g, window, kv, q, q_len, scratch, scratch_len, out, out_len);
}

#include "backend_calls.h"
