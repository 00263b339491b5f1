"""Binary32 in plain Python: what the digests of attention and of the
exponential are computed with, so that they owe nothing to the engine.

A sum, product, quotient or root of two binary32, computed in binary64 and then
rounded to binary32, is the correctly rounded one: binary64 carries more than
twice the bits and two. So f32() after each operation is all that is needed.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import math
import struct
from decimal import Decimal, localcontext

_FLOAT = struct.Struct("<f")
NAN_BITS = 0x7FC00000
# Half way from FLT_MAX to 2^128: from there on, rounding gives infinity.
_OVERFLOW = float.fromhex("0x1.ffffffp127")


def f32(x):
    """A finite binary64 rounded to binary32, to nearest even; OverflowError beyond."""
    return _FLOAT.unpack(_FLOAT.pack(x))[0]


def bits_of(x):
    """The bits of a binary32; every NaN as the same one."""
    return NAN_BITS if x != x else struct.unpack("<I", _FLOAT.pack(x))[0]


def of_bits(bits):
    return _FLOAT.unpack(struct.pack("<I", bits))[0]


def exp32(x):
    """e^x, correctly rounded to binary32."""
    if x != x or x == math.inf:
        return x
    y = math.exp(min(x, 700.0))
    if y < _OVERFLOW:
        # libm's binary64 is good to far better than 2^-50; where that leaves
        # two candidates, decimal says on which side of their middle e^x lies.
        low, high = f32(y * (1 - 2.0**-50)), f32(y * (1 + 2.0**-50))
        if low == high:
            return low
        with localcontext() as context:
            context.prec = 60
            middle = Decimal((low + high) / 2)  # exact in binary64
            return high if Decimal(x).exp() > middle else low
    return math.inf


def quantise(row):
    """Codes and scale of a finite row, 8 bits: chapter 6, needle-core."""
    absmax = max(abs(x) for x in row)
    scale = f32(absmax / 127) if absmax > 0 else 1.0
    inverse = f32(1 / scale)
    codes = []
    for x in row:
        y = f32(x * inverse)
        whole = math.floor(abs(y) + 0.5)  # exact: abs(y) is below 2^24
        codes.append(float(max(-128, min(127, whole if y >= 0 else -whole))))
    return codes, scale


def _dot(q, k):
    total = 0.0
    for a, b in zip(q, k):
        total = f32(total + f32(a * b))
    return total


def attend(heads, q, rows):
    """One query row over rows of (keys, key scales, values, value scales), in
    order; the scales are None for f32. heads: H, Hk, dk, dv. Chapter 7."""
    query_heads, kv_heads, dk, dv = heads
    root = f32(1 / f32(math.sqrt(dk)))
    out = []
    for h in range(query_heads):
        kv = h // (query_heads // kv_heads)
        mine = q[h * dk : (h + 1) * dk]
        scores = []
        for keys, key_scales, _, _ in rows:
            total = _dot(mine, keys[kv * dk : (kv + 1) * dk])
            if key_scales is not None:
                total = f32(total * key_scales[kv])
            scores.append(f32(total * root))
        top = max(scores)
        weights = [exp32(f32(s - top)) for s in scores]
        total = 0.0
        for e in weights:
            total = f32(total + e)
        inverse = f32(1 / total)
        sums = [0.0] * dv
        for e, (_, _, values, value_scales) in zip(weights, rows):
            w = f32(e * inverse)
            if value_scales is not None:
                w = f32(w * value_scales[kv])
            for c, v in enumerate(values[kv * dv : (kv + 1) * dv]):
                sums[c] = f32(sums[c] + f32(w * v))
        out += sums
    return out
