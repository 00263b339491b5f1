#include "input.h"

uint8_t input_byte(input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

static uint64_t word(input *in, unsigned bytes)
{
    uint64_t x = 0;
    for (unsigned i = 0; i < bytes; i++)
        x |= (uint64_t)input_byte(in) << (8 * i);
    return x;
}

size_t input_between(input *in, size_t lo, size_t hi)
{
    return lo + input_byte(in) % (hi - lo + 1);
}

size_t input_size(input *in)
{
    static const size_t ends[] = {SIZE_MAX,
                                  SIZE_MAX - 1,
                                  SIZE_MAX - 2,
                                  SIZE_MAX / 2 - 1,
                                  SIZE_MAX / 2,
                                  SIZE_MAX / 2 + 1,
                                  SIZE_MAX / 2 + 2,
                                  SIZE_MAX / 4,
                                  SIZE_MAX / 4 + 1,
                                  1023,
                                  1024,
                                  1025};
    uint8_t b = input_byte(in);
    if (b == 255)
        return (size_t)word(in, 8);
    return b < 255 - COUNT(ends) ? b : ends[b - (255 - COUNT(ends))];
}

float *input_floats(input *in, size_t width, size_t n)
{
    float *x = new_array(n);
    unsigned class = input_byte(in) % (PAYLOADS + 1);
    if (class < PAYLOADS) {
        rng r = {word(in, 2)};
        fill_payload(&r, (payload) class, width, x, n);
        return x;
    }
    for (size_t i = 0; i < n; i++)
        x[i] = float_of((uint32_t)word(in, 4));
    return x;
}
