/*
 * A ring on its own, grown as the formula says and written at any positions, against
 * the list of all writes: each slot holds the last write that fell into it.
 * KV_001 KV_002 KV_003 KV_004
 */
#include "input.h"
#include "ring.h"
#include "target.h"

#include <stdlib.h>

enum { CAP = 24, DIM = 5, MOST = 64 };

static void check_formula(finding *f, input *in)
{
    size_t slots = input_size(in), cap = input_size(in), pos = input_size(in);
    if (slots == 0 || slots > cap || pos == SIZE_MAX)
        return;
    wide_size want = slots;
    if (pos >= slots && slots < cap) {
        want =
            (wide_size)2 * slots > (wide_size)pos + 1 ? (wide_size)2 * slots : (wide_size)pos + 1;
        want = want < cap ? want : cap;
    }
    if (ndl_ring_want(slots, cap, pos) != want)
        note(f, "KV_002: slots %zu, cap %zu, position %zu: %zu", slots, cap, pos,
             ndl_ring_want(slots, cap, pos));
}

typedef struct written {
    size_t pos[MOST];
    float row[MOST][DIM];
    size_t n;
} written;

/* Slot s of a ring that a list of writes has gone through, each with the slots there
 * were afterwards. */
static void check_slot(finding *f, const written *w, const float *ring, size_t slots, size_t dim,
                       size_t s)
{
    for (size_t i = w->n; i > 0; i--) {
        if (w->pos[i - 1] % slots == s) {
            compare_floats(f, "KV_001_KV_004: row", ring + s * dim, w->row[i - 1], dim, false);
            return;
        }
    }
    for (size_t c = 0; c < dim; c++) {
        if (bits_of(ring[s * dim + c]) != 0)
            note(f, "KV_003: slot %zu was never written and is not zeros", s);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size};
    finding f = {""};
    check_formula(&f, &in);
    size_t cap = input_between(&in, 1, CAP), slots = input_between(&in, 1, cap);
    size_t dim = input_between(&in, 1, DIM), next = 0;
    float *ring = new_array(slots * dim);
    static written w;
    w.n = 0;
    ndl_fill_f32(ring, 0, slots * dim, 0.0f);
    while (in.at < in.end && w.n < MOST && !found(&f)) {
        uint8_t b = input_byte(&in);
        size_t pos = b < 200 ? next : b % (CAP + 3);
        next = pos + 1;
        for (size_t c = 0; c < dim; c++)
            w.row[w.n][c] = (float)(w.n * DIM + c + 1);
        w.pos[w.n++] = pos;
        size_t want = ndl_ring_want(slots, cap, pos);
        if (want != slots) {
            float *more = new_array(want * dim);
            ndl_ring_grow_f32(more, ring, slots, want, dim, 0.0f);
            free(ring);
            ring = more;
            slots = want;
        }
        ndl_ring_write_f32(ring, slots, dim, pos, w.row[w.n - 1]);
        for (size_t s = 0; s < slots; s++)
            check_slot(&f, &w, ring, slots, dim, s);
    }
    free(ring);
    target_report("rings", &f, NULL);
    return 0;
}
