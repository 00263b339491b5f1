#!/usr/bin/env python3
"""docstrings.py: what stands above each function of ndl.h is complete and true.

A function of the public header has a docstring right above it that
- names claims and a chapter: the chapters declare the claims, and the chapter
  named declares one of them;
- describes each array ("x: its shape", "x, its shape") and names each other
  pointer but the session s and the geometry g;
- if it returns ndl_status, lists under "Errors:" exactly the statuses that the
  engine's code can return from it ("A to B" is a range of NDL_STATUS_LIST,
  "those of f" are f's), and says what a failed call leaves unchanged.
Every status of the list is returned by some function.

What the code can return is found in its text: the NDL_E_ names in a function
and in all that it calls.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = "engine/include/ndl.h"
ARRAY_TYPES = {"float", "int8_t", "uint8_t", "uint32_t"}
UNCHANGED = re.compile(r"\bunchanged\b|\bnothing has changed\b")


def blank(match):
    """The same number of lines, without what they say."""
    return re.sub(r"[^\n]", " ", match.group())


def without_comments(text):
    return re.sub(r"/\*.*?\*/", blank, text, flags=re.S)


def declared_claims():
    """Claim id -> number of the chapter that declares it."""
    claims = {}
    for chapter in sorted((ROOT / "spec").glob("[0-9][0-9]-*.md")):
        for claim in re.findall(r"^\*\*([A-Z]+_\d{3})\.\*\*", chapter.read_text(), re.M):
            claims[claim] = int(chapter.name[:2])
    return claims


class Function:
    """A declaration of the header with the docstring above it."""

    def __init__(self, header, match):
        self.name = match["name"]
        self.line = header.count("\n", 0, match.start()) + 1
        self.is_status = match["type"].strip() == "ndl_status"
        self.pointers, self.arrays, self.writes = [], [], False
        lengths = re.findall(r"size_t (\w+)", match["parameters"])
        for parameter in match["parameters"].split(","):
            if p := re.fullmatch(r"\s*(?:const )?(\w+) \**(\w+)\s*", parameter):
                self.writes |= "*" in parameter and "const " not in parameter
                if "*" not in parameter or p[2] in ("s", "g"):
                    continue
                of_length = {p[2] + "_len", "len", "n"} & set(lengths)
                is_array = p[1] in ARRAY_TYPES and of_length
                (self.arrays if is_array else self.pointers).append(p[2])
            elif parameter.strip() not in ("void", ""):
                raise SystemExit(f"{HEADER}:{self.line}: cannot read the parameter '{parameter}'")
        above = re.search(r"/\*\*((?:(?!\*/).)*)\*/\n\Z", header[: match.start()], re.S)
        self.doc = re.sub(r"\s*\n \*\s*|\s+", " ", above[1]).strip() if above else None


def functions_of(header):
    pattern = r"^(?P<type>[a-z][\w ]*?[ *])(?P<name>ndl_\w+)\((?P<parameters>[^()]*)\);"
    return [Function(header, m) for m in re.finditer(pattern, without_comments(header), re.M)]


def statuses_of(header):
    return re.findall(r"^ *X\((NDL_\w+),", header, re.M)


def documented_errors(function, by_name, statuses, say):
    """The statuses listed under "Errors:", None without such a list."""
    listed = re.search(r"Errors: (.*?)(?:\. |; |$)", function.doc)
    if not listed:
        return None
    text, errors = listed[1], set()
    for first, last in re.findall(r"(NDL_E_\w+) to (NDL_E_\w+)", text):
        if {first, last} <= set(statuses):
            errors |= set(statuses[statuses.index(first) : statuses.index(last) + 1])
    for name in re.findall(r"those of (ndl_\w+)", text):
        if name in by_name:
            errors |= documented_errors(by_name[name], by_name, statuses, say) or set()
        else:
            say(function.line, f"{function.name}: there is no {name}")
    for name in re.findall(r"NDL_E_\w+", text):
        if name in statuses:
            errors.add(name)
        else:
            say(function.line, f"{function.name}: there is no status {name}")
    return errors


def returned_errors():
    """Function of the engine -> the statuses named in it and in all that it calls."""
    named, calls = {}, {}
    for path in sorted((ROOT / "engine/src").rglob("*.[ch]")):
        text = without_comments(path.read_text())
        # Definitions as clang-format leaves them: braces in the first column.
        for m in re.finditer(r"^\w[^;{}#]*?\b(\w+)\([^;{}]*\)\n\{\n(.*?)^\}", text, re.M | re.S):
            key = m[1] if m[1].startswith("ndl_") else f"{path}:{m[1]}"
            named[key] = set(re.findall(r"\bNDL_E_\w+", m[2]))
            words = set(re.findall(r"\b(\w+)\(", m[2]))
            calls[key] = {w if w.startswith("ndl_") else f"{path}:{w}" for w in words}
    changed = True
    while changed:
        changed = False
        for key, called in calls.items():
            more = set().union(*(named.get(c, set()) for c in called)) - named[key]
            if more:
                named[key] |= more
                changed = True
    return named


def check(say):
    header = (ROOT / HEADER).read_text()
    functions, statuses = functions_of(header), statuses_of(header)
    by_name = {f.name: f for f in functions}
    claims, returned = declared_claims(), returned_errors()
    if len(functions) != len(re.findall(r"\bndl_\w+\(", without_comments(header))):
        say(1, "a declaration that this check cannot read")
    for f in functions:
        if f.doc is None:
            say(f.line, f"{f.name} has no docstring")
            continue
        ends = re.search(r"Claims:((?: [A-Z]+_\d{3})+)\. Chapter: (\d+)\.$", f.doc)
        if ends is None:
            say(f.line, f"{f.name}: its docstring ends with 'Claims: ID.... Chapter: N.'")
        else:
            ids = ends[1].split()
            for claim in ids:
                if claim not in claims:
                    say(f.line, f"{f.name}: no chapter declares {claim}")
            if int(ends[2]) not in {claims.get(claim) for claim in ids}:
                say(f.line, f"{f.name}: chapter {ends[2]} declares none of its claims")
        for name in f.arrays:
            if not re.search(rf"\b{name}[:,] ", f.doc):
                say(f.line, f"{f.name}: the shape of {name} is not given ('{name}: ...')")
        for name in f.pointers:
            if not re.search(rf"\b{name}\b", f.doc):
                say(f.line, f"{f.name}: {name} is not mentioned")
        if f.is_status:
            if f.writes and not UNCHANGED.search(f.doc):
                say(f.line, f"{f.name}: what is unchanged after a failure?")
            listed = documented_errors(f, by_name, statuses, say)
            if listed is None:
                say(f.line, f"{f.name}: its errors are not listed ('Errors: ...')")
                continue
            if f.name not in returned:
                say(f.line, f"{f.name} is not defined under engine/src")
                continue
            for name in sorted(returned[f.name] - listed, key=statuses.index):
                say(f.line, f"{f.name}: can return {name}, which is not listed")
            for name in sorted(listed - returned[f.name], key=statuses.index):
                say(f.line, f"{f.name}: never returns {name}, which is listed")
    for name in statuses[1:]:
        if not any(name in returned.get(f.name, ()) for f in functions):
            say(header.count("\n", 0, header.index(f"X({name},")) + 1, f"nothing returns {name}")


def main():
    said = []
    check(lambda line, text: said.append(f"{HEADER}:{line}: {text}"))
    print("\n".join(said), end="\n" if said else "")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
