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

uint64_t number_at(const saved *b, size_t at)
{
    uint64_t x = 0;
    for (size_t i = 8; i-- > 0;)
        x = x << 8 | b->bytes[at + i];
    return x;
}

/* `had` bytes go on from one to the other, as `want` bytes. */
static void carry(const uint8_t **from, size_t had, uint8_t **to, size_t want)
{
    memcpy(*to, *from, had < want ? had : want);
    if (want > had)
        memset(*to + had, 0, want - had);
    *from += had;
    *to += want;
}

saved resized(const ndl_geometry *g, const saved *b, size_t layer, size_t slots, size_t held)
{
    const bool int8 = number_at(b, 32) == 1;
    const size_t k = ndl_geometry_k_dim(g), v = ndl_geometry_v_dim(g), q = ndl_geometry_q_dim(g);
    const size_t had = (size_t)number_at(b, 64), heads = 4 * g->num_kv_heads;
    const size_t arrays[4] = {int8 ? k : 4 * k, int8 ? heads : 0, int8 ? v : 4 * v,
                              int8 ? heads : 0};
    const size_t tails = g->qkv_conv_taps > 1 ? 4 * (g->qkv_conv_taps - 1) * (q + k + v) : 0;
    saved out = {calloc(b->len + 4 * held + slots * 4 * (k + v + heads), 1), 0};
    cr_assert(out.bytes != NULL);
    const uint8_t *from = b->bytes;
    uint8_t *to = out.bytes;
    carry(&from, 72 + 16 * g->num_layers, &to, 72 + 16 * g->num_layers);
    carry(&from, 4 * had, &to, 4 * held);
    for (size_t i = 0; i < g->num_layers; i++) {
        const size_t old = (size_t)number_at(b, 72 + 16 * i), want = i == layer ? slots : old;
        for (size_t a = 0; a < 4; a++)
            carry(&from, arrays[a] * old, &to, arrays[a] * want);
        carry(&from, tails, &to, tails);
        put_number(&out, 72 + 16 * i, want);
    }
    const size_t sites = 4 * g->engram.num_sites * ndl_geometry_reach(g) * g->d_model;
    carry(&from, sites, &to, sites);
    cr_assert(from + 8 == b->bytes + b->len);
    out.len = (size_t)(to - out.bytes) + 8;
    put_number(&out, 64, held);
    put_number(&out, 16, out.len);
    seal(&out);
    return out;
}
