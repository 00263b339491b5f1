"""A copy of the engine in which only those clauses of its contracts are left that a
program can compute, and a count of what is left and what is not.

    select.py ENGINE PUBLIC LOGIC OUT

ENGINE is copied to OUT. A clause stays if it names nothing but memory, integers and
what LOGIC defines: not the bits of floats and the logs of rows, which are left open
on purpose, nor an earlier state under a quantifier. Annotations of bodies go; what
they say of memory and integers is checked by run-time-error assertions anew. PUBLIC,
contracts of the public functions, joins ndl.h; every file of logic becomes LOGIC and
the numbers that it defines.
The count is printed as JSON.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

ANNOTATION = re.compile(r"/\*@.*?\*/|//@[^\n]*", re.DOTALL)
CONTRACT = re.compile(r"\s*(requires|ensures|assigns|terminates|exits|behavior|assumes)\b")
NUMBER = re.compile(r"^#define \w+ \(.*\)\n", re.MULTILINE)
DEFINED = re.compile(r"\b(?:logic\s+\w+|predicate)\s+(\w+)")
# Nothing that is computed, or that the translator has.
KEYWORDS = {"requires", "ensures", "assumes"}
# Positions of a span are not bounded by any memory: to go through them takes forever.
FOREVER = re.compile(r"\\forall[^;]*;\s*\\result\.lo")
# A range that does not begin at 0, whose beginning the translator mistakes for a pointer.
RANGE = re.compile(r"(\w+) \+ \((?!0 )([^().]+?) \.\. ((?:[^()]|\([^()]*\))+?)\)")
# An earlier state, labels, a binding that the translator mistypes, a quantifier of which
# it drops conditions, and an array in a parameter, of which it copies what C cannot.
NOT_RUN = re.compile(
    r"\\(exists|at|let|lambda|sum|lt_float|old)\b|\{(Pre|Here|Post)\b"
    r"|(?<!>)(?<!\.)\b\w+\.\w+\["
)


def clauses(text):
    """Split at each semicolon that is outside of parentheses and bound variables."""
    depth, start, binding = 0, 0, False
    for i, c in enumerate(text):
        if text.startswith(("\\forall", "\\exists", "\\let"), i):
            binding = True
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == ";" and binding:
            binding = False
        elif c == ";" and depth == 0:
            yield text[start:i]
            start = i + 1


class Selection:
    def __init__(self, forbidden, absent=()):
        self.forbidden, self.absent = forbidden, set(absent)
        self.checked, self.left = Counter(), Counter()

    def without(self, names):
        """The same selection, for a contract in which these are not there either."""
        other = Selection(self.forbidden, names)
        other.checked, other.left = self.checked, self.left
        return other

    def runs(self, clause):
        # A parameter may be called like a function; constants have names in capitals.
        called = set(re.findall(r"(\w+)\s*[({]", clause)) | set(re.findall(r"\b[A-Z]+\b", clause))
        if NOT_RUN.search(clause) or FOREVER.search(clause):
            return False
        return not self.forbidden & called and not self.absent & set(re.findall(r"\w+", clause))

    def contract(self, body):
        """What stays of a contract."""
        kept, dropped_behavior, behaviors = [], False, 0
        for clause in clauses(body):
            text = clause.strip()
            if match := re.match(r"behavior\s+\w+\s*:\s*", text):
                behaviors += 1
                behavior, text = text[: match.end()], text[match.end() :]
                dropped_behavior = False
            else:
                behavior = ""
            keyword = re.match(r"\w+", text)[0]
            if keyword == "assumes" and not self.runs(text):
                dropped_behavior = True
            inside = keyword not in ("complete", "disjoint")
            if keyword in KEYWORDS and self.runs(text) and not (dropped_behavior and behaviors):
                self.checked[keyword] += 1
                text = text.replace("\\min(", "least(").replace("\\max(", "most(")
                text = RANGE.sub(r"\1 + (\2) + (0 .. \3 - (\2))", text)
                kept.append(behavior + text + ";")
            else:
                self.left[keyword] += 1
                if behavior and not dropped_behavior:
                    kept.append(behavior)
                if not inside and not dropped_behavior:
                    self.left[keyword] -= 1
                    self.checked[keyword] += 1
                    kept.append(text + ";")
        return "\n    ".join(kept)

    def annotation(self, match):
        text = match[0]
        body = text[3:].removesuffix("*/") if text.startswith("/*@") else text[3:]
        lines = "\n" * text.count("\n")
        plain = re.sub(r"//[^\n]*", "", body)
        if not CONTRACT.match(plain):
            kind = re.match(r"\s*(\w+( invariant| assigns| variant)?)", plain)[1]
            if kind.startswith("loop"):
                for clause in clauses(plain):
                    self.left[" ".join(clause.split()[:2])] += 1
            else:
                self.left[kind] += 1
            return lines
        # Ghost parameters stand after the declaration that the contract is of.
        after = re.split(r"\n\{|;\n", match.string[match.end() :], maxsplit=1)[0]
        ghosts = re.findall(r"(\w+)\s*[,)]", "".join(re.findall(r"ghost\s*(\([^)]*\))", after)))
        kept = self.without(ghosts).contract(plain)
        return "/*@ " + kept + " */" + "\n" * max(0, lines.count("\n") - kept.count("\n")) if kept else lines

    def file(self, path, to):
        text = path.read_text(encoding="utf-8")
        # The translator knows functions of math.h only in part; one constant is used.
        text = text.replace("#include <math.h>", "#define INFINITY __builtin_inff()")
        to.write_text(ANNOTATION.sub(self.annotation, text), encoding="utf-8")


def join(path, text):
    """Before the end of a header's guard."""
    header = path.read_text(encoding="utf-8")
    end = header.rindex("#endif")
    path.write_text(header[:end] + text + header[end:], encoding="utf-8")


def main():
    engine, public, logic, out = map(Path, sys.argv[1:])
    shutil.rmtree(out, ignore_errors=True)
    for part in ("src/trusted", "include", "logic"):
        (out / part).mkdir(parents=True)
    runs = set(DEFINED.findall(logic.read_text(encoding="utf-8")))
    sources = sorted((engine / "src").rglob("*.[ch]"))
    names = set()
    for path in [*(engine / "logic").glob("*.acsl"), *sources]:
        names |= set(DEFINED.findall(path.read_text(encoding="utf-8")))
    selection = Selection(names - runs)
    for path in sources:
        selection.file(path, out / path.relative_to(engine))
    for path in (engine / "logic").glob("*.acsl"):
        numbers = NUMBER.findall(path.read_text(encoding="utf-8"))
        text = '#include "run.h"\n' + "".join(numbers)
        (out / "logic" / path.name).write_text(text, encoding="utf-8")
    shutil.copy(logic, out / "logic" / "run.h")
    ours = Selection(names - runs)
    ours.file(public, out / "include" / "public.h")
    shutil.copy(engine / "include" / "ndl.h", out / "include" / "ndl.h")
    # Whoever sees ndl.h sees state.h, and at its end the contracts.
    join(out / "include" / "ndl.h", '#include "../src/state.h"\n')
    join(out / "src" / "state.h", '#include "../logic/run.h"\n#include "public.h"\n')
    print(json.dumps({
        "kernels": {"checked": selection.checked, "not": selection.left},
        "public": {"checked": ours.checked, "not": ours.left},
    }, sort_keys=True))  # fmt: skip


main()
