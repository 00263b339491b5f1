/* Bytes as the arguments of a kernel: what is missing is zeros. */
#ifndef INPUT_H
#define INPUT_H

#include "payload.h"

typedef struct input {
    const uint8_t *at, *end;
} input;

uint8_t input_byte(input *in);
/* lo .. hi, at most 255 apart. */
size_t input_between(input *in, size_t lo, size_t hi);
/* One of the few sizes at which something may go wrong, or any at all. */
size_t input_size(input *in);
/* n floats of a class, rows of `width`, or literal: the caller frees them. */
float *input_floats(input *in, size_t width, size_t n);

#endif
