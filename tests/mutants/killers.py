"""What may find a mistake in an engine, run on programs that are linked with it.

Each function returns what found it, or nothing, and None where it was not tried.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

RECORDINGS = sorted(Path("tests/conformance").glob("*.jsonl")) + sorted(
    Path("tests/conformance/scripts").glob("*.jsonl")
)
# Tests that take long, and so come last: all short sessions there are, whole binades.
# Those of the instruction sets run libraries of the engine as it is.
SLOW = "@(prop_words/*|prop_prefill/*|*/*_a_binade_*)"
LOCKSTEP = "lockstep/share_1"
UNITS = "!(prop_*|lockstep|levels_internal|expf)/*"
ALL = "!(levels_internal)/*"
QUICK = "!(prop_words|prop_prefill|levels_internal)/!(*_a_binade_*)"
SECONDS = 120
SEEDS = Path("corpus/seeds")
# From what finds most to what finds least. What is left out needs no engine.
TARGETS = (
    "session", "prefill", "twins", "quant", "conv", "engram", "attend", "span_internal",
    "ring_internal", "tokens_internal", "faults", "trace",
)  # fmt: skip
# Executions, all targets having had the first number before any has the next, each
# with a seed of its own: how long a fuzzer takes has a long tail, which starting again
# cuts off. The second round begins with the inputs that are committed, the others with
# nothing.
ROUNDS = (2000, 2000, 10000, 20000)
FROM_SEEDS = 1


def run(command, log, seconds=SECONDS, **env):
    """The status; what it says goes to log. A program that hangs has found something."""
    kept = {k: v for k, v in os.environ.items() if k not in ("NDL_SEED", "NDL_CASES")}
    with open(log, "wb") as out:
        try:
            return subprocess.run(
                command, stdout=out, stderr=subprocess.STDOUT, env=kept | env, timeout=seconds, check=False
            ).returncode  # fmt: skip
        except subprocess.TimeoutExpired:
            return "hangs"


def recordings(folder):
    """The recordings that the tool refuses."""
    if run([folder / "ndl", "check", "--quiet", *RECORDINGS], folder / "check.log") == 0:
        return []
    return [
        path.stem
        for path in RECORDINGS
        if run([folder / "ndl", "check", "--quiet", path], folder / "check.log") != 0
    ]


def tests(folder):
    """The Criterion tests that fail: lock-step and the first of the unit tests to do so;
    if none of these does, the first of all."""
    failed = _tests(folder, "--filter", LOCKSTEP, NDL_CASES="8000")
    failed += _tests(folder, "--filter", UNITS, "--fail-fast")
    return failed or _tests(folder, "--filter", QUICK, "--fail-fast") or _tests(folder, "--filter", SLOW, "--fail-fast")


def _tests(folder, *arguments, **env):
    log = folder / "tests.log"
    # Reports of what differs are left where TMPDIR is.
    status = run([folder / "ndl-tests", *arguments], log, TMPDIR=str(folder), **env)
    for left in folder.glob("lockstep-??????"):
        left.unlink()
    if status == 0:
        return []
    text = log.read_text(encoding="utf-8", errors="replace")
    failed = re.findall(r"^\[FAIL\] (\w+)::(\w+)", text, re.MULTILINE)
    return sorted({"/".join(test) for test in failed}) or [f"the program/{status}"]


def fuzz(program, turn):
    """The executions that a target needs, and what it says; those of earlier rounds count."""
    log, corpus = program.with_suffix(".log"), []
    if turn == FROM_SEEDS:
        # What it finds would be written into the first folder.
        corpus = [program.with_suffix(".corpus"), SEEDS / program.name.removeprefix("target-")]
        corpus[0].mkdir(exist_ok=True)
    status = run(
        [program, f"-runs={ROUNDS[turn]}", f"-seed={turn + 1}", "-max_len=1024", "-timeout=25",
         f"-artifact_prefix={program.parent}/", *corpus], log, 1200,
    )  # fmt: skip
    for folder in corpus[:1]:
        shutil.rmtree(folder)
    if status == 0:
        return None
    text = log.read_text(encoding="utf-8", errors="replace")
    counts = re.findall(r"^#(\d+)", text, re.MULTILINE)
    executions = sum(ROUNDS[:turn]) + int(counts[-1] if counts else 0)
    return {"executions": executions, "seeds": turn == FROM_SEEDS, "says": _says(text, status)}


def _says(text, status):
    if match := re.search(r"^(?!INFO)([A-Za-z_0-9 ]+: .*)$", text.partition("deadly signal")[0], re.MULTILINE):
        return match[1][:100]
    if match := re.search(r"ERROR: (.*?)(?: on | \(|$)", text, re.MULTILINE):
        return match[1][:100]
    return f"status {status}"
