"""Digests of outputs: one a recorded session and kind of output. It is the
FNV-1a, 64 bits, over the digests (8 bytes, low first) of the outputs in the
order in which they came; an output's own is the FNV-1a over its elements, low
byte first: floats 4 bytes with every NaN read as 7fc00000, codes 1, integers 8.
A recorded output that is itself a digest therefore counts as it stands.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import struct

from binary32 import NAN_BITS

_BASIS, _PRIME, _MASK = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1


def fnv1a64(data, state=_BASIS):
    for byte in data:
        state = ((state ^ byte) * _PRIME) & _MASK
    return state


def of_bits(bits):
    """Digest of an array of binary32, given as their bits."""
    canonical = [NAN_BITS if b & 0x7FFFFFFF > 0x7F800000 else b for b in bits]
    return fnv1a64(struct.pack("<%dI" % len(canonical), *canonical))


def of_codes(codes):
    return fnv1a64(struct.pack("<%db" % len(codes), *codes))


def of_numbers(numbers):
    return fnv1a64(struct.pack("<%dQ" % len(numbers), *numbers))


class Digests:
    """The lines of one session, in the order of `kinds`."""

    def __init__(self, session, kinds):
        self.session = session
        self._count = dict.fromkeys(kinds, 0)
        self._state = dict.fromkeys(kinds, _BASIS)

    def add(self, kind, digest):
        self._count[kind] += 1
        self._state[kind] = fnv1a64(struct.pack("<Q", digest), self._state[kind])

    def lines(self):
        return [
            "%s %s %d %016x" % (self.session, kind, count, self._state[kind])
            for kind, count in self._count.items()
            if count
        ]
