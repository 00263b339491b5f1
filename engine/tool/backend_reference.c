#include "backend.h"

#include "ref.h"

#define CALL(name) ref_##name
#define SESSION ref_session
#define BACKEND backend_reference
#define NAME "reference"
#define USES_ALLOCATOR false

static ndl_status session_new(const ndl_geometry *g, const ndl_options *options, void **out)
{
    ref_session *s;
    ndl_status status = ref_session_new(g, options, ndl_expf, &s);
    if (status == NDL_OK)
        *out = s;
    return status;
}

static ndl_status load(const ndl_geometry *g, const ndl_allocator *allocator, const uint8_t *bytes,
                       size_t len, void **out)
{
    ref_session *s;
    (void)allocator;
    ndl_status status = ref_session_load(g, ndl_expf, bytes, len, &s);
    if (status == NDL_OK)
        *out = s;
    return status;
}

static ndl_status attend_step(const void *s, size_t layer, size_t pos, const float *q, size_t q_len,
                              float *scratch, size_t scratch_len, float *out, size_t out_len)
{
    (void)scratch;
    (void)scratch_len;
    return ref_attend_step(s, layer, pos, q, q_len, out, out_len);
}

static ndl_status attend_sequence(const ndl_geometry *g, size_t window, const ndl_kv *kv,
                                  const float *q, size_t q_len, float *scratch, size_t scratch_len,
                                  float *out, size_t out_len)
{
    (void)scratch;
    (void)scratch_len;
    return ref_attend_sequence(ndl_expf, g, window, kv, q, q_len, out, out_len);
}

#include "backend_calls.h"
