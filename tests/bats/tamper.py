#!/usr/bin/env python3
"""tamper.py NDL TRACE...: changes one element of one output, for each kind of output
that the traces record, and checks that `ndl check` finds that and nothing else, and
says where it is. Places are worked out here from the geometry alone."""
import base64
import json
import struct
import subprocess
import sys

ndl, traces = sys.argv[1], sys.argv[2:]


def axes(op, name, line, header):
    """The shape of an output, as pairs of a name and an extent."""
    c = header.get("config", {})
    heads, kv = c.get("num_heads"), c.get("num_kv_heads")
    qk, v = c.get("qk_head_dim"), c.get("v_head_dim")
    width = {"q": [("head", heads), ("channel", qk)], "k": [("head", kv), ("channel", qk)],
             "v": [("head", kv), ("channel", v)]}
    kinds = {
        "push_token": lambda: [("entry", 99)], "seed_tokens": lambda: [("entry", 99)],
        "engram_indices": lambda: [("table", 99)],
        "conv_step": lambda: width[line["which"]],
        "prefill_conv": lambda: [("position", line["n"])] + width[line["which"]],
        "engram_conv_step": lambda: [("channel", c["d_model"])],
        "prefill_engram": lambda: [("position", line["n"]), ("channel", c["d_model"])],
        "tail": lambda: [("row", 99)] + (width[line["which"]] if "which" in line
                                         else [("channel", c["d_model"])]),
        "attend_step": lambda: [("head", heads), ("channel", v)],
        "kv": lambda: [("slot", 99)] + (width[name] if name in "kv" else [("head", kv)]),
        "quantize_rows": lambda: [("row", 99)] + ([("channel", line["head_dim"])] if name == "q" else []),
        "causal_depthwise_conv": lambda: [("position", 99), ("channel", line["dim"])],
        "value_conv": lambda: [("position", 99), ("channel", line["d_model"])],
        "attend_sequence": lambda: [("position", 99), ("head", line["num_heads"]),
                                    ("channel", line["v_head_dim"])],
    }
    return kinds[op]() if op in kinds else []


def place(shape, element):
    where = {}
    for name, extent in reversed(shape):
        where[name] = element % extent
        element //= extent
    return where


def elements(value):
    if isinstance(value, list):
        return len(value)
    if isinstance(value, str) and value.startswith("f32:"):
        return len(base64.b64decode(value[4:])) // 4
    if isinstance(value, str) and value.startswith("i8:"):
        return len(base64.b64decode(value[3:]))
    return 1


def change(value, i, far):
    """One bit of element i, in its place; far: a high one, for attention."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value ^ 1
    if isinstance(value, list):
        return value[:i] + [1 if isinstance(value[i], str) else value[i] + 1] + value[i + 1:]
    if value.startswith("fnv1a64:"):
        return value[:-1] + ("0" if value[-1] != "0" else "1")
    if value.startswith("i8:"):
        data = bytearray(base64.b64decode(value[3:]))
        data[i] ^= 1
        return "i8:" + base64.b64encode(data).decode()
    data = bytearray(base64.b64decode(value[4:]))
    data[4 * i + 2 if far else 4 * i] ^= 0x40 if far else 1
    return "f32:" + base64.b64encode(data).decode()


inputs = {"op", "layer", "which", "site", "pos", "n", "taps", "raw", "token", "tokens", "k", "v", "q",
          "x", "bits", "head_dim", "seq", "dim", "n_taps", "buf", "d_model", "conv_taps",
          "conv_dilation", "max_order", "name", "data", "num_heads", "num_kv_heads", "qk_head_dim",
          "v_head_dim", "window", "k_scale", "v_scale", "session"}
also_outputs = {("kv", "k"), ("kv", "v"), ("kv", "k_scale"), ("kv", "v_scale"),
                ("quantize_rows", "q"), ("advance", "pos")}
done, failed = set(), 0
for path in traces:
    with open(path, encoding="utf-8") as f:
        lines = [line for line in f.read().split("\n") if line]
    header = json.loads(lines[0])
    where = {}
    for number, text in enumerate(lines[1:], 2):
        line = json.loads(text)
        for name, value in line.items():
            out = name not in inputs or (line["op"], name) in also_outputs
            if out and elements(value) > 0:
                form = value.split(":")[0] if isinstance(value, str) else type(value).__name__
                where.setdefault((line["op"], name, form), []).append((number, line))
    for (op, name, form), places in where.items():
        if (op, name, form) in done:
            continue
        done.add((op, name, form))
        number, line = places[len(places) * 2 // 3]
        count = elements(line[name])
        element = count * 2 // 3
        changed = dict(line, **{name: change(line[name], element, op.startswith("attend"))})
        tampered = lines[:number - 1] + [json.dumps(changed)] + lines[number:]
        run = subprocess.run([ndl, "check", "--json", "-"], input="\n".join(tampered).encode(),
                             capture_output=True, check=False)
        report = json.loads(run.stdout)
        findings = report["files"][0]["findings"]
        expected = {"kind": "mismatch", "line": number, "operation": number - 1, "op": op,
                    "output": name}
        if form != "fnv1a64" and count > 1:
            expected.update(element=element, differing=1, elements=count)
            expected["where"] = place(axes(op, name, line, header), element)
        elif form != "fnv1a64":
            expected.update(element=0)
        got = findings[0] if findings else {}
        good = run.returncode == 1 and len(findings) == 1
        for key, value in expected.items():
            if key == "where":
                good = good and all(got["where"].get(k) == v for k, v in value.items())
            else:
                good = good and got.get(key) == value
        for key in ("layer", "site", "which"):
            if key in line:
                good = good and got.get("where", {}).get(key) == line[key]
        if "pos" in line and op != "advance":
            good = good and got.get("where", {}).get("position") == line["pos"]
        if not good:
            failed += 1
            print(f"{path}:{number}: {op}.{name} ({form}), element {element}: expected {expected}, got {got}")
print(f"{len(done)} kinds of outputs")
for kind in sorted(done):
    print(" ", *kind)
sys.exit(failed > 0)
