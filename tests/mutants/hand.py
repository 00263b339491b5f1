"""make mutants: all that kills each mutant of tests/mutants, and what does not.

    hand.py [--build DIR] [--fuzz DIR] [--without-fuzz] [-j N] [NAME...]

Recorded sessions, Criterion tests, fuzz targets with a fixed seed and so many
executions, and the proof goals that `make prove-mutants` has seen break. Results are a
line a mutant in tests/mutants/results.jsonl, which the ledger reads, each under a hash
of all that it depends on; what has not changed is not run again. The status is 1 if
something does not kill a mutant although its header does not argue why, or kills one
although it does.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import header
import killers
from mutate import code

TRIALS = ("recordings", "tests", "fuzz")
RESULTS = header.HERE / "results.jsonl"
PROOFS = Path("build/prove-mutants")
# What a result depends on beside its patch.
ENGINE = ("engine/src/**/*.[ch]", "engine/include/ndl.h", "tests/mutants/driver.c")
TRIED = (*ENGINE, "engine/tool/*.[ch]", "spec/[0-9]*.md", "fuzz/*.[ch]", "tests/*.[ch]",
         "tests/conformance/**/*.jsonl", "tests/mutants/killers.py")  # fmt: skip


def digest(patterns):
    """A hash of files; of C without comments, so that a contract makes no result stale."""
    total = hashlib.sha256()
    for path in sorted({path for pattern in patterns for path in Path().glob(pattern)}):
        text = path.read_text(encoding="utf-8", errors="surrogateescape")
        text = code(text) if path.suffix in (".c", ".h") else text
        total.update(f"{path}\0{text}\0".encode(errors="surrogateescape"))
    return total.hexdigest()


def key(base, mutant):
    return hashlib.sha256(base.encode() + mutant.body.encode()).hexdigest()[:16]


def make(*goals, jobs):
    """Once for many; what cannot be built is the patch's fault, and ends it all."""
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    command = ["make", "-s", "--no-print-directory", f"-j{jobs}", *goals]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"mutants: they cannot be built\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


class Run:
    def __init__(self, options, mutants):
        self.options, self.mutants = options, mutants
        self.old = {}
        if RESULTS.is_file():
            lines = RESULTS.read_text(encoding="utf-8").splitlines()
            self.old = {result["mutant"]: result for result in map(json.loads, lines)}
        self.results = {}

    def each(self, work, mutants):
        with ThreadPoolExecutor(self.options.jobs) as pool:
            list(pool.map(work, mutants))

    def go(self):
        base, stale = digest(TRIED), []
        for mutant in self.mutants:
            identity, mine = f"mutants/{mutant.name}", key(base, mutant)
            self.results[mutant.name] = result = {"mutant": identity, "key": mine}
            for before in (self.old.get(identity, {}), self.kept(mutant)):
                if before.get("key") == mine and not self.options.again:
                    result.update({k: before[k] for k in TRIALS if k in before})
            if any(k not in result for k in TRIALS):
                stale.append(mutant)
        self._replay([m for m in stale if "tests" not in self.results[m.name]])
        if not self.options.without_fuzz:
            self._fuzz([m for m in stale if "fuzz" not in self.results[m.name]])
        self._proofs()
        self._write()

    def place(self, mutant):
        return Path(self.options.build) / "mutants" / mutant.name / "found.json"

    def kept(self, mutant):
        """What a run that was stopped has found out."""
        path = self.place(mutant)
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}

    def keep(self, mutant, **found):
        result = self.results[mutant.name]
        result.update(found)
        self.place(mutant).write_text(json.dumps(result), encoding="utf-8")

    def _replay(self, mutants):
        if not mutants:
            return
        folder = Path(self.options.build) / "mutants"
        self._say(f"{len(mutants)} of {len(self.mutants)} mutants to try; they are built")
        make(*(f"{folder}/{m.name}/{p}" for m in mutants for p in ("ndl", "ndl-tests")), jobs=self.options.jobs)
        self._say("recordings and tests")

        def work(mutant):
            mine = folder / mutant.name
            self.keep(mutant, recordings=killers.recordings(mine), tests=killers.tests(mine))

        self.each(work, mutants)

    def _fuzz(self, mutants):
        folder = Path(self.options.fuzz) / "mutants"
        for mutant in mutants:
            if "Unseen by fuzzer" in mutant.fields:
                self.keep(mutant, fuzz=None)
        left = [mutant for mutant in mutants if "fuzz" not in self.results[mutant.name]]
        for turn in range(len(killers.ROUNDS)):
            for target in killers.TARGETS:
                if left:
                    self._say(f"fuzzing, round {turn + 1}: {target}, {len(left)} mutants")
                # As few at once as keep the disk free: they are large.
                for some in (left[i : i + 16] for i in range(0, len(left), 16)):
                    self._target(target, turn, folder, some)
                left = [mutant for mutant in left if "fuzz" not in self.results[mutant.name]]
        for mutant in left:
            self.keep(mutant, fuzz=None)

    def _target(self, target, turn, folder, mutants):
        programs = {mutant: folder / mutant.name / f"target-{target}" for mutant in mutants}
        goals = " ".join(map(str, programs.values()))
        make("fuzz-build-libfuzzer", f"FUZZ_GOAL={goals}", jobs=self.options.jobs)

        def work(mutant):
            if found := killers.fuzz(programs[mutant], turn):
                # A sanitizer names files from the root on.
                found["says"] = found["says"].replace(f"{Path.cwd()}/", "")
                self.keep(mutant, fuzz={"target": target, **found})
            programs[mutant].unlink()

        self.each(work, mutants)

    def _proofs(self):
        for mutant in self.mutants:
            result, before = self.results[mutant.name], self.old.get(f"mutants/{mutant.name}", {})
            path = PROOFS / f"{mutant.name}.json"
            known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else before
            patch = hashlib.sha256(mutant.body.encode()).hexdigest()[:16]
            result["proof"] = None if mutant.fields["Goal"] else []
            if known.get("patch") == patch:
                result["proof"] = known["proof"]
            result["patch"] = patch

    def _write(self):
        """All lines anew; those of other mutants stay as they are."""
        for mutant in self.mutants:
            result = self.results[mutant.name]
            by = {
                "recordings": result["recordings"],
                "test": result["tests"],
                "fuzz": result.get("fuzz"),
                "proof": result["proof"],
            }
            result["killed_by"] = [name for name, found in by.items() if found]
            self.old[result["mutant"]] = result
        there = {f"mutants/{mutant.name}" for mutant in header.load()}
        lines = [json.dumps(self.old[name]) + "\n" for name in sorted(self.old) if name in there]
        new = RESULTS.with_suffix(".new")
        new.write_text("".join(lines), encoding="utf-8")
        new.replace(RESULTS)

    @staticmethod
    def _say(what):
        print(f"mutants: {what}", file=sys.stderr, flush=True)


def verdicts(mutant, result):
    """What is not as the header says."""
    said = {
        "proof": result["proof"] if mutant.engine else True,
        "test": result["tests"],
        "fuzzer": result["fuzz"] or [] if "fuzz" in result else None,
    }
    for what, found in said.items():
        why = f"Unseen by {what}" in mutant.fields
        if found is None:
            continue
        if not found and not why:
            yield f"{mutant.name}: no {what} kills it, and its header does not say why"
        elif found and why:
            yield f"{mutant.name}: its header argues that no {what} can see it, but one does"
    if not result["recordings"] and "Recordings" not in mutant.fields:
        yield f"{mutant.name}: no recording shows it, and its header does not say why"


def row(mutant, result):
    tests, proof = result["tests"], result["proof"]
    more = f" and {len(tests) - 1} more" if len(tests) > 1 else ""
    goals = "not run" if proof is None else proof[0].replace("ensures_", "") if proof else "-"
    return (
        f"{mutant.name:<36} {mutant.fields['Kind']:<13} {len(result['recordings']) or '-':>3}  "
        f"{(tests[0].partition('/')[2][:44] + more) if tests else '-':<58}  "
        f"{fuzzed(result, ' ') or '-':<22}  {goals}"
    )


def fuzzed(result, between):
    """The target that finds it, and after how many executions."""
    if "fuzz" not in result:
        return "not tried"
    found = result["fuzz"]
    if not found:
        return ""
    return f"{found['target']}{between}{found['executions']}{' (seeds)' * found.get('seeds', False)}"


def markdown(results):
    """The table of docs/mutants.md, from all results there are."""
    yield "| mutant | recordings | tests | fuzz target, executions | proof goal |"
    yield "|---|--:|---|---|---|"
    for mutant in header.load():
        result = results.get(f"mutants/{mutant.name}", {})
        if "tests" not in result:
            continue
        tests = ", ".join(t.replace("lockstep/share_1", "lock-step").rpartition("/")[2] for t in result["tests"][:2])
        goals = ["not tried"] if result.get("proof") is None else result["proof"] or ["–"]
        yield (
            f"| {mutant.name} | {len(result['recordings']) or '–'} | {tests or '–'} | "
            f"{fuzzed(result, ', ') or '–'} | "
            f"{goals[0].replace('ensures_', '')} |"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--fuzz", default="build/fuzz-libfuzzer")
    parser.add_argument("--without-fuzz", action="store_true", help="take of fuzzing what is known")
    parser.add_argument("--again", action="store_true", help="also what has not changed")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    mutants = header.load(options.names)
    run = Run(options, mutants)
    run.go()
    print(f"{'mutant':<36} {'kind':<13} rec  {'tests':<58}  {'fuzzer, executions':<22}  proof")
    header.document("hand", markdown(run.old))
    objections = []
    for mutant in mutants:
        print(row(mutant, run.results[mutant.name]))
        objections += verdicts(mutant, run.results[mutant.name])
    (Path(options.build) / "mutants.json").write_text(json.dumps(list(run.results.values()), indent=1) + "\n")
    killed = [len(r["killed_by"]) for r in run.results.values()]
    goals = sum(r["proof"] is None for r in run.results.values())
    targets = sum("fuzz" not in r for r in run.results.values())
    print(f"{len(mutants)} mutants, {sum(k > 0 for k in killed)} killed", end="")
    print(f", {targets} not fuzzed" * bool(targets), end="")
    print(f", {goals} whose proof goal was not tried: make prove-mutants" * bool(goals))
    print(*objections, sep="\n", end="\n" if objections else "")
    return 1 if objections else 0


if __name__ == "__main__":
    sys.exit(main())
