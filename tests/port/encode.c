/*
 * Every kind of value that ndl_record.h writes, and its errors: C99 and C++11
 * alike. Prints the lines, then one line a check that failed; exits 0 without.
 *
 * Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
 */
#include "ndl_record.h"

static int failed;
static size_t taken, room;

static void expect(int ok, const char *what)
{
    if (!ok) {
        printf("failed: %s\n", what);
        failed = 1;
    }
}

/* A sink that holds `room` bytes and then refuses. */
static int put_some(void *sink, char c)
{
    (void)sink;
    (void)c;
    return taken < room ? (taken++, 0) : -1;
}

/* Floats by their bits: 1, -0, a signalling NaN, a negative NaN, a subnormal, infinity. */
static const float *floats(void)
{
    static const uint32_t bits[6] = {0x3f800000, 0x80000000, 0x7f800001,
                                     0xffc12345, 0x00000001, 0x7f800000};
    static float x[6];
    memcpy(x, bits, sizeof x);
    return x;
}

static void values(void)
{
    static const int8_t codes[4] = {-128, -1, 0, 127};
    static const uint32_t ints[3] = {0, 7, 4294967295u};
    ndl_rec r;
    size_t n, i;
    ndl_rec_open(&r, ndl_rec_putc, stdout);
    ndl_rec_header(&r, "\"q\" \\ \x01\n\x1f ok \xc3\xa9", "f32", UINT64_MAX);
    ndl_rec_end(&r);
    ndl_rec_op(&r, "values");
    ndl_rec_ints(&r, "ints", ints, 3);
    ndl_rec_ints(&r, "none", NULL, 0);
    ndl_rec_object(&r, "object");
    ndl_rec_int(&r, "zero", 0);
    ndl_rec_end(&r);
    for (n = 0; n <= 6; n++) { /* each length modulo 3: one, two, no signs of padding */
        ndl_rec_op(&r, "floats");
        ndl_rec_floats(&r, "in", NDL_REC_IN, floats(), n);
        ndl_rec_floats(&r, "out", NDL_REC_OUT, floats(), n);
        r.digests = 1;
        ndl_rec_floats(&r, "in", NDL_REC_IN, floats(), n);
        ndl_rec_floats(&r, "out", NDL_REC_OUT, floats(), n);
        r.digests = 0;
        ndl_rec_end(&r);
    }
    for (n = 0; n <= 4; n++) {
        ndl_rec_op(&r, "codes");
        ndl_rec_array(&r, "codes", NDL_REC_CODES);
        for (i = 0; i < n; i++)
            ndl_rec_more_codes(&r, codes + i, 1);
        ndl_rec_done(&r);
        ndl_rec_end(&r);
    }
    r.digests = 1; /* attention's output is never a hash */
    ndl_rec_attend_step(&r, 0, 1, floats(), 1);
    ndl_rec_result(&r, floats(), 1);
    ndl_rec_lost(&r, 1, 2);
    ndl_rec_slots(&r, 1, 2);
    ndl_rec_bytes(&r, 3);
    ndl_rec_push_token(&r, 9, NULL, 0);
    expect(ndl_rec_close(&r) == 0, "all is well");
}

static void errors(void)
{
    ndl_rec r;
    for (room = 0, taken = 0; room < 40; room++, taken = 0) {
        ndl_rec_open(&r, put_some, NULL);
        ndl_rec_set_pos(&r, 123456789); /* {"op":"set_pos","pos":123456789} and a newline: 33 */
        expect(ndl_rec_close(&r) == (room < 33 ? NDL_REC_SINK : 0), "the sink's error is kept");
        expect(taken == (room < 33 ? room : 33), "nothing is written after it");
    }

    room = 1000;
    ndl_rec_open(&r, put_some, NULL);
    ndl_rec_op(&r, "kv");
    expect(ndl_rec_close(&r) == NDL_REC_TURN, "a line left open");
    ndl_rec_open(&r, put_some, NULL);
    ndl_rec_op(&r, "kv");
    ndl_rec_op(&r, "kv");
    expect(r.error == NDL_REC_TURN, "an op within an op");
    ndl_rec_open(&r, put_some, NULL);
    ndl_rec_end(&r);
    expect(r.error == NDL_REC_TURN, "an end without an op");
    ndl_rec_open(&r, put_some, NULL);
    ndl_rec_result(&r, floats(), 1);
    expect(r.error == NDL_REC_TURN, "a result without an op");
    ndl_rec_open(&r, put_some, NULL);
    ndl_rec_op(&r, "kv");
    ndl_rec_array(&r, "k", NDL_REC_OUT);
    ndl_rec_int(&r, "slots", 1);
    expect(r.error == NDL_REC_TURN, "a member within an array");
    ndl_rec_open(&r, put_some, NULL);
    ndl_rec_op(&r, "kv");
    ndl_rec_done(&r);
    expect(r.error == NDL_REC_TURN, "an array done that was not begun");
    ndl_rec_open(&r, put_some, NULL);
    ndl_rec_advance(&r, 1);
    ndl_rec_header(&r, "late", "f32", 1);
    expect(r.error == NDL_REC_TURN, "a header that is not the first line");
}

int main(void)
{
    values();
    errors();
    return failed;
}
