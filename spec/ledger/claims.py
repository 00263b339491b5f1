"""Claims as the chapters declare them.

A claim is a paragraph that opens with its id in bold, `**KV_003.** One
sentence.`, outside any code block. Its sentence is the rest of the paragraph
with white space folded; the hash of that text is what evidence hangs on.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import re
from dataclasses import dataclass

# After its three digits an id ends, or a test's or a goal's name goes on with
# an underscore: KV_003_growth_keeps_every_row.
ID = re.compile(r"(?<![A-Za-z0-9])([A-Z]{2,8}_[0-9]{3})(?![A-Za-z0-9])")
LEADING = re.compile(
    r"([A-Z]{2,8})_([0-9]{3})((?:_(?:to|and)_[0-9]{3})*)(?![A-Za-z0-9])[_ ,:]*"
    r"(?:and[_ ](?=[A-Z]{2,8}_[0-9]{3}))?"
)

DECLARED = re.compile(r"\*\*([A-Z]{2,8}_[0-9]{3})\.\*\*(?:\s+(.*))?$", re.DOTALL)
ALMOST = re.compile(r"\*\*[A-Z]{2,8}_[0-9]+\b")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
HEADING = re.compile(r"#{1,6}\s+(.*?)(?:\s+#+)?\s*$")


@dataclass(frozen=True)
class Claim:
    id: str
    sentence: str
    chapter: str  # path from the root, with slashes
    line: int
    anchor: str  # of the heading that it stands under

    @property
    def hash(self):
        return hashlib.sha256(self.sentence.encode()).hexdigest()[:16]


def leading_ids(name):
    """The ids that a name begins with: KV_003_TOK_001_x, KV_003_and_TOK_001_x and
    KV_003_and_006_x give two, KV_003_to_006_x gives four."""
    ids, at = [], 0
    while match := LEADING.match(name, at):
        numbers = [int(match[2])]
        for word, number in re.findall(r"_(to|and)_([0-9]{3})", match[3]):
            first = numbers[-1] + 1 if word == "to" else int(number)
            numbers += range(first, int(number) + 1)
        ids += [f"{match[1]}_{number:03}" for number in numbers]
        at = match.end()
    return ids


def slug(heading):
    """The anchor that code hosts, and pandoc for GitHub's Markdown, give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def blocks(text):
    """Headings and paragraphs outside code blocks, as (first line, text)."""
    fence, start, lines = "", 0, []
    for number, line in enumerate(text.splitlines() + [""], 1):
        mark = FENCE.match(line)
        heading = not fence and HEADING.match(line)
        if lines and (mark or heading or ALMOST.match(line) or not line.strip()):
            yield start, "\n".join(lines)
            lines = []
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif heading:
            yield number, line
        elif not fence and line.strip():
            start = start if lines else number
            lines.append(line)


class Chapters:
    """What spec/NN-name.md declare: claims by id, titles by chapter, problems."""

    def __init__(self, root):
        self.claims, self.titles, self.problems = {}, {}, []
        for path in sorted((root / "spec").glob("[0-9][0-9]-*.md")):
            self._read(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))

    def hashes(self):
        return {claim.id: claim.hash for claim in self.claims.values()}

    def _read(self, chapter, text):
        anchor, times = "", {}
        for line, block in blocks(text):
            if heading := HEADING.match(block):
                self.titles.setdefault(chapter, heading[1])
                anchor = slug(heading[1])
                times[anchor] = times.get(anchor, -1) + 1
                anchor += f"-{times[anchor]}" if times[anchor] else ""
            elif declared := DECLARED.match(block):
                sentence = " ".join((declared[2] or "").split())
                self._declare(Claim(declared[1], sentence, chapter, line, anchor))
            elif ALMOST.match(block):
                self.problems.append(
                    f"{chapter}:{line}: a claim opens with two to eight capitals, _ and three"
                    " digits, as in **KV_003.**, and its sentence follows"
                )

    def _declare(self, claim):
        where = f"{claim.chapter}:{claim.line}: {claim.id}"
        first = self.claims.setdefault(claim.id, claim)
        if first is not claim:
            self.problems.append(f"{where} stands at {first.chapter}:{first.line} already")
        elif not claim.sentence.endswith("."):
            # What follows the paragraph, a list say, would escape the hash.
            self.problems.append(f"{where}: its paragraph is a sentence and ends with a full stop")
