"""A recorded configuration as a list of numbers, and as the header of a model file.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

from binary32 import bits_of

PLAIN = (
    "vocab_size d_model num_heads num_kv_heads num_layers qk_head_dim v_head_dim "
    "max_seq_len sliding_window qkv_conv_taps"
).split()
ENGRAM = "heads slots sub_dim conv_taps conv_dilation seed_heads".split()


def cact_header(config, precision):
    """The 196 bytes at the start of a model file; fields as chapter 1 lists them."""
    engram = config["engram"]
    orders, sites = engram["orders"], engram["sites"]
    mask = sum(1 << layer for layer in config["global_layers"])
    fields = [0x05E12A84, 300, 256, config["sliding_window"], 8 if precision == "int8" else 32]
    fields += [config["vocab_size"]] * 2
    fields += [config[name] for name in PLAIN[1:8]]
    fields += [config["d_model"], 1, config["sliding_window"]]
    fields += [mask & 0xFFFFFFFF, mask >> 32, config["qkv_conv_taps"]]
    fields += [engram["slots"], engram["sub_dim"], len(orders) * engram["heads"]]
    fields += [engram["conv_taps"], engram["conv_dilation"], engram["seed_heads"], len(orders)]
    fields += orders + [0] * (4 - len(orders)) + [len(sites)] + sites + [0] * (16 - len(sites))
    return fields + [bits_of(10000.0)]


def geometry_words(config):
    """A geometry as play.c reads it and as it digests one that it was given."""
    engram, layers = config["engram"], config["global_layers"]
    words = [config[name] for name in PLAIN]
    words += [len(layers)] + layers
    words += [engram[name] for name in ENGRAM]
    words += [len(engram["orders"])] + engram["orders"]
    return words + [len(engram["sites"])] + engram["sites"]
