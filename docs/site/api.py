"""The API reference, as Markdown: what ndl.h says of each thing that it declares.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import re

HEADER = "engine/include/ndl.h"
SECTION = re.compile(r"/\* -{3,} (.*?) \*/\n")
COMMENT = re.compile(r"/\*(?:(?!\*/).)*\*/\n?", re.DOTALL)
MACROS = re.compile(r"(?:^#define (?:[^\n]*\\\n)*[^\n]*\n)+", re.MULTILINE)
BRACED = re.compile(r"[a-z][^;{}]*\{[^{}]*\}[^;]*;\n?")
SIMPLE = re.compile(r"[a-z][^;{}#]*;[^\n]*\n?")
PLUMBING = re.compile(
    r"#ifdef __cplusplus\n.*?#endif\n|#(?:ifndef|include|endif)[^\n]*\n|#define NDL_H\n", re.DOTALL
)
STATUS = re.compile(r'X\((NDL_\w+),\s*"(\w+)",\s*"([^"]*)"\)')
NAMES = (
    re.compile(r"\}\s*(\w+)\s*;\s*\Z"),  # typedef struct { } NAME;
    re.compile(r"\b(ndl_\w+)\("),
    re.compile(r"\btypedef\b.*?(\w+);\s*\Z", re.DOTALL),
    re.compile(r"#define (\w+)"),
)


def items(text):
    """(kind, text, comment above) of each thing in the header, in order."""
    at, comment = 0, ""
    while at < len(text):
        for kind, pattern in (
            ("section", SECTION),
            ("comment", COMMENT),
            ("plumbing", PLUMBING),
            ("code", MACROS),
            ("code", BRACED),
            ("code", SIMPLE),
        ):
            if match := pattern.match(text, at):
                break
        else:
            if text[at] != "\n":
                raise ValueError(f"{HEADER}:{text.count(chr(10), 0, at) + 1}: cannot be read")
            # A comment with nothing under it speaks for itself.
            if comment:
                yield "comment", comment, ""
            at, comment = at + 1, ""
            continue
        at = match.end()
        if kind == "comment":
            comment = match[0]
        elif kind != "plumbing":
            yield kind, match[1] if kind == "section" else match[0].strip(), comment
            comment = ""


def name_of(code):
    for pattern in NAMES:
        if match := pattern.search(code):
            return match[1]
    raise ValueError(f"{HEADER}: what is declared here? {code}")


def names(text):
    """What there is to link to: each name, with its anchor."""
    found = {id: id for id, *_ in STATUS.findall(text)}
    for kind, code, _ in items(text):
        if kind == "code":
            name = name_of(code)
            found[name] = name.lower()
            found |= {other: name.lower() for other in re.findall(r"#define (\w+)", code)}
            found |= {
                other: name.lower()
                for other in re.findall(r"\b(NDL_\w+) = \d", code)
            }
    return found


def prose(comment, chapters):
    """The words of a comment in Markdown: Errors, Claims and Chapter stand apart."""
    text = re.sub(r"^ ?\*/|\s*\*/\s*\Z|^/\*\*?[ ]?|^ \*[ ]{0,2}", "", comment, flags=re.M)
    text = re.sub(r"([*<\[\]|`\\])", r"\\\1", text)
    text = re.sub(r"\b((?:NDL|ndl)_\w+(?:\.h)?)", r"`\1`", text)
    text = re.sub(r"\s*\b(Errors|Claims):", r"\n\n**\1:**", text)
    return re.sub(
        r"Chapter: (\d+)\.",
        lambda match: f"[Chapter {match[1]}]({chapters[int(match[1])]})",
        text,
    ).strip()


def markdown(text, chapters):
    """(title, Markdown); chapters: path by number."""
    out = []
    for kind, code, comment in items(text):
        words = prose(comment or code if kind == "comment" else comment, chapters)
        if kind == "section":
            out.append(f"## {code.capitalize()}")
        elif kind == "comment":
            words = re.sub(r"\A`?ndl.h`? - t", "T", words)
            out.append(re.sub(r"\n\nCopyright.*", "", words, flags=re.S))
        elif "NDL_STATUS_LIST(X)" in code and STATUS.search(code):
            out += [f"### `{name_of(code)}`", words, "| Status | In traces | Meaning |\n|---|---|---|"]
            out[-1] += "".join(
                f'\n| <code id="{id}">{id}</code> | `{name}` | {sentence} |'
                for id, name, sentence in STATUS.findall(code)
            )
        else:
            out += [f"### `{name_of(code)}`", f"```acsl\n{code}\n```", words]
    return "API reference", "\n\n".join(part for part in out if part) + "\n"
