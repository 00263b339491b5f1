"""make prove: runs Frama-C/WP over the units and prints a line for each.

Every goal has to be proved and every smoke test to pass; an axiom that a unit's
files bring in has to be declared, with its justification, in
proofs/trusted.json. Nothing is admitted. A goal that the committed result has
proved must still be there, proved: one that was meant to go, or to be called
otherwise, goes with --accept.

    prove.py [--cache MODE] [--accept] [UNIT...]
    prove.py --claim KV_003

Results go to proofs/results/UNIT.json, goal by goal (what Gappa proves to gappa.json,
see gappa.py), and all of a run to build/prove.json and build/prove.xml (JUnit). A unit
that is not required yet is reported and does not fail. The status is 1 if a required one fails.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

from gappa import Gappa
from unit import PROOFS, PROVING, Unit

REPORTS = Path("build")


def committed(name):
    """The result of a unit as it is committed, or as it lies there where there
    is no repository."""
    path = PROOFS / "results" / f"{name}.json"
    shown = subprocess.run(["git", "show", f"HEAD:./{path}"], capture_output=True, text=True)
    if shown.returncode == 0:
        return json.loads(shown.stdout)
    inside = subprocess.run(["git", "rev-parse"], capture_output=True).returncode == 0
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() and not inside else None


def proved_in(result):
    return {(g["function"], g["goal"]) for g in result["goals"] if g["prover"]}


def lost(unit, before):
    return sorted(proved_in(before) - unit.proved()) if before else []


def faults(unit, trusted, gone, strict):
    """What keeps a unit from being proved, one paragraph each."""
    for goal in unit.open:
        yield (
            f"not proved: {goal.claim}: {goal.clause} ({goal.function}: {goal.name})\n"
            f"    {goal.place}\n    to try it again: {unit.reopen(goal)}"
        )
    for function, goal in gone:
        if (function, goal) not in {(g.function, g.name) for g in unit.open}:
            yield f"lost: {function}: {goal} is proved in the committed result and no longer a goal"
    for name in unit.doomed:
        yield f"smoke test failed, a contract contradicts itself: {name}"
    for axiom in unit.axioms:
        if axiom not in trusted:
            yield f"axiom {axiom} is not declared in proofs/trusted.json"
    for path in unit.trusts:
        if path not in trusted:
            yield f"the contracts of {path} are not declared in proofs/trusted.json"
    for path in unit.admits:
        yield f"{path} admits or assumes"
    if strict and unit.missed:
        yield (
            f"proofs/cache lacks {unit.missed} answers of provers: `make prove U={unit.name}`"
            " asks for them; commit what it adds"
        )
    if not unit.counted:
        yield "frama-c did not finish; the end of what it said:\n" + unit.log[-1500:]


def line_of(unit, before, gone):
    """The unit's line of the table."""
    provers = Counter(goal.prover for goal in unit.goals if goal.prover)
    said = ", ".join(f"{prover} {count}" for prover, count in sorted(provers.items()))
    new = len(unit.proved() - proved_in(before)) if before else len(unit.proved())
    change = ", ".join(([f"+{new}"] if new else []) + ([f"-{len(gone)}"] if gone else [])) or "="
    smoke = f"{unit.smoke['Passed']}/{sum(unit.smoke.values())}"
    note = "" if unit.required else "  (not yet required)"
    return (
        f"{unit.name:<10} {len(unit.proved()):>4}/{len(unit.goals):<4}  {smoke:>7}"
        f" {unit.seconds:>8.1f}  {change:<9}  {said}{note}"
    )


def record(unit, before):
    """Write a unit's result, unless it is the committed one but for the prover
    that was the faster this time."""
    path, result = PROOFS / "results" / f"{unit.name}.json", unit.result()
    same = before and {**before, "goals": 0} == {**result, "goals": 0} and (
        [g | {"prover": bool(g["prover"])} for g in before["goals"]]
        == [g | {"prover": bool(g["prover"])} for g in result["goals"]]
    )
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(before if same else result, indent=1, sort_keys=True) + "\n"
    path.write_text(text, encoding="utf-8")


def report(rows, bounds, trusted, failed):
    """build/prove.json and build/prove.xml, for whoever runs this in CI."""
    REPORTS.mkdir(exist_ok=True)
    units, suites = {}, ElementTree.Element("testsuites", name="make prove")
    for unit, found in rows:
        units[unit.name] = unit.result() | {
            "what": unit.what,
            "required": unit.required,
            "seconds": round(unit.seconds, 1),
            "faults": found,
            "open": [goal._asdict() for goal in unit.open],
        }
        suite = ElementTree.SubElement(
            suites, "testsuite", name=unit.name, time=f"{unit.seconds:.1f}",
            tests=str(len(unit.goals) + 1), failures=str(len(unit.open) + bool(found)),
        )  # fmt: skip
        places = {(goal.function, goal.name): goal for goal in unit.open}
        for function, name, _ in unit.goals:
            case = ElementTree.SubElement(
                suite, "testcase", classname=f"{unit.name}.{function}", name=name
            )
            if goal := places.get((function, name)):
                ElementTree.SubElement(
                    case, "failure", message=f"{goal.claim}: {goal.clause}"
                ).text = f"{goal.place}\n{unit.reopen(goal)}"
        whole = ElementTree.SubElement(suite, "testcase", classname=unit.name, name="unit")
        if found:
            ElementTree.SubElement(whole, "failure", message=found[0].splitlines()[0]).text = (
                "\n".join(found)
            )
    if bounds.goals:
        units["gappa"] = bounds.result() | {
            "what": "error bounds of the quantiser",
            "required": True,
            "seconds": round(bounds.seconds, 1),
            "faults": bounds.faults,
        }
        suite = ElementTree.SubElement(
            suites, "testsuite", name="gappa", time=f"{bounds.seconds:.1f}",
            tests=str(len(bounds.goals)), failures=str(len(bounds.faults)),
        )  # fmt: skip
        for name, prover in bounds.goals:
            case = ElementTree.SubElement(suite, "testcase", classname="gappa", name=name)
            if not prover:
                ElementTree.SubElement(case, "failure", message=name).text = "\n".join(bounds.faults)
    text = json.dumps({"failed": failed, "trusted": trusted, "units": units}, indent=1)
    (REPORTS / "prove.json").write_text(text + "\n", encoding="utf-8")
    ElementTree.ElementTree(suites).write(
        REPORTS / "prove.xml", encoding="utf-8", xml_declaration=True
    )


def chosen(arguments, parser):
    """The units that a run is about."""
    units = [Unit(path) for path in sorted((PROOFS / "units").glob("*.json"))]
    known = {name for unit in units for name in unit.names()}
    for name in arguments.units:
        if name not in known:
            parser.error(f"there is no unit {name}: {', '.join(sorted(known))}")
    if arguments.units:
        units = [unit for unit in units if unit.names() & set(arguments.units)]
    if arguments.claim:
        units = [unit for unit in units if unit.states(arguments.claim)]
        if not units and not Gappa(arguments.claim).paths:
            parser.error(f"no contract of a unit is labelled {arguments.claim}")
    return units


def ran(units, arguments):
    """The units in their order, each as soon as it and those before it have run."""
    with ThreadPoolExecutor(PROVING) as pool:
        running = pool.map(lambda unit: unit.run(arguments.cache, arguments.claim), units)
        for unit, _ in zip(units, running):
            yield unit


def main():
    parser = argparse.ArgumentParser(prog="make prove", description="proves units of the engine")
    parser.add_argument("--cache", default="update", choices=["update", "offline", "none"])
    parser.add_argument("--claim", metavar="ID", help="only the goals of this claim")
    parser.add_argument("--accept", action="store_true", help="goals may go, or be renamed")
    parser.add_argument("units", nargs="*", metavar="UNIT")
    arguments = parser.parse_args()
    trusted = json.loads((PROOFS / "trusted.json").read_text(encoding="utf-8"))
    named = bool(arguments.units or arguments.claim)

    failed, used, rows = False, set(), []
    print(f"{'unit':<10} {'proved':>9}  {'smoke':>7} {'seconds':>8}  {'change':<9}  provers", flush=True)
    for unit in ran(chosen(arguments, parser), arguments):
        before = committed(unit.name)
        gone = [] if arguments.accept or arguments.claim else lost(unit, before)
        found = list(faults(unit, trusted, gone, arguments.cache == "offline"))
        if not unit.goals and not arguments.claim:
            found.append("there is no goal")
        if unit.goals or not arguments.claim:
            print(line_of(unit, unit.result() if arguments.claim else before, gone), flush=True)
        for fault in found if unit.required or named else []:
            print(f"  {fault}")
        failed = failed or (unit.required and bool(found))
        used.update(unit.axioms, unit.trusts)
        rows.append((unit, found))
        if not arguments.claim:
            record(unit, before)
    bounds = Gappa(arguments.claim)
    if bounds.paths and not arguments.units:
        bounds.run()
        if not arguments.accept and not arguments.claim:
            bounds.faults += [
                f"lost: {goal} is proved in the committed result and no longer a statement"
                for _, goal in lost(bounds, committed(bounds.name))
                if goal not in {name for name, _ in bounds.goals}
            ]
        print(bounds.line(), flush=True)
        for fault in bounds.faults:
            print(f"  {fault}")
        failed = failed or bool(bounds.faults)
        if not arguments.claim:
            bounds.record()
    if arguments.claim and not bounds.goals and not any(unit.goals for unit, _ in rows):
        print(f"  no goal is labelled {arguments.claim}")
        failed = True
    report(rows, bounds, {axiom: trusted.get(axiom) for axiom in sorted(used)}, failed)
    print("\ntrusted")
    for axiom in sorted(used):
        print(f"  {axiom}: {trusted.get(axiom, 'NOT DECLARED')}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
