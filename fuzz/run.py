"""make fuzz: a short run of every target from its corpus, held to what is committed.

A target fails if it crashes, if its corpus is empty, if the edges that its corpus
reaches are below 95 % of fuzz/gates.json, if its speed is below 70 % of it, or, for
sessions, if a class of geometries, payloads or operations is never produced. Edges
are libFuzzer's, of the sanitizer build; speed is that of the plain build, in inputs
for each round of a fixed loop that is timed beside it. Processors differ in which of
the two they like, so that ratios are kept for each kind on which they were recorded;
one of another kind is held to the lowest.

    run.py --fuzzer DIR --plain DIR --results DIR [--seconds S] [--record] [TARGET...]

--record writes edges and this processor's ratios to fuzz/gates.json instead of
holding the run to them.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

GATES = Path("fuzz/gates.json")
SEEDS, FOUND = Path("corpus/seeds"), Path("corpus/found")
EDGES, SPEED = 0.95, 0.70
LIMITS = ["-max_len=4096", "-timeout=25", "-rss_limit_mb=2048", "-print_final_stats=1"]
STATUS = re.compile(r"#\d+\s+(?:INITED|DONE|RELOAD|NEW|REDUCE|pulse)\s+cov: (\d+) ft: (\d+)")


def processor():
    """The kind of processor, by its own name if it says one, and its family, for a
    maker's kinds share names."""
    try:
        about = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        about = ""
    name = re.search(r"^model name\s*: (.+)$", about, re.MULTILINE)
    family = re.search(r"^cpu family\s*: (\d+)$", about, re.MULTILINE)
    if not name:
        return platform.machine()
    return name[1].strip() + (f" family {family[1]}" if family else "")


def ratio_of(gate, kind):
    """What a processor of this kind is held to."""
    return gate["ratios"].get(kind) or min(gate["ratios"].values())


def files(target):
    return sorted(
        str(f) for root in (SEEDS, FOUND) if (root / target).is_dir() for f in (root / target).iterdir()
    )


class Run:
    def __init__(self, target, options):
        self.target = target
        self.faults = []
        self.files = files(target)
        self.edges = self.features = self.executions = 0
        self.ratio = self.speed = 0.0
        if not self.files:
            self.faults.append("its corpus is empty")
            return
        self.fuzz(options.fuzzer / f"target-{target}", options.seconds, options.results)
        self.measure(options.plain / f"fuzz-{target}")

    def fuzz(self, program, seconds, results):
        keep = results / f"crash-{self.target}-"
        with tempfile.TemporaryDirectory() as scratch:
            command = [
                program, f"-max_total_time={seconds}", f"-artifact_prefix={keep}", *LIMITS,
                scratch, *(str(r / self.target) for r in (SEEDS, FOUND) if (r / self.target).is_dir()),
            ]  # fmt: skip
            done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        seen = STATUS.findall(done.stderr)
        if seen:
            # The first line is the corpus as it is committed, before anything was tried.
            self.edges, self.features = map(int, seen[0])
        if match := re.search(r"number_of_executed_units: (\d+)", done.stderr):
            self.executions = int(match[1])
        if done.returncode != 0 or not seen:
            wrote = re.findall(r"Test unit written to (\S+)", done.stderr)
            self.faults.append("it fails: " + " ".join(wrote) + "\n" + done.stderr[-2000:])

    def measure(self, program):
        done = subprocess.run(
            [program, "-s", "1", *self.files], capture_output=True, text=True, errors="replace"
        )
        if done.returncode != 0:
            self.faults.append("the plain build fails on the corpus: " + done.stderr[-500:])
            return
        self.speed, rounds = map(float, done.stdout.split())
        self.ratio = self.speed / rounds

    def classes(self, program):
        """The texts of the classes that the corpus does not reach."""
        done = subprocess.run([program, "-c", *self.files], capture_output=True, text=True)
        counts = (line.split("\t", 1) for line in done.stdout.splitlines())
        return [text for count, text in counts if int(count) == 0]

    def hold(self, gate, kind):
        if gate is None:
            self.faults.append(f"{GATES} has no line for it: make fuzz-record")
            return
        if self.edges < EDGES * gate["edges"]:
            self.faults.append(f"{self.edges} edges, {EDGES:.0%} of {gate['edges']} are needed")
        wanted = ratio_of(gate, kind)
        if self.ratio < SPEED * wanted:
            self.faults.append(
                f"{self.ratio / wanted:.0%} of the speed that was recorded, {SPEED:.0%} is needed"
            )

    def write(self, results):
        text = {
            "target": f"target_{self.target}",
            "inputs": len(self.files) + self.executions,
            "failed": len(self.faults),
        }
        (results / f"{self.target}.json").write_text(json.dumps(text) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(prog="make fuzz")
    parser.add_argument("--fuzzer", type=Path, required=True)
    parser.add_argument("--plain", type=Path, required=True)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("targets", nargs="*")
    options = parser.parse_args()
    known = sorted(p.stem.removeprefix("target_") for p in Path("fuzz").glob("target_*.c"))
    for name in options.targets:
        if name not in known:
            parser.error(f"there is no target {name}; the targets are {', '.join(known)}")
    gates = json.loads(GATES.read_text(encoding="utf-8")) if GATES.exists() else {}
    options.results.mkdir(parents=True, exist_ok=True)
    failed, kind = 0, processor()
    print(f"{'target':<17} {'inputs':>6} {'executions':>10} {'edges':>6} {'a second':>9}  speed")
    for target in options.targets or known:
        if sys.stderr.isatty():
            print(f"{target} ...", end="\r", file=sys.stderr, flush=True)
        run = Run(target, options)
        if target == "session" and run.files:
            run.faults += [
                f"never produced: {text}" for text in run.classes(options.plain / "fuzz-session")
            ]
        if options.record:
            ratios = gates.get(target, {}).get("ratios", {}) | {kind: float(f"{run.ratio:.4g}")}
            gates[target] = {"edges": run.edges, "ratios": ratios}
        else:
            run.hold(gates.get(target), kind)
        run.write(options.results)
        share = run.ratio / ratio_of(gates[target], kind) if target in gates else 0
        print(
            f"{target:<17} {len(run.files):>6} {run.executions:>10} {run.edges:>6} {run.speed:>9.0f}"
            f"  {share:>4.0%}{'  FAILED' if run.faults else ''}"
        )
        for fault in run.faults:
            print(f"  {target}: {fault}")
        failed += bool(run.faults)
    if options.record:
        GATES.write_text(json.dumps(gates, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
