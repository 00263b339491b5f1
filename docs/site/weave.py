"""Weaves the chapters, the guides and the API reference into static HTML.

usage: weave.py OUT     writes the site to OUT

Pages keep the folders of the tree, so that a link between two files is the same
link between two pages. A file that is linked and is no page becomes a listing.
pandoc makes HTML of Markdown; splice.py, api.py and evidence.py bring in what the
pages do not hold; check.py looks at the result.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import html
import os
import pathlib
import posixpath
import re
import shutil
import string
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SITE = pathlib.Path(__file__).resolve().parent
ROOT = SITE.parents[1]
sys.path[:0] = [str(SITE), str(ROOT / "spec" / "ledger")]

import api  # noqa: E402
from claims import ID, Chapters, slug  # noqa: E402
from evidence import Evidence  # noqa: E402
from splice import Mismatch, Tree, expand  # noqa: E402

API = "api.md"  # made of ndl.h, at the root
STATUS = "docs/STATUS.md"
LISTED = {".c", ".h", ".acsl", ".py", ".sh", ".bats", ".mk", ".awk", ".md", ".patch", ".json", ""}
TAG = re.compile(r"(<[^>]*>)")
WORD = re.compile(
    rf"(?P<claim>{ID.pattern})|(?P<chapter>\b[Cc]hapter (?P<number>\d{{1,2}})\b)"
    r"|(?P<manual>\bndl(?:-\w+)?\([1-8]\))|(?P<name>(?<![\w/.-])(?:NDL|ndl)_\w+(?![\w.-]))"
)
CLAIM = re.compile(r"<p><strong>([A-Z]{2,8}_\d{3})\.</strong>(.*?)</p>", re.S)
FRAME = string.Template((SITE / "frame.html").read_text(encoding="utf-8"))


class Broken(Exception):
    """A page that cannot be woven."""


def pages_by_group():
    """The pages in the order in which they are read."""
    guides = [p for p in sorted(ROOT.glob("docs/*.md")) if p.name not in ("STATUS.md", "FINDINGS.md")]
    groups = {
        "": ["README.md"],
        "Specification": sorted(ROOT.glob("spec/[0-9][0-9]-*.md")),
        "Guides": guides,
        "Manual pages": sorted(ROOT.glob("docs/man/*.[1-8]")),
        "Reference": [API, STATUS, "docs/FINDINGS.md"],
        "Project": ["CONTRIBUTING.md", "CHANGELOG.md"],
    }
    for group, paths in groups.items():
        names = [os.path.relpath(ROOT / path, ROOT) for path in paths]
        names = [n for n in names if n in (API, STATUS) or (ROOT / n).is_file()]
        if names:
            yield group, names


def target(name):
    """Where the page of a Markdown file or a man page stands."""
    if name == "README.md":
        return "index.html"
    return re.sub(r"\.(?:md|([1-8]))$", lambda m: f".{m[1]}.html" if m[1] else ".html", name)


def run(name, command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode or done.stderr:
        raise Broken(f"{name}: {command[0]}: {done.stderr.strip()}")
    return done.stdout


def pandoc(markdown, name):
    command = ["pandoc", "-f", "gfm", "-t", "html5", "-s", "--wrap=none", "--toc",
               f"--template={SITE / 'body.template'}",
               f"--syntax-definition={SITE / 'acsl.xml'}",
               f"--syntax-definition={SITE / 'logic.xml'}", "-M", "title=-", "-M", "lang=en"]
    return run(name, command, markdown)


def manual(name, text):
    """(title, Markdown) of a manual page, less the lines that mandoc puts at the
    head and foot; its headings one level down."""
    base, _, section = posixpath.basename(name).rpartition(".")
    lines = run(name, ["mandoc", "-T", "markdown", "-I", "os=ndl"], text).splitlines()[1:-1]
    heading = re.compile(r"^#+ ")
    lines = [heading.sub(lambda m: "#" + m[0], line) for line in lines]
    return f"{base}({section})", "\n".join(lines) + "\n"


class Site:
    def __init__(self, out):
        self.out = out
        self.groups = list(pages_by_group())
        self.order = [name for _, names in self.groups for name in names]
        self.tree, self.chapters = Tree(ROOT), Chapters(ROOT)
        self.evidence = Evidence(ROOT, self.tree)
        self.header = (ROOT / api.HEADER).read_text(encoding="utf-8")
        self.names = api.names(self.header)
        self.numbered = {int(chapter[5:7]): chapter for chapter in self.chapters.titles}
        self.titles, self.tocs, self.bodies = {}, {}, {}
        self.wanted, self.images, self.broken = set(), set(), []

    # -------------------------------------------------- Markdown to HTML

    def source(self, name):
        """(title, Markdown) of a page."""
        if name == API:
            return api.markdown(self.header, self.numbered)
        if not (ROOT / name).is_file():
            raise Broken(f"{name} is missing: `make ledger` writes it")
        text = (ROOT / name).read_text(encoding="utf-8")
        if not name.endswith(".md"):
            return manual(name, text)
        return expand(name, text, self.tree)

    def render(self, name):
        try:
            title, markdown = self.source(name)
            toc, _, body = pandoc(markdown, name).partition("<!-- body -->")
        except (Broken, Mismatch) as error:
            self.broken.append(str(error))
            return
        self.titles[name] = "Overview" if name == "README.md" else title
        self.tocs[name] = re.sub(r' id="[^"]*"', "", toc).strip()
        heading = f'<h1 id="{slug(title)}">{html.escape(title)}</h1>\n'
        self.bodies[name] = heading + self.finished(name, body.strip())

    def finished(self, name, body):
        """pandoc's HTML with boxes that scroll, claims, and all links."""
        body = re.sub(r'<a href="#cb[^"]*" aria-hidden="true"[^>]*></a>', "", body)
        body = re.sub(r'(<(?:div|span)[^>]*) id="cb[^"]*"', r"\1", body)
        body = body.replace("<table>", '<div class="scroll"><table>')
        body = re.sub(r"<td>(?=[^<]{60})", '<td class="prose">', body)
        body = body.replace("</table>", "</table></div>")
        if name in self.chapters.titles:
            body = CLAIM.sub(lambda match: self.claim(name, match), body)
        if name == STATUS:
            row = r'<td([^>]*)>(<a href="[^"#]*)#[^"]*">([A-Z]+_\d{3})</a>'
            body = re.sub(row, r'<td id="\3"\1>\2#\3">\3</a>', body)
        return self.linked(name, body)

    def claim(self, name, match):
        up = "../" * name.count("/")
        counts, rows = self.evidence.of(match[1], up)
        status = f'<a href="{up}{STATUS}#{match[1]}">status</a>'
        shown = f"<details><summary>{counts}</summary><ul>{rows}</ul></details>" if counts else ""
        return (
            f'<div class="claim" id="{match[1]}"><p><a class="id" href="#{match[1]}">{match[1]}</a>'
            f'{match[2]}</p>\n<div class="evidence">{status}{shown}</div></div>'
        )

    def linked(self, name, body):
        """Links lead to pages; ids of claims, numbers of chapters and names of the
        API become links."""
        out, closed = [], 0
        for part in TAG.split(body):
            if part.startswith("<"):
                if re.match(r"<(?:a|h[1-6]|summary)\b", part):
                    closed += 1
                elif re.match(r"</(?:a|h[1-6]|summary)>", part):
                    closed -= 1
                part = re.sub(r'\bhref="([^"]*)"', lambda m: self.href(name, m[1]), part)
                if part.startswith("<img"):
                    self.image(name, part)
            elif not closed:
                part = WORD.sub(lambda m: self.link(name, m), part)
            out.append(part)
        return "".join(out)

    def link(self, name, match):
        """A word of a page as a link, if it names something that there is."""
        word, there, anchor = match[0], None, ""
        if match["claim"] and word in self.chapters.claims:
            there, anchor = self.chapters.claims[word].chapter, f"#{word}"
        elif match["chapter"] and self.numbered.get(int(match["number"])) != name:
            there = self.numbered.get(int(match["number"]))
        elif match["manual"]:
            there = f"docs/man/{word[:-3]}.{word[-2]}"
            there = there if there in self.order and there != name else None
        elif match["name"] and word in self.names:
            there, anchor = API, f"#{self.names[word]}"
        return f'<a class="quiet" href="{self.way(name, there)}{anchor}">{word}</a>' if there else word

    def href(self, name, link):
        link = html.unescape(link)
        path, _, fragment = link.partition("#")
        if re.match(r"[a-z]+:", link) or not path:
            return f'href="{html.escape(link)}"'
        there = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
        fragment = f"#{fragment}" if fragment else ""
        if there not in self.order:
            if there.startswith("..") or not (ROOT / there).exists():
                self.broken.append(f"{name}: a link to {path}, which is not there")
            self.wanted.add(there)
        return f'href="{html.escape(self.way(name, there) + fragment)}"'

    def image(self, name, tag):
        """A picture stands on the site where it stands in the tree."""
        src = html.unescape(re.search(r'\bsrc="([^"]*)"', tag)[1])
        there = posixpath.normpath(posixpath.join(posixpath.dirname(name), src))
        if there.startswith("..") or not (ROOT / there).is_file():
            self.broken.append(f"{name}: a picture {src}, which is not there")
        self.images.add(there)

    def file_of(self, name):
        """Where anything in the tree stands on the site."""
        if name in self.order:
            return target(name)
        return f"{name}/index.html" if (ROOT / name).is_dir() else f"{name}.html"

    def way(self, here, there):
        at = posixpath.dirname(self.file_of(here)) or "."
        return posixpath.relpath(self.file_of(there), at)

    # -------------------------------------------------- listings

    def listing(self, name):
        """A file or a folder of the tree, for those who follow a link to it."""
        if (ROOT / name).is_dir():
            rows = []
            for path in sorted((ROOT / name).iterdir()):
                inside = f"{name}/{path.name}"
                if is_listed(path):
                    text = f'<a href="{html.escape(path.name)}"><code>{html.escape(path.name)}</code></a>'
                    rows.append(f"<li>{self.linked(inside, text)}</li>")
                elif path.name != "__pycache__":
                    rows.append(f"<li><code>{html.escape(path.name)}</code></li>")
            return f"<ul>{''.join(rows)}</ul>"
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        text = "".join(
            f'<span id="L{n}">{html.escape(line, quote=False)}\n</span>'
            for n, line in enumerate(lines, 1)
        )
        return f'<pre class="listing"><code>{self.linked(name, text)}</code></pre>'

    # -------------------------------------------------- pages

    def contents(self, name):
        """The navigation: all pages, and what is on this one."""
        out = []
        for group, names in self.groups:
            out.append(f"<h2>{group}</h2>" if group else "")
            out.append("<ul>")
            for other in names:
                here = ' aria-current="page"' if other == name else ""
                inside = self.tocs[other] if other == name else ""
                title = html.escape(self.titles[other])
                out.append(f'<li><a href="{self.way(name, other)}"{here}>{title}</a>{inside}</li>')
            out.append("</ul>")
        return "\n".join(part for part in out if part)

    def write(self, name, kind, title, body):
        at = self.file_of(name)
        relations, turn = "", ""
        if name in self.order:
            place = self.order.index(name)
            around = {"prev": place - 1, "next": place + 1}
            for rel, other in around.items():
                if 0 <= other < len(self.order):
                    where = self.way(name, self.order[other])
                    words = html.escape(self.titles[self.order[other]])
                    relations += f'<link rel="{rel}" href="{where}">\n'
                    turn += f'<a rel="{rel}" href="{where}">{words}</a>\n'
            turn = f'<nav class="turn" aria-label="Next and previous">{turn}</nav>\n'
        path = self.out / at
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            FRAME.substitute(
                title=html.escape("ndl" if name == "README.md" else f"{title} - ndl"),
                up="../" * at.count("/"), kind=kind, body=body, turn=turn,
                relations=relations, contents=self.contents(name),
            ),
            encoding="utf-8",
        )

    def build(self):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self.render, self.order))
        if not self.broken:
            for name in self.order:
                kind = "page status" if name == STATUS else "page"
                self.write(name, kind, self.titles[name], self.bodies[name])
            done = set()
            # A folder wants the listings of what is in it.
            while more := sorted(self.wanted - done):
                for name in more:
                    heading = f"<h1><code>{html.escape(name)}</code></h1>\n"
                    self.write(name, "source", name, heading + self.listing(name))
                done |= set(more)
            for image in self.images:
                (self.out / image).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / image, self.out / image)
            shutil.copyfile(SITE / "style.css", self.out / "style.css")
        if self.broken:
            raise Broken("\n".join(sorted(set(self.broken))))
        return len(self.order), len(done)


def is_listed(path):
    """Whether a folder's listing leads to a file's: to text, but not to long recordings."""
    short = path.suffix == ".jsonl" and path.stat().st_size < 65536
    return path.is_file() and (path.suffix in LISTED or short)


def main(out):
    out = pathlib.Path(out)
    try:
        pages, listings = Site(out).build()
    except Broken as error:
        sys.exit(str(error))
    print(f"docs: {pages} pages, {listings} listings in {out}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: weave.py OUT")
    main(sys.argv[1])
