"""What the fuzzers say of themselves, summed up by target.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import re
import time

LIBFUZZER = re.compile(
    rb"^#(\d+)\t?\s*(\w+)\s+cov: (\d+) ft: (\d+) corp: (\d+)/\S+", re.MULTILINE
)
UNITS = re.compile(rb"stat::number_of_executed_units:\s*(\d+)")
CRASHES = "id:*"
WINDOW = 60.0  # seconds that a speed is taken over


class Counter:
    """A number that starts again when its program does, added up over its runs."""

    def __init__(self, total=0):
        self.before, self.now = total, 0

    def begin(self):
        self.before += self.now
        self.now = 0

    def set(self, value):
        self.now = max(self.now, value)

    @property
    def total(self):
        return self.before + self.now


class LibFuzzerStats:
    def __init__(self, instance, kept):
        self.instance = instance
        self.executions = Counter(kept.get("executions", 0))
        self.edges = kept.get("edges", 0)
        self.offset = 0

    def begin(self):
        self.executions.begin()
        self.offset = self.instance.log.stat().st_size if self.instance.log.exists() else 0

    def read(self):
        try:
            with open(self.instance.log, "rb") as log:
                log.seek(self.offset)
                text = log.read()
        except FileNotFoundError:
            return
        # A line that is only half there is read the next time.
        end = text.rfind(b"\n") + 1
        self.offset += end
        for match in LIBFUZZER.finditer(text[:end]):
            self.executions.set(int(match[1]))
            self.edges = max(self.edges, int(match[3]))
        for match in UNITS.finditer(text[:end]):
            self.executions.set(int(match[1]))

    def kept(self):
        return {"executions": self.executions.total, "edges": self.edges}


class AflStats:
    """AFL++ goes on counting where it was when it is resumed."""

    def __init__(self, instance, kept):
        self.instance = instance
        self.executions = Counter(0)
        self.executions.now = kept.get("executions", 0)
        self.edges = kept.get("edges", 0)

    def begin(self):
        pass

    def read(self):
        path = self.instance.folder / "afl" / self.instance.name / "fuzzer_stats"
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return
        values = dict(re.findall(r"^(\w+)\s*: (\S+)", text, re.MULTILINE))
        done = int(values.get("execs_done", 0))
        if done < self.executions.now:
            self.executions.begin()
        self.executions.now = done
        self.edges = max(self.edges, int(values.get("edges_found", 0)))

    def kept(self):
        return {"executions": self.executions.total, "edges": self.edges}


def stats_of(instance, kept):
    return (AflStats if instance.is_afl else LibFuzzerStats)(instance, kept)


class Target:
    """Sums over a target's instances."""

    def __init__(self, name, folder, stats):
        self.name, self.folder, self.stats = name, folder, stats
        self.executions = self.edges = self.afl_edges = self.corpus = self.crashes = 0
        self.speed = 0.0
        self.last_find = None
        self.samples = []

    def update(self, clock):
        self.executions = sum(s.executions.total for s in self.stats)
        libfuzzer = [s.edges for s in self.stats if s.instance.build == "libfuzzer"]
        edges = max(libfuzzer, default=0)
        afl_edges = max((s.edges for s in self.stats if s.instance.build == "afl"), default=0)
        if edges > self.edges or afl_edges > self.afl_edges:
            self.last_find = clock
        self.edges, self.afl_edges = edges, afl_edges
        self.corpus = sum(1 for _ in (self.folder / "corpus").iterdir())
        self.crashes = len(crash_files(self.folder))
        # libFuzzer counts aloud only now and then.
        now = time.monotonic()
        self.samples = [s for s in self.samples if s[0] > now - WINDOW] + [(now, self.executions)]
        then, before = self.samples[0]
        if now > then:
            self.speed = (self.executions - before) / (now - then)

    def row(self):
        return [self.name, self.executions, self.edges, self.afl_edges, self.corpus, self.crashes]


def crash_files(folder):
    """All inputs that a fuzzer failed on; inputs that were only slow are none."""
    found = [
        f for f in (folder / "crashes").glob("*") if re.search(r"-(crash|leak|timeout|oom)-", f.name)
    ]
    return sorted(found + list((folder / "afl").glob(f"*/crashes*/{CRASHES}")))
