#include "zeros.h"

void law_step_is_sequence(size_t taps) /*@ ghost (size_t key, size_t w, size_t t, size_t c) */
{
    //@ assert first: off(0, 1) == 0;
    //@ assert start: conv_sum(key, w, 1, t, c, 0) == ZERO;
    /*@ assert one: conv_sum(key, w, 1, t, c, 1) ==
          ADD(ZERO, MUL(tap_at(w, 0, c), row_at(key, t, c))); */
    /*@ loop invariant some: 1 <= j <= taps;
        loop invariant CONV_001: same: Z(conv_step(key, w, t, c, j)) ==
          Z(conv_sum(key, w, 1, t, c, j));
        loop assigns j;
        loop variant taps - j; */
    for (size_t j = 1; j < taps; j++) {
        //@ assert back: off(j, 1) == j;
        /*@ assert step: conv_step(key, w, t, c, j + 1) ==
              ADD(conv_step(key, w, t, c, j), MUL(tap_at(w, j, c), row_at(key, t - j, c))); */
        /*@ assert sum: conv_sum(key, w, 1, t, c, j + 1) ==
              ADD(conv_sum(key, w, 1, t, c, j), MUL(tap_at(w, j, c), row_at(key, t - j, c))); */
    }
}
