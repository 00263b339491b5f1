"""A unit of proofs: one run of Frama-C/WP over a unit's files, and what it said.

A unit is proofs/units/NAME.json:

    what      what it is about
    claims    those that its goals of run-time errors are evidence of
    files     the C files that WP reads; what they include comes with them
    model     WP's memory and arithmetic: Typed+real, or Typed for IEEE 754
    driver    a file that binds logic functions to those of a prover's theory
    skip      functions that have a contract and are left to another unit
    leave     files all of whose functions are; engine/src/trusted always is
    group     the name under which `make prove U=GROUP` runs several units; one of
              them may be called so
    required  whether `make prove` fails with it

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import re
import shlex
import subprocess
import threading
import time
from collections import Counter, namedtuple
from pathlib import Path

PROOFS = Path("proofs")
TRUSTED = Path("engine/src/trusted")
# Steps, not seconds, bound a prover, so that a loaded machine proves the same.
STEPS, PATIENCE, SMOKE_SECONDS = 5_000_000, 600, 2
PROVERS = ("z3", "cvc5")
# Provers at a time; and answers of the cache that WP looks at in one round of 50 ms.
PROVING, READING = 2, 64
OPTIONS = [
    "-c11", "-machdep", "gcc_x86_64",
    "-cpp-extra-args=-Iengine/include -Iengine/src",
    "-wp", "-wp-rte", "-warn-special-float", "none",
    "-warn-unsigned-overflow", "-warn-unsigned-downcast", "-warn-signed-downcast",
    "-wp-prover", ",".join(PROVERS), "-wp-steps", str(STEPS),
]  # fmt: skip
SMOKE_OPTIONS = ["-wp-smoke-tests", "-wp-smoke-timeout", str(SMOKE_SECONDS)]
# WP makes much garbage: a large young heap saves a fifth of its time.
ENVIRONMENT = dict(
    os.environ, WHY3CONFIG=str((PROOFS / "why3.conf").resolve()), OCAMLRUNPARAM="s=32M,o=400"
)
# Units are read from the cache side by side; provers serve one unit at a time.
TURN = threading.Lock()

# What WP proves itself.
OWN = {"Qed", "CFG"}
# A goal that several provers failed at has no verdict in its line.
GOAL = re.compile(r"^\[wp\] \[(\S+)[^\]]*\] Goal (\S+)(?: : (\w+))?", re.MULTILINE)
SMOKE = re.compile(r"^\[wp\] \[(Passed|Failed)[^\]]*\] Smoke-test (\S+)", re.MULTILINE)
FUNCTION = re.compile(r"^\[rte:annot\] annotating function (\S+)", re.MULTILINE)
TOTAL = re.compile(r"^\[wp\] Proved goals: +(\d+) / (\d+)", re.MULTILINE)
FOUND = re.compile(r"^\[wp\] \[Cache\].*\bfound: ?(\d+)", re.MULTILINE)
# With -wp-print, a block a goal: what it is, by its clause's names or its place.
RULE = re.compile(r"^-{20,}$", re.MULTILINE)
HEADING = re.compile(r"^  Function (\w+)$", re.MULTILINE)
PRINTED = re.compile(r"^Goal (.*):$", re.MULTILINE)
PLACE = re.compile(r"\(file (?P<file>[^,)]+), line (?P<line>\d+)\)")
NAMES = re.compile(r"'([\w,]+)'")
AXIOM = re.compile(r"\baxiom\s+(\w+)")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
ADMIT = re.compile(r"(?:/\*@|//@)[^*]*\b(?:admit|assume)\b")
DEFINED = re.compile(r"^\w[\w\s*]*?\b(\w+)\s*\([^;{}]*\)\s*\{", re.MULTILINE)
CLAIM = re.compile(r"[A-Z]{2,8}_[0-9]{3}")

Goal = namedtuple("Goal", "function name prover")
Open = namedtuple("Open", "function name claim clause place")


def reached(files):
    """The files that a unit consists of: its own and what they include."""
    seen, todo = set(), [Path(f) for f in files]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            for folder in (path.parent, Path("engine/src"), Path("engine/include")):
                if (folder / name).is_file():
                    todo.append(Path(os.path.normpath(folder / name)))
                    break
    return seen


def owner(goal, functions):
    """The function whose goal this is, and the goal's own name."""
    rest = re.sub(r"^typed(?:_real|_float|_cast)*_", "", goal)
    if rest.startswith("lemma_"):
        return "lemma", rest.removeprefix("lemma_")
    fitting = [f for f in functions if rest.startswith(f + "_")]
    if not fitting:
        return "?", rest
    function = max(fitting, key=len)
    return function, rest.removeprefix(function + "_")


class Unit:
    claims, driver, group, skip, leave = (), None, None, (), ()

    def __init__(self, path):
        self.name = path.stem
        for key, value in json.loads(path.read_text(encoding="utf-8")).items():
            setattr(self, key, value)
        self.texts = {p: p.read_text(encoding="utf-8") for p in sorted(reached(self.files))}
        self.axioms = sorted({a for text in self.texts.values() for a in AXIOM.findall(text)})
        self.trusts = [str(p) for p in self.texts if TRUSTED in p.parents and p.suffix == ".h"]
        self.admits = [str(path) for path, text in self.texts.items() if ADMIT.search(text)]

    def names(self):
        """What it goes by on the command line."""
        return {self.name, self.group} - {None}

    def states(self, claim):
        return any(re.search(rf"\b{claim}\b", text) for text in self.texts.values())

    def left(self):
        """Functions that are another unit's, or trusted."""
        functions = set(self.skip)
        for path, text in self.texts.items():
            if TRUSTED in path.parents or str(path) in self.leave:
                functions.update(DEFINED.findall(text))
        return sorted(functions)

    def command(self, *more):
        driver = ["-wp-driver", self.driver] if self.driver else []
        skip = ["-wp-skip-fct", ",".join(self.left())] if self.left() else []
        return ["frama-c", *OPTIONS, "-wp-model", self.model, *driver, *skip, *more, *self.files]

    def ask(self, cache, *more):
        """What frama-c says, and its status."""
        where = str((PROOFS / "cache").resolve())
        at_once = READING if cache == "offline" else PROVING
        done = subprocess.run(
            self.command(
                "-wp-timeout", str(PATIENCE), "-wp-par", str(at_once),
                "-wp-cache", cache, "-wp-cache-dir", where, *more,
            ),
            env=ENVIRONMENT, capture_output=True, text=True,
        )  # fmt: skip
        return done.stdout + done.stderr, done.returncode

    def run(self, cache, claim=None):
        """Prove the unit's goals, or those of one claim. From the cache alone first:
        WP reads it faster when it knows that no prover will be started."""
        started = time.monotonic()
        some = [f"-wp-prop={claim}"] if claim else SMOKE_OPTIONS
        if cache != "none":
            self.hear(*self.ask("offline", *some), claim)
        if cache == "none" or (cache == "update" and (self.missed or self.open)):
            with TURN:
                self.hear(*self.ask(cache, *some), claim)
        if self.open:
            printed, _ = self.ask("offline", "-wp-print", *some)
            self.open = self.explain(self.open, printed)
        self.seconds = time.monotonic() - started

    def hear(self, log, status, claim):
        """Read what was said of each goal."""
        self.log = log
        functions = FUNCTION.findall(log)
        self.goals = [
            Goal(*owner(name, functions), prover if verdict == "Valid" else None)
            for prover, name, verdict in GOAL.findall(log)
        ]
        self.smoke = Counter(verdict for verdict, _ in SMOKE.findall(log))
        self.doomed = [name for verdict, name in SMOKE.findall(log) if verdict == "Failed"]
        self.open = [goal for goal in self.goals if not goal.prover]
        # Without an answer a goal is open, but a smoke test passes: each prover owes one.
        asked = sum(goal.prover not in OWN for goal in self.goals if goal.prover)
        found = FOUND.search(log)
        needed = asked + len(PROVERS) * sum(self.smoke.values())
        self.missed = max(0, needed - int(found[1] if found else 0))
        total = TOTAL.search(log)
        # WP's own count has the smoke tests in it; what was parsed must add up to it.
        self.counted = status == 0 and (
            int(total[2]) == len(self.goals) + sum(self.smoke.values()) if total else bool(claim)
        )

    def explain(self, unproved, log):
        """Where the clause of each goal stands: WP prints it with the goal."""
        found, printed, function = [], [], None
        for block in RULE.split(log):
            if heading := HEADING.search(block):
                function = heading[1]
            what = PRINTED.search(block)
            if what and "returns Valid" not in block:
                printed.append((function, what[1]))
        for goal in unproved:
            fitting = [p for p in printed if self.fits(goal, *p)]
            what = fitting[0] if fitting else None
            if what:
                printed.remove(what)
            claim = CLAIM.search(goal.name)
            clause = what[1] if what else goal.name
            place = PLACE.search(clause)
            where = f"{place['file']}:{place['line']}" if place else self.find(goal, clause)
            clause = PLACE.sub("", clause).strip()
            found.append(Open(*goal[:2], claim[0] if claim else "no claim", clause, where))
        return found

    @staticmethod
    def fits(goal, function, what):
        names = NAMES.search(what)
        if goal.function not in (function, "lemma"):
            return False
        return names is None or names[1].replace(",", "_") in goal.name

    def find(self, goal, clause):
        """The line of a clause that WP names without its place: by its labels,
        before the function's name."""
        names = NAMES.search(clause)
        label = ": ".join(names[1].split(",")) + ":" if names else None
        for path, text in self.texts.items():
            at = re.search(rf"\b{re.escape(goal.function)}\s*\(", text)
            if label and at:
                start = text.rfind(label, 0, at.start())
                if start >= 0:
                    return f"{path}:{text.count(chr(10), 0, start) + 1}"
        return "?"

    def reopen(self, failure):
        """The command that tries one clause again and prints its goals."""
        names = NAMES.search(failure.clause)
        some = [f"-wp-prop={names[1].split(',')[-1]}"] if names else []
        function = ["-wp-fct", failure.function] if failure.function not in ("lemma", "?") else []
        words = self.command("-wp-timeout", "60", "-wp-print", *function, *some)
        return f"WHY3CONFIG={PROOFS / 'why3.conf'} {shlex.join(words)}"

    def proved(self):
        return {(goal.function, goal.name) for goal in self.goals if goal.prover}

    def result(self):
        return {
            "assumes": self.axioms,
            "model": self.model,
            "finished": self.counted,
            "smoke_tests": self.smoke["Passed"],
            "smoke_failed": sorted(self.doomed),
            "goals": [
                {"function": goal.function, "goal": goal.name, "prover": goal.prover}
                for goal in sorted(self.goals, key=lambda g: g[:2])
            ],
        }
