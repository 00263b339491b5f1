"""make coverage: statements, branches and MC/DC of the engine and the trace reader.

    coverage.py --profile FILE --objects A,B... --out DIR [--cov PROGRAM] ROOT...

Prints a table by file, writes DIR/html and DIR/coverage.json, and compares what was
not reached in ROOT... with tests/coverage/holes.json, where each hole is argued:

    {"file": "engine/src/status.c", "line": "the line's own text", "kind": "branch",
     "why": "..."}

kind is statement, branch or condition. A hole that is not argued fails, and so does an
argument for what is reached, or no longer there. Only engine/src is held to this; of
other files the table shows what there is.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

HOLES = Path("tests/coverage/holes.json")
HELD = "engine/src/"
KINDS = ("statement", "branch", "condition")
PLURAL = {"statement": "statements", "branch": "branches", "condition": "conditions"}


def export(options, roots):
    command = [options.cov, "export", "-format=text", f"-instr-profile={options.profile}"]
    command += [options.objects[0], *(f"-object={o}" for o in options.objects[1:]), *roots]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return json.loads(done.stdout)["data"][0]


class File:
    """What was not reached of a file: (line, kind) -> how often."""

    def __init__(self, data, name):
        self.name = name
        self.lines = Path(name).read_text(encoding="utf-8").splitlines()
        self.total = dict.fromkeys(KINDS, 0)
        self.missed = {}
        self.statements(data["segments"])
        branches = {}
        for line, column, _, _, yes, no, *_ in data["branches"]:
            seen = branches.setdefault((line, column), [0, 0])
            seen[0] += yes
            seen[1] += no
        for (line, _), ways in branches.items():
            self.total["branch"] += 2
            self.miss(line, "branch", ways.count(0))
        conditions = {}
        for line, column, *_, covered in data.get("mcdc_records", []):
            seen = conditions.setdefault((line, column), [False] * len(covered))
            for i, one in enumerate(covered):
                seen[i] = seen[i] or one
        for (line, _), covered in conditions.items():
            self.total["condition"] += len(covered)
            self.miss(line, "condition", covered.count(False))

    def miss(self, line, kind, times):
        if times:
            self.missed[line, kind] = self.missed.get((line, kind), 0) + times

    def statements(self, segments):
        """As llvm-cov counts lines: the most of the region that a line begins in and of
        those that begin on it; a line has code if a region with a count is in force."""
        on = {}
        for line, _, count, has_count, is_entry, is_gap in segments:
            on.setdefault(line, []).append((count, has_count, is_entry and not is_gap))
        before = None
        for line in range(1, len(self.lines) + 1):
            here = on.get(line, [])
            entries = [count for count, has_count, entry in here if has_count and entry]
            # A macro is counted where it is used.
            code = self.text(line) not in ("", "}") and not self.text(line).startswith("#")
            if code and (entries or (before and before[1])):
                counts = entries + ([before[0]] if before and before[1] else [])
                self.total["statement"] += 1
                self.miss(line, "statement", max(counts) == 0)
            if here:
                before = here[-1]

    def text(self, line):
        return self.lines[line - 1].strip()

    def count(self, kind):
        return sum(n for (_, k), n in self.missed.items() if k == kind)


def table(files):
    head = f"{'file':<36}"
    for kind in KINDS:
        head += f" {PLURAL[kind]:>16}"
    print(head)
    for file in files:
        row = f"{file.name:<36}"
        for kind in KINDS:
            total = file.total[kind]
            text = f"{total - file.count(kind)}/{total}" if total else "-"
            row += f" {text:>16}"
        print(row)


def judge(files):
    """What is wrong: holes that are not argued, arguments without a hole."""
    holes = json.loads(HOLES.read_text(encoding="utf-8")) if HOLES.exists() else []
    argued = {}
    for hole in holes:
        if hole["kind"] not in KINDS or len(hole["why"]) < 20:
            yield f"{HOLES}: {hole['file']}: needs a kind of {', '.join(KINDS)} and a reason"
        argued[hole["file"], hole["line"], hole["kind"]] = False
    for file in files:
        for (line, kind), _ in sorted(file.missed.items()):
            key = file.name, file.text(line), kind
            if key in argued:
                argued[key] = True
            elif file.name.startswith(HELD):
                yield f"{file.name}:{line}: {kind} not reached: {file.text(line)}"
    for (file, line, kind), used in argued.items():
        if not used:
            yield f"{HOLES}: {file}: no {kind} that is not reached stands on a line {line!r}"


def html(options, roots):
    command = [options.cov, "show", "-format=html", f"-instr-profile={options.profile}"]
    command += ["-show-branches=count", "-show-mcdc", f"-output-dir={options.out / 'html'}"]
    command += [options.objects[0], *(f"-object={o}" for o in options.objects[1:]), *roots]
    subprocess.run(command, check=True, capture_output=True)


def main():
    parser = argparse.ArgumentParser(prog="make coverage")
    parser.add_argument("--profile", required=True)
    parser.add_argument("--objects", required=True, type=lambda text: text.split(","))
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--cov", default="llvm-cov-19")
    parser.add_argument("roots", nargs="+")
    options = parser.parse_args()
    data = export(options, options.roots)
    here = os.getcwd() + "/"
    files = [File(f, f["filename"].removeprefix(here)) for f in data["files"]]
    files.sort(key=lambda file: file.name)
    table(files)
    html(options, options.roots)
    summary = {
        file.name: {kind: [file.total[kind] - file.count(kind), file.total[kind]] for kind in KINDS}
        for file in files
    }
    (options.out / "coverage.json").write_text(json.dumps(summary, indent=1) + "\n")
    faults = list(judge(files))
    for fault in faults:
        print(fault)
    held = [file for file in files if file.name.startswith(HELD)]
    share = ", ".join(
        f"{PLURAL[kind]} {100 * (1 - sum(f.count(kind) for f in held) / sum(f.total[kind] for f in held)):.2f} %"
        for kind in KINDS
    )
    print(f"{HELD}: {share}; report: {options.out}/html/index.html")
    return 1 if faults or not held else 0


if __name__ == "__main__":
    sys.exit(main())
