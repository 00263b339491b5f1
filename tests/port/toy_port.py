#!/usr/bin/env python3
"""A toy port in Python that records itself with ndl_record.py.

    PYTHONPATH=engine/record tests/port/toy_port.py [--digests] FILE

One layer, one head, a window of 4, no engram. FILE may end in .gz. Every
operation is rounded to binary32 on its own, as the model's arithmetic wants it.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import array
import gzip
import math
import sys

from ndl_record import Recorder

DIM, TAPS, WINDOW, MAX_SEQ, PROMPT, LENGTH = 3, 3, 4, 16, 6, 12
CONFIG = {
    "vocab_size": 100,
    "d_model": DIM,
    "num_heads": 1,
    "num_kv_heads": 1,
    "num_layers": 1,
    "qk_head_dim": DIM,
    "v_head_dim": DIM,
    "max_seq_len": MAX_SEQ,
    "sliding_window": WINDOW,
    "global_layers": [],
    "qkv_conv_taps": TAPS,
    "engram": {
        "orders": [],
        "heads": 0,
        "slots": 0,
        "sub_dim": 0,
        "sites": [],
        "conv_taps": 0,
        "conv_dilation": 0,
        "seed_heads": 0,
    },
}


def f32(x):
    """A double rounded to binary32: for one +, -, * or / of binary32, as if done in it."""
    return array.array("f", [x])[0]


class Port:
    def __init__(self):
        self.ring = [None] * WINDOW  # reserved in full: the trace's hint is MAX_SEQ
        self.tail = {which: [[0.0] * DIM] * (TAPS - 1) for which in "qkv"}

    def conv(self, which, taps, pos, rows):
        """The convolution of rows at pos and after, in place; the tail keeps the raw rows."""
        past = self.tail[which] + [list(row) for row in rows]
        for t, row in enumerate(rows):
            for c in range(DIM):
                acc = 0.0
                for j in range(min(TAPS, pos + t + 1)):
                    acc = f32(acc + f32(taps[j][c] * past[t + TAPS - 1 - j][c]))
                row[c] = acc
        self.tail[which] = past[-(TAPS - 1):]

    def attend(self, pos, q):
        span = [self.ring[p % WINDOW] for p in range(max(0, pos + 1 - WINDOW), pos + 1)]
        scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(DIM) for k, _ in span]
        weights = [math.exp(s - max(scores)) for s in scores]
        return [
            f32(sum(w * v[c] for w, (_, v) in zip(weights, span)) / sum(weights))
            for c in range(DIM)
        ]


def noise(seed=[1]):
    """The next of a fixed sequence of numbers in [-1, 1)."""
    seed[0] = (seed[0] * 1664525 + 1013904223) % 2**32
    return (seed[0] >> 8) / 2**23 - 1


def rows(n):
    return [[noise() for _ in range(DIM)] for _ in range(n)]


def main(path, digests):
    port = Port()
    with (gzip.open if path.endswith(".gz") else open)(path, "wb") as out:
        with Recorder(out, digests) as rec:
            rec.header("toy port in Python", "f32", MAX_SEQ, CONFIG)
            taps = {which: rows(TAPS) for which in "qkv"}
            for which in "qkv":
                rec.taps(0, which, taps[which])
            pos = 0
            while pos < LENGTH:
                n = PROMPT if pos == 0 else 1
                x = {which: rows(n) for which in "qkv"}
                for which in "qkv":
                    if n > 1:
                        rec.prefill(0, which, n, x[which])
                    else:
                        rec.conv_step(0, which, x[which])
                    port.conv(which, taps[which], pos, x[which])
                    rec.result(x[which])
                    rec.tail(0, which, port.tail[which])
                for t in range(n):
                    port.ring[(pos + t) % WINDOW] = (x["k"][t], x["v"][t])
                    rec.write_kv(0, pos + t, x["k"][t], x["v"][t])
                    rec.attend_step(0, pos + t, x["q"][t])
                    rec.result(port.attend(pos + t, x["q"][t]))
                pos += n
                if n > 1:
                    rec.set_pos(pos)
                else:
                    rec.advance(pos)


if __name__ == "__main__":
    options = sys.argv[1:]
    if len(options) < 1 or options[-1].startswith("--"):
        sys.exit("usage: toy_port.py [--digests] FILE")
    main(options[-1], "--digests" in options)
