"""What means to be evidence for a claim, and where it stands in the tree. Whether
it passed is said by docs/STATUS.md.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import html
import re

from found import BATS, CRITERION, Found

KINDS = (
    ("exhaust", "exhaustion"),
    ("test", "test"),
    ("fuzz", "fuzz target"),
    ("mutant", "mutant"),
)
LEMMA = re.compile(r"\blemma\s+(\w+)")


def plural(number, word):
    return f"{number} {word}{'s' * (number != 1)}"


class Evidence:
    def __init__(self, root, tree):
        self.root, self.tree = root, tree
        self.found = Found(root)
        self.tests = {}  # name -> (path, line)
        self.lemmas = {}
        for path in sorted([*root.glob("tests/*.c"), *root.glob("tests/*.bats")]):
            self._tests(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted([*root.glob("engine/**/*.acsl"), *root.glob("proofs/**/*.[ch]")]):
            text = path.read_text(encoding="utf-8")
            for match in LEMMA.finditer(text):
                place = path.relative_to(root).as_posix(), line_of(text, match.start())
                self.lemmas.setdefault(match[1], place)

    def _tests(self, path, text):
        file = path.rpartition("/")[2]
        for match in (BATS if path.endswith(".bats") else CRITERION).finditer(text):
            title = match[1] or match[2]
            name = f"{match[1]}.{match[2]}"
            if path.endswith(".bats"):
                name = f"{file}: " + re.sub(r"\\(.)", r"\1", title)
            self.tests[name] = path, line_of(text, match.start())

    def _contract(self, owner):
        """Where the contract, or failing that the body, of a function stands."""
        if owner.startswith("lemma "):
            return self.lemmas.get(owner.removeprefix("lemma "))
        pieces = [p for path in self.tree.texts for p in self.tree.functions(path, owner)]
        pieces.sort(key=lambda piece: (piece.is_definition, "/*@" not in piece.text, piece.path))
        return (pieces[0].path, pieces[0].line) if pieces else None

    def of(self, claim, up):
        """(counts, list) of a claim as HTML; up leads from its page to the root."""

        def link(text, place):
            text = f"<code>{html.escape(text)}</code>"
            return f'<a href="{up}{place[0]}#L{place[1]}">{text}</a>' if place else text

        def items(kind):
            return sorted(self.found.items[kind][claim])

        rows, counts = [], []
        owners = {}
        for item in items("proof"):
            owner, _, clause = item.partition(": ")
            owners.setdefault(owner, []).append(clause.removeprefix(f"{claim}_"))
        for owner, clauses in owners.items():
            what = ": " + ", ".join(clauses) if clauses != [""] else ""
            rows.append(f"contract {link(owner, self._contract(owner))}{html.escape(what)}")
        counts += [plural(len(owners), "contract")] * bool(owners)
        for kind, word in KINDS:
            named = items(kind)
            for name in named:
                places = {
                    "exhaust": (f"proofs/exhaust/{name}.c", 1),
                    "test": self.tests.get(name),
                    "fuzz": (f"fuzz/{name}.c", 1),
                    "mutant": (f"tests/{name}.patch", 1),
                }
                rows.append(f"{word} {link(name, places[kind])}")
            counts += [plural(len(named), word)] * bool(named)
        paths = {self.found.vectors[vector].relative_to(self.root) for vector in items("vector")}
        vectors = sorted(path.as_posix() for path in paths)
        for path in vectors:
            # Recordings may be long; the vectors of the corpus are made to be read.
            rows.append(f"vector {link(path, (path, 1) if path.startswith('corpus/') else None)}")
        counts += [plural(len(vectors), "vector")] * bool(vectors)
        return ", ".join(counts), "".join(f"<li>{row}</li>" for row in rows)


def line_of(text, at):
    return text.count("\n", 0, at) + 1
