"""Which fuzzers run on a target, how each is called, and where its files are.

    OUT/TARGET/seeds      where it began: corpus/seeds and corpus/found
    OUT/TARGET/corpus     libFuzzer's, which all of its instances share
    OUT/TARGET/afl/NAME   AFL++'s, a folder an instance, in its own layout
    OUT/TARGET/crashes    what libFuzzer's instances failed on
    OUT/TARGET/logs       what each of them says

AFL++'s instances read each other's queues, its main one also libFuzzer's corpus;
what AFL++ finds is copied to libFuzzer's corpus, which every instance reads again
and again.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path

MAX_LEN = 4096
# In the order in which a core takes them: name, build, what is special of it.
KINDS = [
    ("libfuzzer", "libfuzzer", []),
    ("main", "afl", ["-M", "main", "-p", "explore"]),
    ("msan", "msan", []),
    ("cmplog", "afl", ["-S", "cmplog", "-p", "fast"]),
    ("asan", "aflasan", ["-S", "asan", "-p", "coe"]),
    ("values", "libfuzzer", ["-use_value_profile=1"]),
]
# More of them once there are cores for all that are above.
SCHEDULES = ["rare", "exploit", "lin", "quad", "seek"]

AFL_ENVIRONMENT = {
    "AFL_NO_UI": "1",
    "AFL_NO_AFFINITY": "1",  # the campaign says what runs beside what
    "AFL_AUTORESUME": "1",
    "AFL_SKIP_CPUFREQ": "1",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
    "AFL_SKIP_CRASHES": "1",
    "AFL_FORKSRV_INIT_TMOUT": "30000",
    "AFL_IMPORT_FIRST": "1",
    "AFL_NO_WARN_INSTABILITY": "1",
}


@dataclass
class Builds:
    """Folders of builds, by name; one that is not there is None."""

    folders: dict
    mutator: Path

    def program(self, build, target):
        folder = self.folders.get(build)
        path = folder / f"target-{target}" if folder else None
        return path if path and path.exists() else None


def is_session(target):
    return '"ops.h"' in Path(f"fuzz/target_{target}.c").read_text(encoding="utf-8")


def dictionary(target):
    path = Path(f"fuzz/{target}.dict")
    return path if path.exists() else None


class Instance:
    def __init__(self, builds, out, target, kind, build, arguments):
        self.builds, self.target, self.name, self.build = builds, target, kind, build
        self.folder = out / target
        self.program = builds.program(build, target)
        self.arguments = arguments
        self.log = self.folder / "logs" / f"{kind}.log"
        self.is_afl = build.startswith("afl")
        self.session = is_session(target)

    def __str__(self):
        return f"{self.target}/{self.name}"

    def command(self):
        return self.afl_command() if self.is_afl else self.libfuzzer_command()

    def libfuzzer_command(self):
        dictionary_of = dictionary(self.target)
        return [
            str(self.program), f"-artifact_prefix={self.folder}/crashes/{self.name}-",
            f"-max_len={MAX_LEN}", "-timeout=25", "-rss_limit_mb=2048", "-reload=5",
            "-print_final_stats=1", *self.arguments,
            *([f"-dict={dictionary_of}"] if dictionary_of else []),
            str(self.folder / "corpus"),
        ]  # fmt: skip

    def afl_command(self):
        cmplog = self.builds.program("cmplog", self.target) if self.name == "cmplog" else None
        dictionary_of = dictionary(self.target)
        foreign = ["-F", str(self.folder / "corpus")] if self.name == "main" else []
        return [
            "afl-fuzz", "-i", str(self.folder / "seeds"), "-o", str(self.folder / "afl"),
            "-m", "none", "-t", "5000+", "-G", str(MAX_LEN), *self.arguments, *foreign,
            *(["-c", str(cmplog)] if cmplog else []),
            *(["-x", str(dictionary_of)] if dictionary_of else []), "--", str(self.program),
        ]  # fmt: skip

    def environment(self):
        environment = dict(os.environ)
        if self.is_afl:
            environment |= AFL_ENVIRONMENT
            if self.session and self.builds.mutator.exists():
                environment["AFL_CUSTOM_MUTATOR_LIBRARY"] = str(self.builds.mutator)
        return environment


def instances(builds, out, targets, cores):
    """All of them, in the order in which they get a core for the first time."""
    kinds = list(KINDS)
    for i, schedule in enumerate(SCHEDULES * cores):
        if len(kinds) * len(targets) >= cores:
            break
        name = f"{schedule}{i // len(SCHEDULES) + 1}"
        kinds.append((name, "afl", ["-S", name, "-p", schedule]))
    every = [Instance(builds, out, t, *kind) for kind in kinds for t in targets]
    return [i for i in every if i.program]


def sha1(content):
    return hashlib.sha1(content, usedforsecurity=False).hexdigest()


def add_to(folder, content):
    """A file that is called what libFuzzer would call it; whether it is new."""
    path = folder / sha1(content)
    if path.exists():
        return False
    path.write_bytes(content)
    return True


def prepare(out, target, roots):
    folder = out / target
    for part in ("seeds", "corpus", "afl", "crashes", "logs"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for root in roots:
        for file in sorted((root / target).glob("*")):
            content = file.read_bytes()
            if len(content) <= MAX_LEN and add_to(folder / "seeds", content):
                add_to(folder / "corpus", content)
    if not any((folder / "seeds").iterdir()):
        # AFL++ starts from something.
        add_to(folder / "seeds", b"0")


class Exchange:
    """What AFL++ has found of its own since the last time, into libFuzzer's corpus."""

    def __init__(self, folder):
        self.folder, self.seen = folder, set()

    def bring(self):
        for file in (self.folder / "afl").glob("*/queue/id:*"):
            if file in self.seen or re.search(r",(sync|orig):", file.name):
                continue
            self.seen.add(file)
            add_to(self.folder / "corpus", file.read_bytes())

    def drop(self, artifact):
        """What a fuzzer fails on keeps it from starting."""
        (self.folder / "corpus" / sha1(artifact.read_bytes())).unlink(missing_ok=True)
