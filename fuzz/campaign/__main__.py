"""make campaign: fuzzers on all targets, for as long as they are given.

AFL++ and libFuzzer run side by side on each target and share what they find
(plan.py). With fewer cores than fuzzers they take turns. A campaign that is stopped
goes on with the same command; at its end corpora are made small, what was found is
sorted, shrunk and written as scripts, and a report is written (finish.py, report.py).

Exit status: 0, nothing was found, or the campaign was stopped; 1, something was
found; 2, it could not run.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import ctypes
import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import finish
import plan
import report
import screen
import watch

ROOM_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FAILURES = 3  # starts in a row that come to nothing, until a fuzzer is given up
WAIT = 5.0  # seconds before a disk that was full is tried again
UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds(text):
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", text)
    if not match or float(match[1]) * UNITS[match[2]] < 1:
        raise argparse.ArgumentTypeError(f'no time of a second or more, such as 30s, 10m, 8h: "{text}"')
    return float(match[1]) * UNITS[match[2]]


def positive(text):
    if not re.fullmatch(r"[1-9]\d{0,3}", text):
        raise argparse.ArgumentTypeError(f'no number of cores: "{text}"')
    return int(text)


def free(folder):
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize, room.f_blocks * room.f_frsize


def write_whole(path, text):
    """So that a file is never half of what it was."""
    new = path.with_name(path.name + ".new")
    new.write_text(text, encoding="utf-8")
    new.replace(path)


def adopt():
    """What a fuzzer leaves behind becomes this process's own: AFL++'s fork servers have
    sessions of their own, and the program under test does not always end with them."""
    pr_set_child_subreaper = 36
    ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0)


def end_orphans(known):
    """End the children that are none of the processes known, where a kernel lists them."""
    try:
        children = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
    except FileNotFoundError:
        return
    for pid in map(int, children.split()):
        if pid not in known:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


class Running:
    """A fuzzer that has a core."""

    def __init__(self, instance, stats, until):
        self.instance, self.until = instance, until
        self.begun, self.stopped = time.monotonic(), None
        self.crashes = len(watch.crash_files(instance.folder))
        with open(instance.log, "ab") as log:
            stats.begin()
            self.process = subprocess.Popen(
                instance.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=instance.environment(), start_new_session=True,
            )  # fmt: skip

    def stop(self):
        if self.stopped is None:
            self.stopped = time.monotonic()
            self.signal(signal.SIGINT)
        elif time.monotonic() - self.stopped > 10:
            self.signal(signal.SIGKILL)

    def signal(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass


class Campaign:
    def __init__(self, options, builds, targets, output):
        self.out, self.time, self.cores = options.out, options.time, options.cores
        self.instances = plan.instances(builds, self.out, targets, self.cores)
        self.output = output
        self.stopping = False
        self.full = None  # since when there is no room
        self.running, self.failures, self.given_up = [], {}, {}
        kept = self.load()
        self.before, self.started = kept.get("elapsed", 0.0), time.monotonic()
        self.stats = {
            str(i): watch.stats_of(i, kept.get("fuzzers", {}).get(str(i), {})) for i in self.instances
        }
        self.targets = {
            t: watch.Target(t, self.out / t, [s for i, s in self.stats.items() if i.split("/")[0] == t])
            for t in targets
        }
        for name, at in kept.get("last_find", {}).items():
            if name in self.targets:
                self.targets[name].last_find = at
        self.exchanges = {t: plan.Exchange(self.out / t) for t in targets}
        # Whose turn is next, of those that have none; it goes on where it stopped.
        turn = kept.get("turn", 0) % max(1, len(self.instances))
        self.waiting = self.instances[turn:] + self.instances[:turn]
        # Four turns each, if that leaves them the time to get going.
        share = self.time * self.cores / (4 * max(1, len(self.instances)))
        self.slice = min(600.0, max(5.0, share))
        self.sampled = None

    def load(self):
        path = self.out / "state.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def clock(self):
        return min(self.time, self.before + time.monotonic() - self.started)

    def running_names(self):
        return [str(r.instance) for r in self.running]

    def save(self):
        state = {
            "elapsed": self.clock(),
            "turn": self.instances.index(self.waiting[0]) if self.waiting else 0,
            "fuzzers": {name: s.kept() for name, s in self.stats.items()},
            "last_find": {t.name: t.last_find for t in self.targets.values()},
        }
        write_whole(self.out / "state.json", json.dumps(state, indent=1) + "\n")

    def sample(self, last=False):
        every = max(1.0, self.time / 500)
        now = time.monotonic()
        if not last and self.sampled is not None and now - self.sampled < every:
            return
        self.sampled = now
        clock = self.clock()
        for stats in self.stats.values():
            stats.read()
        for exchange in self.exchanges.values():
            exchange.bring()
        with open(self.out / "history.tsv", "a", encoding="utf-8") as history:
            for target in self.targets.values():
                target.update(clock)
                print(f"{clock:.1f}", *target.row(), sep="\t", file=history)
        self.save()

    def fill(self):
        while len(self.running) < self.cores and self.waiting:
            instance = self.waiting.pop(0)
            until = time.monotonic() + self.slice
            self.running.append(Running(instance, self.stats[str(instance)], until))

    def reap(self):
        end_orphans({r.process.pid for r in self.running})
        for r in list(self.running):
            if r.process.poll() is None:
                if r.stopped is not None or (self.waiting and time.monotonic() > r.until):
                    r.stop()
                continue
            self.running.remove(r)
            self.stats[str(r.instance)].read()
            if self.out_of_room(r):
                self.waiting.append(r.instance)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if self.came_to_something(r):
                # What a fuzzer has left of its turn is its own.
                left = r.until - time.monotonic()
                self.waiting.insert(0 if r.stopped is None and left > 1 else len(self.waiting), r.instance)

    def out_of_room(self, r):
        said = r.instance.log.read_bytes()[-2000:].decode(errors="replace")
        return r.process.returncode == -signal.SIGXFSZ or (
            r.process.returncode != 0 and any(os.strerror(e) in said for e in ROOM_ERRORS)
        )

    def came_to_something(self, r):
        """Whether to start it again; a crash is dealt with here."""
        name = str(r.instance)
        if r.stopped is None:
            crashes = watch.crash_files(r.instance.folder)
            for file in crashes:
                self.exchanges[r.instance.target].drop(file)
            if len(crashes) > r.crashes:
                self.failures[name] = 0
                self.output.say(f"{name} fails on {crashes[-1].name}" if len(crashes) == 1
                                else f"{name}: {len(crashes)} inputs fail")  # fmt: skip
                return len(crashes) < 500
            if time.monotonic() - r.begun < 10:
                self.failures[name] = self.failures.get(name, 0) + 1
        else:
            self.failures[name] = 0
        if self.failures.get(name, 0) < FAILURES:
            return True
        said = r.instance.log.read_text(encoding="utf-8", errors="replace").splitlines()[-8:]
        self.given_up[name] = "\n    ".join(said)
        self.output.say(f"{name} does not run and is left out; its log ends\n    {self.given_up[name]}")
        return False

    def stop_all(self):
        while self.running:
            for r in list(self.running):
                r.stop()
                if r.process.poll() is not None:
                    self.running.remove(r)
                    self.waiting.insert(0, r.instance)
            time.sleep(0.05)
            end_orphans({r.process.pid for r in self.running})

    def watch_room(self, refused=False):
        """A disk without room stops the fuzzers until there is some again."""
        room, whole = free(self.out)
        least = max(1 << 20, min(64 << 20, whole // 50))
        if self.full is None and (refused or room < least):
            self.full = time.monotonic()
            self.stop_all()
            self.output.say(
                f"no room is left in {self.out} ({room >> 10} KiB are free of {whole >> 20} MiB): the "
                "fuzzers are stopped and go on as soon as there is; what was found is kept"
            )
        elif self.full is not None and room > 2 * least and time.monotonic() - self.full > WAIT:
            self.full = None
            self.output.say(f"there is room in {self.out}: the fuzzers go on")

    def run(self):
        try:
            while self.clock() < self.time and not self.stopping:
                try:
                    self.watch_room()
                    self.reap()
                    if self.full is None:
                        self.fill()
                        self.sample()
                except OSError as e:
                    if e.errno not in ROOM_ERRORS:
                        raise
                    self.watch_room(refused=True)
                if self.full is None and not self.running and not self.waiting:
                    raise SystemExit("campaign: no fuzzer runs")
                self.output.draw(self)
                time.sleep(0.2)
        finally:
            self.stop_all()
        self.sample(last=True)
        self.output.draw(self, last=True)


def arguments():
    parser = argparse.ArgumentParser(prog="make campaign")
    parser.add_argument("--cores", type=positive, default=os.cpu_count() or 1)
    parser.add_argument("--time", type=seconds, default=seconds("10m"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--build", action="append", default=[], metavar="NAME=DIR", required=True)
    parser.add_argument("--plain", type=Path, required=True, help="where fuzz-show and fuzz-shrink are")
    parser.add_argument("--seeds", type=Path, action="append", default=[])
    parser.add_argument("--report", action="store_true", help="of what is there, and fuzz no more")
    parser.add_argument("targets", nargs="*")
    options = parser.parse_args()
    known = sorted(p.stem.removeprefix("target_") for p in Path("fuzz").glob("target_*.c"))
    for name in options.targets:
        if name not in known:
            parser.error(f"there is no target {name}; the targets are {', '.join(known)}")
    options.targets = options.targets or known
    return options


def main():
    options = arguments()
    folders = dict(b.split("=", 1) for b in options.build)
    builds = plan.Builds({k: Path(v) for k, v in folders.items()}, options.plain / "mutate_afl.so")
    out = options.out = options.out.absolute()
    try:
        for target in options.targets:
            plan.prepare(out, target, options.seeds)
        output = screen.Screen(sys.stdout, options.time)
        campaign = Campaign(options, builds, options.targets, output)
        if not campaign.instances:
            raise SystemExit("campaign: nothing is built that could run")

        def stop(number, frame):
            campaign.stopping = True

        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
        adopt()
        if not options.report:
            campaign.run()
            if campaign.stopping:
                print(f"campaign: stopped after {screen.duration(campaign.clock())} of "
                      f"{screen.duration(campaign.time)}; the same command goes on")  # fmt: skip
                return 0
        else:
            campaign.sample(last=True)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        finds = finish.finish(campaign, builds, options.plain)
        page = report.write(campaign, finds)
    except OSError as e:
        if e.errno not in ROOM_ERRORS:
            raise
        print(f"campaign: {out}: {e.strerror}; make room and give the same command again", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("campaign: stopped while its finds were sorted; the same command does that again")
        return 0
    except SystemExit as e:
        print(e, file=sys.stderr)
        return 2
    print(f"campaign: {screen.number(len(finds), 'find')}; {os.path.relpath(page)}")
    return 1 if finds else 0


sys.exit(main())
