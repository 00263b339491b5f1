/*
 * Quantising rows and fake quantising, of both profiles: what the reference has,
 * bit for bit; codes in range; and for a finite row in the domain, code times scale
 * is what fake quantising leaves, within half a step and a rounding of the row, and
 * doing it again changes nothing. QNT_001 QNT_003 QNT_004 QNT_005 QNT_006 QNT_009
 */
#include "input.h"
#include "target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest magnitude, and whether every element is finite. */
static float largest(const float *x, size_t n, bool *finite)
{
    float m = 0.0f;
    for (size_t i = 0; i < n; i++) {
        *finite = *finite && isfinite(x[i]);
        if (fabsf(x[i]) > m)
            m = fabsf(x[i]);
    }
    return m;
}

/* A row of needle-core in the domain of QNT_004 to QNT_006. */
static void check_row(finding *f, const float *x, const float *fake, const int8_t *codes,
                      float scale, size_t n)
{
    bool finite = true;
    float absmax = largest(x, n, &finite);
    if (!finite || (absmax != 0.0f && absmax < float_of(0x02FE0004)))
        return;
    for (size_t i = 0; i < n; i++) {
        float stored = (float)codes[i] * scale;
        if (!same_number(stored, fake[i]))
            note(f, "QNT_004: code times scale is %.9g, fake_quant leaves %.9g", (double)stored,
                 (double)fake[i]);
        double error = fabs((double)stored - (double)x[i]);
        if (isfinite(stored) && error > 0.500023 * (double)scale + 0x1p-150)
            note(f, "QNT_005: %.9g comes back as %.9g, the scale is %.9g", (double)x[i],
                 (double)stored, (double)scale);
    }
    if (absmax >= largest(&(float){0x1.fffffep127f}, 1, &finite))
        return;
    float *again = new_array(n);
    memcpy(again, fake, n * sizeof *again);
    must(ndl_fake_quant(NDL_NEEDLE_CORE, 8, again, n) == NDL_OK);
    for (size_t i = 0; i < n; i++) {
        if (!same_number(again[i], fake[i]))
            note(f, "QNT_006: %.9g is quantised again to %.9g", (double)fake[i], (double)again[i]);
    }
    free(again);
}

static void codes_alike(finding *f, const int8_t *a, const int8_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i])
            note(f, "QNT_001_QNT_003_QNT_009: code %zu is %d, the reference has %d", i, a[i], b[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size};
    finding f = {""};
    ndl_numerics numerics = input_byte(&in) & 1 ? NDL_UPSTREAM : NDL_NEEDLE_CORE;
    unsigned bits = (unsigned)input_between(&in, 0, 18);
    size_t dim = input_between(&in, 0, 40), rows = input_between(&in, 0, 4), n = dim * rows;
    float *x = input_floats(&in, dim ? dim : 1, n), *fake[2] = {new_array(n), new_array(n)};
    float *scales[2] = {new_array(rows), new_array(rows)};
    int8_t *codes[2] = {must_have(n), must_have(n)};
    memset(codes[0], 0x55, n);
    memset(codes[1], 0x55, n);
    for (unsigned i = 0; i < 2; i++) {
        for (size_t r = 0; r < rows; r++)
            scales[i][r] = -1.0f;
        memcpy(fake[i], x, n * sizeof *x);
    }

    ndl_status a = ndl_quantize_rows(numerics, dim, x, n, codes[0], n, scales[0], rows);
    ndl_status b = ref_quantize_rows(numerics, dim, x, n, codes[1], n, scales[1], rows);
    if (a != b)
        note(&f, "QNT_009: quantize_rows gives %s, the reference %s", ndl_status_name(a),
             ndl_status_name(b));
    codes_alike(&f, codes[0], codes[1], n);
    compare_floats(&f, "QNT_009: scales", scales[0], scales[1], rows, false);

    ndl_status c = ndl_fake_quant(numerics, bits, fake[0], n);
    ndl_status d = ref_fake_quant(numerics, bits, fake[1], n);
    if (c != d)
        note(&f, "QNT_009: fake_quant gives %s, the reference %s", ndl_status_name(c),
             ndl_status_name(d));
    compare_floats(&f, "QNT_009: fake", fake[0], fake[1], n, c == NDL_OK);

    for (size_t r = 0; a == NDL_OK && numerics == NDL_NEEDLE_CORE && r < rows; r++) {
        memcpy(fake[0], x + r * dim, dim * sizeof *x);
        must(ndl_fake_quant(numerics, 8, fake[0], dim) == NDL_OK);
        check_row(&f, x + r * dim, fake[0], codes[0] + r * dim, scales[0][r], dim);
    }
    for (unsigned i = 0; i < 2; i++) {
        free(fake[i]);
        free(scales[i]);
        free(codes[i]);
    }
    free(x);
    target_report("quantising", &f, NULL);
    return 0;
}
