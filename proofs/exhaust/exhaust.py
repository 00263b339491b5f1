"""make exhaust: runs the programs that compare over all inputs and records them.

    exhaust.py BUILD STRIDE PROGRAM...

A program is BUILD/exhaust-PROGRAM; it gets STRIDE and as many threads as there
are processors, and its last line is its verdict. Only a run over everything,
STRIDE 1, is recorded, in proofs/results/exhaust/PROGRAM.json, with a digest of the
code that it is about. The status is 1 if anything differs.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import datetime
import json
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

sys.path[:0] = ["spec/ledger", "fuzz"]
from exhaust import digest  # noqa: E402
from run import processor  # noqa: E402

RECORDS = Path("proofs/results/exhaust")
VERDICT = re.compile(r"^\w+: (\d+) compared, (\d+) differing$", re.MULTILINE)


def watched(command):
    """Run a command; on a terminal, say how long it has been at it."""
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    while sys.stderr.isatty() and process.poll() is None:
        sys.stderr.write(f"\r{' '.join(command)}: {time.monotonic() - started:.0f} s ")
        sys.stderr.flush()
        time.sleep(1)
    said = process.communicate()[0]
    if sys.stderr.isatty():
        sys.stderr.write("\r\033[K")
    return said, process.returncode, time.monotonic() - started


def main():
    build, stride, *programs = sys.argv[1:]
    failed = False
    for program in programs:
        threads = str(os.cpu_count() or 1)
        said, status, seconds = watched([f"{build}/exhaust-{program}", stride, threads])
        print(f"{said.rstrip()} ({seconds:.0f} s)", flush=True)
        verdict = VERDICT.search(said)
        failed = failed or status != 0 or not verdict
        if stride == "1" and verdict:
            RECORDS.mkdir(parents=True, exist_ok=True)
            record = {
                "compared": int(verdict[1]),
                "differing": int(verdict[2]),
                "date": datetime.date.today().isoformat(),
                "machine": f"{processor()}, {threads} processors, {platform.machine()}",
                "seconds": round(seconds),
            }
            if Path(f"proofs/exhaust/{program}.c").is_file():
                record["of"] = digest(Path(), program)
            text = json.dumps(record, indent=1, sort_keys=True) + "\n"
            (RECORDS / f"{program}.json").write_text(text, encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
