#include "saved.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

saved save_of(const ndl_session *s)
{
    saved b = {NULL, ndl_session_save_size(s)};
    b.bytes = malloc(b.len);
    cr_assert(b.bytes != NULL);
    memset(b.bytes, 0x5A, b.len);
    expect_ok(ndl_session_save(s, b.bytes, b.len));
    return b;
}

bool same_save(const saved *a, const saved *b)
{
    return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

ndl_session *load_of(const ndl_geometry *g, const saved *b)
{
    ndl_session *s = NULL;
    expect_ok(ndl_session_load(g, NULL, b->bytes, b->len, &s));
    cr_assert(s != NULL);
    return s;
}

void expect_load(const ndl_geometry *g, const uint8_t *bytes, size_t len, ndl_status want)
{
    ndl_session *s = NULL;
    ndl_status got = ndl_session_load(g, NULL, bytes, len, &s);
    cr_assert(got == want, "%zu bytes give %s, not %s", len, ndl_status_name(got),
              ndl_status_name(want));
    cr_assert(s == NULL);
}

void put_number(saved *b, size_t at, uint64_t number)
{
    for (size_t i = 0; i < 8; i++)
        b->bytes[at + i] = (uint8_t)(number >> (8 * i));
}

void seal(saved *b)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i + 8 < b->len; i++)
        hash = (hash ^ b->bytes[i]) * 0x100000001B3u;
    put_number(b, b->len - 8, hash);
}
