"""make prove-mutants: every patch of tests/mutants that names a goal must break it.

    prove-mutants [PATCH...]

A patch's header names what it breaks, one line a goal:

    Goal: ndl_ring_want: KV_002_exact

that is, a function and the beginning of a clause's labels, joined as WP joins
them. The patch goes on a copy of the engine; the function's goals are tried
there again, those with the goal's label, in each unit that has it proved. At least one goal that
the name fits must be proved in proofs/results and unproved in the copy. A patch
without such a line is not for proofs to see, and is counted. What broke is left in
build/prove-mutants/NAME.json, for `make mutants`; a patch that has not changed since,
nor anything that is proved, is not tried again.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from unit import FUNCTION, GOAL, PROOFS, PROVING, Unit, owner

WORK = Path("build/prove-mutants")
NAMED = re.compile(r"^Goal: *(\w+): *(\w+) *$", re.MULTILINE)
# A goal that has no proof takes a prover's patience; none that has took this long.
SECONDS = 30


def copy(patch):
    """The engine and the laws with the patch on them, exactly there or not at all."""
    root = WORK / patch.stem
    shutil.rmtree(root, ignore_errors=True)
    for folder in ("engine/src", "engine/include", "engine/logic", "proofs/laws"):
        shutil.copytree(folder, root / folder)
    for driver in PROOFS.glob("*.driver"):
        shutil.copy(driver, root / "proofs")
    done = subprocess.run(
        ["patch", "-s", "-p1", "--fuzz=0", "--no-backup-if-mismatch", "-d", str(root)],
        stdin=patch.open(), capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode != 0:
        sys.exit(f"{patch}: the lines it changes are others now; make the patch anew\n{done.stdout}")
    return root


def proved(unit, function, clause):
    """The goals that a name fits and that the committed result has proved."""
    path = PROOFS / "results" / f"{unit.name}.json"
    if not path.is_file():
        return set()
    goals = json.loads(path.read_text(encoding="utf-8"))["goals"]
    return {
        (g["function"], g["goal"])
        for g in goals
        if g["prover"] and g["function"] == function and re.search(rf"_{clause}", "_" + g["goal"])
    }


def label(clause):
    """The label by which WP selects the goals of a clause: its first."""
    bare = re.sub(r"^(?:assert|ensures|loop_invariant|call_\w+_requires)_", "", clause)
    claim = re.match(r"[A-Z]+_\d{3}", bare)
    return claim[0] if claim else re.sub(r"_\d+$", "", bare)


def broken(unit, root, function, clause, cache):
    """The function's goals with the clause's label that have no proof in the copy."""
    command = unit.command(
        "-wp-fct", function, "-wp-prop", label(clause), "-wp-timeout", str(SECONDS),
        "-wp-cache", "update", "-wp-cache-dir", str(cache.resolve()), "-wp-par", str(PROVING),
    )  # fmt: skip
    # frama-c believes PWD.
    where = dict(os.environ, WHY3CONFIG=str((PROOFS / "why3.conf").resolve()), PWD=str(root.resolve()))
    done = subprocess.run(command, cwd=root, env=where, capture_output=True, text=True)
    log = done.stdout + done.stderr
    if done.returncode != 0:
        sys.exit(f"{root}: frama-c did not finish; the end of what it said:\n{log[-1500:]}")
    functions = FUNCTION.findall(log)
    return {owner(name, functions) for _, name, verdict in GOAL.findall(log) if verdict != "Valid"}


def body(patch):
    """What is below the header: its words change no result."""
    return b"".join(patch.read_bytes().partition(b"\n--- a/")[1:])


def state(patch, base):
    """A hash of all that a result depends on."""
    goals = "\n".join(": ".join(goal) for goal in NAMED.findall(patch.read_text(encoding="utf-8")))
    return hashlib.sha256(base + goals.encode() + body(patch)).hexdigest()[:16]


def base_state():
    total = hashlib.sha256()
    for folder in ("engine/src", "engine/include", "engine/logic", "proofs/laws", "proofs/units", "proofs/results"):
        for path in sorted(p for p in Path(folder).rglob("*") if p.is_file()):
            total.update(str(path).encode() + path.read_bytes())
    return total.digest()


def main():
    patches = [Path(name) for name in sys.argv[1:]] or sorted(Path("tests/mutants").glob("*.patch"))
    units = [Unit(path) for path in sorted((PROOFS / "units").glob("*.json"))]
    cache = WORK / "cache"
    shutil.copytree(PROOFS / "cache", cache, dirs_exist_ok=True)
    survivors = unnamed = 0
    base = base_state()
    for patch in patches:
        wanted = NAMED.findall(patch.read_text(encoding="utf-8"))
        if not wanted:
            unnamed += 1
            continue
        left = WORK / f"{patch.stem}.json"
        mine = state(patch, base)
        if left.is_file() and json.loads(left.read_text())["state"] == mine:
            print(f"{patch.stem:<36} as before", flush=True)
            continue
        root = copy(patch)
        broke = []
        for function, clause in wanted:
            started = time.monotonic()
            having = [(unit, goals) for unit in units if (goals := proved(unit, function, clause))]
            if not having:
                sys.exit(f"{patch}: no unit has a proved goal of {function} that is {clause}")
            caught = sorted(
                {goal for unit, goals in having for goal in goals & broken(unit, root, function, clause, cache)}
            )
            survivors += not caught
            broke += [f"{name}: {goal}" for name, goal in caught]
            verdict = ", ".join(name for _, name in caught) or "NOT BROKEN"
            print(
                f"{patch.stem:<36} {function}: {verdict} ({time.monotonic() - started:.0f} s)",
                flush=True,
            )
        if broke:
            result = {
                "state": mine,
                "patch": hashlib.sha256(body(patch)).hexdigest()[:16],
                "proof": broke,
            }
            left.write_text(json.dumps(result) + "\n")
    print(f"{len(patches) - unnamed} patches, {survivors} goals not broken, {unnamed} without a goal")
    return 1 if survivors or len(patches) == unnamed else 0


if __name__ == "__main__":
    sys.exit(main())
