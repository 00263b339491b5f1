"""What a recorded session saves at its end: the bytes of chapter 8's table, out of
the recorded inputs, and for int8 stores out of recorded outputs.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import struct

import digests
import recording
from model import PLAIN

ONE = 0x3F800000


def numbers(*values):
    return struct.pack("<%dQ" % len(values), *values)


def floats(bits):
    return struct.pack("<%dI" % len(bits), *bits)


def codes(values):
    return struct.pack("<%db" % len(values), *values)


def geometry(config):
    """The numbers that a save has the hash of."""
    engram, layers = config["engram"], range(config["num_layers"])
    out = [config[name] for name in PLAIN[:9]]
    out += [int(layer in config["global_layers"]) for layer in layers]
    out += [config["qkv_conv_taps"], len(engram["orders"]), *engram["orders"]]
    out += [engram["heads"], engram["slots"], engram["sub_dim"]]
    out += [len(engram["sites"]), *engram["sites"]]
    return out + [engram["conv_taps"], engram["conv_dilation"], engram["seed_heads"]]


class Saved:
    """Follows the calls of a recording; bytes() is None where what an int8 store
    holds was not recorded after its last write."""

    def __init__(self, header):
        self.header, self.config = header, header["config"]
        self.int8 = header["precision"] == "int8"
        config, engram = self.config, self.config["engram"]
        heads = config["num_kv_heads"]
        self.heads = heads
        self.dims = {
            "q": config["num_heads"] * config["qk_head_dim"],
            "k": heads * config["qk_head_dim"],
            "v": heads * config["v_head_dim"],
        }
        rows = max(config["qkv_conv_taps"] - 1, 0)
        layers, sites = range(config["num_layers"]), range(len(engram["sites"]))
        self.tails = {(l, w): [0] * (rows * d) for l in layers for w, d in self.dims.items()}
        reach = (engram["conv_taps"] - 1) * engram["conv_dilation"]
        self.sites = {s: [0] * (reach * config["d_model"]) for s in sites}
        self.position, self.history, self.tensors = 0, [], {}
        self.slots = {layer: self.reserve(layer) for layer in layers}
        self.written = dict.fromkeys(layers, 0)
        self.rows = {}  # (layer, slot) -> bits of k, of v
        self.stores = {}  # layer -> the recorded int8 store, until it is written to

    def reserve(self, layer):
        window = 0 if layer in self.config["global_layers"] else self.config["sliding_window"]
        cap = self.config["max_seq_len"]
        cap = min(window, cap) if window else cap
        return min(max(self.header["hint"], 1), cap)

    def bits(self, value):
        if isinstance(value, str) and value.startswith("@"):
            return self.tensors[value[1:]]
        return recording.float_bits(value)

    def follow(self, call):
        op = call["op"]
        if op == "tensor":
            self.tensors[call["name"]] = recording.float_bits(call["data"])
        elif op in ("push_token", "seed_tokens"):
            self.history = call["history"]
        elif op == "conv_step":
            push(self.tails, (call["layer"], call["which"]), self.bits(call["raw"]))
        elif op == "engram_conv_step":
            push(self.sites, call["site"], self.bits(call["raw"]))
        elif op == "seed_conv_tail":
            self.tails[call["layer"], call["which"]] = self.bits(call["raw"])
        elif op == "seed_engram_tail":
            self.sites[call["site"]] = self.bits(call["raw"])
        elif op == "write_kv":
            self.write(call)
        elif op == "kv" and self.int8:
            self.stores[call["layer"]] = call
        elif op in ("set_pos", "advance"):
            self.position = call["pos"]

    def write(self, call):
        layer, slots = call["layer"], call["slots"]
        self.slots[layer] = slots
        self.written[layer] = max(self.written[layer], call["pos"] + 1)
        self.rows[layer, call["pos"] % slots] = self.bits(call["k"]), self.bits(call["v"])
        self.stores.pop(layer, None)

    def store(self, layer):
        if not self.int8:
            none = [0] * self.dims["k"], [0] * self.dims["v"]
            rows = [self.rows.get((layer, slot), none) for slot in range(self.slots[layer])]
            return b"".join(floats(row[half]) for half in (0, 1) for row in rows)
        if layer not in self.stores and not self.written[layer]:
            scales = floats([ONE] * (self.slots[layer] * self.heads))
            return b"".join(bytes(self.slots[layer] * self.dims[half]) + scales for half in "kv")
        kept = self.stores[layer]
        return b"".join(
            codes(recording.codes_of(kept[half]))
            + floats(recording.float_bits(kept[half + "_scale"]))
            for half in "kv"
        )

    def bytes(self):
        layers = range(self.config["num_layers"])
        try:
            stores = [self.store(layer) for layer in layers]
        except (KeyError, ValueError):  # not recorded, or as a hash
            return None
        kind = int(self.int8), int(self.header.get("numerics", "needle-core") == "upstream")
        body = numbers(digests.fnv1a64(numbers(*geometry(self.config))), *kind)
        body += numbers(self.header["hint"], self.position, len(self.history))
        for layer in layers:
            body += numbers(self.slots[layer], self.written[layer])
        body += floats(self.history)
        for layer in layers:
            body += stores[layer] + b"".join(floats(self.tails[layer, w]) for w in "qkv")
        body += b"".join(floats(tail) for tail in self.sites.values())
        body = b"ndl-save" + numbers(1, 24 + len(body) + 8) + body
        return body + numbers(digests.fnv1a64(body))


def push(tails, key, row):
    """The newest row in, the oldest out; a tail without rows stays so."""
    tails[key] = (tails[key] + row)[len(row) :] if tails[key] else []
