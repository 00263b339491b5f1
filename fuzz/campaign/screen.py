"""What is seen of a campaign while it runs: a table on a terminal, lines through a pipe.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import shutil
import time


def count(n):
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e4)):
        if n >= size:
            return f"{n / size * (10 if unit == 'k' else 1):.1f} {unit}"
    return f"{n:.0f}"


def number(n, what):
    return f"{n} {what}{'' if n == 1 else 's'}"


def duration(seconds):
    hours, rest = divmod(int(seconds), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}"


def ago(clock, then):
    return "-" if then is None else duration(max(0, clock - then)) + " ago"


class Screen:
    def __init__(self, stream, length):
        self.stream = stream
        self.terminal = stream.isatty()
        self.every = min(60.0, max(5.0, length / 100))
        self.drawn = None
        self.notes = []

    def say(self, text):
        """Something that happened; on a terminal it stays under the table."""
        if self.terminal:
            self.notes = [*self.notes, f"{time.strftime('%H:%M:%S')} {text}"][-5:]
        else:
            print(f"{time.strftime('%H:%M:%S')} {text}", file=self.stream, flush=True)

    def draw(self, campaign, last=False):
        now = time.monotonic()
        due = 1.0 if self.terminal else self.every
        if not last and self.drawn is not None and now - self.drawn < due:
            return
        self.drawn = now
        text = self.table(campaign) if self.terminal else self.line(campaign)
        print(text, file=self.stream, flush=True)

    def line(self, campaign):
        targets = campaign.targets.values()
        return (
            f"{time.strftime('%H:%M:%S')} {duration(campaign.clock())} of {duration(campaign.time)}: "
            f"{count(sum(t.executions for t in targets))} executions, "
            f"{count(sum(t.speed for t in targets))} a second, "
            f"{sum(t.edges for t in targets)} edges, corpus {sum(t.corpus for t in targets)}, "
            f"crashes {sum(t.crashes for t in targets)}; "
            f"{', '.join(campaign.running_names()) or 'nothing'} running"
        )

    def table(self, campaign):
        width, height = shutil.get_terminal_size()
        clock = campaign.clock()
        lines = [
            f"campaign {duration(clock)} of {duration(campaign.time)}, {number(campaign.cores, 'core')}, "
            f"{number(len(campaign.instances), 'fuzzer')}; ctrl-C stops it, the same command goes on",
            "",
            f"{'target':<17}{'executions':>11}{'a second':>9}{'edges':>7}{'AFL++':>7}"
            f"{'corpus':>8}{'last find':>14}{'crashes':>8}  running",
        ]
        running = campaign.running_names()
        for t in campaign.targets.values():
            names = [n.split("/")[1] for n in running if n.split("/")[0] == t.name]
            lines.append(
                f"{t.name:<17}{count(t.executions):>11}{count(t.speed):>9}{t.edges:>7}"
                f"{t.afl_edges:>7}{t.corpus:>8}{ago(clock, t.last_find):>14}{t.crashes:>8}  "
                + " ".join(names)
            )
        lines += ["", *self.notes]
        # Home, each line cleared to its end, and what is below.
        return "\033[H" + "\n".join(f"{x[: width - 1]}\033[K" for x in lines[: height - 1]) + "\033[J"
