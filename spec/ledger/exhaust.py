"""Exhaustion: programs of proofs/exhaust that compare over all inputs.

A program's first comment names the claims that it decides, and the files of the
engine that they rest on:

    Claims: QNT_002 QNT_006
    Of: engine/src/quant.c engine/src/trusted/round.h

or, as `Axioms:`, what proofs take for granted and it compares. `make exhaust` records
what came out, with a digest of that program and those files, their comments left out. A
record of other files is no evidence.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import re

HEAD = re.compile(r"/\*.*?\*/", re.DOTALL)
FIELD = re.compile(r"^ \* (Claims|Axioms|Of): (.+)$", re.MULTILINE)
# What is no comment, a string say, is kept. A part of a file may end within a comment.
COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|$)|(\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')", re.DOTALL)


def headed(text):
    """The fields of a program's first comment, as lists of words."""
    return {name: words.split() for name, words in FIELD.findall(HEAD.match(text)[0])}


def code(source):
    """What a compiler reads of C: no comments, and so no contracts; spaces are one."""
    return " ".join(COMMENT.sub(lambda match: match[1] or " ", source).split())


def digest(root, program):
    """Of the code that a record speaks of."""
    whole = hashlib.sha256()
    path = root / "proofs" / "exhaust" / f"{program}.c"
    text = path.read_text(encoding="utf-8")
    for part in [text] + [(root / of).read_text(encoding="utf-8") for of in headed(text)["Of"]]:
        whole.update(code(part).encode() + b"\n")
    return whole.hexdigest()[:16]


def read_exhaust(run, path, root):
    """What a program found out over all inputs."""
    result = json.loads(path.read_text(encoding="utf-8"))
    good = result["compared"] > 0 and result["differing"] == 0
    run.add(path.stem, good and result["of"] == digest(root, path.stem), path)
    run.compared[path.stem] = result["compared"]
