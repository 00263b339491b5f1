"""The ledger of claims: what is asserted, and what evidence there is for it.

usage: ledger [-C ROOT] [--results DIR] [--ndl PATH] COMMAND
  begin KIND   a run of tests (test), fuzzers (fuzz), proofs (proof), exhaustion
               (exhaust) or mutants (mutant) starts here
  write        record what passed in spec/claims.lock, write docs/STATUS.md
  check        fail on any breach of the rules (rules.py), a line each
  accept ID    take a claim's new sentence, or that it has none any more; its
               evidence is stale until it was run again

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import pathlib
import sys

import lock
import results
import rules
import status
from claims import Chapters
from found import KINDS, Found


class Ledger:
    def __init__(self, options):
        root = options.root
        self.results = root / options.results
        self.lock, self.status = root / "spec" / "claims.lock", root / "docs" / "STATUS.md"
        self.chapters = Chapters(root)
        self.found = Found(root)
        self.entries = lock.read(self.lock)
        self.exceptions = rules.Exceptions(root / "spec" / "exceptions.json", self.chapters)
        self.runs = results.read(root, self.results, self.found)

    def render(self):
        return status.render(
            self.chapters, self.found, self.entries, self.exceptions, self.runs
        )

    def check(self):
        locked_at = self.lock.stat().st_mtime if self.lock.exists() else 0.0
        out = rules.problems(
            self.chapters, self.found, self.entries, self.exceptions, self.runs, locked_at
        )
        if not self.status.exists() or self.status.read_text(encoding="utf-8") != self.render():
            out.append("docs/STATUS.md is out of date: run `make ledger`")
        return out

    def write(self, ndl):
        """Record what passed. A failure among it records nothing."""
        self.runs["vector"] = results.check_vectors(ndl, self.found.vectors, self.chapters)
        failures = []
        for claim in self.chapters.claims.values():
            entry = self.entries.setdefault(claim.id, lock.Entry(claim.hash))
            if entry.sentence == claim.hash:
                for kind in KINDS:
                    failures += record(claim, entry, kind, self.found, self.runs[kind])
        if not failures:
            lock.write(self.lock, self.entries)
            self.status.parent.mkdir(exist_ok=True)
            self.status.write_text(self.render(), encoding="utf-8")
        return failures

    def accept(self, claim_id):
        claim, entry = self.chapters.claims.get(claim_id), self.entries.get(claim_id)
        if not entry:
            return [f"{claim_id}: nothing of it is recorded yet; `make ledger` takes a new claim"]
        if claim and claim.hash == entry.sentence:
            return [f"{claim_id}: its sentence is the recorded one, there is nothing to accept"]
        if claim:
            entry.sentence, entry.stale = claim.hash, list(entry.evidence)
        else:
            del self.entries[claim_id]
        lock.write(self.lock, self.entries)
        return []


def record(claim, entry, kind, found, run):
    """Put into the entry what the run says of the claim; return its failures."""
    named = found.items[kind][claim.id]
    committed, stale = kind in results.COMMITTED, kind in entry.stale
    passed = named & (run.passed if committed and not stale else run.under(claim))
    if stale:
        if passed:
            entry.record(kind, passed)
            entry.stale.remove(kind)
    else:
        kept = entry.names(kind) & named & (run.passed if committed else named)
        # Nothing left of a kind is not recorded: the check calls it vanished.
        if kept | passed:
            entry.record(kind, kept | passed)
    if committed:
        return []  # an open goal or a living mutant is a state, not a failed run
    return [f"{claim.id}: {kind} {name} failed" for name in sorted(named & run.failed)]


def arguments():
    parser = argparse.ArgumentParser(prog="ledger", description=__doc__.split("\n", 1)[0])
    parser.add_argument("-C", dest="root", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--results", default="build/results")
    parser.add_argument("--ndl", default="build/ndl")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("begin").add_argument("kind", choices=results.BEGUN)
    commands.add_parser("write")
    commands.add_parser("check")
    commands.add_parser("accept").add_argument("claim")
    return parser.parse_args()


def main():
    options = arguments()
    if options.command == "begin":
        results.begin(options.root / options.results, options.kind, Chapters(options.root))
        return 0
    ledger = Ledger(options)
    if options.command == "write":
        bad, what = ledger.write(options.ndl), "nothing recorded"
        if not bad and (left := ledger.check()):
            print(f"ledger: written; left for `make ledger-check` to object to: {len(left)}")
    elif options.command == "check":
        bad, what = ledger.check(), "the ledger does not hold"
    else:
        bad, what = ledger.accept(options.claim), "nothing accepted"
    for line in bad:
        print(line, file=sys.stderr)
    if bad:
        print(f"ledger: {what}: {len(bad)} objection{'s'[:len(bad) > 1]}", file=sys.stderr)
    return 1 if bad else 0


try:
    sys.exit(main())
except results.Unreadable as error:
    sys.exit(f"ledger: {error}")
