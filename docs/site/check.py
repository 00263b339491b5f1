"""Looks for dead links in a site: every link inside it leads to a file that is
there and to an id that is on it, ids are not given twice, nothing is fetched
from elsewhere, and no page is without a way to it.

usage: check.py SITE

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import pathlib
import posixpath
import re
import sys
import urllib.parse
from html.parser import HTMLParser

FETCHED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.twice, self.links, self.fetched = set(), set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        line = self.getpos()[0]
        if (name := attributes.get("id")) is not None:
            (self.twice if name in self.ids else self.ids).add(name)
        if tag in FETCHED and (where := attributes.get(FETCHED[tag])):
            self.fetched.append((line, where))
        elif tag == "a" and (where := attributes.get("href")) is not None:
            self.links.append((line, where))


def problems(site):
    pages, reached = {}, {"index.html"}
    for path in sorted(site.rglob("*.html")):
        pages[path.relative_to(site).as_posix()] = Page(path.read_text(encoding="utf-8"))
    if "index.html" not in pages:
        yield f"{site}: there is no index.html"
    for name, page in pages.items():
        for twice in sorted(page.twice):
            yield f"{name}: the id {twice} is given twice"
        for line, where in page.links + page.fetched:
            if re.match(r"[a-z][a-z0-9+.-]*:|//", where, re.I):
                if (line, where) in page.fetched:
                    yield f"{name}:{line}: {where} is fetched from elsewhere"
                continue
            path, fragment = map(urllib.parse.unquote, urllib.parse.urldefrag(where))
            there = name
            if path:
                there = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
            reached.add(there)
            if there.startswith("..") or not (site / there).is_file():
                yield f"{name}:{line}: a link to {where}: there is no such page"
            elif fragment and fragment not in pages[there].ids:
                yield f"{name}:{line}: a link to {where}: there is no such id on the page"
    for style in sorted(site.rglob("*.css")):
        if re.search(r"@import|url\(", style.read_text(encoding="utf-8")):
            yield f"{style.relative_to(site)}: a style sheet may fetch nothing"
    for name in sorted(set(pages) - reached):
        yield f"{name}: no link leads to it"


def main(site):
    found = list(problems(site))
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check.py SITE")
    sys.exit(main(pathlib.Path(sys.argv[1])))
