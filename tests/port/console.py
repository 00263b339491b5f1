#!/usr/bin/env python3
"""Run the ```console blocks of a guide and compare what they print.

    console.py [--update] GUIDE NDL

A line that begins with "$ " is a command, the lines up to the next are its
output; a command goes on after a backslash. They run in one directory in which
the sources stand as in this tree and build/ holds the command NDL and what the
guide makes. How far attention was off is compared as to its form, since ports
take exp from different libraries. --update writes the outputs into the guide.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import difflib
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def transcript(block, where):
    """The block again, with what its commands print now."""
    lines, out = block.splitlines(), []
    while lines:
        line = lines.pop(0)
        if not line.startswith("$ "):
            continue
        command = [line]
        while command[-1].endswith("\\"):
            command.append(lines.pop(0))
        run = subprocess.run(
            ["bash", "-c", "\n".join(command)[2:]],
            cwd=where,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"),
        )
        out += command + run.stdout.decode("utf-8").splitlines()
    return "".join(line + "\n" for line in out)


def main(guide, ndl, update):
    with open(guide, encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as where:
        for name in ("engine", "spec", "tests", "docs"):
            os.symlink(os.path.join(ROOT, name), os.path.join(where, name))
        os.mkdir(os.path.join(where, "build"))
        os.symlink(os.path.abspath(ndl), os.path.join(where, "build", "ndl"))
        count = 0

        def again(match):
            nonlocal count
            count += 1
            return "```console\n" + transcript(match.group(1), where) + "```"

        now = BLOCK.sub(again, text)
    if count == 0:
        sys.exit("console.py: %s has no console block" % guide)
    if update:
        with open(guide, "w", encoding="utf-8") as file:
            file.write(now)
        return
    was, is_now = (re.sub(r"at worst \S+", "at worst R", t).splitlines(True) for t in (text, now))
    diff = list(difflib.unified_diff(was, is_now, "the guide says", "the commands print"))
    sys.stdout.writelines(diff)
    sys.exit(1 if diff else 0)


if __name__ == "__main__":
    args = [a for a in sys.argv[1:] if a != "--update"]
    if len(args) != 2:
        sys.exit("usage: console.py [--update] GUIDE NDL")
    main(args[0], args[1], "--update" in sys.argv)
