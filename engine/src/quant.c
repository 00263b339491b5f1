/* Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0 */
#include "quant.h"

#include "index.h"
#include "leaf.h"
#include "level.h"
#include "trusted/bits.h"
#include "trusted/round.h"

/* The largest magnitude in a row; 0 for an empty one. It is found among bits, as
 * integers: their maximum has no order, so that a row is taken many at a time. */
/*@ requires from: \valid_read(x + (0 .. len - 1));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures QNT_009: absmax: \forall integer key, t; is_row(x, len, key, t) ==>
      bits(\result) == absmax(key, t, len);
*/
NDL_PART float absmax_of(const float *x, size_t len)
{
    int32_t m = 0;

    /*@ loop invariant some: 0 <= i <= len;
        loop invariant range: 0 <= m;
        loop invariant QNT_009: absmax: \forall integer key, t; is_row(x, len, key, t) ==>
          m == absmax(key, t, i);
        loop assigns i, m;
        loop variant len - i; */
    for (size_t i = 0; i < len; i++) {
        const int32_t size = ndl_magnitude(x[i]);

        m = size > m ? size : m;
    }
    return ndl_float_of_bits((uint32_t)m);
}

/* What is rounded: x over the scale as the profile has it. */
/*@ requires inv: bits(inv) == DIV(OF_INT(1), bits(scale));
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures QNT_009: ratio: bits(\result) == quant_ratio(numerics, bits(scale), bits(x));
*/
NDL_PART float ratio_of(ndl_numerics numerics, float x, float scale, float inv)
{
    return numerics == NDL_UPSTREAM ? ndl_div(x, scale) : ndl_mul(x, inv);
}

/* The integer it is rounded to. */
/*@ requires some: 1 <= qmax < 0x8000;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures QNT_001: range: -qmax - 1 <= \result <= qmax;
    ensures QNT_009: code: \result == quant_round(numerics, bits(ratio), qmax);
*/
NDL_PART int32_t code_of(ndl_numerics numerics, float ratio, int32_t qmax)
{
    return numerics == NDL_UPSTREAM ? ndl_round_even(ratio, qmax) : ndl_round_away(ratio, qmax);
}

NDL_LEVELS
float ndl_quantize_row(ndl_numerics numerics, const float *restrict x, size_t len,
                       int8_t *restrict codes)
{
    const float absmax = absmax_of(x, len);
    const float scale = ndl_scale(absmax, ndl_of_int(127));
    const float inv = ndl_div(ndl_of_int(1), scale);

    /*@ loop invariant some: 0 <= i <= len;
        loop invariant QNT_001: range: \forall integer e; 0 <= e < i ==> -128 <= codes[e] <= 127;
        loop invariant QNT_009: codes: \forall integer key, t, e;
          is_row{Pre}(x, len, key, t) && 0 <= e < i ==>
          codes[e] == quant_code(numerics, key, t, len, e);
        loop assigns i, codes[0 .. len - 1];
        loop variant len - i; */
    for (size_t i = 0; i < len; i++)
        codes[i] = (int8_t)code_of(numerics, ratio_of(numerics, x[i], scale, inv), 127);
    return scale;
}

/* The largest code of a width. */
/*@ requires bits: 2 <= bits <= 16;
    terminates \true;
    exits \false;
    assigns \nothing;
    ensures QNT_009: qmax: \result == (1 << (bits - 1)) - 1;
    ensures some: 1 <= \result < 0x8000;
*/
static int32_t qmax_of(unsigned bits)
{
    /* One by one, since provers compute only shifts by a constant. */
    /*@ assert w2: bits == 2 ==> (1 << (bits - 1)) == 2; */
    /*@ assert w3: bits == 3 ==> (1 << (bits - 1)) == 4; */
    /*@ assert w4: bits == 4 ==> (1 << (bits - 1)) == 8; */
    /*@ assert w5: bits == 5 ==> (1 << (bits - 1)) == 16; */
    /*@ assert w6: bits == 6 ==> (1 << (bits - 1)) == 32; */
    /*@ assert w7: bits == 7 ==> (1 << (bits - 1)) == 64; */
    /*@ assert w8: bits == 8 ==> (1 << (bits - 1)) == 128; */
    /*@ assert w9: bits == 9 ==> (1 << (bits - 1)) == 256; */
    /*@ assert w10: bits == 10 ==> (1 << (bits - 1)) == 512; */
    /*@ assert w11: bits == 11 ==> (1 << (bits - 1)) == 1024; */
    /*@ assert w12: bits == 12 ==> (1 << (bits - 1)) == 2048; */
    /*@ assert w13: bits == 13 ==> (1 << (bits - 1)) == 4096; */
    /*@ assert w14: bits == 14 ==> (1 << (bits - 1)) == 8192; */
    /*@ assert w15: bits == 15 ==> (1 << (bits - 1)) == 16384; */
    /*@ assert w16: bits == 16 ==> (1 << (bits - 1)) == 32768; */
    /*@ assert each: bits == 2 || bits == 3 || bits == 4 || bits == 5 || bits == 6 || bits == 7 ||
          bits == 8 || bits == 9 || bits == 10 || bits == 11 || bits == 12 || bits == 13 ||
          bits == 14 || bits == 15 || bits == 16; */
    /*@ assert some: 2 <= (1 << (bits - 1)) <= 0x8000; */
    return (1 << (bits - 1)) - 1;
}

NDL_LEVELS
void ndl_fake_quant_row(ndl_numerics numerics, unsigned bits, float *x, size_t len)
{
    const int32_t qmax = qmax_of(bits);
    const float absmax = absmax_of(x, len);
    const float scale = ndl_scale(absmax, ndl_of_int(qmax));
    const float inv = ndl_div(ndl_of_int(1), scale);

    /*@ loop invariant some: 0 <= i <= len;
        loop invariant QNT_009: fake: \forall integer key, t, e;
          is_row{Pre}(x, len, key, t) && 0 <= e < i ==>
          bits(x[e]) == quant_fake(numerics, bits(scale), row_at(key, t, e), qmax);
        loop invariant rest: \forall integer e; i <= e < len ==>
          bits(x[e]) == \at(bits(x[e]), Pre);
        loop assigns i, x[0 .. len - 1];
        loop variant len - i; */
    for (size_t i = 0; i < len; i++) {
        const float ratio = ratio_of(numerics, x[i], scale, inv);

        x[i] = ndl_dequantised(ratio, code_of(numerics, ratio, qmax), scale);
    }
}

/*@ terminates \true;
    exits \false;
    assigns \nothing;
    ensures known: \result <==> numerics == NDL_NEEDLE_CORE || numerics == NDL_UPSTREAM;
*/
static bool known(ndl_numerics numerics)
{
    return numerics == NDL_NEEDLE_CORE || numerics == NDL_UPSTREAM;
}

/*@ requires to: \valid(x + (0 .. len - 1));
    terminates \true;
    exits \false;
    assigns x[0 .. len - 1];
    ensures SES_001: status: \result ==
      (!(2 <= bits <= 16) ? NDL_E_BITS
       : numerics != NDL_NEEDLE_CORE && numerics != NDL_UPSTREAM ? NDL_E_NUMERICS : NDL_OK);
    ensures SES_001: kept: \result != NDL_OK ==>
      \forall integer i; 0 <= i < len ==> bits(x[i]) == \old(bits(x[i]));
    ensures QNT_009: fake: \result == NDL_OK ==>
      \let qmax = (1 << (bits - 1)) - 1;
      \forall integer key, t, i; is_row{Pre}(x, len, key, t) && 0 <= i < len ==>
      bits(x[i]) == quant_fake(numerics, quant_scale(key, t, len, qmax), row_at(key, t, i), qmax);
*/
ndl_status ndl_fake_quant(ndl_numerics numerics, unsigned bits, float *x, size_t len)
{
    if (bits < 2 || bits > 16)
        return NDL_E_BITS;
    if (!known(numerics))
        return NDL_E_NUMERICS;
    ndl_fake_quant_row(numerics, bits, x, len);
    return NDL_OK;
}

/*@ requires from: \valid_read(x + (0 .. len - 1));
    requires to: \valid(codes + (0 .. codes_len - 1)) && \valid(scales + (0 .. scales_len - 1));
    requires apart: \separated(x + (0 .. len - 1), scales + (0 .. scales_len - 1));
    terminates \true;
    exits \false;
    assigns codes[0 .. codes_len - 1], scales[0 .. scales_len - 1];
    ensures SES_001: status: \result ==
      (numerics != NDL_NEEDLE_CORE && numerics != NDL_UPSTREAM ? NDL_E_NUMERICS
       : head_dim == 0 || len % head_dim != 0 || codes_len != len || scales_len != len / head_dim
         ? NDL_E_LENGTH : NDL_OK);
    ensures SES_001: kept: \result != NDL_OK ==>
      (\forall integer i; 0 <= i < codes_len ==> codes[i] == \old(codes[i])) &&
      (\forall integer r; 0 <= r < scales_len ==> bits(scales[r]) == \old(bits(scales[r])));
    ensures QNT_009: scales: \result == NDL_OK ==>
      \forall integer key, t, r; 0 <= r < scales_len &&
      is_row{Pre}(x + off(r, head_dim), head_dim, key, t) ==>
      bits(scales[r]) == quant_scale(key, t, head_dim, 127);
    ensures QNT_009: codes: \result == NDL_OK ==>
      \forall integer key, t, r, i; 0 <= r < scales_len && 0 <= i < head_dim &&
      is_row{Pre}(x + off(r, head_dim), head_dim, key, t) ==>
      codes[off(r, head_dim) + i] == quant_code(numerics, key, t, head_dim, i);
*/
ndl_status ndl_quantize_rows(ndl_numerics numerics, size_t head_dim, const float *x, size_t len,
                             int8_t *codes, size_t codes_len, float *scales, size_t scales_len)
{
    if (!known(numerics))
        return NDL_E_NUMERICS;
    if (head_dim == 0 || len % head_dim != 0)
        return NDL_E_LENGTH;
    if (codes_len != len || scales_len != len / head_dim)
        return NDL_E_LENGTH;
    /*@ assert rows: off(scales_len, head_dim) == len; */
    /*@ loop invariant some: 0 <= r <= scales_len;
        loop invariant QNT_009: scales: \forall integer key, t, s;
          0 <= s < r && is_row{Pre}(x + off(s, head_dim), head_dim, key, t) ==>
          bits(scales[s]) == quant_scale(key, t, head_dim, 127);
        loop invariant QNT_009: codes: \forall integer key, t, s, i;
          0 <= s < r && 0 <= i < head_dim &&
          is_row{Pre}(x + off(s, head_dim), head_dim, key, t) ==>
          codes[off(s, head_dim) + i] == quant_code(numerics, key, t, head_dim, i);
        loop assigns r, codes[0 .. len - 1], scales[0 .. scales_len - 1];
        loop variant scales_len - r; */
    for (size_t r = 0; r < scales_len; r++) {
        /*@ assert place: 0 <= off(r, head_dim) && off(r, head_dim) + head_dim <= len; */
        const size_t at = ndl_at(r, head_dim, 0);

        scales[r] = ndl_quantize_row(numerics, x + at, head_dim, codes + at);
    }
    return NDL_OK;
}
