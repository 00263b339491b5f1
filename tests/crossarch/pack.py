#!/usr/bin/env python3
"""pack.py PACK DIGESTS RECORDING...

Turns recorded sessions into a pack, which is what play.c plays: words of 32
bits, low byte first, calls and their inputs and nothing of what came out. From
what came out, as it was recorded, it computes the digests that every machine
must print. Four kinds of line have another source, since a recording cannot
hold them:

  attention, sequence   recorded through another library's exp, so equal to ours
                        only within a tolerance. They are computed here, from
                        the recorded inputs (binary32.py); the recorded outputs
                        must lie within 1e-5 of their root mean square.
  exp                   the correctly rounded exponentials of a fixed sample,
                        computed here.
  geometry              what the header of a model with the recorded
                        configuration says; the header is made here.
  saved                 the bytes that a session saves at its end, by the table of
                        chapter 8 (saving.py).

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import math
import os
import re
import struct
import sys

import binary32
import digests
import recording
import saving
from model import PLAIN, cact_header, geometry_words

TOLERANCE = 1e-5
PROJECTIONS = {"q": 0, "k": 1, "v": 2}
NUMERICS = {"needle-core": 0, "upstream": 1}


def names(macro):
    """The list of names.h, numbered."""
    with open(os.path.join(os.path.dirname(__file__), "names.h"), encoding="utf-8") as header:
        body = re.search(r"#define %s\(X\)((?:.*\\\n)*.*)" % macro, header.read()).group(1)
    return {name: number for number, name in enumerate(re.findall(r"X\((\w+)\)", body))}


CALLS, KINDS = names("CALLS"), names("KINDS")


class Session:
    """One recording on its way into the pack."""

    def __init__(self, path):
        self.name = os.path.basename(path).removesuffix(".jsonl")
        self.header, self.recorded = recording.read(path)
        self.config = self.header.get("config")
        self.int8 = self.header.get("precision") == "int8"
        self.digests = digests.Digests(self.name, KINDS)
        self.words, self.calls = [], 0
        self.tensors = {}
        self.slots = {}  # layer -> slots
        self.rows = {}  # (layer, slot) -> keys, their scales, values, their scales
        self.written = {}  # layer -> [(pos, bits of k, bits of v)]
        self.spans = {}  # (layer, pos) -> lo, hi
        self.attended = {}  # layer -> [(pos, lo, bits of q, out)]
        self.deviation = 0.0
        self.saved = saving.Saved(self.header) if self.config else None

    def pack(self):
        for call in self.recorded:
            try:
                getattr(self, "do_" + call["op"])(call)
                if self.saved:
                    self.saved.follow(call)
            except Exception as error:
                raise ValueError("%s: %s: %r" % (self.name, call["op"], error)) from error
        if self.config:
            self.save()
            self.sequences()
        if self.config and self.config["d_model"] == 768:
            self.header_of_model()
        return self.head() + self.words

    def head(self):
        raw = self.name.encode()
        raw += bytes(-len(raw) % 4)
        words = [len(raw) // 4, *struct.unpack("<%dI" % (len(raw) // 4), raw)]
        words += [NUMERICS[self.header.get("numerics", "needle-core")]]
        if self.config:
            words += [1, int(self.int8), self.header["hint"]] + geometry_words(self.config)
        else:
            words += [0]
        return words + [self.calls]

    # What goes into the pack: a call's number, then its arguments in order.
    def emit(self, call, *arguments):
        self.words.append(CALLS[call])
        self.calls += 1
        for argument in arguments:
            self.words += argument if isinstance(argument, list) else [argument]

    def floats(self, value):
        """An array of floats as an argument."""
        if isinstance(value, str) and value.startswith("@"):
            return [0x80000000 | self.tensors[value[1:]]]
        bits = recording.float_bits(value)
        return [len(bits), *bits]

    # What came out.
    def out_floats(self, kind, value):
        if isinstance(value, str) and value.startswith("fnv1a64:"):
            self.digests.add(kind, int(value[8:], 16))
        else:
            self.digests.add(kind, digests.of_bits(recording.float_bits(value)))

    def out_codes(self, kind, value):
        self.digests.add(kind, digests.of_codes(recording.codes_of(value)))

    def out_numbers(self, kind, *values):
        self.digests.add(kind, digests.of_numbers(values))

    def do_tensor(self, call):
        self.tensors[call["name"]] = len(self.tensors)
        self.emit("tensor", self.floats(call["data"]))

    def do_push_token(self, call):
        self.emit("push_token", call["token"])
        self.out_numbers("history", *call["history"])

    def do_seed_tokens(self, call):
        self.emit("seed_tokens", len(call["tokens"]), call["tokens"])
        self.out_numbers("history", *call["history"])

    def do_engram_indices(self, call):
        self.emit("engram_indices")
        self.out_numbers("index", *call["indices"])

    def do_conv_step(self, call):
        taps, raw = self.floats(call["taps"]), self.floats(call["raw"])
        self.emit("conv_step", call["layer"], PROJECTIONS[call["which"]], taps, raw)
        self.out_floats("conv", call["out"])

    def do_seed_conv_tail(self, call):
        raw = self.floats(call["raw"])
        self.emit("seed_conv_tail", call["layer"], PROJECTIONS[call["which"]], raw)

    def do_engram_conv_step(self, call):
        taps, raw = self.floats(call["taps"]), self.floats(call["raw"])
        self.emit("engram_conv_step", call["site"], taps, raw)
        self.out_floats("engram", call["out"])

    def do_seed_engram_tail(self, call):
        self.emit("seed_engram_tail", call["site"], self.floats(call["raw"]))

    def do_write_kv(self, call):
        layer, pos = call["layer"], call["pos"]
        k, v = recording.float_bits(call["k"]), recording.float_bits(call["v"])
        self.emit("write_kv", layer, pos, [len(k), *k], [len(v), *v])
        self.out_numbers("slots", call["slots"])
        self.slots[layer] = call["slots"]
        self.rows[layer, pos % call["slots"]] = (k, v)
        self.written.setdefault(layer, []).append((pos, k, v))

    def do_span(self, call):
        self.emit("span", call["layer"], call["pos"])
        self.out_numbers("span", call["lo"], call["hi"])
        self.spans[call["layer"], call["pos"]] = call["lo"], call["hi"]

    def do_attend_step(self, call):
        layer, pos = call["layer"], call["pos"]
        q = recording.float_bits(call["q"])
        self.emit("attend_step", layer, pos, [len(q), *q])
        lo, hi = self.spans[layer, pos]
        rows = [self.stored(self.rows[layer, p % self.slots[layer]]) for p in range(lo, hi + 1)]
        heads = [self.config[name] for name in PLAIN[2:4] + PLAIN[5:7]]
        out = binary32.attend(heads, recording.floats_of(q), rows)
        self.compare(out, recording.floats_of(recording.float_bits(call["out"])))
        bits = [binary32.bits_of(x) for x in out]
        self.digests.add("attention", digests.of_bits(bits))
        self.attended.setdefault(layer, []).append((pos, lo, q, bits))

    def stored(self, row):
        k, v = (recording.floats_of(bits) for bits in row)
        if not self.int8:
            return k, None, v, None
        result = []
        for x, width in (k, self.config["qk_head_dim"]), (v, self.config["v_head_dim"]):
            heads = [binary32.quantise(x[at : at + width]) for at in range(0, len(x), width)]
            result += [[c for codes, _ in heads for c in codes], [scale for _, scale in heads]]
        return tuple(result)

    def compare(self, ours, recorded):
        """Finite numbers within the tolerance; nothing else is recorded."""
        if len(ours) != len(recorded) or not all(math.isfinite(x) for x in recorded):
            raise ValueError("attention of %d elements, or not finite" % len(recorded))
        rms = math.sqrt(sum(x * x for x in recorded) / len(recorded))
        worst = max(abs(a - b) for a, b in zip(ours, recorded))
        if worst > TOLERANCE * rms:
            raise ValueError("attention differs by %g, rms %g" % (worst, rms))
        if rms > 0:
            self.deviation = max(self.deviation, worst / rms)

    def do_kv(self, call):
        self.emit("kv", call["layer"])
        self.out_numbers("slots", call["slots"])
        for part in "kv":
            if self.int8:
                self.out_codes("store", call[part])
                self.out_floats("scale", call[part + "_scale"])
            else:
                self.out_floats("store", call[part])

    def do_set_pos(self, call):
        self.emit("set_pos", call["pos"])

    def do_advance(self, call):
        self.emit("advance")
        self.out_numbers("pos", call["pos"])

    def do_is_saturated(self, call):
        self.emit("is_saturated")
        self.out_numbers("saturated", int(call["saturated"]))

    def do_bytes(self, call):
        self.emit("bytes")
        self.out_numbers("bytes", call["bytes"])

    def do_fake_quant(self, call):
        self.emit("fake_quant", call["bits"], self.floats(call["x"]))
        self.out_floats("fake_quant", call["out"])

    def do_quantize_rows(self, call):
        self.emit("quantize_rows", call["head_dim"], self.floats(call["x"]))
        self.out_codes("codes", call["q"])
        self.out_floats("scale", call["scale"])

    # A sequence is convolved by the kernel, and again by a session's prefill,
    # whose tail then holds the last raw rows, zeros before the start.
    def do_causal_depthwise_conv(self, call):
        taps, buf = self.floats(call["taps"]), self.floats(call["buf"])
        size = [call["seq"], call["dim"], call["n_taps"]]
        self.emit("causal_depthwise_conv", size, taps, buf)
        self.out_floats("conv", call["out"])
        self.out_floats("prefill", call["out"])
        self.out_tail(max(call["n_taps"] - 1, 0), call["dim"], buf[1:])

    def do_value_conv(self, call):
        taps, buf = self.floats(call["taps"]), self.floats(call["buf"])
        size = [call["seq"], call["d_model"], call["conv_taps"], call["conv_dilation"]]
        self.emit("value_conv", size, call["max_order"], taps, buf)
        self.out_floats("engram", call["out"])
        self.out_floats("prefill", call["out"])
        self.out_tail((call["conv_taps"] - 1) * call["conv_dilation"], call["d_model"], buf[1:])

    def out_tail(self, rows, dim, raw):
        padded = [0] * (rows * dim) + raw
        self.digests.add("tail", digests.of_bits(padded[len(padded) - rows * dim :]))

    def save(self):
        """At its end the session saves, and goes on as what it is loaded from that."""
        saved = self.saved.bytes()
        if saved is not None:
            self.emit("save")
            self.digests.add("saved", digests.fnv1a64(saved))

    def sequences(self):
        """Whole-sequence attention over the same rows, for each layer that was
        attended at every position and whose ring never cut a span short."""
        for layer, steps in self.attended.items():
            local = layer not in self.config["global_layers"]
            window = self.config["sliding_window"] if local else 0
            whole = [(t, max(0, t + 1 - window) if window else 0) for t in range(len(steps))]
            written = self.written[layer]
            if whole != [step[:2] for step in steps]:
                continue
            if [pos for pos, _, _ in written] != [pos for pos, _ in whole]:
                continue
            arrays = [[b for w in written for b in w[i]] for i in (1, 2)]
            arrays += [[b for step in steps for b in step[2]]]
            sized = [word for bits in arrays for word in [len(bits), *bits]]
            self.emit("attend_sequence", window, len(steps), sized)
            self.digests.add("sequence", digests.of_bits([b for s in steps for b in s[3]]))

    def header_of_model(self):
        self.emit("cact", cact_header(self.config, self.header["precision"]))
        self.out_numbers("geometry", int(self.int8), *geometry_words(self.config))


def exponentials():
    """A pack entry of its own: play.c makes the same sample. Half of it spreads
    over all bits, half over magnitudes from 2^-25 to 120, of both signs."""
    half = 1 << 19
    sample = [8191 * i for i in range(half)]
    sample += [0x33000000 + 1019 * (i >> 1) | (i & 1) << 31 for i in range(half)]
    lines = digests.Digests("exponentials", KINDS)
    for at in range(0, len(sample), 4096):
        results = (binary32.exp32(binary32.of_bits(b)) for b in sample[at : at + 4096])
        lines.add("exp", digests.of_bits([binary32.bits_of(x) for x in results]))
    raw = struct.unpack("<3I", b"exponentials")
    return [len(raw), *raw, 0, 0, 1, CALLS["exponentials"], 2 * half], lines


def main(pack, out, *recordings):
    sessions = [Session(path) for path in recordings]
    parts = [session.pack() for session in sessions]
    words, lines = exponentials()
    parts.append(words)
    flat = [0x786C646E, len(parts)] + [word for part in parts for word in part]
    with open(pack, "wb") as file:
        file.write(struct.pack("<%dI" % len(flat), *flat))
    with open(out, "w", encoding="utf-8") as file:
        for each in [session.digests for session in sessions] + [lines]:
            file.write("".join(line + "\n" for line in each.lines()))
    print(
        "%d sessions, %d bytes; recorded attention is within %.1e rms"
        % (len(parts), 4 * len(flat), max(session.deviation for session in sessions))
    )


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit("pack.py: %s" % error)
