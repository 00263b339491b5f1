"""make mutants-mechanical: every small change of the engine, and what kills it first.

    mechanical.py --cc 'CC FLAGS' --sanitize FLAGS --tool 'OBJECTS' --tests 'OBJECTS' [-j N]
                  [--stages N] [--report] [--again] [--keep] [FILE...]

Each change of mutate.py is compiled into a library of the engine, which the tool and the
tests are linked with. It is discarded if it does not compile, or to the same machine
code; else recordings, lock-step, a file's own tests, these under sanitizers, all tests
with few cases and with their usual number try it in this order, each with a limit of time
and memory, until one of them fails; one that is argued is not tried by all tests. Results
are kept in build/mechanical/results.jsonl: one that was killed is tried again when what it
is compiled of changes, a survivor when anything does; comments, contracts among them, are
nothing of it. tests/mutants/mechanical.json has what came of it; of a file that is the
same as there only survivors are tried. Survivors are argued one by one in
tests/mutants/equivalent.json; the status is 1 if one of them is not, or one that is argued
was killed.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import argparse
import hashlib
import json
import os
import resource
import shlex
import shutil
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import header
import killers
import mutate
from hand import TRIED, digest, make

WORK = Path("build/mechanical")
SUMMARY = Path("tests/mutants/mechanical.json")
EQUIVALENT = Path("tests/mutants/equivalent.json")
ENGINE = Path("engine")
# Processor seconds for each process, of which the engine as it is takes a tenth; the
# number of random cases, where it is not the tests' own. What is read or written where
# nothing is, with no result that differs, is for sanitizers to see.
SANITIZED = "sanitizers"
STAGES = (
    ("recordings", 2, None, ["ndl", "check", "--quiet", *map(str, killers.RECORDINGS)]),
    ("lock-step", 4, 8000, ["ndl-tests", "--filter", "lockstep/share_1"]),
    ("own tests", 10, 300, ["ndl-tests", "--fail-fast", "--filter", "{own}/*"]),
    (SANITIZED, 60, 300, ["ndl-tests-sanitized", "--fail-fast", "--filter", "{own}/*"]),
    ("tests", 10, 300, ["ndl-tests", "--fail-fast", "--filter", killers.QUICK]),
    ("slow tests", 100, None, ["ndl-tests", "--fail-fast", "--filter", killers.ALL]),
)
ARGUED = 1 + [name for name, *_ in STAGES].index(SANITIZED)
# Suites that are most likely to fail for a file, and so come before all others.
OWN = {
    "attend": "@(attend|attend_internal|kernels)", "conv": "@(conv|engram|kernels)",
    "geometry": "@(geometry|geometry_internal)", "cact": "cact",
    "little": "save", "bytes": "save", "state_save": "save", "state_load": "save",
    "ring": "@(kv|ring_internal|save)",
    "span": "@(span|saturation|attend)", "quant": "quant", "round": "quant", "bits": "quant",
    "tokens": "tokens", "status": "status", "alloc": "@(alloc|memory|memory_internal)",
    "expf": "@(expf|expf_internal)", "state_make": "@(session|twins|memory|alloc|geometry)",
    "state_attend": "@(attend|refusals)", "state_conv": "@(conv|engram|refusals)",
    "state_kv": "@(kv|span|saturation|refusals)", "state_f32": "@(kv|alloc|memory)",
    "state_int8": "@(kv|alloc|memory)", "state": "session", "state_tokens": "@(tokens|refusals)",
}  # fmt: skip
MEMORY = 2 << 30
# What a type forbids is no mutant; neither is the loss of a result.
ERRORS = ("return-type", "incompatible-pointer-types", "int-conversion", "implicit-function-declaration",
          "discarded-qualifiers", "div-by-zero", "shift-count-overflow", "shift-count-negative")  # fmt: skip


class Engine:
    """The engine as position-independent objects, and programs linked with it."""

    programs = (("ndl", "tool", "-lyajl -lz -lm"), ("ndl-tests", "tests", "-lcriterion -lmpfr -lgmp -lm -lpthread"))
    name = "base"

    def __init__(self, options):
        self.cc = shlex.split(options.cc) + ["-fPIC", "-DNDL_NO_CLONES"]
        self.cc += [f"-Werror={error}" for error in ERRORS] + self.flags(options)
        self.sources = sorted(ENGINE.glob("src/**/*.c"))
        self.base = WORK / self.name
        self.base.mkdir(parents=True, exist_ok=True)
        self.objects, self.uses = {}, {}
        with ThreadPoolExecutor(options.jobs) as pool:
            for source, (object_, said) in zip(self.sources, pool.map(self._compile_base, self.sources)):
                if said:
                    sys.exit(f"{source} does not compile:\n{said}")
                self.objects[source] = object_
                text = object_.with_suffix(".d").read_text(encoding="utf-8")
                self.uses[source] = {os.path.normpath(word) for word in text.split() if word[-2:] in (".h", ".c")}
        self.link(self.objects.values(), self.base)
        for program, which, libraries in self.programs:
            objects = [self.built(name) for name in (*getattr(options, which).split(), options.reference)]
            self.make(objects)
            command = [*self.cc[:1], *self.flags(options), *objects[:-1], f"-L{self.base}", "-lndl-mutant", objects[-1]]
            subprocess.run([*command, *libraries.split(), "-o", WORK / program], check=True)

    @staticmethod
    def flags(_options):
        return []

    @staticmethod
    def built(name):
        return name

    @staticmethod
    def make(objects):
        """They are there."""

    def _compile_base(self, source):
        object_ = self.base / f"{source.stem}.o"
        return object_, self.compile(source, object_, Path(), "-MMD")

    def beside(self, path):
        """A hash of all else that a file is compiled with."""
        used = set().union(*(uses for uses in self.uses.values() if str(path) in uses))
        total = hashlib.sha256()
        for other in sorted(used - {str(path)}):
            total.update(f"{other}\0".encode() + mutate.code(Path(other).read_text(encoding="utf-8")).encode())
        return total.digest()

    def compile(self, source, object_, folder, *more):
        """From where the name of a file is the same, which stands in its object."""
        done = subprocess.run(
            [*self.cc, *more, f"-I{ENGINE}/include", "-c", source, "-o", object_.resolve()],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.stderr if done.returncode != 0 else ""

    def link(self, objects, folder):
        library = folder / "libndl-mutant.so"
        subprocess.run(["ld", "-shared", *objects, "-o", library], check=True)


class Sanitized(Engine):
    """The same with the sanitizers of `make SAN=asan`, and tests that are built so."""

    programs = (("ndl-tests-sanitized", *Engine.programs[1][1:]),)
    name = "sanitized"

    @staticmethod
    def flags(options):
        """Of this machine, since how many registers it has decides which way some go; and not
        optimised, since what is written and never read would not be written."""
        return [*shlex.split(options.sanitize), "-march=native", "-O0"]

    @staticmethod
    def built(name):
        build, _, rest = name.partition("/")
        return f"{build}/asan/{rest}"

    @staticmethod
    def make(objects):
        make("SAN=asan", *objects, jobs=1)


class Later:
    """What is made when it is first called, once for all threads."""

    def __init__(self, make_it):
        self.make_it, self.lock, self.it = make_it, threading.Lock(), None

    def __call__(self):
        with self.lock:
            if self.it is None:
                self.it = self.make_it()
            return self.it


class Worker:
    """A copy of the engine's sources in which one change at a time stands."""

    count = 0
    lock = threading.Lock()

    def __init__(self, engine, sanitized):
        with Worker.lock:
            self.folder = WORK / f"worker-{Worker.count}"
            Worker.count += 1
        self.engine, self.sanitized, self.root = engine, sanitized, self.folder / "engine"
        shutil.rmtree(self.folder, ignore_errors=True)
        for part in ("src", "include", "logic"):
            shutil.copytree(ENGINE / part, self.root / part)

    def kill(self, change, since, stages):
        """What became of a change: discarded, killed or alive, and by what; the stages
        before `since` have not killed it."""
        copy = self.folder / change.path
        copy.write_text(change.text, encoding="utf-8")
        try:
            return self._kill(change, since, stages)
        finally:
            shutil.copyfile(change.path, copy)

    def _build(self, engine, change, folder):
        """What hinders a change from being one, or nothing: the library is in folder."""
        folder.mkdir(exist_ok=True)
        objects, same = dict(engine.objects), True
        for source, uses in engine.uses.items():
            if str(change.path) not in uses:
                continue
            object_ = folder / f"{source.stem}.o"
            if engine.compile(source, object_, self.folder):
                return "it does not compile"
            same = same and object_.read_bytes() == objects[source].read_bytes()
            objects[source] = object_
        if same:
            return "the same machine code"
        engine.link(objects.values(), folder)
        return None

    def _kill(self, change, since, stages):
        if why := self._build(self.engine, change, self.folder):
            return "discarded", why
        stem = change.path.stem
        own = OWN.get(stem) or OWN.get(stem.partition("_")[0]) or "@(quant|conv|attend)"
        for name, seconds, cases, (program, *arguments) in STAGES[since:stages]:
            library = self.folder
            if name == SANITIZED:
                library = self.folder / name
                # There the same code, it is none that anything could see.
                if self._build(self.sanitized(), change, library):
                    continue
            arguments = [argument.replace("{own}", own) for argument in arguments]
            if self._run(WORK / program, arguments, seconds, cases, library) != 0:
                return "killed", name
        return "alive", stages

    def _run(self, program, arguments, seconds, cases, library):
        sanitized = library != self.folder

        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if not sanitized:  # whose shadow of memory is as large as all there is
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

        env = {k: v for k, v in os.environ.items() if k not in ("NDL_SEED", "NDL_CASES")}
        env |= {"NDL_CASES": str(cases)} if cases else {}
        env |= {"LD_LIBRARY_PATH": str(library), "TMPDIR": str(self.folder)}
        env |= {"ASAN_OPTIONS": f"hard_rss_limit_mb={MEMORY >> 20}"} if sanitized else {}
        try:
            done = subprocess.run(
                [program, *arguments], capture_output=True, env=env, preexec_fn=limit, timeout=10 * seconds,
                check=False,
            )  # fmt: skip
            # Of a leak it is heard when a test has ended, too late for its status.
            status = done.returncode or int(b"ERROR: LeakSanitizer" in done.stderr)
        except subprocess.TimeoutExpired:
            status = -1
        for left in self.folder.glob("lockstep-??????"):
            left.unlink()
        return status


class Results:
    """What became of changes, by a hash of what that depends on; kept as it comes."""

    def __init__(self, engine):
        self.path, self.engine, self.all = WORK / "results.jsonl", engine, digest((*TRIED, "tests/mutants/mechanical.py"))
        self.lock, self.known, self.beside = threading.Lock(), {}, {}
        if self.path.is_file():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                result = json.loads(line)
                self.known[result["key"]] = result
        self.file = self.path.open("a", encoding="utf-8")

    def keys(self, change):
        if change.path not in self.beside:
            self.beside[change.path] = self.engine.beside(change.path)
        own = hashlib.sha256(mutate.code(change.text).encode() + self.beside[change.path]).hexdigest()[:16]
        return own, hashlib.sha256((own + self.all).encode()).hexdigest()[:16]

    def of(self, change):
        own, everything = self.keys(change)
        return self.known.get(own) or self.known.get(everything)

    def add(self, change, fate, by):
        own, everything = self.keys(change)
        result = {"key": everything if fate == "alive" else own, "name": change.name,
                  "kind": change.kind, "line": change.line, "fate": fate, "by": by}  # fmt: skip
        with self.lock:
            self.known[result["key"]] = result
            self.file.write(json.dumps(result) + "\n")
            self.file.flush()
        return result


class Summary:
    """What is committed: for each file counts, and a hash of what they are of; survivors
    with what is argued of them. Of a file that is still the same only survivors are tried."""

    def __init__(self, engine, again):
        empty = {"files": {}, "of": {}, "survivors": []}
        self.old = json.loads(SUMMARY.read_text(encoding="utf-8")) if SUMMARY.is_file() and not again else empty
        self.engine = engine
        self.alive = {s["change"]: s for s in self.old["survivors"]}
        self.files, self.of, self.survivors = {}, {}, []

    def now(self, path):
        used = mutate.code(path.read_text(encoding="utf-8")).encode() + self.engine.beside(path)
        return hashlib.sha256(used).hexdigest()[:16]

    def left(self, path):
        """The changes of a file that are to be tried."""
        name, now = str(path), self.now(path)
        old = Counter(self.old["files"].get(name))
        self.of[name], self.files[name] = now, Counter()
        if self.old["of"].get(name) != now or old["not tried"]:
            return list(mutate.changes(path))
        self.files[name].update(old, alive=-old["alive"])
        # Each is counted anew.
        left = [c for c in mutate.changes(path) if c.name in self.alive] if old["alive"] else []
        self.files[name]["changes"] -= len(left)
        return left

    def add(self, change, result, why):
        counts = self.files[str(change.path)]
        counts["changes"] += 1
        if result is None:
            counts["not tried"] += 1
        elif result["fate"] == "alive":
            counts["alive"] += 1
            self.survivors.append({"change": change.name, "stages": result["by"], "why": why})
        else:
            counts[result["by"]] += 1

    def rows(self):
        """Of files that have something to change."""
        return {name: +counts for name, counts in sorted(self.files.items()) if counts["changes"]}

    def keep(self):
        """Rows of files that were not looked at stay."""
        stay = [s for s in self.old["survivors"] if s["change"].partition(":")[0] not in self.files]
        there = {name: counts for name, counts in self.old["files"].items() if Path(name).is_file()}
        files = dict(sorted({**there, **self.rows()}.items()))
        of = {**self.old["of"], **self.of}
        kept = {
            "files": files,
            "of": {name: of[name] for name in files if name in of},
            "survivors": sorted(stay + self.survivors, key=lambda s: s["change"].partition(":")[0]),
        }
        header.document("mechanical", markdown(files))
        SUMMARY.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


COLUMNS = ("changes", "it does not compile", "the same machine code", "recordings", "lock-step",
           "own tests", SANITIZED, "tests", "slow tests", "alive", "not tried")  # fmt: skip
HEADS = ("changes", "no code", "same code", "records", "lock-step", "own tests", "sanitized", "tests", "slow", "alive",
         "not tried")  # fmt: skip


def table(files):
    total = sum((Counter(c) for c in files.values()), Counter())
    yield f"{'file':<32}" + "".join(f"{head:>11}" for head in HEADS)
    for name, counts in [*files.items(), ("all", total)]:
        yield f"{name:<32}" + "".join(f"{counts[c]:>11}" for c in COLUMNS)


def markdown(files):
    """The table of docs/mutants.md."""
    total = sum((Counter(c) for c in files.values()), Counter())
    yield "| file | " + " | ".join(HEADS) + " |"
    yield "|---" + "|--:" * len(HEADS) + "|"
    for name, counts in [*files.items(), ("**all**", total)]:
        yield f"| {name.removeprefix('engine/src/')} | " + " | ".join(str(counts[c] or "–") for c in COLUMNS) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("cc", "sanitize", "tool", "tests", "reference"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--stages", type=int, default=len(STAGES), help="so many of what may kill, the cheapest")
    parser.add_argument("--report", action="store_true", help="of what is known, without trying more")
    parser.add_argument("--again", action="store_true", help="also what the summary has of files that are the same")
    parser.add_argument("--keep", action="store_true", help="of FILE..., put their rows into what is committed")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    options = parser.parse_args()
    paths = options.files or sorted(ENGINE.glob("src/**/*.[ch]"))
    argued = json.loads(EQUIVALENT.read_text(encoding="utf-8")) if EQUIVALENT.is_file() else {}
    engine, sanitized = Engine(options), Later(lambda: Sanitized(options))
    summary = Summary(engine, options.again)
    with ThreadPoolExecutor(options.jobs) as pool:
        everything = [c for some in pool.map(summary.left, paths) for c in some]
    results, found, local = Results(engine), {}, threading.local()
    done = 0

    def work(change):
        nonlocal done
        result = results.of(change)
        if options.report:
            if result is None and change.name in summary.alive:
                result = {"fate": "alive", "by": summary.alive[change.name]["stages"]}
            found.update({change.name: result} if result else {})
            return
        since = result["by"] if result and result["fate"] == "alive" else 0
        stages = min(options.stages, ARGUED) if change.name in argued else options.stages
        if result is None or since and since < stages:
            if not hasattr(local, "worker"):
                local.worker = Worker(engine, sanitized)
            result = results.add(change, *local.worker.kill(change, since, stages))
        found[change.name] = result
        done += 1
        if done % 100 == 0:
            print(f"mechanical: {done} of {len(everything)}", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, everything))
    for change in everything:
        summary.add(change, found.get(change.name), argued.get(change.name, ""))
    if not options.files or options.keep:
        summary.keep()
    print(*table(summary.rows()), sep="\n")
    alive = {s["change"] for s in summary.survivors}
    open_ = [s["change"] for s in summary.survivors if not s["why"]]
    wrong = sorted(argued.keys() - alive) if not options.files else []
    print(*(f"alive: {name}" for name in open_), *(f"not alive, but argued: {name}" for name in wrong), sep="\n")
    total = sum(counts["changes"] for counts in summary.rows().values())
    print(f"{total} changes, {len(alive)} alive, of which {len(alive) - len(open_)} are argued")
    return 1 if open_ or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
