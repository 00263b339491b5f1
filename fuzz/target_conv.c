/*
 * The causal depthwise convolution of a sequence, in place: what the reference has,
 * bit for bit, and a refusal that changes nothing. CONV_001 CONV_005
 */
#include "input.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size};
    finding f = {""};
    size_t seq = input_between(&in, 0, 12), dim = input_between(&in, 0, 40);
    size_t taps = input_between(&in, 0, 6), wrong = input_between(&in, 0, 15);
    size_t n = seq * dim + (wrong == 1), n_taps = taps * dim + (wrong == 2);
    float *w = input_floats(&in, dim ? dim : 1, n_taps), *x = input_floats(&in, dim ? dim : 1, n);
    float *y = new_array(n), *before = new_array(n);
    memcpy(y, x, n * sizeof *x);
    memcpy(before, x, n * sizeof *x);
    ndl_status a = ndl_causal_conv(seq, dim, taps, w, n_taps, x, n);
    ndl_status b = ref_causal_conv(seq, dim, taps, w, n_taps, y, n);
    if (a != b)
        note(&f, "CONV_001: the engine gives %s, the reference %s", ndl_status_name(a),
             ndl_status_name(b));
    compare_floats(&f, "CONV_001: out", x, y, n, a == NDL_OK && taps > 0);
    if (a != NDL_OK || taps == 0)
        compare_floats(&f, "CONV_005: with nothing to do, out", x, before, n, false);
    free(w);
    free(x);
    free(y);
    free(before);
    target_report("convolution", &f, NULL);
    return 0;
}
