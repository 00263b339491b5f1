#include "backend.h"

#define CALL(name) ndl_##name
#define SESSION ndl_session
#define BACKEND backend_engine
#define NAME "engine"
#define USES_ALLOCATOR true

static ndl_status session_new(const ndl_geometry *g, const ndl_options *options, void **out)
{
    ndl_session *s;
    ndl_status status = ndl_session_new(g, options, &s);
    if (status == NDL_OK)
        *out = s;
    return status;
}

static ndl_status load(const ndl_geometry *g, const ndl_allocator *allocator, const uint8_t *bytes,
                       size_t len, void **out)
{
    ndl_session *s;
    ndl_status status = ndl_session_load(g, allocator, bytes, len, &s);
    if (status == NDL_OK)
        *out = s;
    return status;
}

static ndl_status attend_step(const void *s, size_t layer, size_t pos, const float *q, size_t q_len,
                              float *scratch, size_t scratch_len, float *out, size_t out_len)
{
    return ndl_attend_step(s, layer, pos, q, q_len, scratch, scratch_len, out, out_len);
}

static ndl_status attend_sequence(const ndl_geometry *g, size_t window, const ndl_kv *kv,
                                  const float *q, size_t q_len, float *scratch, size_t scratch_len,
                                  float *out, size_t out_len)
{
    return ndl_attend_sequence(g, window, kv, q, q_len, scratch, scratch_len, out, out_len);
}

#include "backend_calls.h"
