/*
 * A span is walked in chunks, whose slots do not wrap: once through the keys, for the
 * scores of every position, and, after their softmax, once through the values. All
 * kv heads take their part of a chunk before the next one begins, so that a store is
 * read from one end to the other; of the query heads that read a kv head a pack of up
 * to LANES goes at a time.
 *
 * What one query head gets is summed in the order of chapter 7, whatever else
 * is computed beside it: heads meet only in that they stand in lanes next to
 * each other. A row of floats is one whose scale is 1: a product with 1 is
 * exact, so that both precisions go one way.
 *
 * Scratch, for each kv head: the scores of a pack, a row of its width a position; its
 * queries, a row a channel; the largest score of each lane, and one over its sum. What
 * is made of a chunk is local, 8 KiB.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "attend.h"

#include "attend_kernels.h"
#include "geometry.h"
#include "index.h"
#include "leaf.h"
#include "ring.h"
#include "span.h"
#include "trusted/round.h"

#include "../logic/case.acsl"
#include "../logic/root.acsl"

ndl_heads ndl_heads_of(const ndl_geometry *g)
{
    const ndl_heads heads = {g->num_heads, g->num_kv_heads, g->qk_head_dim, g->v_head_dim};

    return heads;
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures smaller: \result == \min(a, b);
*/
static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t ndl_attend_scratch(const ndl_geometry *g, size_t positions)
{
    const size_t width = smaller(g->num_heads / g->num_kv_heads, LANES);
    const size_t rows = ndl_sat_add(positions, g->qk_head_dim);

    /*@ assert rows: off(positions + g->qk_head_dim, width) ==
          off(positions, width) + off(g->qk_head_dim, width); */
    /*@ assert cut: \min(off(rows, width), SIZE_MAX) ==
          \min(off(positions + g->qk_head_dim, width), SIZE_MAX); */
    const size_t one = ndl_sat_add(ndl_sat_mul(rows, width), (size_t)4 * LANES);
    /*@ assert one: one == \min(SIZE_MAX, pack_floats(positions, g->qk_head_dim, width)); */
    /*@ assert cut: \min(off(g->num_kv_heads, one), SIZE_MAX) ==
          \min(off(g->num_kv_heads, pack_floats(positions, g->qk_head_dim, width)), SIZE_MAX); */
    /*@ assert swap: off(one, g->num_kv_heads) == off(g->num_kv_heads, one); */

    return ndl_sat_mul(one, g->num_kv_heads);
}

/*@ requires below: n <= 0xffffffff;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures square: \result == off(n, n);
*/
static uint64_t squared(uint64_t n)
{
    /*@ assert fits: n * n <= 0xffffffff * 0xffffffff; */
    return n * n;
}

/* The largest number whose square is at most this one. */
/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures ATT_001: root: is_isqrt(\result, square) && \result <= 0xffffffff;
*/
static uint64_t root_below(uint64_t square)
{
    uint64_t root = 0, above = UINT64_C(1) << 32;

    /*@ loop invariant some: 0 <= root < above <= 0x100000000;
        loop invariant ATT_001: between: off(root, root) <= square < off(above, above);
        loop assigns root, above;
        loop variant above - root; */
    while (above - root > 1) {
        const uint64_t middle = (root + above) / 2;

        if (squared(middle) <= square)
            root = middle;
        else
            above = middle;
    }
    return root;
}

/* Bits of the root of n * unit^2, which ends below 2^64: 32 of them, the last one
 * standing for all that is left, are more than the 24 + 2 that rounding sees. */
float ndl_root_of(size_t n)
{
    const uint64_t whole = ndl_whole(ndl_of_size(n));
    uint64_t square = whole;
    uint32_t unit = 1;

    /*@ loop invariant some: 1 <= unit;
        loop invariant ATT_001: unit: unit_from(square, unit) == root_unit(whole);
        loop invariant ATT_001: square: square == off(whole, off(unit, unit));
        loop assigns unit, square;
        loop variant 0x80000000 - unit; */
    for (; square < UINT64_C(1) << 62 && unit < UINT32_C(1) << 31; square *= 4)
        unit *= 2;
    /*@ assert ATT_001: scaled: unit == root_unit(whole) && square == root_square(whole); */
    /*@ assert much: 1 <= whole ==> 0x4000000000000000 <= square; */
    const uint64_t below = root_below(square);
    uint64_t root = below;
    /*@ assert few: below < 0x80000000 ==>
          off(below + 1, below + 1) <= off(0x80000000, below + 1) <= 0x4000000000000000; */
    /*@ assert ATT_001: bits: 1 <= whole ==> 0x80000000 <= below; */

    if (squared(root) != square)
        root += 1 - root % 2;
    /*@ assert ATT_001: sticky: root == sticky(below, square); */
    return ndl_div(ndl_of_u32((uint32_t)root), ndl_of_u32(unit));
}

/* The keys, or the values, of one kv head. */
typedef struct store {
    ndl_precision precision;
    const float *rows;
    const int8_t *codes;
    const float *scales;
    size_t slots, heads, head, dim;
} store;

/*@ predicate is_store{L}(store s) = s.head < s.heads &&
      store_ok(s.precision, s.rows, s.codes, s.scales, s.slots, s.heads, s.dim);
    predicate is_apart{L}(store s, float *p, integer m) =
      store_apart(s.precision, s.rows, s.scales, s.slots, s.heads, s.dim, p, m);
*/

/* A part of a span that lies in slots next to each other, a chunk at most. */
typedef struct part {
    size_t i, n; /* from the i-th position on, n of them */
    size_t slot; /* of the first */
} part;

/*@ predicate in_slots(part p, integer slots) = p.n <= CHUNK && p.slot + p.n <= slots;
    // A part of a span that begins at lo, of so many positions.
    predicate is_part(part p, integer lo, integer positions, integer slots) =
      in_slots(p, slots) && p.slot < slots && p.i + p.n <= positions &&
      (p.i < positions ==> 0 < p.n) && p.slot == md(lo + p.i, slots);
*/

/*@ requires some: i <= positions && slot < slots;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures ATT_003: part: \forall integer lo; slot == md(lo + i, slots) ==>
      is_part(\result, lo, positions, slots);
    ensures i: \result.i == i;
*/
static part part_at(size_t i, size_t slot, size_t positions, size_t slots)
{
    return (part){i, smaller(smaller(positions - i, CHUNK), slots - slot), slot};
}

/*@ requires part: is_part(p, lo, positions, slots) && 0 < p.n;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures ATT_003: next: \result.i == p.i + p.n && is_part(\result, lo, positions, slots);
*/
static part next_part(part p, size_t positions, size_t slots) /*@ ghost (size_t lo) */
{
    const size_t slot = p.slot + p.n;
    /*@ assert ATT_003: slot: md(lo + p.i + p.n, slots) == (slot < slots ? slot : 0); */

    return part_at(p.i + p.n, slot < slots ? slot : 0, positions, slots);
}

/*@ // What a store has in a slot; and that a part of it are keys, or values, of the case.
    logic integer at_slot{L}(store s, integer slot, integer c) =
      element(s.precision, s.rows, s.codes, s.heads, s.head, s.dim, slot, c);
    logic integer scale_at{L}(store s, integer slot) =
      row_scale(s.precision, s.scales, s.heads, s.head, slot);
    predicate key_rows{L}(store s, part p) =
      \forall integer i, c; p.i <= i < p.i + p.n && 0 <= c < s.dim ==>
        at_slot(s, p.slot + i - p.i, c) == k_at(ATT, i, c);
    predicate key_scales{L}(store s, part p) =
      \forall integer i; p.i <= i < p.i + p.n ==>
        scale_at(s, p.slot + i - p.i) == ks_at(ATT, i);
    predicate value_rows{L}(store s, part p) =
      \forall integer i, c; p.i <= i < p.i + p.n && 0 <= c < s.dim ==>
        at_slot(s, p.slot + i - p.i, c) == v_at(ATT, i, c);
    predicate value_scales{L}(store s, part p) =
      \forall integer i; p.i <= i < p.i + p.n ==>
        scale_at(s, p.slot + i - p.i) == vs_at(ATT, i);
*/

/* Some channels of a part's rows as floats, pitch of them from one row to the next;
 * the array has `left` such rows from there on. */
typedef struct block {
    const float *rows;
    size_t pitch, left;
} block;

/* Channels c .. c + channels - 1 of a part: where they are or, of codes, in wide. */
/*@ requires store: is_store(s) && in_slots(p, s.slots) && 0 < p.n;
    requires some: 0 < channels <= STRIP && c + channels <= s.dim;
    requires to: \valid(wide + (0 .. CHUNK * STRIP - 1));
    requires apart: is_apart(s, wide, CHUNK * STRIP);
    terminates \true;
    exits \false;
    assigns wide[0 .. CHUNK * STRIP - 1];
    ensures block: channels <= \result.pitch && p.n <= \result.left &&
      off(\result.left, \result.pitch) <= SIZE_MAX;
    ensures f32: s.precision != NDL_INT8 ==>
      \result.rows == s.rows + cell(cell(p.slot, s.heads, s.head), s.dim, c) &&
      \result.pitch == off(s.heads, s.dim) && \result.left == s.slots - p.slot;
    ensures place: 0 <= cell(cell(p.slot, s.heads, s.head), s.dim, c) &&
      cell(cell(p.slot, s.heads, s.head), s.dim, c) + off(p.n - 1, off(s.heads, s.dim)) +
      channels <= off(s.slots, off(s.heads, s.dim));
    ensures int8: s.precision == NDL_INT8 ==>
      \result.rows == wide && \result.pitch == channels && \result.left == p.n;
    ensures rows: \valid_read(\result.rows + (0 .. off(p.n - 1, \result.pitch) + channels - 1));
    ensures ATT_003: codes: s.precision == NDL_INT8 ==>
      \forall integer i, k; 0 <= i < p.n && 0 <= k < channels ==>
        bits(wide[cell(i, channels, k)]) ==
        OF_INT(s.codes[cell(cell(p.slot, s.heads, s.head), s.dim, c) +
                       cell(i, off(s.heads, s.dim), k)]);
    ensures ATT_003: floats: s.precision != NDL_INT8 ==> \forall integer t, d;
      p.slot <= t < p.slot + p.n && c <= d < c + channels ==>
      bits(\result.rows[off(t - p.slot, \result.pitch) + (d - c)]) == at_slot{Pre}(s, t, d);
    ensures ATT_003: numbers: s.precision == NDL_INT8 ==> \forall integer t, d;
      p.slot <= t < p.slot + p.n && c <= d < c + channels ==>
      bits(\result.rows[off(t - p.slot, \result.pitch) + (d - c)]) == at_slot{Pre}(s, t, d);
*/
static block bring(store s, part p, size_t c, size_t channels, float *wide)
{
    /*@ assert pitch: 0 <= off(s.heads, s.dim) <= off(s.slots, off(s.heads, s.dim)); */
    /*@ assert slot: 0 <= off(p.slot, s.heads) &&
          off(p.slot, s.heads) + s.heads <= off(s.slots, s.heads); */
    /*@ assert head:
          off(p.slot, off(s.heads, s.dim)) <= cell(cell(p.slot, s.heads, s.head), s.dim, c) &&
          cell(cell(p.slot, s.heads, s.head), s.dim, c) + channels <=
          off(p.slot, off(s.heads, s.dim)) + off(s.heads, s.dim); */
    /*@ assert head: 0 <= off(off(p.slot, s.heads) + s.head, s.dim) &&
          off(off(p.slot, s.heads) + s.head, s.dim) + c ==
          cell(cell(p.slot, s.heads, s.head), s.dim, c); */
    /*@ assert sum: off(p.slot, off(s.heads, s.dim)) + off(p.n - 1, off(s.heads, s.dim)) ==
          off(p.slot + p.n - 1, off(s.heads, s.dim)); */
    /*@ assert last: off(p.slot, off(s.heads, s.dim)) + off(p.n - 1, off(s.heads, s.dim)) +
          off(s.heads, s.dim) <= off(s.slots, off(s.heads, s.dim)); */
    /*@ assert first: 0 <= off(p.slot, off(s.heads, s.dim)) &&
          0 <= off(p.n - 1, off(s.heads, s.dim)); */
    const size_t pitch = ndl_at(s.heads, s.dim, 0), left = s.slots - p.slot;
    const size_t from = ndl_at(ndl_at(p.slot, s.heads, s.head), s.dim, c);
    /*@ assert pitch: pitch == off(s.heads, s.dim) && channels <= pitch; */
    /*@ assert left: 0 <= off(left, pitch) <= off(s.slots, pitch); */

    /*@ assert places: \forall integer t, d; cell(cell(t, s.heads, s.head), s.dim, d) ==
          from + off(t - p.slot, pitch) + (d - c); */
    /*@ assert ATT_003: floats: s.precision != NDL_INT8 ==> \forall integer t, d;
          p.slot <= t < p.slot + p.n && c <= d < c + channels ==>
          bits(s.rows[from + off(t - p.slot, pitch) + (d - c)]) == at_slot{Pre}(s, t, d); */

    if (s.precision != NDL_INT8)
        return (block){s.rows + from, pitch, left};
    /*@ assert wide: 0 <= off(p.n, channels) <= off(CHUNK, channels) <=
          off(CHUNK, STRIP) == CHUNK * STRIP; */
    /*@ assert wide: off(p.n - 1, channels) + channels <= off(p.n, channels) &&
          0 <= off(p.n - 1, channels); */
    ndl_widen_rows(s.codes + from, pitch, p.n, left, channels, wide);
    /*@ assert ATT_003: codes: \forall integer t, d;
          p.slot <= t < p.slot + p.n && c <= d < c + channels ==>
          bits(wide[cell(t - p.slot, channels, d - c)]) ==
          OF_INT(s.codes[from + cell(t - p.slot, pitch, d - c)]); */
    /*@ assert ATT_003: slots: \forall integer t, d;
          p.slot <= t < p.slot + p.n && c <= d < c + channels ==>
          bits(wide[off(t - p.slot, channels) + (d - c)]) == at_slot{Pre}(s, t, d); */
    return (block){wide, channels, p.n};
}

/* The scales of a part's rows; that of a row of floats is 1. */
/*@ requires store: is_store(s) && in_slots(p, s.slots);
    requires to: \valid(scales + (0 .. CHUNK - 1));
    requires apart: is_apart(s, scales, CHUNK);
    terminates \true;
    exits \false;
    assigns scales[0 .. p.n - 1];
    ensures f32: s.precision != NDL_INT8 ==>
      \forall integer i; 0 <= i < p.n ==> bits(scales[i]) == OF_INT(1);
    ensures ATT_003: int8: s.precision == NDL_INT8 ==>
      \forall integer i; 0 <= i < p.n ==>
        bits(scales[i]) == bits(s.scales[cell(p.slot + i, s.heads, s.head)]);
    ensures ATT_003: slots: \forall integer t; p.slot <= t < p.slot + p.n ==>
      bits(scales[t - p.slot]) == scale_at{Pre}(s, t);
*/
static void bring_scales(store s, part p, float *scales)
{
    if (s.precision != NDL_INT8)
        ndl_fill_f32(scales, 0, p.n, ndl_of_int(1));
    else
        /*@ loop invariant some: 0 <= i <= p.n;
            loop invariant ATT_003: brought: \forall integer j; 0 <= j < i ==>
              bits(scales[j]) == bits(s.scales[cell(p.slot + j, s.heads, s.head)]);
            loop assigns i, scales[0 .. p.n - 1];
            loop variant p.n - i; */
        for (size_t i = 0; i < p.n; i++) {
            /*@ assert slot: 0 <= off(p.slot + i, s.heads) &&
                  off(p.slot + i, s.heads) + s.heads <= off(s.slots, s.heads); */
            /*@ assert cell: cell(p.slot + i, s.heads, s.head) ==
                  off(p.slot + i, s.heads) + s.head; */
            scales[i] = s.scales[ndl_at(p.slot + i, s.heads, s.head)];
            /*@ assert kept: \forall integer j; 0 <= j <= i ==>
                  bits(s.scales[cell(p.slot + j, s.heads, s.head)]) ==
                  bits(\at(s.scales[cell(p.slot + j, s.heads, s.head)], LoopCurrent)); */
        }
}

/* What a kv head has of scratch. */
typedef struct pack {
    float *scores, *queries, *max, *inv;
} pack;

/*@ requires some: 0 < width <= LANES;
    requires fits: 0 <= off(head, pack_floats(positions, dim, width)) &&
      off(head, pack_floats(positions, dim, width)) + pack_floats(positions, dim, width) <=
      SIZE_MAX;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures scores: \result.scores == scratch + off(head, pack_floats(positions, dim, width));
    ensures queries: \result.queries == \result.scores + off(positions, width) + LANES;
    ensures max: \result.max == \result.queries + off(dim, width) + LANES;
    ensures inv: \result.inv == \result.max + LANES;
*/
static pack pack_of(float *scratch, size_t positions, size_t dim, size_t width, size_t head)
{
    /*@ assert parts: 0 <= off(positions, width) && 0 <= off(dim, width); */
    const size_t queries = ndl_at(positions, width, LANES);
    const size_t max = queries + ndl_at(dim, width, LANES), inv = max + LANES;
    float *from = scratch + ndl_at(head, inv + LANES, 0);

    return (pack){from, from + queries, from + max, from + inv};
}

/* A strip of channels, from c on, is added to the dot products of a part; queries are
 * those of the strip. */
/*@ requires store: is_store(keys) && in_slots(p, keys.slots) && 0 < p.n;
    requires some: 0 < width <= LANES && c < keys.dim;
    requires fits: off(STRIP, width) + LANES <= SIZE_MAX;
    requires queries: \valid_read(queries +
      (0 .. off(\min(STRIP, keys.dim - c), width) + LANES - 1));
    requires to: \valid(dots + (0 .. CHUNK * LANES - 1));
    requires apart: \separated(dots + (0 .. CHUNK * LANES - 1),
                               queries +
                                 (0 .. off(\min(STRIP, keys.dim - c), width) + LANES - 1));
    requires apart: is_apart(keys, dots, CHUNK * LANES);
    terminates \true;
    exits \false;
    assigns dots[0 .. off(p.n, LANES) - 1];
    ensures ATT_001: dots: 0 <= LANE < width && key_rows{Pre}(keys, p) &&
      is_query{Pre}(queries, width, LANE, ATT, c, c + \min(STRIP, keys.dim - c)) &&
      are_dots{Pre}(dots, LANE, ATT, p.i, p.n, c) ==>
      are_dots(dots, LANE, ATT, p.i, p.n, c + \min(STRIP, keys.dim - c));
*/
static void add_dots(store keys, part p, size_t c, const float *queries, size_t width, float *dots)
{
    float wide[CHUNK * STRIP];
    const size_t channels = smaller(keys.dim - c, STRIP);
    const block b = bring(keys, p, c, channels, wide);
    /*@ assert dots: 0 <= off(p.n, LANES) <= CHUNK * LANES; */
    /*@ assert queries: 0 <= off(channels, width) <= off(STRIP, width); */
    /*@ assert ATT_001: key: key_rows{Pre}(keys, p) ==> \forall integer i, d;
          p.i <= i < p.i + p.n && c <= d < c + channels ==>
          bits(b.rows[off(i - p.i, b.pitch) + (d - c)]) == k_at(ATT, i, d); */
    /*@ assert ATT_001: query: 0 <= LANE < width &&
          is_query{Pre}(queries, width, LANE, ATT, c, c + channels) ==>
          is_query(queries, width, LANE, ATT, c, c + channels); */
    /*@ assert ATT_001: keys: key_rows{Pre}(keys, p) ==> \forall integer r; 0 <= r < p.n ==>
          is_key(b.rows + off(r, b.pitch), ATT, p.i + r, c, c + channels); */
    /*@ assert ATT_001: before: are_dots{Pre}(dots, LANE, ATT, p.i, p.n, c) ==>
          \forall integer r; 0 <= r < p.n ==>
          bits(dots[cell(r, LANES, LANE)]) == dot(ATT, p.i + r, c); */

    ndl_add_dots(b.rows, b.pitch, p.n, b.left, channels, queries, width, dots) /*@ ghost (c) */;
    /*@ assert ATT_001: after: 0 <= LANE < width && key_rows{Pre}(keys, p) &&
          is_query{Pre}(queries, width, LANE, ATT, c, c + channels) &&
          are_dots{Pre}(dots, LANE, ATT, p.i, p.n, c) ==>
          \forall integer r; 0 <= r < p.n ==>
          bits(dots[cell(r, LANES, LANE)]) == dot(ATT, p.i + r, c + channels); */
}

/*@ // The case's lane of queries, and a part of its keys.
    predicate asks{L}(store keys, part p, float *queries, integer width) =
      0 <= LANE < width && key_rows(keys, p) && key_scales(keys, p) &&
      is_query(queries, width, LANE, ATT, 0, keys.dim);
    predicate is_root(float root, integer dim) =
      channels(ATT) == dim && bits(root) == DIV(OF_INT(1), ROOT(dim));
*/

/* The scores of a part, and the largest of each lane. */
/*@ requires store: is_store(keys) && in_slots(p, keys.slots) && 0 < p.n;
    requires some: 0 < width <= LANES;
    requires fits: off(p.i + p.n, width) + LANES <= SIZE_MAX &&
      off(keys.dim, width) + LANES <= SIZE_MAX && p.i + p.n <= SIZE_MAX;
    requires queries: \valid_read(to.queries + (0 .. off(keys.dim, width) + LANES - 1));
    requires to: \valid(to.scores + (off(p.i, width) .. off(p.i + p.n, width) + LANES - 1));
    requires to: \valid(to.max + (0 .. LANES - 1));
    requires apart: \separated(to.scores + (off(p.i, width) .. off(p.i + p.n, width) + LANES - 1),
                               to.max + (0 .. LANES - 1));
    terminates \true;
    exits \false;
    assigns to.scores[off(p.i, width) .. off(p.i + p.n, width) - 1], to.max[0 .. LANES - 1];
    ensures ATT_001: scores: asks{Pre}(keys, p, to.queries, width) && is_root(root, keys.dim) ==>
      rows_are(to.scores, width, LANE, ATT, p.i, p.i + p.n);
    ensures ATT_001: max: asks{Pre}(keys, p, to.queries, width) && is_root(root, keys.dim) &&
      \old(bits(to.max[LANE])) == most(ATT, p.i) ==>
      bits(to.max[LANE]) == most(ATT, p.i + p.n);
*/
static void score(store keys, part p, float root, size_t width, pack to)
{
    float dots[CHUNK * LANES], scales[CHUNK];
    /*@ assert dots: 0 <= off(p.n, LANES) <= CHUNK * LANES; */
    /*@ assert scores: 0 <= off(p.i, width) && off(p.i, width) + off(p.n, width) ==
          off(p.i + p.n, width) && 0 <= off(p.n, width); */

    ndl_fill_f32(dots, 0, ndl_at(p.n, LANES, 0), ndl_of_int(0));
    /*@ loop invariant some: 0 <= c <= keys.dim + STRIP;
        loop invariant ATT_001: dots: asks{Pre}(keys, p, to.queries, width) ==>
          are_dots(&dots[0], LANE, ATT, p.i, p.n, \min(c, keys.dim));
        loop assigns c, dots[0 .. off(p.n, LANES) - 1];
        loop variant keys.dim - c; */
    for (size_t c = 0; c < keys.dim; c += STRIP) {
        /*@ assert queries: 0 <= off(c, width) && 0 <= off(\min(STRIP, keys.dim - c), width); */
        /*@ assert queries: off(c, width) + off(\min(STRIP, keys.dim - c), width) ==
              off(\min(c + STRIP, keys.dim), width); */
        /*@ assert queries: off(\min(c + STRIP, keys.dim), width) <= off(keys.dim, width) &&
              off(STRIP, width) <= off(STRIP, LANES) == STRIP * LANES; */
        /*@ assert least: \min(c + STRIP, keys.dim) == c + \min(STRIP, keys.dim - c) <= keys.dim; */
        /*@ assert places: \forall integer d;
              off(c, width) + cell(d - c, width, LANE) == cell(d, width, LANE); */
        /*@ assert kept: \forall integer e; bits(keys.rows[e]) == bits(\at(keys.rows[e], Pre)); */
        /*@ assert kept: \forall integer d; bits(to.queries[cell(d, width, LANE)]) ==
              bits(\at(to.queries[cell(d, width, LANE)], Pre)); */
        /*@ assert kept: \forall integer t, d; at_slot(keys, t, d) == at_slot{Pre}(keys, t, d); */
        /*@ assert ATT_001: keys: key_rows{Pre}(keys, p) ==> key_rows(keys, p); */
        /*@ assert ATT_001: query: is_query{Pre}(to.queries, width, LANE, ATT, 0, keys.dim) ==>
              \forall integer d; c <= d < c + \min(STRIP, keys.dim - c) ==>
              bits(to.queries[off(c, width) + cell(d - c, width, LANE)]) == q_at(ATT, d); */
        /*@ assert ATT_001: query: is_query{Pre}(to.queries, width, LANE, ATT, 0, keys.dim) ==>
              is_query(to.queries + off(c, width), width, LANE, ATT, c,
                       c + \min(STRIP, keys.dim - c)); */
        add_dots(keys, p, c, to.queries + ndl_at(c, width, 0), width, dots);
        /*@ assert ATT_001: dots: asks{Pre}(keys, p, to.queries, width) ==>
              are_dots(&dots[0], LANE, ATT, p.i, p.n, c + \min(STRIP, keys.dim - c)); */
    }
    /*@ assert ATT_001: dots: asks{Pre}(keys, p, to.queries, width) ==>
          are_dots(&dots[0], LANE, ATT, p.i, p.n, keys.dim); */
    /*@ assert kept: \forall integer e; bits(keys.scales[e]) == bits(\at(keys.scales[e], Pre)); */
    /*@ assert kept: \forall integer t; scale_at(keys, t) == scale_at{Pre}(keys, t); */
    /*@ assert kept: \forall integer e; bits(to.max[e]) == bits(\at(to.max[e], Pre)); */
    bring_scales(keys, p, scales);
    /*@ assert ATT_001: scales: key_scales{Pre}(keys, p) ==>
          \forall integer i; p.i <= i < p.i + p.n ==> bits(scales[i - p.i]) == ks_at(ATT, i); */
    /*@ assert ATT_001: dots: asks{Pre}(keys, p, to.queries, width) ==>
          \forall integer i; p.i <= i < p.i + p.n ==>
          bits(dots[cell(i - p.i, LANES, LANE)]) == dot(ATT, i, keys.dim); */
    /*@ assert ATT_001: scores: asks{Pre}(keys, p, to.queries, width) &&
          is_root(root, keys.dim) ==>
          are_scores(&dots[0], &scales[0], root, LANE, ATT, p.i, p.n); */
    /*@ assert kept: \forall integer e; bits(to.max[e]) == bits(\at(to.max[e], Pre)); */
    ndl_put_scores(dots, scales, root, p.n, width, to.scores + ndl_at(p.i, width, 0),
                   to.max) /*@ ghost (p.i) */;
    /*@ assert ATT_001: rows: asks{Pre}(keys, p, to.queries, width) && is_root(root, keys.dim) ==>
          \forall integer i; p.i <= i < p.i + p.n ==>
          bits(to.scores[off(p.i, width) + cell(i - p.i, width, LANE)]) == score(ATT, i); */
}

/* A strip of channels, from c on, of a part's values is added to the outputs. */
/*@ requires store: is_store(values) && in_slots(p, values.slots) && 0 < p.n;
    requires some: 0 < width <= LANES && c < values.dim;
    requires fits: off(width, values.dim) <= SIZE_MAX && p.i + p.n <= SIZE_MAX;
    requires from: \valid_read(weights + (0 .. CHUNK * LANES - 1));
    requires to: \valid(out + (0 .. off(width, values.dim) - 1));
    requires apart: \separated(weights + (0 .. CHUNK * LANES - 1),
                               out + (0 .. off(width, values.dim) - 1));
    requires apart: is_apart(values, out, off(width, values.dim));
    terminates \true;
    exits \false;
    assigns out[0 .. off(width, values.dim) - 1];
    ensures ATT_001: sums: 0 <= LANE < width && value_rows{Pre}(values, p) &&
      are_weights{Pre}(weights, LANE, ATT, p.i, p.n) &&
      are_mixed{Pre}(out, LANE, values.dim, c, c + \min(STRIP, values.dim - c), p.i) ==>
      are_mixed(out, LANE, values.dim, c, c + \min(STRIP, values.dim - c), p.i + p.n);
    ensures ATT_001: others: 0 <= LANE < width ==> \forall integer d; 0 <= d < c ||
      c + \min(STRIP, values.dim - c) <= d < values.dim ==>
      bits(out[cell(LANE, values.dim, d)]) == \old(bits(out[cell(LANE, values.dim, d)]));
*/
static void add_values(store values, part p, size_t c, const float *weights, size_t width,
                       float *out)
{
    float wide[CHUNK * STRIP];
    const size_t channels = smaller(values.dim - c, STRIP);
    const block b = bring(values, p, c, channels, wide);
    /*@ assert weights: 0 <= off(p.n, LANES) <= CHUNK * LANES; */
    /*@ assert out: 0 <= off(width - 1, values.dim) &&
          off(width - 1, values.dim) + values.dim <= off(width, values.dim); */
    /*@ assert places: \forall integer d; c + cell(LANE, values.dim, d - c) ==
          cell(LANE, values.dim, d); */
    /*@ assert ATT_001: values: value_rows{Pre}(values, p) ==> \forall integer i, d;
          p.i <= i < p.i + p.n && c <= d < c + channels ==>
          bits(b.rows[off(i - p.i, b.pitch) + (d - c)]) == v_at(ATT, i, d); */
    /*@ assert ATT_001: columns: value_rows{Pre}(values, p) ==> \forall integer k, d;
          0 <= k < channels && c + k <= d <= c + k ==>
          are_values(b.rows, b.pitch, k, ATT, d, p.i, p.n); */
    /*@ assert ATT_001: weights: are_weights{Pre}(weights, LANE, ATT, p.i, p.n) ==>
          are_weights(weights, LANE, ATT, p.i, p.n); */
    /*@ assert kept: \forall integer e; bits(out[e]) == bits(\at(out[e], Pre)); */
    /*@ assert ATT_001: before: are_mixed{Pre}(out, LANE, values.dim, c, c + channels, p.i) ==>
          \forall integer k, d; 0 <= k < channels && c + k <= d <= c + k ==>
          bits(out[c + cell(LANE, values.dim, k)]) == mixed(ATT, d, p.i); */
    /*@ assert ATT_001: ready: value_rows{Pre}(values, p) &&
          are_mixed{Pre}(out, LANE, values.dim, c, c + channels, p.i) ==>
          \forall integer k; 0 <= k < channels ==>
          are_values(b.rows, b.pitch, k, ATT, c + k, p.i, p.n) &&
          bits(out[c + cell(LANE, values.dim, k)]) == mixed(ATT, c + k, p.i); */

    ndl_add_values(b.rows, b.pitch, p.n, b.left, channels, weights, width, out + c,
                   values.dim) /*@ ghost (p.i) */;
    /*@ assert ATT_001: after: 0 <= LANE < width && value_rows{Pre}(values, p) &&
          are_weights{Pre}(weights, LANE, ATT, p.i, p.n) &&
          are_mixed{Pre}(out, LANE, values.dim, c, c + channels, p.i) ==>
          \forall integer k; 0 <= k < channels ==>
          bits(out[c + cell(LANE, values.dim, k)]) == mixed(ATT, c + k, p.i + p.n); */
    /*@ assert ATT_001: below: 0 < LANE < width ==> \forall integer d; 0 <= d < c ==>
          bits(out[c + cell(LANE - 1, values.dim, d + values.dim - c)]) ==
          bits(\at(out[c + cell(LANE - 1, values.dim, d + values.dim - c)], Pre)); */
    /*@ assert places: \forall integer d; c + cell(LANE - 1, values.dim, d + values.dim - c) ==
          cell(LANE, values.dim, d); */
    /*@ assert ATT_001: above: 0 <= LANE < width - 1 ==> \forall integer d;
          c + channels <= d < values.dim ==>
          bits(out[c + cell(LANE, values.dim, d - c)]) ==
          bits(\at(out[c + cell(LANE, values.dim, d - c)], Pre)); */
}

/*@ // The case's lane of exponentials, one over their sum, and a part of its values.
    predicate weighs{L}(store values, part p, pack from, integer width) =
      0 <= LANE < width && value_rows(values, p) && value_scales(values, p) &&
      e_rows_are(from.scores, width, p.i, p.i + p.n) &&
      bits(from.inv[LANE]) == DIV(OF_INT(1), e_sum(ATT, positions(ATT)));
*/

/* The values of a part, times e, inv and their scale, are added to the outputs. */
/*@ requires store: is_store(values) && in_slots(p, values.slots) && 0 < p.n;
    requires some: 0 < width <= LANES;
    requires fits: off(p.i + p.n, width) + LANES <= SIZE_MAX &&
      off(width, values.dim) <= SIZE_MAX && p.i + p.n <= SIZE_MAX;
    requires from: \valid_read(from.scores + (off(p.i, width) ..
                                              off(p.i + p.n, width) + LANES - 1));
    requires from: \valid_read(from.inv + (0 .. LANES - 1));
    requires to: \valid(out + (0 .. off(width, values.dim) - 1));
    requires apart: is_apart(values, out, off(width, values.dim));
    terminates \true;
    exits \false;
    assigns out[0 .. off(width, values.dim) - 1];
    ensures ATT_001: sums: weighs{Pre}(values, p, from, width) &&
      are_mixed{Pre}(out, LANE, values.dim, 0, values.dim, p.i) ==>
      are_mixed(out, LANE, values.dim, 0, values.dim, p.i + p.n);
*/
static void mix(store values, part p, size_t width, pack from, float *out)
{
    float weights[CHUNK * LANES], scales[CHUNK];
    /*@ assert weights: 0 <= off(p.n, LANES) <= CHUNK * LANES; */
    /*@ assert scores: 0 <= off(p.i, width) && off(p.i, width) + off(p.n, width) ==
          off(p.i + p.n, width) && 0 <= off(p.n, width); */

    bring_scales(values, p, scales);
    /*@ assert ATT_001: scales: value_scales{Pre}(values, p) ==>
          \forall integer i; p.i <= i < p.i + p.n ==> bits(scales[i - p.i]) == vs_at(ATT, i); */
    ndl_put_weights(from.scores + ndl_at(p.i, width, 0), from.inv, scales, p.n, width, weights);
    /*@ assert places: \forall integer i;
          off(p.i, width) + cell(i - p.i, width, LANE) == cell(i, width, LANE); */
    /*@ assert kept: \forall integer e; bits(from.scores[e]) == bits(\at(from.scores[e], Pre)); */
    /*@ assert kept: \forall integer e; bits(from.inv[e]) == bits(\at(from.inv[e], Pre)); */
    /*@ assert kept: \forall integer e; bits(out[e]) == bits(\at(out[e], Pre)); */
    /*@ assert kept: \forall integer e; bits(values.rows[e]) == bits(\at(values.rows[e], Pre)); */
    /*@ assert ATT_001: scales: value_scales{Pre}(values, p) ==>
          \forall integer i; p.i <= i < p.i + p.n ==> bits(scales[i - p.i]) == vs_at(ATT, i); */
    /*@ assert ATT_001: e: e_rows_are{Pre}(from.scores, width, p.i, p.i + p.n) ==>
          \forall integer i; p.i <= i < p.i + p.n ==>
          bits(from.scores[off(p.i, width) + cell(i - p.i, width, LANE)]) == e_of(ATT, i); */
    /*@ assert ATT_001: weights: weighs{Pre}(values, p, from, width) ==>
          are_weights(&weights[0], LANE, ATT, p.i, p.n); */
    /*@ assert rows: \forall integer t; p.slot <= t < p.slot + p.n ==>
          0 <= off(t, off(values.heads, values.dim)) &&
          off(t, off(values.heads, values.dim)) + off(values.heads, values.dim) <=
          off(values.slots, off(values.heads, values.dim)); */
    /*@ assert next: \forall integer t, d;
          cell(cell(t, values.heads, values.head), values.dim, d) + 1 ==
          cell(cell(t, values.heads, values.head), values.dim, d + 1); */
    /*@ assert places: \forall integer t, d; p.slot <= t < p.slot + p.n && 0 <= d < values.dim ==>
          0 <= cell(cell(t, values.heads, values.head), values.dim, d) <
          off(values.slots, off(values.heads, values.dim)); */
    /*@ loop invariant some: 0 <= c <= values.dim + STRIP;
        loop invariant kept: \forall integer e; bits(weights[e]) ==
          bits(\at(weights[e], LoopEntry));
        loop invariant ATT_001: sums: weighs{Pre}(values, p, from, width) &&
          are_mixed{Pre}(out, LANE, values.dim, 0, values.dim, p.i) ==>
          are_mixed(out, LANE, values.dim, 0, \min(c, values.dim), p.i + p.n);
        loop invariant ATT_001: rest: are_mixed{Pre}(out, LANE, values.dim, 0, values.dim, p.i) &&
          0 <= LANE < width ==> are_mixed(out, LANE, values.dim, c, values.dim, p.i);
        loop assigns c, out[0 .. off(width, values.dim) - 1];
        loop variant values.dim - c; */
    for (size_t c = 0; c < values.dim; c += STRIP) {
        /*@ assert least: \min(c + STRIP, values.dim) == c + \min(STRIP, values.dim - c) <=
              values.dim; */
        /*@ assert kept: values.precision != NDL_INT8 ==>
              kept{Pre, Here}(values.rows, 0, off(values.slots, off(values.heads, values.dim))); */
        /*@ assert kept: \forall integer t, d;
              p.slot <= t < p.slot + p.n && 0 <= d < values.dim ==>
              at_slot(values, t, d) == at_slot{Pre}(values, t, d); */
        /*@ assert ATT_001: rows: value_rows{Pre}(values, p) ==> value_rows(values, p); */
        /*@ assert ATT_001: weights: weighs{Pre}(values, p, from, width) ==>
              \forall integer i; p.i <= i < p.i + p.n ==>
              bits(weights[cell(i - p.i, LANES, LANE)]) == weight(ATT, i); */
        /*@ assert ATT_001: ready: weighs{Pre}(values, p, from, width) ==>
              value_rows(values, p) && are_weights(&weights[0], LANE, ATT, p.i, p.n); */
        /*@ assert ATT_001: before: weighs{Pre}(values, p, from, width) &&
              are_mixed{Pre}(out, LANE, values.dim, 0, values.dim, p.i) ==>
              are_mixed(out, LANE, values.dim, c, c + \min(STRIP, values.dim - c), p.i); */
        add_values(values, p, c, weights, width, out);
        /*@ assert ATT_001: strip: weighs{Pre}(values, p, from, width) &&
              are_mixed{Pre}(out, LANE, values.dim, 0, values.dim, p.i) ==>
              are_mixed(out, LANE, values.dim, c, c + \min(STRIP, values.dim - c), p.i + p.n); */
        /*@ assert ATT_001: done: weighs{Pre}(values, p, from, width) &&
              are_mixed{Pre}(out, LANE, values.dim, 0, values.dim, p.i) ==>
              are_mixed(out, LANE, values.dim, 0, c, p.i + p.n); */
    }
}

/* The queries of a pack of each kv head, and the largest of no scores. */
/*@ requires heads: heads_ok(heads) && first + width <= heads.query / heads.kv;
    requires packs: packs_ok(scratch, heads, positions, width);
    requires fits: off(heads.query, heads.qk_dim) <= SIZE_MAX / 8;
    requires from: \valid_read(q + (0 .. off(heads.query, heads.qk_dim) - 1));
    requires apart: \separated(q + (0 .. off(heads.query, heads.qk_dim) - 1), scratch +
      (0 .. off(heads.kv, pack_floats(positions, heads.qk_dim, width)) - 1));
    terminates \true;
    exits \false;
    assigns scratch[0 .. off(heads.kv, pack_floats(positions, heads.qk_dim, width)) - 1];
    ensures ATT_001: packed: 0 <= OWN < heads.kv && 0 <= LANE < width &&
      asked{Pre}(q, off(OWN, heads.query / heads.kv) + first + LANE, heads.qk_dim) ==>
      scored(scratch, positions, heads.qk_dim, width, 0);
*/
static void pack_heads(ndl_heads heads, const float *q, size_t first, size_t width,
                       size_t positions, float *scratch)
{
    const size_t group = heads.query / heads.kv;
    /*@ assert one: 0 <= off(positions, width) && 0 <= off(heads.qk_dim, width) &&
          pack_floats(positions, heads.qk_dim, width) <=
          off(heads.kv, pack_floats(positions, heads.qk_dim, width)); */
    /*@ loop invariant some: 0 <= head <= heads.kv;
        loop invariant ATT_001: packed: 0 <= OWN < head && 0 <= LANE < width &&
          asked{Pre}(q, off(OWN, group) + first + LANE, heads.qk_dim) ==>
          scored(scratch, positions, heads.qk_dim, width, 0);
        loop assigns head,
          scratch[0 .. off(heads.kv, pack_floats(positions, heads.qk_dim, width)) - 1];
        loop variant heads.kv - head; */
    for (size_t head = 0; head < heads.kv; head++) {
        /*@ assert place: 0 <= off(head, pack_floats(positions, heads.qk_dim, width)) &&
              off(head, pack_floats(positions, heads.qk_dim, width)) +
              pack_floats(positions, heads.qk_dim, width) <=
              off(heads.kv, pack_floats(positions, heads.qk_dim, width)); */
        /*@ assert q: 0 <= off(head, group) && off(head, group) + group <= heads.query; */
        /*@ assert q: 0 <= off(off(head, group) + first, heads.qk_dim) &&
              off(off(head, group) + first, heads.qk_dim) + off(width, heads.qk_dim) ==
              off(off(head, group) + first + width, heads.qk_dim) &&
              0 <= off(width, heads.qk_dim); */
        /*@ assert q: off(off(head, group) + first + width, heads.qk_dim) <=
              off(heads.query, heads.qk_dim); */
        const pack to = pack_of(scratch, positions, heads.qk_dim, width, head);

        /*@ assert kept: kept{Pre, Here}(q, 0, off(heads.query, heads.qk_dim)); */
        /*@ assert ATT_001: places: 0 <= LANE < width ==> \forall integer c;
              0 <= c < heads.qk_dim ==>
              off(off(head, group) + first, heads.qk_dim) + cell(LANE, heads.qk_dim, c) ==
              cell(off(head, group) + first + LANE, heads.qk_dim, c); */
        ndl_pack_queries(q + ndl_at(ndl_at(head, group, first), heads.qk_dim, 0), width,
                         heads.qk_dim, to.queries);
        /*@ assert ATT_001: query: OWN == head && 0 <= LANE < width &&
              asked{Pre}(q, off(OWN, group) + first + LANE, heads.qk_dim) ==>
              \forall integer c; 0 <= c < heads.qk_dim ==>
              bits(to.queries[cell(c, width, LANE)]) == q_at(ATT, c); */
        ndl_fill_f32(to.max, 0, LANES, ndl_div(ndl_of_int(-1), ndl_of_int(0)));
        /*@ assert ATT_001: query: OWN == head && 0 <= LANE < width &&
              asked{Pre}(q, off(OWN, group) + first + LANE, heads.qk_dim) ==>
              \forall integer c; 0 <= c < heads.qk_dim ==>
              bits(to.queries[cell(c, width, LANE)]) == q_at(ATT, c); */
        /*@ assert places: OWN == head ==>
              to.queries == scratch + own_queries(positions, heads.qk_dim, width) &&
              to.max == scratch + own_max(positions, heads.qk_dim, width); */
        /*@ assert ATT_001: max: 0 <= LANE < width ==> bits(to.max[LANE]) == most(ATT, 0); */
        /*@ assert ATT_001: own: OWN == head && 0 <= LANE < width &&
              asked{Pre}(q, off(OWN, group) + first + LANE, heads.qk_dim) ==>
              scored(scratch, positions, heads.qk_dim, width, 0); */
        /*@ assert kept: 0 <= OWN < head ==>
              pack_kept{LoopCurrent, Here}(scratch, positions, heads.qk_dim, width); */
        /*@ assert ATT_001: before: 0 <= OWN < head && 0 <= LANE < width &&
              asked{Pre}(q, off(OWN, group) + first + LANE, heads.qk_dim) ==>
              scored(scratch, positions, heads.qk_dim, width, 0); */
    }
}

/*@ // That a part of what a layer holds for kv head OWN are the case's keys.
    predicate own_keys{L}(ndl_kv *kv, integer n, integer dim, part p) =
      (\forall integer i, c; p.i <= i < p.i + p.n && 0 <= c < dim ==>
        element{L}(kv->precision, kv->k, kv->k_codes, n, OWN, dim, p.slot + i - p.i, c) ==
          k_at(ATT, i, c)) &&
      (\forall integer i; p.i <= i < p.i + p.n ==>
        row_scale{L}(kv->precision, kv->k_scales, n, OWN, p.slot + i - p.i) == ks_at(ATT, i));
*/

/* The scores of a part, of a pack of each kv head. */
/*@ requires heads: heads_ok(heads) && \valid_read(kv) && kv_ok(kv, heads.kv, heads.qk_dim,
      heads.v_dim);
    requires part: is_part(p, lo, positions, kv->slots) && 0 < p.n;
    requires packs: packs_ok(scratch, heads, positions, width);
    requires apart: kv_apart(kv, heads.kv, heads.qk_dim, heads.v_dim, scratch,
                             off(heads.kv, pack_floats(positions, heads.qk_dim, width)));
    terminates \true;
    exits \false;
    assigns scratch[0 .. off(heads.kv, pack_floats(positions, heads.qk_dim, width)) - 1];
    ensures ATT_001: scored: 0 <= OWN < heads.kv && 0 <= LANE < width &&
      own_keys{Pre}(kv, heads.kv, heads.qk_dim, p) && is_root(root, heads.qk_dim) &&
      scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
      scored(scratch, positions, heads.qk_dim, width, p.i + p.n);
*/
static void score_heads(ndl_heads heads, const ndl_kv *kv, part p, float root, size_t width,
                        size_t positions, float *scratch) /*@ ghost (size_t lo) */
{
    /*@ assert one: 0 <= off(positions, width) && 0 <= off(heads.qk_dim, width) &&
          pack_floats(positions, heads.qk_dim, width) <=
          off(heads.kv, pack_floats(positions, heads.qk_dim, width)); */
    /*@ assert scores: 0 <= off(p.i, width) <= off(p.i + p.n, width) <= off(positions, width); */
    /*@ assert ATT_001: places: \forall integer i; p.i <= i < p.i + p.n ==>
          0 <= p.slot + i - p.i < kv->slots; */
    /*@ loop invariant some: 0 <= head <= heads.kv;
        loop invariant ATT_001: before: head <= OWN < heads.kv && 0 <= LANE < width &&
          scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
          scored(scratch, positions, heads.qk_dim, width, p.i);
        loop invariant ATT_001: scored: 0 <= OWN < head && 0 <= LANE < width &&
          own_keys{Pre}(kv, heads.kv, heads.qk_dim, p) && is_root(root, heads.qk_dim) &&
          scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
          scored(scratch, positions, heads.qk_dim, width, p.i + p.n);
        loop assigns head,
          scratch[0 .. off(heads.kv, pack_floats(positions, heads.qk_dim, width)) - 1];
        loop variant heads.kv - head; */
    for (size_t head = 0; head < heads.kv; head++) {
        const store keys = {kv->precision, kv->k,    kv->k_codes, kv->k_scales,
                            kv->slots,     heads.kv, head,        heads.qk_dim};
        /*@ assert place: 0 <= off(head, pack_floats(positions, heads.qk_dim, width)) &&
              off(head, pack_floats(positions, heads.qk_dim, width)) +
              pack_floats(positions, heads.qk_dim, width) <=
              off(heads.kv, pack_floats(positions, heads.qk_dim, width)); */
        const pack to = pack_of(scratch, positions, heads.qk_dim, width, head);

        /*@ assert places: OWN == head ==>
              to.scores == scratch + own_pack(positions, heads.qk_dim, width) &&
              to.queries == scratch + own_queries(positions, heads.qk_dim, width) &&
              to.max == scratch + own_max(positions, heads.qk_dim, width); */
        /*@ assert kept: kv->precision != NDL_INT8 ==>
              kept{Pre, Here}(kv->k, 0, off(kv->slots, off(heads.kv, heads.qk_dim))); */
        /*@ assert kept: kv->precision == NDL_INT8 ==>
              kept{Pre, Here}(kv->k_scales, 0, off(kv->slots, heads.kv)); */
        /*@ assert rows: \forall integer t; 0 <= t < kv->slots ==>
              0 <= off(t, off(heads.kv, heads.qk_dim)) &&
              off(t, off(heads.kv, heads.qk_dim)) + off(heads.kv, heads.qk_dim) <=
              off(kv->slots, off(heads.kv, heads.qk_dim)); */
        /*@ assert next: \forall integer t, d;
              cell(cell(t, heads.kv, head), heads.qk_dim, d) + 1 ==
              cell(cell(t, heads.kv, head), heads.qk_dim, d + 1); */
        /*@ assert places: \forall integer t, d; 0 <= t < kv->slots && 0 <= d < heads.qk_dim ==>
              0 <= cell(cell(t, heads.kv, head), heads.qk_dim, d) <
              off(kv->slots, off(heads.kv, heads.qk_dim)); */
        /*@ assert places: \forall integer t; 0 <= t < kv->slots ==>
              0 <= cell(t, heads.kv, head) < off(kv->slots, heads.kv); */
        /*@ assert ATT_001: keys: OWN == head && own_keys{Pre}(kv, heads.kv, heads.qk_dim, p) ==>
              key_rows(keys, p); */
        /*@ assert ATT_001: scales: OWN == head &&
              own_keys{Pre}(kv, heads.kv, heads.qk_dim, p) ==> key_scales(keys, p); */
        /*@ assert ATT_001: earlier: OWN == head && 0 <= LANE < width &&
              scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
              rows_are(to.scores, width, LANE, ATT, 0, p.i); */
        /*@ assert ATT_001: query: OWN == head && 0 <= LANE < width &&
              scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
              is_query(to.queries, width, LANE, ATT, 0, heads.qk_dim) &&
              bits(to.max[LANE]) == most(ATT, p.i); */
        /*@ assert places: 0 <= LANE < width ==> \forall integer i; 0 <= i < p.i ==>
              0 <= cell(i, width, LANE) < off(p.i, width); */
        /*@ assert places: 0 <= LANE < width ==> \forall integer i; 0 <= i < heads.qk_dim ==>
              0 <= cell(i, width, LANE) < off(heads.qk_dim, width); */
        score(keys, p, root, width, to);
        /*@ assert kept: kept{LoopCurrent, Here}(to.scores, 0, off(p.i, width)); */
        /*@ assert ATT_001: earlier: OWN == head && 0 <= LANE < width &&
              scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
              rows_are(to.scores, width, LANE, ATT, 0, p.i); */
        /*@ assert kept: kept{LoopCurrent, Here}(to.queries, 0, off(heads.qk_dim, width) + 8); */
        /*@ assert ATT_001: query: OWN == head && 0 <= LANE < width &&
              scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
              is_query(to.queries, width, LANE, ATT, 0, heads.qk_dim); */
        /*@ assert ATT_001: scores: OWN == head && 0 <= LANE < width &&
              own_keys{Pre}(kv, heads.kv, heads.qk_dim, p) && is_root(root, heads.qk_dim) &&
              scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
              rows_are(to.scores, width, LANE, ATT, p.i, p.i + p.n) &&
              bits(to.max[LANE]) == most(ATT, p.i + p.n); */
        /*@ assert ATT_001: scores: OWN == head && 0 <= LANE < width &&
              own_keys{Pre}(kv, heads.kv, heads.qk_dim, p) && is_root(root, heads.qk_dim) &&
              scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
              rows_are(to.scores, width, LANE, ATT, 0, p.i + p.n); */
        /*@ assert ATT_001: own: OWN == head && 0 <= LANE < width &&
              own_keys{Pre}(kv, heads.kv, heads.qk_dim, p) && is_root(root, heads.qk_dim) &&
              scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
              scored_at(to.scores, to.queries, to.max, heads.qk_dim, width, p.i + p.n); */
        /*@ assert ATT_001: own: OWN == head && 0 <= LANE < width &&
              own_keys{Pre}(kv, heads.kv, heads.qk_dim, p) && is_root(root, heads.qk_dim) &&
              scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
              scored(scratch, positions, heads.qk_dim, width, p.i + p.n); */
        /*@ assert order: (0 <= OWN < head ==>
              own_pack(positions, heads.qk_dim, width) +
              pack_floats(positions, heads.qk_dim, width) <=
              off(head, pack_floats(positions, heads.qk_dim, width))) &&
              (head < OWN ==> off(head, pack_floats(positions, heads.qk_dim, width)) +
              pack_floats(positions, heads.qk_dim, width) <=
              own_pack(positions, heads.qk_dim, width)); */
        /*@ assert kept: 0 <= OWN < heads.kv && OWN != head ==>
              pack_kept{LoopCurrent, Here}(scratch, positions, heads.qk_dim, width); */
        /*@ assert ATT_001: later: head < OWN < heads.kv && 0 <= LANE < width &&
              scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
              scored(scratch, positions, heads.qk_dim, width, p.i); */
        /*@ assert places: 0 <= LANE < width ==> \forall integer i; 0 <= i < p.i + p.n ==>
              0 <= cell(i, width, LANE) < off(p.i + p.n, width); */
        /*@ assert ATT_001: done: 0 <= OWN < head && 0 <= LANE < width &&
              own_keys{Pre}(kv, heads.kv, heads.qk_dim, p) && is_root(root, heads.qk_dim) &&
              scored{Pre}(scratch, positions, heads.qk_dim, width, p.i) ==>
              scored(scratch, positions, heads.qk_dim, width, p.i + p.n); */
    }
}

/* The values of a part are added to the outputs of a pack of each kv head. */
/*@ requires heads: heads_ok(heads) && \valid_read(kv) && kv_ok(kv, heads.kv, heads.qk_dim,
      heads.v_dim) &&
      first + width <= heads.query / heads.kv;
    requires part: is_part(p, lo, positions, kv->slots) && 0 < p.n;
    requires packs: packs_ok(scratch, heads, positions, width);
    requires fits: off(heads.query, heads.v_dim) <= SIZE_MAX / 8;
    requires to: \valid(out + (0 .. off(heads.query, heads.v_dim) - 1));
    requires apart: kv_apart(kv, heads.kv, heads.qk_dim, heads.v_dim, out, off(heads.query,
      heads.v_dim));
    terminates \true;
    exits \false;
    assigns out[0 .. off(heads.query, heads.v_dim) - 1];
*/
static void mix_heads(ndl_heads heads, const ndl_kv *kv, part p, size_t first, size_t width,
                      size_t positions, float *scratch, float *out) /*@ ghost (size_t lo) */
{
    const size_t group = heads.query / heads.kv;
    /*@ assert one: 0 <= off(positions, width) && 0 <= off(heads.qk_dim, width) &&
          pack_floats(positions, heads.qk_dim, width) <=
          off(heads.kv, pack_floats(positions, heads.qk_dim, width)); */
    /*@ assert scores: 0 <= off(p.i, width) <= off(p.i + p.n, width) <= off(positions, width); */
    /*@ loop invariant some: 0 <= head <= heads.kv;
        loop assigns head, out[0 .. off(heads.query, heads.v_dim) - 1];
        loop variant heads.kv - head; */
    for (size_t head = 0; head < heads.kv; head++) {
        /*@ assert place: 0 <= off(head, pack_floats(positions, heads.qk_dim, width)) &&
              off(head, pack_floats(positions, heads.qk_dim, width)) +
              pack_floats(positions, heads.qk_dim, width) <=
              off(heads.kv, pack_floats(positions, heads.qk_dim, width)); */
        /*@ assert out: 0 <= off(head, group) && off(head, group) + group <= heads.query; */
        /*@ assert out: 0 <= off(off(head, group) + first, heads.v_dim) &&
              off(off(head, group) + first, heads.v_dim) + off(width, heads.v_dim) ==
              off(off(head, group) + first + width, heads.v_dim) &&
              0 <= off(width, heads.v_dim); */
        /*@ assert out: off(off(head, group) + first + width, heads.v_dim) <=
              off(heads.query, heads.v_dim); */
        const store values = {kv->precision, kv->v,    kv->v_codes, kv->v_scales,
                              kv->slots,     heads.kv, head,        heads.v_dim};

        mix(values, p, width, pack_of(scratch, positions, heads.qk_dim, width, head),
            out + ndl_at(ndl_at(head, group, first), heads.v_dim, 0));
    }
}

/* The scores of a pack of each kv head, as e; inv is one over their sum. */
/*@ requires heads: heads_ok(heads) && \valid_read(kv) && kv_ok(kv, heads.kv, heads.qk_dim,
      heads.v_dim) &&
      first + width <= heads.query / heads.kv;
    requires span: span.lo <= span.hi && span_width(span) <= kv->slots;
    requires packs: packs_ok(scratch, heads, span_width(span), width);
    requires fits: off(heads.query, heads.qk_dim) <= SIZE_MAX / 8;
    requires from: \valid_read(q + (0 .. off(heads.query, heads.qk_dim) - 1));
    requires apart: \separated(q + (0 .. off(heads.query, heads.qk_dim) - 1), scratch +
      (0 .. off(heads.kv, pack_floats(span_width(span), heads.qk_dim, width)) - 1));
    requires apart: kv_apart(kv, heads.kv, heads.qk_dim, heads.v_dim, scratch,
      off(heads.kv, pack_floats(span_width(span), heads.qk_dim, width)));
    terminates \true;
    exits \false;
    assigns scratch[0 .. off(heads.kv, pack_floats(span_width(span), heads.qk_dim, width)) - 1];
    ensures ATT_001: weighed: 0 <= OWN < heads.kv && 0 <= LANE < width &&
      asked{Pre}(q, off(OWN, heads.query / heads.kv) + first + LANE, heads.qk_dim) &&
      span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, span_width(span)) &&
      channels(ATT) == heads.qk_dim && positions(ATT) == span_width(span) ==>
      weighed(scratch, span_width(span), heads.qk_dim, width);
*/
static void weigh(ndl_heads heads, const ndl_kv *kv, ndl_span span, const float *q, size_t first,
                  size_t width, float *scratch)
{
    const size_t positions = span.hi - span.lo + 1;
    /*@ assert dims: heads.kv <= off(heads.kv, heads.qk_dim) &&
          heads.qk_dim <= off(heads.kv, heads.qk_dim) &&
          off(heads.kv, heads.qk_dim) <= off(kv->slots, off(heads.kv, heads.qk_dim)) &&
          kv->slots <= off(kv->slots, off(heads.kv, heads.qk_dim)); */
    const float root = ndl_div(ndl_of_int(1), ndl_root_of(heads.qk_dim));

    pack_heads(heads, q, first, width, positions, scratch);
    /*@ assert ATT_001: root: channels(ATT) == heads.qk_dim ==> is_root(root, heads.qk_dim); */
    /*@ loop invariant part: is_part(p, span.lo, positions, kv->slots);
        loop invariant ATT_001: scored: 0 <= OWN < heads.kv && 0 <= LANE < width &&
          asked{Pre}(q, off(OWN, heads.query / heads.kv) + first + LANE, heads.qk_dim) &&
          span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, span_width(span)) &&
          channels(ATT) == heads.qk_dim && positions(ATT) == span_width(span) ==>
          scored(scratch, positions, heads.qk_dim, width, p.i);
        loop assigns p,
          scratch[0 .. off(heads.kv, pack_floats(positions, heads.qk_dim, width)) - 1];
        loop variant positions - p.i; */
    for (part p = part_at(0, span.lo % kv->slots, positions, kv->slots); p.n > 0;
         p = next_part(p, positions, kv->slots) /*@ ghost (span.lo) */) {
        /*@ assert ATT_001: slots: \forall integer i; p.i <= i < p.i + p.n ==>
              md(span.lo + i, kv->slots) == p.slot + i - p.i; */
        /*@ assert kept: kv->precision != NDL_INT8 ==>
              kept{Pre, Here}(kv->k, 0, off(kv->slots, off(heads.kv, heads.qk_dim))); */
        /*@ assert kept: kv->precision == NDL_INT8 ==>
              kept{Pre, Here}(kv->k_scales, 0, off(kv->slots, heads.kv)); */
        /*@ assert rows: \forall integer t; 0 <= t < kv->slots ==>
              0 <= off(t, off(heads.kv, heads.qk_dim)) &&
              off(t, off(heads.kv, heads.qk_dim)) + off(heads.kv, heads.qk_dim) <=
              off(kv->slots, off(heads.kv, heads.qk_dim)); */
        /*@ assert next: \forall integer t, d;
              cell(cell(t, heads.kv, OWN), heads.qk_dim, d) + 1 ==
              cell(cell(t, heads.kv, OWN), heads.qk_dim, d + 1); */
        /*@ assert places: 0 <= OWN < heads.kv ==>
              \forall integer t, d; 0 <= t < kv->slots && 0 <= d < heads.qk_dim ==>
              0 <= cell(cell(t, heads.kv, OWN), heads.qk_dim, d) <
              off(kv->slots, off(heads.kv, heads.qk_dim)); */
        /*@ assert places: 0 <= OWN < heads.kv ==> \forall integer t; 0 <= t < kv->slots ==>
              0 <= cell(t, heads.kv, OWN) < off(kv->slots, heads.kv); */
        /*@ assert ATT_001: keys: span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, positions) ==>
              \forall integer i, c; 0 <= i < positions && 0 <= c < heads.qk_dim ==>
              element{Pre}(kv->precision, kv->k, kv->k_codes, heads.kv, OWN, heads.qk_dim,
                           md(span.lo + i, kv->slots), c) == k_at(ATT, i, c); */
        /*@ assert ATT_001: scales:
              span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, positions) ==>
              \forall integer i; 0 <= i < positions ==>
              row_scale{Pre}(kv->precision, kv->k_scales, heads.kv, OWN,
                             md(span.lo + i, kv->slots)) == ks_at(ATT, i); */
        /*@ assert ATT_001: keys: span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, positions) ==>
              \forall integer i, c; p.i <= i < p.i + p.n && 0 <= c < heads.qk_dim ==>
              element{Pre}(kv->precision, kv->k, kv->k_codes, heads.kv, OWN, heads.qk_dim,
                           p.slot + i - p.i, c) == k_at(ATT, i, c); */
        /*@ assert ATT_001: scales:
              span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, positions) ==>
              \forall integer i; p.i <= i < p.i + p.n ==>
              row_scale{Pre}(kv->precision, kv->k_scales, heads.kv, OWN, p.slot + i - p.i) ==
              ks_at(ATT, i); */
        /*@ assert kept: 0 <= OWN < heads.kv ==> \forall integer t, c;
              0 <= t < kv->slots && 0 <= c < heads.qk_dim ==>
              element(kv->precision, kv->k, kv->k_codes, heads.kv, OWN, heads.qk_dim, t, c) ==
              element{Pre}(kv->precision, kv->k, kv->k_codes, heads.kv, OWN, heads.qk_dim, t, c); */
        /*@ assert places: \forall integer i; p.i <= i < p.i + p.n ==>
              0 <= p.slot + i - p.i < kv->slots; */
        /*@ assert ATT_001: keys: span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, positions) ==>
              own_keys{Pre}(kv, heads.kv, heads.qk_dim, p); */
        /*@ assert ATT_001: keys: 0 <= OWN < heads.kv &&
              span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, positions) ==>
              own_keys(kv, heads.kv, heads.qk_dim, p); */
        score_heads(heads, kv, p, root, width, positions, scratch) /*@ ghost (span.lo) */;
    }
    /*@ assert one: 0 <= off(positions, width) && 0 <= off(heads.qk_dim, width) &&
          pack_floats(positions, heads.qk_dim, width) <=
          off(heads.kv, pack_floats(positions, heads.qk_dim, width)); */
    /*@ loop invariant some: 0 <= head <= heads.kv;
        loop invariant ATT_001: scored: head <= OWN && 0 <= OWN < heads.kv && 0 <= LANE < width &&
          asked{Pre}(q, off(OWN, heads.query / heads.kv) + first + LANE, heads.qk_dim) &&
          span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, span_width(span)) &&
          channels(ATT) == heads.qk_dim && positions(ATT) == span_width(span) ==>
          scored(scratch, positions, heads.qk_dim, width, positions);
        loop invariant ATT_001: weighed: OWN < head && 0 <= OWN < heads.kv && 0 <= LANE < width &&
          asked{Pre}(q, off(OWN, heads.query / heads.kv) + first + LANE, heads.qk_dim) &&
          span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, span_width(span)) &&
          channels(ATT) == heads.qk_dim && positions(ATT) == span_width(span) ==>
          weighed(scratch, positions, heads.qk_dim, width);
        loop assigns head,
          scratch[0 .. off(heads.kv, pack_floats(positions, heads.qk_dim, width)) - 1];
        loop variant heads.kv - head; */
    for (size_t head = 0; head < heads.kv; head++) {
        /*@ assert place: 0 <= off(head, pack_floats(positions, heads.qk_dim, width)) &&
              off(head, pack_floats(positions, heads.qk_dim, width)) +
              pack_floats(positions, heads.qk_dim, width) <=
              off(heads.kv, pack_floats(positions, heads.qk_dim, width)); */
        const pack to = pack_of(scratch, positions, heads.qk_dim, width, head);

        /*@ assert places: OWN == head ==>
              to.scores == scratch + own_pack(positions, heads.qk_dim, width) &&
              to.queries == scratch + own_queries(positions, heads.qk_dim, width) &&
              to.max == scratch + own_max(positions, heads.qk_dim, width) &&
              to.inv == scratch + own_inv(positions, heads.qk_dim, width); */
        /*@ assert ATT_001: scores: OWN == head && 0 <= OWN < heads.kv && 0 <= LANE < width &&
              asked{Pre}(q, off(OWN, heads.query / heads.kv) + first + LANE, heads.qk_dim) &&
              span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, span_width(span)) &&
              channels(ATT) == heads.qk_dim && positions(ATT) == span_width(span) ==>
              scored_at(to.scores, to.queries, to.max, heads.qk_dim, width, positions); */
        /*@ assert ATT_001: scores: OWN == head && 0 <= OWN < heads.kv && 0 <= LANE < width &&
              asked{Pre}(q, off(OWN, heads.query / heads.kv) + first + LANE, heads.qk_dim) &&
              span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, span_width(span)) &&
              channels(ATT) == heads.qk_dim && positions(ATT) == span_width(span) ==>
              are_lane(to.scores, width, LANE, ATT, 0, positions) &&
              bits(to.max[LANE]) == most(ATT, positions); */
        /*@ assert order: (0 <= OWN < head ==>
              own_pack(positions, heads.qk_dim, width) +
              pack_floats(positions, heads.qk_dim, width) <=
              off(head, pack_floats(positions, heads.qk_dim, width))) &&
              (head < OWN ==> off(head, pack_floats(positions, heads.qk_dim, width)) +
              pack_floats(positions, heads.qk_dim, width) <=
              own_pack(positions, heads.qk_dim, width)); */
        ndl_softmax(to.scores, positions, width, to.max, to.inv);
        /*@ assert ATT_001: own: OWN == head && 0 <= OWN < heads.kv && 0 <= LANE < width &&
              asked{Pre}(q, off(OWN, heads.query / heads.kv) + first + LANE, heads.qk_dim) &&
              span_keys{Pre}(kv, heads.kv, heads.qk_dim, span.lo, span_width(span)) &&
              channels(ATT) == heads.qk_dim && positions(ATT) == span_width(span) ==>
              weighed_at(to.scores, to.inv, width, positions); */
        /*@ assert kept: 0 <= OWN < heads.kv && OWN != head ==>
              pack_kept{LoopCurrent, Here}(scratch, positions, heads.qk_dim, width); */
    }
}

void ndl_attend_row(ndl_heads heads, const ndl_kv *kv, ndl_span span, const float *q,
                    float *scratch, float *out)
{
    const size_t positions = span.hi - span.lo + 1, group = heads.query / heads.kv;

    /*@ assert group: group <= off(heads.kv, group) &&
          heads.query <= off(heads.query, heads.v_dim); */
    ndl_fill_f32(out, 0, ndl_at(heads.query, heads.v_dim, 0), ndl_of_int(0));
    /*@ loop invariant some: 0 <= first <= group + LANES;
        loop assigns first, scratch[0 .. scratch_floats(heads.query, heads.kv, heads.qk_dim,
          span_width(span)) - 1],
          out[0 .. off(heads.query, heads.v_dim) - 1];
        loop variant group - first; */
    for (size_t first = 0; first < group; first += LANES) {
        const size_t width = smaller(group - first, LANES);
        /*@ assert width: 0 < width <= \min(group, 8); */
        /*@ assert packs: pack_floats(positions, heads.qk_dim, width) <=
              pack_floats(positions, heads.qk_dim, \min(group, 8)); */
        /*@ assert packs: off(heads.kv, pack_floats(positions, heads.qk_dim, width)) <=
              off(heads.kv, pack_floats(positions, heads.qk_dim, \min(group, 8))); */

        weigh(heads, kv, span, q, first, width, scratch);
        /*@ loop invariant part: is_part(p, span.lo, positions, kv->slots);
            loop assigns p, out[0 .. off(heads.query, heads.v_dim) - 1];
            loop variant positions - p.i; */
        for (part p = part_at(0, span.lo % kv->slots, positions, kv->slots); p.n > 0;
             p = next_part(p, positions, kv->slots) /*@ ghost (span.lo) */)
            mix_heads(heads, kv, p, first, width, positions, scratch, out) /*@ ghost (span.lo) */;
    }
}

/*@ requires g: \valid_read(g);
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures status: \result == heads_status(g);
*/
static ndl_status check_heads(const ndl_geometry *g)
{
    if (g->num_heads == 0)
        return NDL_E_NUM_HEADS;
    if (g->num_kv_heads == 0)
        return NDL_E_NUM_KV_HEADS;
    if (g->qk_head_dim == 0)
        return NDL_E_QK_HEAD_DIM;
    if (g->v_head_dim == 0)
        return NDL_E_V_HEAD_DIM;
    return g->num_heads % g->num_kv_heads == 0 ? NDL_OK : NDL_E_HEAD_GROUPS;
}

ndl_status ndl_attend_sequence(const ndl_geometry *g, size_t window, const ndl_kv *kv,
                               const float *q, size_t q_len, float *scratch, size_t scratch_len,
                               float *out, size_t out_len)
{
    const ndl_status status = check_heads(g);

    if (status != NDL_OK)
        return status;
    const ndl_heads heads = ndl_heads_of(g);
    const size_t seq = kv->slots;
    const size_t q_dim = ndl_sat_mul(heads.query, heads.qk_dim);
    const size_t out_dim = ndl_sat_mul(heads.query, heads.v_dim);
    if (!ndl_fits(seq, q_dim) || !ndl_fits(seq, out_dim))
        return NDL_E_SIZE;
    if (kv->precision != NDL_F32 && kv->precision != NDL_INT8)
        return NDL_E_PRECISION;
    if (q_len != ndl_at(seq, q_dim, 0) || out_len != ndl_at(seq, out_dim, 0) ||
        scratch_len < ndl_attend_scratch(g, seq))
        return NDL_E_LENGTH;
    /*@ assert least: 0 < seq ==> q_dim <= off(seq, q_dim) && out_dim <= off(seq, out_dim); */
    /*@ assert dims: 0 < seq ==> q_dim == off(heads.query, heads.qk_dim) &&
          out_dim == off(heads.query, heads.v_dim); */
    /*@ assert scratch: scratch_floats(heads.query, heads.kv, heads.qk_dim, seq) <= scratch_len; */
    /*@ assert group: heads.query == off(heads.kv, heads.query / heads.kv); */
    /*@ assert group: 0 < heads.query / heads.kv; */
    /*@ loop invariant some: 0 <= t <= seq;
        loop assigns t, scratch[0 .. scratch_len - 1], out[0 .. out_len - 1];
        loop variant seq - t; */
    for (size_t t = 0; t < seq; t++) {
        const ndl_span span = ndl_span_of(window, seq, t);
        /*@ assert width: off(span_width(span), \min(heads.query / heads.kv, 8)) <=
              off(seq, \min(heads.query / heads.kv, 8)); */
        /*@ assert pack: pack_floats(span_width(span), heads.qk_dim,
                                     \min(heads.query / heads.kv, 8)) <=
              pack_floats(seq, heads.qk_dim, \min(heads.query / heads.kv, 8)); */
        /*@ assert scratch: off(heads.kv, pack_floats(span_width(span), heads.qk_dim,
                                                      \min(heads.query / heads.kv, 8))) <=
              off(heads.kv, pack_floats(seq, heads.qk_dim, \min(heads.query / heads.kv, 8))); */
        /*@ assert scratch:
              scratch_floats(heads.query, heads.kv, heads.qk_dim, span_width(span)) <=
              scratch_floats(heads.query, heads.kv, heads.qk_dim, seq); */
        /*@ assert q: 0 <= off(t, q_dim) && off(t, q_dim) + q_dim <= off(seq, q_dim); */
        /*@ assert out: 0 <= off(t, out_dim) && off(t, out_dim) + out_dim <= off(seq, out_dim); */

        ndl_attend_row(heads, kv, span, q + ndl_at(t, q_dim, 0), scratch,
                       out + ndl_at(t, out_dim, 0));
    }
    return NDL_OK;
}
