"""Write what a port's decode state does as a needle-trace, for `ndl check`.

The guide is docs/recording.md. Python 3.7 or later, standard library only.

    rec = Recorder(open("port.jsonl", "wb"))    # or gzip.open(...), or a function of bytes
    rec.header("my port", "f32", hint, config)  # config: the dict that the guide shows
    rec.taps(layer, "q", taps)                  # once each, before the first step
    rec.conv_step(layer, "q", x)                # before your call: what goes in
    my_conv_step(layer, x)
    rec.result(x)                               # after it: what came out
    rec.close()

Float arrays may be numpy arrays or anything else with a buffer or an astype
method, of any shape, read in C order; or sequences of numbers, nested or not.
Each element must be a binary32 already: a double that is not one is refused,
since a trace of rounded values would not be what the port computed with.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import array
import base64
import io
import json
import struct
import sys

__all__ = ["Recorder", "f32_bytes", "i8_bytes", "digest"]


def _elements(x):
    """The elements of nested sequences and of iterables in between, in order."""
    for item in x:
        if hasattr(item, "__iter__"):
            yield from _elements(item)
        else:
            yield item


def f32_bytes(x):
    """The little-endian binary32 bytes of an array; ValueError if that would round."""
    if hasattr(x, "numpy"):
        x = x.numpy()  # torch and its kin
    if hasattr(x, "astype"):  # numpy and its kin, whatever the strides and the byte order
        if x.dtype.kind == "f" and x.dtype.itemsize == 4:
            return x.astype("<f4").tobytes()
        x = x.reshape(-1).tolist()
    else:
        try:
            view = memoryview(x)
        except TypeError:
            pass
        else:
            order, code = ("@" + view.format)[-2:]
            if code == "f":  # by bits: a signalling NaN does not survive the way by a double
                return _words(view.tobytes(), order).tobytes()
            if code != "d":
                raise ValueError("floats are wanted, not a buffer of format %r" % view.format)
            raw = view.tobytes()
            x = struct.unpack("%s%dd" % ("=" if order == "@" else order, len(raw) // 8), raw)
    doubles = array.array("d", _elements(x))
    try:
        raw = struct.pack("<%df" % len(doubles), *doubles)
    except OverflowError:
        raise ValueError("an element is beyond the largest binary32") from None
    for i, (was, now) in enumerate(zip(doubles, struct.unpack("<%df" % len(doubles), raw))):
        if was != now and was == was:
            raise ValueError(
                "element %d, %r, is not a binary32: round where your port rounds" % (i, was)
            )
    return raw


def _words(raw, order):
    """32-bit words whose own bytes are little-endian, from bytes in a struct module's order."""
    words = array.array("I", raw)
    if order in ">!" or (order in "@=" and sys.byteorder == "big"):
        words.byteswap()
    return words


def i8_bytes(x):
    """The bytes of an array of int8, or of integers in -128..127."""
    if hasattr(x, "astype"):
        if x.dtype.kind not in "iu":
            raise ValueError("int8 codes are wanted, not %s" % x.dtype)
        x = x.reshape(-1).tolist()
    elif isinstance(x, (bytes, bytearray)):
        return bytes(x)
    try:
        return array.array("b", _elements(x)).tobytes()
    except OverflowError:
        raise ValueError("a code is outside -128..127") from None


def digest(raw):
    """The FNV-1a 64-bit hash of binary32 bytes, every NaN first made 7fc00000."""
    words = array.array("I", raw)
    if sys.byteorder == "big":
        words.byteswap()
    value = 0xCBF29CE484222325
    for word in words:
        if word & 0x7FFFFFFF > 0x7F800000:
            word = 0x7FC00000
        for shift in (0, 8, 16, 24):
            value = ((value ^ (word >> shift & 255)) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return "fnv1a64:%016x" % value


class Recorder:
    """One session's trace. Errors of the output are raised as they happen."""

    def __init__(self, out, digests=False):
        """out: a file, text or binary, or a function that is called with bytes.
        digests: outputs as hashes, all but attention's."""
        self.digests = digests
        if not hasattr(out, "write"):
            self._put = out
        elif isinstance(out, io.TextIOBase):
            self._put = lambda line: out.write(line.decode("ascii"))
        else:
            self._put = out.write
        self._flush = getattr(out, "flush", lambda: None)
        self._line = None
        self._begun = False

    # The builder, for what has no method of its own below: op, members, end.

    def op(self, op, **members):
        """Begin a line; members are integers, booleans, strings, lists of integers."""
        self._open({"op": op})
        return self.member(**members)

    def _open(self, line):
        if self._line is not None:
            raise RuntimeError("the line of %r has not ended" % self._line.get("op", "the header"))
        self._line = line

    def member(self, **members):
        """Add members to the line: integers, booleans, strings, lists of integers."""
        if self._line is None:
            raise RuntimeError("no line has been begun")
        for name, value in members.items():
            if value is not None:
                self._line[name] = value
        return self

    def floats(self, name, x):
        """Add an array that goes in."""
        return self.member(**{name: "f32:" + base64.b64encode(f32_bytes(x)).decode("ascii")})

    def output(self, name, x):
        """Add an array that came out: a hash if digests is set, but for attention's."""
        if self.digests and not (self._line or {}).get("op", "").startswith("attend"):
            return self.member(**{name: digest(f32_bytes(x))})
        return self.floats(name, x)

    def codes(self, name, x):
        """Add an array of int8."""
        return self.member(**{name: "i8:" + base64.b64encode(i8_bytes(x)).decode("ascii")})

    def end(self):
        """Write the line."""
        self.member()
        line = json.dumps(self._line, separators=(",", ":"), default=_integer)
        self._put(line.encode("ascii") + b"\n")
        self._line = None
        self._begun = True

    def close(self):
        """Check that nothing was left open, and flush. The file stays open: close it."""
        if self._line is not None:
            raise RuntimeError("the line of %r has not ended" % self._line.get("op", "the header"))
        self._flush()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.close()

    # The calls to wrap. After conv_step, prefill and attend_step, result ends
    # the line; all others write a whole line.

    def header(self, source, precision, hint, config, **more):
        """The first line. more: note, numerics."""
        if self._begun:
            raise RuntimeError("the header is the first line")
        self._open({"needle_trace": 1, "source": source, "precision": precision, "hint": hint})
        self.member(**more)
        self.member(config=config).end()

    @staticmethod
    def _where(i, which):
        if which not in ("q", "k", "v", "e"):
            raise ValueError("which is q, k or v of a layer, or e of a site, not %r" % (which,))
        return {"site": i} if which == "e" else {"layer": i, "which": which}

    def taps(self, i, which, taps):
        """The taps of a convolution, row j for the row j calls back: once, first.
        which: q, k or v of layer i, or e, the engram value of site i."""
        self._where(i, which)
        self.op("tensor", name="taps.%d.%s" % (i, which)).floats("data", taps).end()

    def conv_step(self, i, which, raw):
        """Before a step of a convolution: the raw row. result ends the line."""
        self.op("engram_conv_step" if which == "e" else "conv_step", **self._where(i, which))
        self.member(taps="@taps.%d.%s" % (i, which)).floats("raw", raw)

    def prefill(self, i, which, n, raw):
        """Before the convolution of a whole prompt: its n raw rows. result ends the line."""
        self.op("prefill_engram" if which == "e" else "prefill_conv", **self._where(i, which))
        self.member(n=n, taps="@taps.%d.%s" % (i, which)).floats("raw", raw)

    def attend_step(self, layer, pos, q):
        """Before an attention step: the query. result ends the line."""
        self.op("attend_step", layer=layer, pos=pos).floats("q", q)

    def result(self, out):
        """After the call: what came out. Ends the line."""
        self.output("out", out).end()

    def write_kv(self, layer, pos, k, v, slots=None):
        self.op("write_kv", layer=layer, pos=pos).floats("k", k).floats("v", v)
        self.member(slots=slots).end()

    def span(self, layer, pos, lo, hi):
        self.op("span", layer=layer, pos=pos, lo=lo, hi=hi).end()

    def tail(self, i, which, rows):
        """The rows of a tail, oldest first."""
        self.op("tail", **self._where(i, which)).output("rows", rows).end()

    def kv(self, layer, slots, k, v, k_scale=None, v_scale=None):
        """The whole store of a layer, slot-major; codes and scales, or floats without scales."""
        self.op("kv", layer=layer, slots=slots)
        if k_scale is None:
            self.output("k", k).output("v", v).end()
        else:
            self.codes("k", k).output("k_scale", k_scale)
            self.codes("v", v).output("v_scale", v_scale).end()

    def slots(self, layer, slots):
        self.op("slots", layer=layer, slots=slots).end()

    def lost(self, layer, lost):
        self.op("lost", layer=layer, lost=lost).end()

    def set_pos(self, pos):
        self.op("set_pos", pos=pos).end()

    def advance(self, pos):
        """After advancing: the new position."""
        self.op("advance", pos=pos).end()

    def bytes(self, count):
        self.op("bytes", bytes=count).end()

    def is_saturated(self, saturated):
        self.op("is_saturated", saturated=bool(saturated)).end()

    def push_token(self, token, history=None):
        self.op("push_token", token=token, history=history).end()

    def seed_tokens(self, tokens, history=None):
        self.op("seed_tokens", tokens=tokens, history=history).end()

    def engram_indices(self, indices):
        self.op("engram_indices", indices=indices).end()


def _integer(x):
    """numpy's integers, and arrays of them, where JSON wants plain ones."""
    if hasattr(x, "tolist"):
        return x.tolist()
    if hasattr(x, "__index__"):
        return x.__index__()
    if hasattr(x, "__iter__"):
        return list(x)
    raise TypeError("a trace cannot hold %r" % (x,))
