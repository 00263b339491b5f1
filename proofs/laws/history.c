#include "history.h"

void law_write(float *buf, size_t slots, size_t dim, size_t n, const float *row)
/*@ ghost (size_t key) */
{
    //@ assert slot: 0 <= md(n, slots) < slots;
    //@ assert start: 0 <= off(md(n, slots), dim);
    //@ assert end: off(md(n, slots), dim) + dim <= off(slots, dim);
    ndl_ring_write_f32(buf, slots, dim, n, row);
    /*@ assert new: \forall integer c; 0 <= c < dim ==>
          bits(buf[off(md(n, slots), dim) + c]) == row_at(key, n, c); */
    /*@ assert others: \forall integer p; 0 <= p < n && n + 1 - slots <= p ==>
          md(p, slots) != md(n, slots); */
    /*@ assert kept: \forall integer t, c;
          0 <= t < slots && t != md(n, slots) && 0 <= c < dim ==>
          bits(buf[off(t, dim) + c]) == bits(\at(buf[off(t, dim) + c], Pre)); */
}

void law_grow(float *more, const float *buf, size_t slots, size_t want, size_t dim, float value)
/*@ ghost (size_t key, size_t n) */
{
    //@ assert bound: 0 <= off(slots, dim) <= off(want, dim);
    ndl_ring_grow_f32(more, buf, slots, want, dim, value);
    /*@ assert same: \forall integer p; 0 <= p < n ==>
          md(p, slots) == p && md(p, want) == p; */
    /*@ assert within: \forall integer p; 0 <= p < n ==>
          0 <= off(p, dim) && off(p, dim) + dim <= off(slots, dim); */
}

size_t law_step(float *more, float *buf, size_t slots, size_t cap, size_t dim, size_t n,
                const float *row, float value) /*@ ghost (size_t key) */
{
    const size_t want = ndl_ring_want(slots, cap, n);

    //@ assert bound: off(slots, dim) <= off(want, dim) <= off(cap, dim);
    if (want == slots) {
        law_write(buf, slots, dim, n, row) /*@ ghost (key) */;
        return want;
    }
    law_grow(more, buf, slots, want, dim, value) /*@ ghost (key, n) */;
    //@ assert row: is_row(row, dim, key, n);
    law_write(more, want, dim, n, row) /*@ ghost (key) */;
    return want;
}
