#!/usr/bin/env python3
"""experiment.py NDL OUT [--traces N] [--seed S] [--jobs J] [NAME...]

How well ndl diagnose names mistakes. For every hypothesis, sessions of random
geometry and four to eight layers are drawn (ndl gen --boundaries), recorded as a port
with that mistake would record them (ndl run --mistake), thrown away and counted if ndl
check accepts them, and diagnosed, until N were. A table goes to OUT.md, all numbers to
OUT.json.

A trace is of at most 50 KB: of the lengths in WORDS, a session has the greatest that
fits. Members of a group of hypotheses that explain one trace equally are held against
each other by ndl discriminate, which separates them or finds them equal on its bounded
set.
"""

import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time

LIMIT = 50_000
WORDS = (80, 60, 45, 34, 25, 19, 14, 10)
TRIES = 40  # draws for each trace that is wanted, before a mistake is given up


def ndl(*words):
    return subprocess.run([NDL, *map(str, words)], capture_output=True, text=True, check=False)


def draw(name, seed, number, folder):
    """A trace of a mistake, or why there is none: 'accepted', 'long', 'crashed'."""
    digest = hashlib.sha256(f"{seed} {name} {number}".encode()).digest()
    own = int.from_bytes(digest[:8], "little")
    layers = 5 + digest[9] % 4
    script = os.path.join(folder, f"{name}.{number}.script")
    trace = os.path.join(folder, f"{name}.{number}.jsonl")
    for words in WORDS:
        made = ndl("gen", "--boundaries", words, "--layers", layers, "--compact", "--seed", own,
                   "-o", script)
        if made.returncode != 0:
            sys.exit(f"experiment: {made.stderr}")
        run = ndl("run", "--quiet", "--mistake", name, script, "-o", trace)
        os.unlink(script)
        if run.returncode != 0:
            return None, "crashed"
        if os.path.getsize(trace) <= LIMIT:
            break
        os.unlink(trace)
    else:
        return None, "long"
    if ndl("check", "--quiet", trace).returncode == 0:
        os.unlink(trace)
        return None, "accepted"
    return trace, None


def examine(name, seed, wanted, folder):
    row = {"name": name, "traces": 0, "accepted": 0, "long": 0, "crashed": 0, "alone": 0,
           "in_three": 0, "missed": [], "groups": {}}
    for number in range(wanted * TRIES):
        if row["traces"] == wanted:
            break
        # What is never refused in so many draws is not going to be.
        if number >= 200 and row["traces"] == 0:
            break
        trace, why = draw(name, seed, number, folder)
        if trace is None:
            row[why] += 1
            continue
        run = ndl("diagnose", "--quiet", "--json", trace)
        if run.returncode not in (0, 1):
            sys.exit(f"experiment: {trace}: {run.stderr}")
        exact = [h["name"] for h in json.loads(run.stdout)["files"][0]["exact"]]
        row["traces"] += 1
        row["alone"] += exact == [name]
        row["in_three"] += name in exact and len(exact) <= 3
        if name not in exact:
            row["missed"].append(number)
        elif len(exact) > 1:
            group = " ".join(exact)
            row["groups"][group] = row["groups"].get(group, 0) + 1
        os.unlink(trace)
    return row


def separate(pair):
    run = ndl("discriminate", "--quiet", *pair)
    return pair, {0: "separated", 1: "equal"}.get(run.returncode, run.stderr.strip())


def merge(rows, separated):
    """Counts as alone what only hypotheses share that are equal on the bounded set."""
    for row in rows:
        row["alone_or_equal"] = row["alone"] + sum(
            times for group, times in row["groups"].items()
            if all(separated[tuple(sorted((row["name"], other)))] == "equal"
                   for other in group.split() if other != row["name"]))


def share(part, of):
    return "-" if of == 0 else f"{100 * part / of:.0f}"


def table(rows):
    lines = ["| mistake | traces | discarded | alone and first, % | or with equals, % | "
             "in at most three, % |", "|---|--:|--:|--:|--:|--:|"]
    counts = ("traces", "accepted", "alone", "alone_or_equal", "in_three")
    total = {"name": "all", **{k: sum(r[k] for r in rows) for k in counts}}
    for r in [*rows, total]:
        shares = (share(r[k], r["traces"]) for k in counts[2:])
        lines.append(f"| {r['name']} | {r['traces']} | {r['accepted']} | {' | '.join(shares)} |")
    return "\n".join(lines)


def main():
    global NDL
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[1])
    p.add_argument("ndl")
    p.add_argument("out")
    p.add_argument("--traces", type=int, default=100)
    p.add_argument("--seed", type=int, default=int(time.time()))
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("names", nargs="*")
    a = p.parse_intermixed_args()
    NDL = a.ndl
    listed = json.loads(ndl("diagnose", "--list", "--json").stdout)["hypotheses"]
    names = a.names or [h["name"] for h in listed]
    started = time.time()
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        rows = []
        for row in pool.map(lambda n: examine(n, a.seed, a.traces, folder), names):
            rows.append(row)
            print(f"{row['name']}: {row['traces']} traces, {row['alone']} alone, "
                  f"{row['in_three']} in three, {row['accepted']} accepted, "
                  f"{row['crashed']} crashed, {len(row['missed'])} missed "
                  f"{row['groups'] or ''}", flush=True)
        pairs = sorted({pair for r in rows for g in r["groups"]
                        for pair in itertools.combinations(sorted(g.split()), 2)})
        separated = dict(pool.map(separate, pairs))
    merge(rows, separated)
    with open(a.out + ".json", "w", encoding="utf-8") as out:
        json.dump({"seed": a.seed, "traces": a.traces, "seconds": round(time.time() - started),
                   "rows": rows,
                   "pairs": {" ".join(k): v for k, v in separated.items()}}, out, indent=1)
    with open(a.out + ".md", "w", encoding="utf-8") as out:
        out.write(table(rows) + "\n")
        for kind in sorted(set(separated.values())):
            out.write(f"\nPairs of one group, {kind}: "
                      + ", ".join(" and ".join(k) for k, v in separated.items() if v == kind) + ".\n")
    bad = [r["name"] for r in rows if r["traces"] and
           (100 * r["alone"] < 80 * r["traces"] or 100 * r["in_three"] < 95 * r["traces"])]
    print(table(rows).splitlines()[-1])
    if bad:
        print("short of 80 alone or 95 in three:", ", ".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
