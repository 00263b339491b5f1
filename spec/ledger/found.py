"""Evidence as the tree states it: every place where a claim's id stands.

What is found here says only that somebody meant to give evidence. Whether it
passed is in the recorded runs (results.py).

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import gzip
import hashlib
import json
import re
from collections import defaultdict

from claims import ID, leading_ids
from exhaust import headed
from proofs import functions, guarded, labels

# What names the evidence of each kind:
#   proof   "function: clause" with the id as its ACSL label, "lemma name",
#           "gappa: id_file" of a file of proofs/gappa, or "function: run-time errors"
#   test    suite.name of a Criterion test, "file: title" of a bats test
#   exhaust a program of proofs/exhaust
#   fuzz    a target that has an assertion whose text begins with the id
#   vector  id@digest: another file under an old id is another vector
#   mutant  folder/name of a patch
KINDS = ("proof", "exhaust", "test", "fuzz", "vector", "mutant")

CRITERION = re.compile(
    r"^[ \t]*(?:Test\s*\(|ParameterizedTest\s*\([^,()]*,|Theory\s*\(\s*\([^()]*\)\s*,)"
    r"\s*(\w+)\s*,\s*(\w+)",
    re.MULTILINE,
)
BATS = re.compile(r"""^[ \t]*@test\s+(?:"((?:[^"\\]|\\.)*)"|'([^']*)')\s*\{""", re.MULTILINE)
STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
MISSHAPEN = re.compile(r"(?<![A-Za-z0-9_])([A-Z]{2,8})_(?![0-9]{3}(?![0-9]))[0-9]+(?![A-Za-z0-9])")

TEXT = {".c", ".h", ".acsl", ".md", ".bats", ".sh", ".mk", ".py", ".driver", ".g"}
ROOMS = ("engine", "spec", "proofs", "fuzz", "tests", "docs", "corpus/vectors")
TOP = ("README.md",)  # CONTRIBUTING.md makes a claim up
# The examples of the ledger and of the linter name claims that are none.
OWN = ("spec/ledger/", "tests/ledger", "tests/lint/", "docs/STATUS.md")


class Found:
    """items[kind][claim] are the names of what means to be evidence for it."""

    def __init__(self, root):
        self.items = {kind: defaultdict(set) for kind in KINDS}
        self.where = defaultdict(list)  # id -> places that name it
        self.misshapen = []  # (place, family, word): nearly an id
        self.tests = set()  # all of them, claimed or not
        self.vectors = {}  # name -> path
        self.axioms = {}  # axiom -> the program of proofs/exhaust that compares it
        self.defined = set()  # functions of the engine, but trusted ones
        self.safe = set()  # claims that goals of run-time errors speak for
        self.problems = []
        for path, name in files(root):
            if path.suffix in TEXT:
                self._text(name, path.read_text(encoding="utf-8", errors="replace"))
            elif name.startswith(("tests/conformance/", "corpus/vectors/")):
                self._vector(path, name)
            elif re.fullmatch(r"tests/mutants/[^/]+\.patch", name):
                self._mutant(path, name)
            elif re.fullmatch(r"proofs/units/\w+\.json", name):
                self._unit(path, name)
        for claim in self.safe:
            self.items["proof"][claim] |= {guarded(function) for function in self.defined}

    def names(self, kind):
        return set().union(*self.items[kind].values())

    def _text(self, name, text):
        for number, line in enumerate(text.splitlines(), 1):
            for match in ID.finditer(line):
                self.where[match[1]].append(f"{name}:{number}")
            for match in MISSHAPEN.finditer(line):
                self.misshapen.append((f"{name}:{number}", match[1], match[0]))

        file = name.rpartition("/")[2]
        if re.fullmatch(r"tests/(unit|prop)_\w+\.c", name):
            for match in CRITERION.finditer(text):
                self._test(f"{match[1]}.{match[2]}", match[2], name, text, match)
        elif re.fullmatch(r"tests/[^/]+\.bats", name):
            for match in BATS.finditer(text):
                title = match[2] or re.sub(r"\\(.)", r"\1", match[1] or "")
                self._test(f"{file}: {title}", title, name, text, match)
        elif re.fullmatch(r"fuzz/\w+\.c", name):
            for match in STRING.finditer(text):
                for claim in leading_ids(match[1]):
                    self.items["fuzz"][claim].add(file[:-2])
        elif re.fullmatch(r"proofs/exhaust/\w+\.c", name):
            head = headed(text)
            for claim in head.get("Claims", []):
                self.items["exhaust"][claim].add(file[:-2])
            self.axioms |= {axiom: file[:-2] for axiom in head.get("Axioms", [])}
        elif re.fullmatch(r"proofs/gappa/\w+\.g", name):
            for claim in re.findall(r"^# Claims: (.+)$", text, re.MULTILINE):
                for word in claim.split():
                    self.items["proof"][word].add(f"gappa: {word}_{file[:-2]}")
        elif name.startswith(("engine/", "proofs/")) and name.endswith((".c", ".h", ".acsl")):
            for claim, clause in labels(text):
                self.items["proof"][claim].add(clause)
            if re.fullmatch(r"engine/src/\w+\.[ch]", name):
                self.defined |= functions(text)

    def _test(self, test, title, name, text, match):
        place = f"{name}:{text.count(chr(10), 0, match.start()) + 1}"
        if test in self.tests:
            self.problems.append(f"{place}: there are two tests named {test}")
        self.tests.add(test)
        for claim in leading_ids(title):
            self.items["test"][claim].add(test)
            if claim not in ID.findall(title):  # the inside of a range
                self.where[claim].append(place)

    def _vector(self, path, name):
        if not name.endswith((".jsonl", ".jsonl.gz")):
            return
        try:
            with (gzip.open if name.endswith(".gz") else open)(path, "rb") as lines:
                header = json.loads(next((line for line in lines if line.strip()), b""))
            ids = header.get("claims", [])
            vector = header.get("id")
            if not all(isinstance(claim, str) for claim in ids):
                raise ValueError("claims is an array of ids")
            if ids and not isinstance(vector, str):
                raise ValueError("a vector that names claims has an id of its own")
        except (ValueError, AttributeError, TypeError, OSError, EOFError) as error:
            self.problems.append(f"{name}:1: not the header of a vector: {error}")
            return
        if not ids:
            return
        key = f"{vector}@{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
        if any(vector == other.partition("@")[0] for other in self.vectors):
            self.problems.append(f"{name}:1: there are two vectors with the id {vector}")
        self.vectors[key] = path
        self._headed("vector", key, ids, f"{name}:1")

    def _unit(self, path, name):
        try:
            claims = json.loads(path.read_text(encoding="utf-8")).get("claims", [])
        except (ValueError, AttributeError) as error:
            self.problems.append(f"{name}:1: not a unit of proofs: {error}")
            return
        for claim in claims:
            self.safe.add(claim)
            self.where[claim].append(f"{name}:1")

    def _mutant(self, path, name):
        mutant = name.removeprefix("tests/").removesuffix(".patch")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith(("diff ", "--- ")):
                break
            if match := re.match(r"(?:#\s*)?claims:(.*)", line, re.IGNORECASE):
                words = match[1].replace(",", " ").split()
                self._headed("mutant", mutant, words, f"{name}:{number}")

    def _headed(self, kind, item, words, place):
        for word in words:
            if ID.fullmatch(word):
                self.items[kind][word].add(item)
                self.where[word].append(place)
            else:
                self.problems.append(f"{place}: '{word}' is no id of a claim")


def files(root):
    paths = [root / top for top in TOP]
    for room in ROOMS:
        paths += sorted((root / room).rglob("*"))
    for path in paths:
        name = path.relative_to(root).as_posix()
        if path.is_file() and not name.startswith(OWN):
            yield path, name
