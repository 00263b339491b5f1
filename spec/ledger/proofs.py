"""Proofs: labels in contracts, and the committed results of `make prove`.

A clause `ensures KV_001: below: ...` of ndl_ring_slot is the item
"ndl_ring_slot: KV_001_below"; WP names its goals ..._ensures_KV_001_below, with
_established, _preserved or a part's number behind. A law is "lemma KV_006_rows".
A clause counts as proved if it has goals and its function leaves no goal open,
its own or another: an ensures means nothing beside an open loop invariant. What C
leaves undefined has no label: units (proofs/units/NAME.json) name the claim that goals
of run-time errors speak for, of which each function of the engine, but trusted ones, is
the item "ndl_ring_slot: run-time errors", whether a unit has it or none.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import json
import re
from collections import Counter

# Provers that race for what Qed leaves open: which of them is the first differs
# from run to run, and says nothing of the claim.
RIVALS = {"Z3": "Z3 or cvc5", "CVC5": "Z3 or cvc5"}

ACSL = re.compile(r"/\*@.*?\*/|//@[^\n]*", re.DOTALL)
LABEL = re.compile(
    r"\blemma\s+(?P<law>([A-Z]{2,8}_[0-9]{3})(?:_\w+)?)\s*(?:\{[^{}]*\}\s*)?:"
    r"|\b(?P<claim>[A-Z]{2,8}_[0-9]{3})\s*:(?:\s*(?P<label>[A-Za-z_]\w*)\s*:)?"
)
CONTRACT = re.compile(r"(?<!loop )\b(?:ensures|assigns|terminates|exits)\b")
DECLARATOR = re.compile(r"[\s\w*]*?\b([A-Za-z_]\w*)\s*\(")
DEFINITION = re.compile(r"^\w[\w\s*]*?\b(\w+)\s*\([^;{}]*\)[^;{}]*\{", re.MULTILINE)


def labels(text):
    """(claim, item) for each label: of the function whose contract or body it
    stands in, or of the lemma that it names."""
    for comment in ACSL.finditer(text):
        for label in LABEL.finditer(comment[0]):
            if label["law"]:
                yield label[2], f"lemma {label['law']}"
                continue
            if CONTRACT.search(comment[0]):
                function = DECLARATOR.match(text, comment.end())
            else:
                *_, function = [None, *DEFINITION.finditer(text, 0, comment.start())]
            name = label["claim"] + (f"_{label['label']}" if label["label"] else "")
            yield label["claim"], f"{function[1] if function else '?'}: {name}"


def guarded(function):
    """The item of what C leaves undefined in a function."""
    return f"{function}: run-time errors"


def functions(text):
    """Those that a file defines."""
    return {match[1] for match in DEFINITION.finditer(text)}


def clause_of(owner, goal, items):
    """The item that a goal of a function, or of a law, belongs to; None if it
    has no label, as most have not."""
    if owner == "lemma":
        return f"lemma {goal}" if f"lemma {goal}" in items else None
    names = (item.partition(": ")[2] for item in items if item.startswith(f"{owner}: "))
    fitting = [n for n in names if re.search(rf"_{n}(?:_|$)", goal)]
    return f"{owner}: {max(fitting, key=len)}" if fitting else None


def read_proofs(run, path, items):
    """One unit's results, as proofs/prove.py writes them. Goals of a unit that
    did not finish, or with a contract that contradicts itself, prove nothing."""
    result = json.loads(path.read_text(encoding="utf-8"))
    sound = result["finished"] and not result["smoke_failed"]
    unfinished = {goal["function"] for goal in result["goals"] if not goal["prover"]} - {"lemma"}
    for goal in result["goals"]:
        closed = sound and bool(goal["prover"]) and goal["function"] not in unfinished
        clause, whole = clause_of(goal["function"], goal["goal"], items), guarded(goal["function"])
        for item in {clause, whole} & items:
            run.add(item, closed, path)
            # Units share lemmas, and functions the names of their goals.
            if item == clause or "_rte_" in goal["goal"]:
                run.provers[item][goal["function"], goal["goal"]] = goal["prover"]
            run.assumed[item].update(result["assumes"])


def proved(stated, run):
    """The cell of docs/STATUS.md: goals and their provers, what they assume."""
    done = sorted(stated & run.passed)
    if not done:
        return "stated, unproved" if stated else ""
    provers = Counter(RIVALS.get(p, p) for item in done for p in run.provers[item].values())
    some = "" if len(done) == len(stated) else f"{len(done)} of {len(stated)} clauses, "
    goals = "goal" if provers.total() == 1 else "goals"
    by = ", ".join(f"{prover} {count}" for prover, count in sorted(provers.items()))
    text = f"{some}{provers.total()} {goals}: {by}"
    if assumed := set().union(*(run.assumed[item] for item in done)):
        text += "; assuming " + ", ".join(sorted(assumed))
    return text
