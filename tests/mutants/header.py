"""The headers of the mutants, tests/mutants/NAME.patch, and whether they are in order.

    header.py [PATCH...]      prints what is wrong; the status is 1 if anything is

A header is a sentence that says what a port does wrong, an empty line, and fields,
one a line; a line that is indented goes on with the one before:

    Kind      a word of tests/mutants/kinds
    Look      what to look at in one's own code
    Target    engine, a patch of engine/src, or driver, one of tests/mutants/driver.c
    Claims    the claims that it breaks
    Goal      function: label, the proof goal that it must break; as often as there are
    Recordings, Unseen by proof, Unseen by test, Unseen by fuzzer
              why recordings, proofs, tests, fuzzers cannot see it, where they cannot
    Seen      where such a mistake was seen in public

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path("tests/mutants")
NEEDED = ("Kind", "Look", "Target", "Claims")
UNSEEN = ("Unseen by proof", "Unseen by test", "Unseen by fuzzer")
FIELDS = (*NEEDED, "Goal", "Recordings", *UNSEEN, "Seen")
FIELD = re.compile(r"([A-Z][A-Za-z ]*): *(.*)")
FILES = {"engine": r"engine/src/(trusted/)?\w+\.[ch]", "driver": r"tests/mutants/driver\.c"}
RESERVED = ("none", "driver")  # the engine as it is, and with the driver in front


class Mutant:
    """A patch: name, sentence, fields (Goal a list), body, files; problems with any of it."""

    def __init__(self, path):
        self.path, self.name = Path(path), Path(path).stem
        self.fields, self.problems = {"Goal": []}, []
        text = self.path.read_text(encoding="utf-8")
        head, mark, body = text.partition("\n--- a/")
        if not mark:
            self._object(1, "there is no patch in it")
        self.body = mark + body
        self.files = re.findall(r"^\+\+\+ b/(\S+)", text, re.MULTILINE)
        lines = head.split("\n")
        self.sentence = lines[0]
        self._read(lines)

    def _object(self, number, what):
        self.problems.append(f"{self.path}:{number}: {what}")

    def _read(self, lines):
        if not re.fullmatch(r"[A-Z].*\.", lines[0]):
            self._object(1, "the first line is not a sentence")
        if len(lines) < 2 or lines[1]:
            self._object(2, "an empty line is between the sentence and the fields")
        last = None
        for number, line in enumerate(lines[2:], 3):
            match = FIELD.fullmatch(line)
            if not line:
                last = None
            elif line[0] == " " and last == "Goal":
                self._object(number, "a goal is one line")
            elif line[0] == " " and last:
                self.fields[last] += " " + line.strip()
            elif not match or match[1] not in FIELDS:
                self._object(number, f"no field of a header: {line}")
            elif match[1] == "Goal":
                last = "Goal"
                self.fields[last].append(match[2])
            else:
                last = match[1]
                if last in self.fields:
                    self._object(number, f"a second {last}")
                self.fields[last] = match[2]

    @property
    def engine(self):
        return self.fields.get("Target") == "engine"

    def check(self, kinds, claims):
        for field, value in self.fields.items():
            if not value and field != "Goal":
                self._object(1, f"{field} says nothing")
        for field in NEEDED:
            if field not in self.fields:
                self._object(1, f"{field} is missing")
        self._check_name(kinds, claims)
        target = self.fields.get("Target")
        if target not in FILES:
            self._object(1, f"Target is engine or driver, not {target}")
            return
        for file in self.files:
            if not re.fullmatch(FILES[target], file):
                self._object(1, f"a patch of the {target} has nothing to do in {file}")
        self._check_goals()
        done = subprocess.run(
            ["patch", "--dry-run", "-s", "-f", "-p1", "--fuzz=0"],
            stdin=self.path.open(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            self._object(1, f"the lines it changes are others now: {done.stdout.strip()}")

    def _check_name(self, kinds, claims):
        if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", self.name) or self.name in RESERVED:
            self._object(1, "a name is words of small letters with hyphens between them")
        kind = self.fields.get("Kind")
        if kind is not None and kind not in kinds:
            self._object(1, f"no kind of tests/mutants/kinds: {kind}")
        for claim in re.split(r"[ ,]+", self.fields.get("Claims", "")):
            if claim and claim not in claims:
                self._object(1, f"no claim of the chapters: {claim}")

    def _check_goals(self):
        goals, why = self.fields["Goal"], "Unseen by proof" in self.fields
        for goal in goals:
            if not re.fullmatch(r"\w+: \w+", goal):
                self._object(1, f"a goal is 'function: label', not '{goal}'")
        if not self.engine and (goals or why):
            self._object(1, "proofs are of the engine: a patch of the driver owes no goal")
        elif self.engine and bool(goals) == why:
            self._object(1, "either a Goal or 'Unseen by proof' says what proofs make of it")


def kinds():
    """The words of tests/mutants/kinds and what they mean."""
    lines = (HERE / "kinds").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(" ") for line in lines if line and line[0] != "#")
    return {word: meaning.strip() for word, _, meaning in pairs}


def claims():
    chapters = sorted(Path("spec").glob("[0-9]*.md"))
    return {c for p in chapters for c in re.findall(r"\*\*([A-Z]+_\d{3})\.", p.read_text(encoding="utf-8"))}


def load(names=()):
    """The mutants of these names or paths, or all."""
    paths = [HERE / f"{Path(name).stem}.patch" for name in names] or sorted(HERE.glob("*.patch"))
    return [Mutant(path) for path in paths]


def document(name, lines):
    """Put lines between the marks of that name in docs/mutants.md."""
    path = Path("docs/mutants.md")
    begin, end = f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->"
    before, mark, rest = path.read_text(encoding="utf-8").partition(begin)
    text = "".join(f"{line}\n" for line in lines)
    path.write_text(before + mark + "\n" + text + "\n" + end + rest.partition(end)[2], encoding="utf-8")


def main():
    mutants, known, declared = load(sys.argv[1:]), kinds(), claims()
    for mutant in mutants:
        mutant.check(known, declared)
    problems = [problem for mutant in mutants for problem in mutant.problems]
    if not sys.argv[1:]:
        missing = known.keys() - {mutant.fields.get("Kind") for mutant in mutants}
        problems += [f"{HERE / 'kinds'}: no patch is of the kind {kind}" for kind in sorted(missing)]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
