#!/usr/bin/env python3
"""What the two recorders write, value by value.

    PYTHONPATH=engine/record tests/port/test_record.py FILE

FILE holds what encode.c printed: ndl_record.py must write the same from the same
values, and both must be what base64 and a plain FNV-1a of the bytes give.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import array
import base64
import io
import json
import struct
import sys
import unittest

import ndl_record
from ndl_record import Recorder

# 1, -0, a signalling NaN, a negative NaN, a subnormal, infinity: as in encode.c.
WORDS = [0x3F800000, 0x80000000, 0x7F800001, 0xFFC12345, 0x00000001, 0x7F800000]
HASHED = [0x3F800000, 0x80000000, 0x7FC00000, 0x7FC00000, 0x00000001, 0x7F800000]
CODES = [-128, -1, 0, 127]


def f32(words):
    return "f32:" + base64.b64encode(struct.pack("<%dI" % len(words), *words)).decode()


def fnv1a64(data):
    value = 0xCBF29CE484222325
    for octet in data:
        value = (value ^ octet) * 0x100000001B3 % 2**64
    return "fnv1a64:%016x" % value


def floats(n):
    return array.array("f", struct.pack("=%dI" % n, *WORDS[:n]))


def pairs(line):
    return json.loads(line, object_pairs_hook=list)


class FromC(unittest.TestCase):
    def setUp(self):
        with open(FILE, encoding="utf-8") as file:
            self.lines = [pairs(line) for line in file]

    def test_fnv(self):
        self.assertEqual(fnv1a64(b"foobar"), "fnv1a64:85944171f73967e8")  # its authors' vector

    def test_strings_and_integers(self):
        self.assertEqual(dict(self.lines[0])["source"], '"q" \\ \x01\n\x1f ok \xe9')
        self.assertEqual(dict(self.lines[0])["hint"], 2**64 - 1)
        self.assertEqual(
            self.lines[1],
            [("op", "values"), ("ints", [0, 7, 2**32 - 1]), ("none", []), ("object", [("zero", 0)])],
        )

    def test_arrays(self):
        for n in range(7):
            whole = f32(WORDS[:n])
            hashed = fnv1a64(struct.pack("<%dI" % n, *HASHED[:n]))
            self.assertEqual(
                self.lines[2 + n],
                [("op", "floats"), ("in", whole), ("out", whole), ("in", whole), ("out", hashed)],
            )
        for n in range(5):
            packed = "i8:" + base64.b64encode(struct.pack("%db" % n, *CODES[:n])).decode()
            self.assertEqual(self.lines[9 + n], [("op", "codes"), ("codes", packed)])

    def test_python_writes_the_same(self):
        out = io.BytesIO()
        rec = Recorder(out)
        for n in range(7):
            rec.op("floats").floats("in", floats(n)).output("out", floats(n)).end()
        rec.digests = True
        for n in range(7):
            rec.op("floats").floats("in", floats(n)).output("out", floats(n)).end()
        for n in range(5):
            rec.op("codes").codes("codes", CODES[:n]).end()
        rec.attend_step(0, 1, floats(1))
        rec.result(floats(1))
        rec.lost(1, 2)
        rec.slots(1, 2)
        rec.bytes(3)
        rec.push_token(9)
        rec.close()
        got = [pairs(line) for line in out.getvalue().splitlines()]
        want = [line[:3] for line in self.lines[2:9]]
        want += [line[:1] + line[3:] for line in self.lines[2:9]]
        self.assertEqual(got, want + self.lines[9:])


class FromPython(unittest.TestCase):
    def test_shapes_that_hold_floats(self):
        want = struct.pack("<4f", 1, 0.5, -2, 3)
        for x in (
            [1, 0.5, -2, 3],
            [[1, 0.5], [-2, 3]],
            [(1, 0.5), array.array("f", [-2, 3])],
            iter([1, 0.5, -2, 3]),
            array.array("d", [1, 0.5, -2, 3]),
            memoryview(array.array("f", [1, 0.5, -2, 3])),
        ):
            self.assertEqual(ndl_record.f32_bytes(x), want)

    def test_doubles_that_would_be_rounded_are_refused(self):
        for x in ([0.1], array.array("d", [0.1]), [1e39], [2.0**-150]):
            with self.assertRaises(ValueError):
                ndl_record.f32_bytes(x)
        ndl_record.f32_bytes([float("nan"), float("inf"), 2.0**-149, -0.0])

    def test_other_types_are_refused(self):
        for x in (b"abcd", array.array("i", [1])):
            with self.assertRaises(ValueError):
                ndl_record.f32_bytes(x)
        for x in ([128], [-129]):
            with self.assertRaises(ValueError):
                ndl_record.i8_bytes(x)
        with self.assertRaises(TypeError):
            ndl_record.i8_bytes([0.5])

    def test_numpy(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not installed")
        x = np.arange(12, dtype=np.float32).reshape(3, 4) / 4
        want = x.tobytes() if sys.byteorder == "little" else x.astype("<f4").tobytes()
        for same in (x, x.astype(">f4"), x.astype(np.float64), x.astype(np.float16), list(x)):
            self.assertEqual(ndl_record.f32_bytes(same), want)
        self.assertEqual(ndl_record.f32_bytes(x.T), np.ascontiguousarray(x.T).tobytes())
        words = np.array(WORDS, dtype=np.uint32).view(np.float32)
        self.assertEqual(ndl_record.f32_bytes(words), struct.pack("<6I", *WORDS))
        with self.assertRaises(ValueError):
            ndl_record.f32_bytes(np.array([0.1]))
        out = io.StringIO()
        Recorder(out).push_token(np.int64(4), np.array([1, 4], dtype=np.uint32))
        self.assertEqual(out.getvalue(), '{"op":"push_token","token":4,"history":[1,4]}\n')

    def test_calls_out_of_turn(self):
        rec = Recorder(io.BytesIO())
        with self.assertRaises(RuntimeError):
            rec.result([1])
        rec.conv_step(0, "q", [1])
        for call in (rec.close, lambda: rec.advance(1)):
            with self.assertRaises(RuntimeError):
                call()
        rec.result([1])
        with self.assertRaises(RuntimeError):
            rec.header("late", "f32", 1, {})
        with self.assertRaises(ValueError):
            rec.taps(0, "x", [1])
        rec.close()

    def test_sinks(self):
        parts, text, binary = [], io.StringIO(), io.BytesIO()
        for sink in (parts.append, text, binary):
            Recorder(sink).set_pos(3)
        self.assertEqual(b"".join(parts), b'{"op":"set_pos","pos":3}\n')
        self.assertEqual(binary.getvalue(), b"".join(parts))
        self.assertEqual(text.getvalue().encode(), b"".join(parts))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: test_record.py FILE")
    FILE = sys.argv.pop(1)
    unittest.main()
