"""make prove: runs Frama-C/WP over the units and prints a line for each.

A unit is proofs/units/NAME.json: what it is about, its files, WP's model, and
whether it is required. Every goal has to be proved and every smoke test to pass;
an axiom that a unit's files bring in has to be declared, with its justification,
in proofs/trusted.json. Nothing is admitted.

    prove.py [--cache MODE] [UNIT...]

Results go to proofs/results/UNIT.json, goal by goal. A unit that is not required
yet is reported and does not fail. The status is 1 if a required unit fails.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

PROOFS = Path("proofs")
# Steps, not seconds, bound a prover, so that a loaded machine proves the same.
STEPS, PATIENCE, SMOKE_SECONDS = 5_000_000, 600, 2
OPTIONS = [
    "-c11", "-machdep", "gcc_x86_64",
    "-cpp-extra-args=-Iengine/include -Iengine/src",
    "-wp", "-wp-rte", "-warn-special-float", "none",
    "-warn-unsigned-overflow", "-warn-unsigned-downcast", "-warn-signed-downcast",
    "-wp-prover", "z3,cvc5", "-wp-par", "2",
    "-wp-steps", str(STEPS), "-wp-timeout", str(PATIENCE),
    "-wp-smoke-tests", "-wp-smoke-timeout", str(SMOKE_SECONDS),
    "-wp-cache-dir", str(PROOFS / "cache"),
]  # fmt: skip

GOAL = re.compile(r"^\[wp\] \[(\S+)[^\]]*\] Goal (\S+) : (\w+)", re.MULTILINE)
SMOKE = re.compile(r"^\[wp\] \[(Passed|Failed)[^\]]*\] Smoke-test (\S+)", re.MULTILINE)
FUNCTION = re.compile(r"^\[rte:annot\] annotating function (\S+)", re.MULTILINE)
TOTAL = re.compile(r"^\[wp\] Proved goals: +(\d+) / (\d+)", re.MULTILINE)
AXIOM = re.compile(r"\baxiom\s+(\w+)")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.MULTILINE)
ADMIT = re.compile(r"(?:/\*@|//@)[^*]*\b(?:admit|assume)\b")


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
    def __init__(self, path):
        self.name = path.stem
        for key, value in json.loads(path.read_text(encoding="utf-8")).items():
            setattr(self, key, value)

    def run(self, cache):
        started = time.monotonic()
        # Contracts and code of a unit may leave functions to another.
        skip = ["-wp-skip-fct", ",".join(self.skip)] if getattr(self, "skip", None) else []
        driver = ["-wp-driver", self.driver] if getattr(self, "driver", None) else []
        command = ["frama-c", *OPTIONS, "-wp-cache", cache, "-wp-model", self.model, *driver]
        environment = dict(os.environ, WHY3CONFIG=str((PROOFS / "why3.conf").resolve()))
        done = subprocess.run(
            [*command, *skip, *self.files], env=environment, capture_output=True, text=True
        )
        self.log = done.stdout + done.stderr
        self.seconds = time.monotonic() - started
        functions = FUNCTION.findall(self.log)
        self.goals = [
            (*owner(name, functions), prover if verdict == "Valid" else None)
            for prover, name, verdict in GOAL.findall(self.log)
        ]
        self.smoke = Counter(verdict for verdict, _ in SMOKE.findall(self.log))
        self.doomed = [name for verdict, name in SMOKE.findall(self.log) if verdict == "Failed"]
        self.open = [(function, goal) for function, goal, prover in self.goals if not prover]
        files = sorted(reached(self.files))
        texts = {path: path.read_text(encoding="utf-8") for path in files}
        self.axioms = sorted({a for text in texts.values() for a in AXIOM.findall(text)})
        self.admits = [str(path) for path, text in texts.items() if ADMIT.search(text)]
        total = TOTAL.search(self.log)
        # WP's own count has the smoke tests in it; what was parsed must add up to it.
        self.counted = bool(total) and done.returncode == 0 and (
            int(total[2]) == len(self.goals) + sum(self.smoke.values())
        )

    def proved(self):
        return len(self.goals) - len(self.open)

    def faults(self, trusted):
        for function, goal in self.open:
            yield f"not proved: {function}: {goal}"
        for name in self.doomed:
            yield f"smoke test failed, a contract contradicts itself: {name}"
        for axiom in self.axioms:
            if axiom not in trusted:
                yield f"axiom {axiom} is not declared in proofs/trusted.json"
        for path in self.admits:
            yield f"{path} admits or assumes"
        if not self.counted or not self.goals:
            yield "frama-c did not finish; the end of what it said:\n" + self.log[-1500:]

    def write(self):
        result = {
            "assumes": self.axioms,
            "model": self.model,
            "finished": self.counted,
            "smoke_tests": self.smoke["Passed"],
            "smoke_failed": sorted(self.doomed),
            "goals": [
                {"function": function, "goal": goal, "prover": prover}
                for function, goal, prover in sorted(self.goals, key=lambda g: (g[0], g[1]))
            ],
        }
        folder = PROOFS / "results"
        folder.mkdir(exist_ok=True)
        text = json.dumps(result, indent=1, sort_keys=True) + "\n"
        (folder / f"{self.name}.json").write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(prog="make prove", description="proves units of the engine")
    parser.add_argument("--cache", default="update", choices=["update", "offline", "none"])
    parser.add_argument("units", nargs="*", metavar="UNIT")
    arguments = parser.parse_args()
    known = {path.stem: path for path in sorted((PROOFS / "units").glob("*.json"))}
    for name in arguments.units:
        if name not in known:
            parser.error(f"there is no unit {name}: {', '.join(known)}")
    trusted = json.loads((PROOFS / "trusted.json").read_text(encoding="utf-8"))

    failed, used = False, set()
    print(f"{'unit':<10} {'proved':>9}  {'smoke':>7} {'seconds':>8}  provers", flush=True)
    for name in arguments.units or known:
        unit = Unit(known[name])
        unit.run(arguments.cache)
        faults = list(unit.faults(trusted))
        provers = Counter(prover for _, _, prover in unit.goals if prover)
        said = ", ".join(f"{prover} {count}" for prover, count in sorted(provers.items()))
        smoke = f"{unit.smoke['Passed']}/{sum(unit.smoke.values())}"
        note = "" if unit.required else "  (not yet required)"
        print(
            f"{name:<10} {unit.proved():>4}/{len(unit.goals):<4}  {smoke:>7} {unit.seconds:>8.1f}"
            f"  {said}{note}",
            flush=True,
        )
        for fault in faults if unit.required or arguments.units else []:
            print(f"  {fault}")
        failed = failed or (unit.required and bool(faults))
        used.update(unit.axioms)
        unit.write()
    print("\ntrusted")
    for axiom in sorted(used):
        print(f"  {axiom}: {trusted.get(axiom, 'NOT DECLARED')}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
