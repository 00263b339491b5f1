"""Reading recorded sessions (needle-trace, chapter 9): as much of it as the
recordings use, with the values as the bits of binary32.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import base64
import json
import struct

_NAMED = {"nan": 0x7FC00000, "inf": 0x7F800000, "-inf": 0xFF800000}


def float_bits(value):
    """An array of floats, by its bits; not a tensor's name and not a digest."""
    if isinstance(value, str):
        if not value.startswith("f32:"):
            raise ValueError("not an array of floats: %.40s" % value)
        raw = base64.b64decode(value[4:], validate=True)
        return list(struct.unpack("<%dI" % (len(raw) // 4), raw))
    return [
        _NAMED[x] if isinstance(x, str) else struct.unpack("<I", struct.pack("<f", x))[0]
        for x in value
    ]


def codes_of(value):
    """An array of int8."""
    if isinstance(value, str):
        if not value.startswith("i8:"):
            raise ValueError("not an array of int8: %.40s" % value)
        raw = base64.b64decode(value[3:], validate=True)
        return list(struct.unpack("<%db" % len(raw), raw))
    return list(value)


def floats_of(bits):
    return list(struct.unpack("<%df" % len(bits), struct.pack("<%dI" % len(bits), *bits)))


def read(path):
    """The header of a recording and its operations."""
    with open(path, encoding="utf-8") as lines:
        header, *calls = [json.loads(line) for line in lines if line.strip()]
    if header.get("needle_trace") != 1:
        raise ValueError("%s is not a needle-trace of version 1" % path)
    return header, calls
