"""The end of a campaign: small corpora, and finds that are sorted, shrunk and written.

    OUT/TARGET/minimised   a corpus that reaches all that was reached
    OUT/TARGET/finds       for each find NAME: NAME.bin, the input; NAME.txt, what the
                           target said; NAME.jsonl, the session as a script

Two inputs are one find when the first thing that differs (or the sanitizer's error)
and the functions on the stack are the same.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import plan
import watch
from claims import DIFFER, claims_of

SECONDS = 30  # for one input
SHRINK = 120  # for one find
MERGE = 900  # for one corpus
MANY = 400  # of a target's failing inputs are looked at

FRAME = re.compile(r"^\s*#\d+ 0x[0-9a-f]+ (?:in (\S+)|\((\S+?)\+(0x[0-9a-f]+)\))", re.MULTILINE)
# What a target prints for itself, and what sanitizers and libFuzzer call an error.
SAID = [
    re.compile(r"^([A-Za-z][^\n]*?: .*)$", re.MULTILINE),
    re.compile(r"(runtime error: .*)$", re.MULTILINE),
    re.compile(r"(?:ERROR|WARNING): (\w+Sanitizer: [\w-]+)"),
    re.compile(r"ERROR: libFuzzer: ([\w-]+(?: [\w-]+)*)"),
]
# Of those that report, of the C library, of the fuzzer.
NOT_OURS = re.compile(r"^(__|_start|raise|abort|gsignal|pthread_kill|fuzzer::|main$|target_report|note$|mem|str)")
NOISE = re.compile(r"^(INFO|SUMMARY|Running|Executed|==|NOTE|\*\*\*|artifact_prefix|Seed|#|\s)|: Running|StandaloneFuzz")


@dataclass
class Find:
    target: str
    program: Path
    said: str
    frames: tuple
    claims: list
    output: str
    input: Path
    inputs: int = 1
    name: str = ""
    written: list = field(default_factory=list)

    @property
    def short(self):
        return self.said.rpartition(DIFFER)[2]

    @property
    def key(self):
        return (self.target, re.sub(r"-?\d[\d.e+-]*|\b[0-9a-f]{8}\b", "N", self.said), self.frames)


def call(command, seconds, environment=None):
    """Status and all output; a program that takes longer is a failure, too. Its own
    children end with it, also when this is interrupted."""
    with subprocess.Popen(
        [str(c) for c in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env=environment, start_new_session=True,
    ) as child:  # fmt: skip
        try:
            output, late = child.communicate(timeout=seconds)[0], ""
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            output, late = child.communicate()[0], f"\nit does not end in {seconds} s\n"
        except BaseException:
            os.killpg(child.pid, signal.SIGKILL)
            raise
    return (-1 if late else child.returncode), output.decode(errors="replace") + late


def what_it_said(output):
    lines = [x for x in output.splitlines() if x and not NOISE.search(x) and not x.startswith("{")]
    if any("sanitizer" in x.lower() or "runtime error" in x for x in output.splitlines()):
        for pattern in SAID[1:]:
            if match := pattern.search(output):
                if "libFuzzer: deadly signal" not in match[0]:
                    return match[1]
    for pattern in SAID:
        if match := pattern.search("\n".join(lines) if pattern is SAID[0] else output):
            return match[1]
    return lines[-1] if lines else "it ends by a signal"


def examine(target, file, builds):
    """What fails on it, or None."""
    for build in ("libfuzzer", "msan", "aflasan", "afl"):
        program = builds.program(build, target)
        if not program:
            continue
        status, output = call([program, file], SECONDS)
        if status != 0:
            said = what_it_said(output)
            names = [a or f"{os.path.basename(b)}+{c}" for a, b, c in FRAME.findall(output)]
            frames = tuple(n for n in names if not NOT_OURS.match(n))[:3]
            return Find(target, program, said, frames, claims_of(said), output, file)
    return None


def sort_out(target, folder, builds, seen):
    """The finds among a target's failing inputs, smallest input first."""
    finds, gone = {}, 0
    files = sorted(watch.crash_files(folder), key=lambda f: (f.stat().st_size, f.name))
    for file in files[:MANY]:
        find = examine(target, file, builds)
        if find is None:
            gone += 1
        elif find.key in finds:
            finds[find.key].inputs += 1
        else:
            finds[find.key] = find
    if gone:
        seen(f"{target}: of {len(files)} inputs {gone} fail no more")
    if len(files) > MANY:
        seen(f"{target}: {len(files) - MANY} of {len(files)} failing inputs are not looked at")
    return list(finds.values())


def shrink(find, plain, builds, to):
    """The smallest input that is still the same find."""
    shutil.copyfile(find.input, to)
    small = to.with_suffix(".small")
    if plan.is_session(find.target):
        # The plain program is the fastest, if it fails, too.
        fast = plain / f"fuzz-{find.target}"
        program = fast if fast.exists() and call([fast, find.input], SECONDS)[0] != 0 else find.program
        call([plain / "fuzz-shrink", program, find.input, small], SHRINK)
    elif builds.program("libfuzzer", find.target) == find.program:
        call(
            [find.program, "-minimize_crash=1", "-runs=20000", f"-max_total_time={SHRINK // 4}",
             f"-exact_artifact_path={small}", find.input], SHRINK,
        )  # fmt: skip
    if small.exists():
        again = examine(find.target, small, builds)
        if again and again.claims == find.claims and small.stat().st_size <= to.stat().st_size:
            find.said, find.output = again.said, again.output
            small.replace(to)
        else:
            small.unlink()
    find.input = to


def write(find, number, plain, builds, folder):
    folder.mkdir(parents=True, exist_ok=True)
    what = find.claims[0] if 0 < len(find.claims) <= 4 else "differs"
    if not find.claims:
        what = re.sub(r"[^a-z]+", "-", find.said.lower())[:30].strip("-") or "fails"
    find.name = f"{what}-{number}"
    binary = folder / f"{find.name}.bin"
    shrink(find, plain, builds, binary)
    text = folder / f"{find.name}.txt"
    text.write_text(find.output, encoding="utf-8")
    find.written = [binary, text]
    if plan.is_session(find.target):
        script = folder / f"{find.name}.jsonl"
        done = subprocess.run(
            [plain / "fuzz-show", binary], stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS
        )
        if done.stdout:
            script.write_bytes(done.stdout)
            find.written.append(script)


def merge(target, folder, builds, seen):
    """A corpus that reaches what all of them reach, in a new folder; the whole of it
    where that takes too long."""
    program = builds.program("libfuzzer", target)
    new, old = folder / "minimised.new", folder / "minimised"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    if program:
        status, output = call(
            [program, "-merge=1", f"-max_len={plan.MAX_LEN}", "-timeout=25", "-rss_limit_mb=2048",
             f"-artifact_prefix={folder}/logs/merge-", new, folder / "corpus"], MERGE,
        )  # fmt: skip
        if status != 0:
            seen(f"{target}: the corpus stays as it is: {output.strip().splitlines()[-1]}")
            shutil.rmtree(new)
            shutil.copytree(folder / "corpus", new)
    else:
        command = ["afl-cmin", "-i", folder / "corpus", "-o", new, "-m", "none", "-t", "5000",
                   "--", builds.program("afl", target)]  # fmt: skip
        call(command, MERGE, dict(os.environ) | plan.AFL_ENVIRONMENT)
    shutil.rmtree(old, ignore_errors=True)
    new.replace(old)


def finish(campaign, builds, plain):
    finds = []
    for name, target in campaign.targets.items():
        campaign.output.say(f"{name}: merging {target.corpus} inputs, sorting {target.crashes} that fail")
        merge(name, target.folder, builds, campaign.output.say)
        mine = sort_out(name, target.folder, builds, campaign.output.say)
        shutil.rmtree(target.folder / "finds", ignore_errors=True)
        for number, find in enumerate(mine, 1):
            write(find, number, plain, builds, target.folder / "finds")
            campaign.output.say(f"{name}: {find.name}: {find.short}")
        finds += mine
        if campaign.output.terminal:
            campaign.output.draw(campaign, last=True)
    return finds
