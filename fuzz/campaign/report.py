"""A campaign's report: one HTML file that needs neither network nor scripts.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import base64
import html
import subprocess
import tempfile
from pathlib import Path

from screen import ago, count, duration, number

PLOTS = [
    ("edges", 4, "edges that libFuzzer's corpus reaches", False),
    ("AFL++'s edges", 5, "edges that AFL++'s main instance reaches", False),
    ("executions", 3, "inputs that were run", True),
    ("corpus", 6, "inputs of the shared corpus", False),
]
UNITS = [(3600, "hours"), (60, "minutes"), (1, "seconds")]
STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; } th, td { padding: .2rem .7rem; border-bottom: 1px solid #ddd; }
td { text-align: right; font-variant-numeric: tabular-nums; } td:first-child, th:first-child { text-align: left; }
pre { background: #f5f5f5; padding: .7rem; overflow-x: auto; font-size: 13px; } img { max-width: 100%; }
figure { margin: 1rem 0; }
"""


def plot(history, targets, column, title, logarithmic, clock):
    unit, name = next(u for u in UNITS if clock >= 10 * u[0] or u[0] == 1)
    curves = ", ".join(
        f'"<awk -F \'\\t\' \'$2 == \\"{t}\\"\' {history.name}" using ($1/{unit}):{column} '
        f'with lines lw 2 dt {1 + i // 8} title "{t.replace("_", " ")}"'
        for i, t in enumerate(targets)
    )
    script = f"""set terminal svg size 900,380 font "sans-serif,13" background rgb "white"
set key outside right top
set grid
set xlabel "{name}"
set ylabel "{title}"
set datafile separator "\\t"
{"set logscale y" if logarithmic else "set yrange [0:*]"}
plot {curves}
"""
    done = subprocess.run(
        ["gnuplot"], input=script, capture_output=True, text=True, cwd=history.parent, check=False
    )
    if done.returncode != 0 or "<svg" not in done.stdout:
        raise SystemExit(f"campaign: gnuplot draws no {title}: {done.stderr.strip()}")
    return base64.b64encode(done.stdout.encode()).decode()


def table(head, rows):
    def line(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(c))}</{tag}>" for c in cells) + "</tr>"

    return "<table>" + line("th", head) + "".join(line("td", r) for r in rows) + "</table>"


def target_rows(campaign):
    clock = campaign.clock()
    for t in campaign.targets.values():
        small = sum(1 for _ in (t.folder / "minimised").iterdir())
        yield [
            t.name, count(t.executions), t.edges, t.afl_edges, t.corpus, small,
            ago(clock, t.last_find), t.crashes,
        ]  # fmt: skip


def find_text(find, out):
    claims = ", ".join(find.claims) or "none is named"
    parts = [
        f"<h3>{html.escape(find.target)}: {html.escape(find.name)}</h3>",
        f"<p>{html.escape(find.short)}</p>",
        f"<p>Claims: {html.escape(claims)}. {number(find.inputs, 'input')}; on the stack: "
        f"{html.escape(' &lt; '.join(find.frames)) or 'nothing of ours'}. "
        f"Files: {html.escape(', '.join(str(f.relative_to(out)) for f in find.written))}.</p>",
    ]
    script = [f for f in find.written if f.suffix == ".jsonl"]
    if script:
        parts.append(f"<pre>{html.escape(script[0].read_text(encoding='utf-8')[:20000])}</pre>")
    else:
        data = find.input.read_bytes()[:256]
        parts.append(f"<pre>{data.hex(' ')}</pre>")
    return "\n".join(parts)


def write(campaign, finds):
    out, clock = campaign.out, campaign.clock()
    history = out / "history.tsv"
    figures = [
        f'<figure><img alt="{html.escape(title)} over time" src="data:image/svg+xml;base64,'
        f'{plot(history, list(campaign.targets), column, title, log, clock)}"></figure>'
        for _, column, title, log in PLOTS
    ]
    total = sum(t.executions for t in campaign.targets.values())
    fuzzers = [
        [str(s.instance), s.instance.build, count(s.executions.total), s.edges]
        for s in campaign.stats.values()
    ]
    left_out = "".join(
        f"<p>{html.escape(name)} was left out:</p><pre>{html.escape(said)}</pre>"
        for name, said in campaign.given_up.items()
    )
    page = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>ndl: fuzzing campaign</title>
<style>{STYLE}</style></head><body>
<h1>Fuzzing campaign</h1>
<p>{duration(clock)} on {number(campaign.cores, "core")}, {number(len(campaign.targets), "target")},
{count(total)} executions, {count(total / max(1.0, clock * campaign.cores))} a second a core,
{number(len(finds), "find")}.</p>
<h2>Targets</h2>
{table(["target", "executions", "edges", "AFL++'s edges", "corpus", "minimised", "last find", "inputs that fail"],
       target_rows(campaign))}
<h2>Over time</h2>
{"".join(figures)}
<h2>Finds</h2>
{"".join(find_text(f, out) for f in finds) or "<p>None.</p>"}
<h2>Fuzzers</h2>
{left_out}{table(["fuzzer", "build", "executions", "edges"], fuzzers)}
</body></html>
"""
    path = Path(out) / "report.html"
    with tempfile.NamedTemporaryFile("w", dir=out, delete=False, encoding="utf-8") as new:
        new.write(page)
    Path(new.name).chmod(0o644)
    Path(new.name).replace(path)
    return path
