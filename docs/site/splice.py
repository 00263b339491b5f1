"""Code that the chapters and guides show but do not hold.

A line `<!-- splice: FILE NAME -->` is invisible on a code host. Here it becomes

  - for a FILE.h: the declaration of NAME with the comment and the contract above
    it, then the one definition of NAME under engine/src;
  - for a FILE.acsl: the paragraph of logic that declares NAME.

A NAME that is not there, or there twice, is an error. A block of code that names
a file is part of the reference and is marked as what runs.

usage: splice.py FILE.md...   say what does not match, write nothing

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import html
import pathlib
import re
import sys
import textwrap
from dataclasses import dataclass

MARK = re.compile(r"<!-- splice: (\S+) (\w+) -->\s*")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*(\S*)\s*(\S*)")
TITLE = re.compile(r"# +(.*?)\s*#*\s*")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
LOGIC = r"\b(?:logic\s[\w\s*]*?|predicate\s+|lemma\s+|axiom\s+|axiomatic\s+)"


class Mismatch(Exception):
    """A marker that cannot be replaced."""


@dataclass(frozen=True)
class Piece:
    path: str
    line: int
    text: str

    @property
    def is_definition(self):
        return self.text.endswith("}")


def blanked(text):
    """The text with blanks for comments: the same places, no words."""
    return COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def above(text, start):
    """Where the comments begin that stand right above text[start]."""
    while comment := re.search(r"^/\*(?:(?!\*/).)*\*/\n\Z", text[:start], re.M | re.S):
        start = comment.start()
    return start


class Tree:
    """What may be spliced, read once."""

    def __init__(self, root):
        self.root, self.texts = root, {}
        engine = root / "engine"
        for path in sorted([*engine.rglob("*.[ch]"), *engine.rglob("*.acsl")]):
            self.texts[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")
        self.bare = {path: blanked(text) for path, text in self.texts.items()}

    def functions(self, path, name):
        """Declarations and definitions of a function in a file, with what is above."""
        text, bare = self.texts[path], self.bare[path]
        for match in re.finditer(rf"^[a-z][\w *]*?\b{name}\(", bare, re.M):
            end = re.compile(r"[;{]").search(bare, match.end())
            if end and end[0] == "{":
                end = re.compile(r"^\}", re.M).search(bare, end.end())
            if end:
                start = above(text, match.start())
                line = text.count("\n", 0, start) + 1
                yield Piece(path, line, text[start : end.end()])

    def definitions(self, name):
        for path in self.texts:
            if path.startswith("engine/src/"):
                yield from (p for p in self.functions(path, name) if p.is_definition)

    def logic(self, path, name):
        declared = re.compile(rf"{LOGIC}\b{name}\b")
        for paragraph in re.finditer(r"(?:^[^\n]*\S[^\n]*\n)+", self.texts[path], re.M):
            if declared.search(blanked(paragraph[0].replace("/*@", "   "))):
                lines = paragraph[0].replace("/*@", "   ", 1).splitlines()
                text = textwrap.dedent("\n".join(ln for ln in lines if ln.strip() != "*/"))
                line = self.texts[path].count("\n", 0, paragraph.start()) + 1
                yield Piece(path, line, text)

    def pieces(self, path, name):
        """What a marker stands for, as (kind, piece)."""
        if path not in self.texts:
            raise Mismatch(f"there is no {path}")
        if path.endswith(".acsl"):
            return [("logic", one(self.logic(path, name), f"'{name}' in {path}"))]
        declared = one(self.functions(path, name), f"'{name}' in {path}")
        defined = one(self.definitions(name), f"definition of '{name}' in engine/src")
        kinds = [("contract" if "/*@" in declared.text else "declaration", declared)]
        return kinds + [("engine", defined)] * (declared != defined)


def one(found, what):
    found = list(found)
    if len(found) != 1:
        raise Mismatch(f"there is {'more than one' if found else 'no'} {what}")
    return found[0]


def figure(kind, caption, code):
    """A block of code in Markdown, in a box that says what it is."""
    fence = "`" * (3 + max([0, *map(len, re.findall("`{3,}", code))]))
    language = "acsl-logic" if kind == "logic" else "acsl"
    return (
        f'<figure class="code {kind}"><figcaption><b>{kind}</b> {caption}</figcaption>\n\n'
        f"{fence}{language}\n{code.strip(chr(10))}\n{fence}\n\n</figure>\n"
    )


def expand(name, text, tree):
    """(title, Markdown) of a page: its first heading, and the rest of it with
    everything spliced. Raises Mismatch with every marker that did not match."""
    up = "../" * name.count("/")
    title, out, bad = "", [], []
    fence, runs, block = "", "", []
    for number, line in enumerate(text.splitlines(), 1):
        mark = FENCE.fullmatch(line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2]:
                out.append(figure("runs", html.escape(runs), "\n".join(block)) if runs else line)
                fence, runs, block = "", "", []
            else:
                (block if runs else out).append(line)
        elif mark:
            fence, runs = mark[1], mark[3]
            if not runs:
                out.append(line)
        elif not title and (heading := TITLE.fullmatch(line)):
            title = heading[1]
        elif splice := MARK.fullmatch(line):
            try:
                for kind, piece in tree.pieces(splice[1], splice[2]):
                    where = f'<a href="{up}{piece.path}#L{piece.line}">{piece.path}</a>'
                    out.append(figure(kind, where, piece.text))
            except Mismatch as error:
                bad.append(f"{name}:{number}: {error}")
        elif "<!-- splice" in line:
            bad.append(f"{name}:{number}: a marker is '<!-- splice: FILE NAME -->' on a line alone")
        else:
            out.append(line)
    if bad:
        raise Mismatch("\n".join(bad))
    return title, "\n".join(out) + "\n"


def main(names):
    tree, bad = Tree(pathlib.Path(__file__).resolve().parents[2]), 0
    for name in names:
        try:
            expand(name, pathlib.Path(name).read_text(encoding="utf-8"), tree)
        except Mismatch as error:
            print(error, file=sys.stderr)
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
