"""Mechanical mutants: every small change that a table makes of a file of the engine.

Coccinelle says where operators, constants, statements, jumps and arguments stand
(mechanical.cocci); what becomes of each is here. Contracts and ghost code are comments
to it, and stay as they are.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path[:0] = ["spec/ledger"]
from exhaust import code  # noqa: E402

RULES = Path("tests/mutants/mechanical.cocci")
KEPT = Path("build/mechanical/places")
# Comparisons move their boundary, and turn round; the rest takes its counterpart.
OPERATORS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",),
    "!=": ("==",), "&&": ("||",), "||": ("&&",), "+": ("-",), "-": ("+",), "*": ("/",),
    "/": ("*",), "%": ("/",), "<<": (">>",), ">>": ("<<",), "&": ("|",), "|": ("&",),
    "^": ("&",), "+=": ("-=",), "-=": ("+=",), "*=": ("/=",), "^=": ("|=",), "|=": ("&=",),
    "&=": ("|=",), "<<=": (">>=",), ">>=": ("<<=",), "!": ("",),
}  # fmt: skip
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
LOGIC = ("&&", "||", "!")
# Coccinelle reads no hexadecimal floats; another of the same length stands for one.
HEX_FLOAT = re.compile(r"\b0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?\d+")


class Change:
    """What is at start .. end - 1 of a file becomes text."""

    def __init__(self, path, source, kind, start, end, text):
        self.path, self.kind = path, kind
        self.text = source[:start] + text + source[end:]
        self.line = source.count("\n", 0, start) + 1
        first = source.rfind("\n", 0, start) + 1
        last = source.find("\n", end)
        old, new = code(source[first:last]), code(source[first:start] + text + source[end:last])
        # It names a change wherever its line moves to, and whatever is said of it.
        self.name = f"{path}: {old} => {new}"


def changes(path):
    """All changes of a file, each text once; they are told apart by a number."""
    source = path.read_text(encoding="utf-8")
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def at(line, column):
        return starts[int(line) - 1] + int(column)

    texts, names = {source}, {}
    for kind, *place in sorted(_places(source), key=lambda p: (int(p[1]), int(p[2]), p)):
        for sort, start, end, text in _rewrite(source, kind, place, at):
            change = Change(path, source, sort, start, end, text)
            if change.text in texts:
                continue
            texts.add(change.text)
            names[change.name] = count = names.get(change.name, 0) + 1
            if count > 1:
                change.name += f" ({count})"
            yield change


def _places(source):
    """What Coccinelle finds; it takes a while, and so is kept."""
    rules = RULES.read_text(encoding="utf-8")
    kept = KEPT / hashlib.sha256((rules + source).encode()).hexdigest()[:16]
    if not kept.is_file():
        KEPT.mkdir(parents=True, exist_ok=True)
        new = kept.with_suffix(".new")
        new.write_text(_look(source), encoding="utf-8")
        new.replace(kept)
    return [line.split() for line in kept.read_text(encoding="utf-8").splitlines() if line.strip()]


def _look(source):
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "file.c"
        copy.write_text(HEX_FLOAT.sub(lambda m: "1" * (len(m[0]) - 2) + ".0", source), encoding="utf-8")
        done = subprocess.run(
            ["spatch", "--very-quiet", "--sp-file", RULES, copy], capture_output=True, text=True, check=False
        )  # fmt: skip
    if done.returncode != 0:
        sys.exit(f"spatch: {done.stderr.strip()}")
    return done.stdout


def _rewrite(source, kind, place, at):
    start = at(*place[:2])
    if kind == "operator":
        old = place[2]
        if not source.startswith(old, start):
            return
        sort = "relational" if old in COMPARISONS else "logical" if old in LOGIC else "arithmetic"
        for new in OPERATORS.get(old, ()):
            yield sort, start, start + len(old), new
    elif kind == "constant":
        yield from _constant(source, start)
    elif kind == "statement":
        yield "deletion", start, at(*place[2:4]), ""
    elif kind == "jump" and re.compile(r"return|break|continue").match(source, start):
        # Of a function without a result Coccinelle takes the brace for a return.
        yield "deletion", start, source.index(";", start), ""
    elif kind == "swap":
        end, second, last = at(*place[2:4]), at(*place[4:6]), at(*place[6:8])
        swapped = source[second:last] + source[end:second] + source[start:end]
        yield "swap", start, last, swapped


def _constant(source, start):
    float_ = re.compile(rf"({HEX_FLOAT.pattern}|\d+\.\d*([eE][+-]?\d+)?)[fFlL]?").match(source, start)
    integer = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)\b").match(source, start)
    if float_:
        for new in (f"({float_[0]} + 1)", f"(-{float_[0]})"):
            yield "constant", start, float_.end(), new
    elif integer:
        value, base = int(integer[1], 0), "#x" if integer[1][:2] in ("0x", "0X") else "d"
        for new in (value + 1, value - 1):
            if new >= 0:
                yield "constant", start, integer.end(), f"{new:{base}}{integer[2]}"
