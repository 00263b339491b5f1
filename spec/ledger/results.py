"""Evidence as runs left it behind.

DIR, by default build/results, holds a folder for each kind of run. A run opens
its folder with `begin KIND`: what an older run left there goes, and the hash of
every sentence as it then stands is noted. So a run speaks for the sentences
that it was made under, and for no others.

    test/   criterion.json; report.xml, bats' report in JUnit's format
    fuzz/   *.json: {"target": NAME, "inputs": N, "failed": N}
    proof/, exhaust/, mutant/   nothing more: what these find out is committed, as
            proofs/results/*.json, proofs/results/exhaust/*.json and
            tests/mutants/results.jsonl

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import json
import subprocess
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from functools import partial

from exhaust import read_exhaust
from proofs import read_proofs

SENTENCES = "sentences.json"
BEGUN = ("test", "fuzz", "proof", "exhaust", "mutant")
COMMITTED = ("proof", "exhaust", "mutant")


class Unreadable(Exception):
    """A results file that is not what a run writes."""


class Run:
    """What one kind of run found out, by the names that found.py gives."""

    def __init__(self, noted=None):
        self.passed, self.failed, self.fresh = set(), set(), set()
        self.sentences = {}  # claim -> hash of the sentence that this was run under
        self.provers, self.assumed = defaultdict(dict), defaultdict(set)  # of a proof's items
        self.compared = {}  # program of proofs/exhaust -> how many inputs
        self.trusted = {}  # axiom -> why, of all proofs
        self.since = self.written = 0.0
        if noted and noted.is_file():
            self.sentences = json.loads(noted.read_text())
            self.since = noted.stat().st_mtime

    def add(self, name, good, path):
        # A parameterised test gives a result for each parameter.
        (self.passed if good else self.failed).add(name)
        self.passed -= self.failed
        time = path.stat().st_mtime
        self.written = max(self.written, time)
        if time >= self.since:
            self.fresh.add(name)

    def under(self, claim):
        """The names that passed in a run made under the claim's present sentence."""
        return self.passed & self.fresh if self.sentences.get(claim.id) == claim.hash else set()


def begin(directory, kind, chapters):
    folder = directory / kind
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    (folder / SENTENCES).write_text(json.dumps(chapters.hashes(), indent=1) + "\n")


def read(root, directory, found):
    """The runs by kind; vectors are not among them, check_vectors runs those."""
    tests, proofs = directory / "test", root / "proofs" / "results"
    read_goals = partial(read_proofs, items=found.names("proof"))
    records = sorted(proofs.glob("exhaust/*.json"))
    programs = found.names("exhaust") | set(found.axioms.values())
    exhausted = [path for path in records if path.stem in programs]
    readers = {
        "test": (_tests, [tests / "criterion.json", tests / "report.xml"]),
        "fuzz": (_fuzz, sorted((directory / "fuzz").glob("*.json"))),
        "proof": (read_goals, sorted(proofs.glob("*.json"))),
        "exhaust": (partial(read_exhaust, root=root), exhausted),
        "mutant": (_mutants, sorted((root / "tests").glob("*/results.jsonl"))),
    }
    runs = {}
    for kind, (reader, paths) in readers.items():
        noted = directory / kind / SENTENCES
        runs[kind] = Run(noted)
        for path in paths:
            if path.is_file() and path != noted:
                try:
                    reader(runs[kind], path)
                except (ValueError, KeyError, TypeError, ElementTree.ParseError) as error:
                    raise Unreadable(f"{path}: not what a run writes: {error!r}") from error
    if (trusted := root / "proofs" / "trusted.json").is_file():
        runs["proof"].trusted = json.loads(trusted.read_text(encoding="utf-8"))
    return runs


def _tests(run, path):
    if path.suffix == ".json":
        for suite in json.loads(path.read_text(encoding="utf-8", errors="replace"))["test_suites"]:
            for test in suite["tests"]:
                if test["status"] != "SKIPPED":
                    run.add(f"{suite['name']}.{test['name']}", test["status"] == "PASSED", path)
        return
    for case in ElementTree.parse(path).getroot().iter("testcase"):
        if case.find("skipped") is None:
            name = f"{case.attrib['classname']}: {case.attrib['name']}"
            run.add(name, case.find("failure") is None and case.find("error") is None, path)


def _fuzz(run, path):
    result = json.loads(path.read_text())
    run.add(result["target"], result["inputs"] > 0 and result["failed"] == 0, path)


def _mutants(run, path):
    for line in path.read_text().splitlines():
        result = json.loads(line)
        run.add(result["mutant"], bool(result["killed_by"]), path)


def check_vectors(ndl, vectors, chapters):
    """A run of `ndl check` on each vector, now and so under the present sentences."""
    run = Run()
    run.sentences = chapters.hashes()
    for name, path in sorted(vectors.items()):
        try:
            done = subprocess.run([ndl, "check", "--quiet", path], capture_output=True, check=False)
        except OSError as error:
            raise Unreadable(f"{ndl}: {error.strerror}: vectors need the command") from error
        run.add(name, done.returncode == 0, path)
    return run
