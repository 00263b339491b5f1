"""Error bounds, proved by Gappa: what binary32 rounding does to the numbers of a chapter.

proofs/gappa/NAME.g has the definitions, several statements and hints; Gappa takes one
statement at a time. Its header names the claims. Results go to proofs/results/gappa.json
in the form of a unit's, under the function "gappa".

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import subprocess
import time
from pathlib import Path

FOLDER, RESULT = Path("proofs/gappa"), Path("proofs/results/gappa.json")
STATEMENT = re.compile(r"^\{.*?\}$", re.MULTILINE | re.DOTALL)
CLAIMS = re.compile(r"^# Claims: (.+)$", re.MULTILINE)
SECONDS = 60


def alone(text, chosen):
    """A file with one of its statements."""
    return STATEMENT.sub(lambda match: match[0] if match.start() == chosen.start() else "", text)


def proved(text):
    """Whether Gappa proves a file's only statement, and what it says if not."""
    try:
        done = subprocess.run(
            ["gappa"], input=text, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return False, f"no answer in {SECONDS} s"
    said = [line for line in done.stderr.splitlines() if not line.startswith("Warning")]
    return done.returncode == 0, "\n    ".join(said)


class Gappa:
    """All files, or those that state a claim."""

    name = "gappa"

    def __init__(self, claim=None):
        self.goals, self.faults, self.seconds = [], [], 0.0
        self.paths = [
            path
            for path in sorted(FOLDER.glob("*.g"))
            if claim in (None, *self.claims(path.read_text(encoding="utf-8")))
        ]

    @staticmethod
    def claims(text):
        named = CLAIMS.search(text)
        return named[1].split() if named else []

    def run(self):
        started = time.monotonic()
        for path in self.paths:
            text = path.read_text(encoding="utf-8")
            statements = list(STATEMENT.finditer(text))
            if not statements or not self.claims(text):
                self.faults.append(f"{path}: no statement, or no claim")
            for number, statement in enumerate(statements, 1):
                good, said = proved(alone(text, statement))
                for claim in self.claims(text):
                    name = f"statement_{claim}_{path.stem}_{number}"
                    self.goals.append((name, "Gappa" if good else None))
                if not good:
                    line = text.count("\n", 0, statement.start()) + 1
                    self.faults.append(f"not proved: {path}:{line}\n    {said}")
        self.seconds = time.monotonic() - started

    def proved(self):
        return {(self.name, goal) for goal, prover in self.goals if prover}

    def line(self):
        done = len(self.proved())
        return (
            f"{'gappa':<10} {done:>4}/{len(self.goals):<4}  {'-':>7} {self.seconds:>8.1f}"
            f"  {'':<9}  Gappa {done}"
        )

    def result(self):
        return {
            "assumes": [],
            "finished": True,
            "goals": [{"function": self.name, "goal": g, "prover": p} for g, p in self.goals],
            "model": "Gappa",
            "smoke_failed": [],
            "smoke_tests": 0,
        }

    def record(self):
        text = json.dumps(self.result(), indent=1, sort_keys=True) + "\n"
        RESULT.write_text(text, encoding="utf-8")
