/*
 * The dilated convolution of engram values over a sequence, in place, with both of
 * its gates: what the reference has, bit for bit. ENG_001 ENG_004
 */
#include "input.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size};
    finding f = {""};
    size_t seq = input_between(&in, 0, 16), dim = input_between(&in, 0, 40);
    size_t taps = input_between(&in, 0, 6), wrong = input_between(&in, 0, 15);
    size_t dilation = input_size(&in), order = input_size(&in);
    size_t n = seq * dim + (wrong == 1), n_taps = taps * dim + (wrong == 2);
    float *w = input_floats(&in, dim ? dim : 1, n_taps), *x = input_floats(&in, dim ? dim : 1, n);
    float *y = new_array(n);
    memcpy(y, x, n * sizeof *x);
    ndl_status a = ndl_value_conv(seq, dim, taps, dilation, order, w, n_taps, x, n);
    ndl_status b = ref_value_conv(seq, dim, taps, dilation, order, w, n_taps, y, n);
    if (a != b)
        note(&f, "ENG_001: the engine gives %s, the reference %s", ndl_status_name(a),
             ndl_status_name(b));
    compare_floats(&f, "ENG_001_ENG_004: out", x, y, n, a == NDL_OK && taps > 0);
    free(w);
    free(x);
    free(y);
    target_report("engram convolution", &f, NULL);
    return 0;
}
