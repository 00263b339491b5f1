#!/usr/bin/env bats
# The site's splicer and its search for dead links, each on small files made here.
# Neither needs pandoc; `make docs` weaves everything.

setup() {
    ROOT=$(realpath "$BATS_TEST_DIRNAME/..")
    SITE=$BATS_TEST_TMPDIR/site
    mkdir "$SITE"
    cd "$ROOT" || return 1
}

splice() {
    printf '# Chapter\n\n%s\n' "$1" > "$BATS_TEST_TMPDIR/chapter.md"
    run python3 -B docs/site/splice.py "$BATS_TEST_TMPDIR/chapter.md"
}

# A site of two pages; the second is given.
check() {
    echo '<h1 id="top">one</h1><a href="two.html">two</a>' > "$SITE/index.html"
    echo "$1" > "$SITE/two.html"
    run python3 -B docs/site/check.py "$SITE"
}

@test "every marker of the chapters and guides finds what it names" {
    python3 -B docs/site/splice.py spec/[0-9]*.md docs/*.md README.md
}

@test "a marker splices a declaration with its contract, and its definition" {
    cd docs/site
    python3 -B -c '
import pathlib
from splice import Tree, expand
title, text = expand("spec/x.md", "# T\n<!-- splice: engine/src/ring.h ndl_ring_slot -->\n",
                     Tree(pathlib.Path("../..")))
assert title == "T"
assert "ensures KV_001: below: \\result < slots;" in text, text
assert "size_t ndl_ring_slot(size_t pos, size_t slots);" in text, text
assert "    return pos % slots;" in text, text
assert "href=\"../engine/src/ring.c#L" in text, text'
}

@test "a marker splices the paragraph of logic that declares a name" {
    cd docs/site
    python3 -B -c '
import pathlib
from splice import Tree
[(kind, piece)] = Tree(pathlib.Path("../..")).pieces("engine/logic/off.acsl", "md_def")
assert kind == "logic" and piece.text.startswith("axiomatic Mod {"), piece'
}

@test "a name that is not in the file fails" {
    splice '<!-- splice: engine/src/ring.h ndl_ring_slots -->'
    [ "$status" -eq 1 ]
    [[ "$output" == *"chapter.md:3: there is no 'ndl_ring_slots' in engine/src/ring.h" ]]
}

@test "a name that logic only uses, or that is part of another, fails" {
    splice '<!-- splice: engine/logic/span.acsl pos -->'
    [ "$status" -eq 1 ]
    splice '<!-- splice: engine/logic/span.acsl span -->'
    [ "$status" -eq 1 ]
}

@test "a file that is not there fails" {
    splice '<!-- splice: engine/src/rang.h ndl_ring_slot -->'
    [ "$status" -eq 1 ]
    [[ "$output" == *"there is no engine/src/rang.h" ]]
}

@test "a marker of another form fails, unless it is shown in a block of code" {
    splice '<!-- splice engine/src/ring.h ndl_ring_slot -->'
    [ "$status" -eq 1 ]
    splice $'```text\n<!-- splice engine/src/ring.h -->\n```'
    [ "$status" -eq 0 ]
}

@test "the API reference has every function of ndl.h" {
    cd docs/site
    python3 -B -c '
import pathlib, re, api
text = pathlib.Path("../../engine/include/ndl.h").read_text()
_, page = api.markdown(text, dict.fromkeys(range(100), "x.md"))
functions = re.findall(r"^[a-z][a-z0-9_ ]*[ *](ndl_[a-z0-9_]+)\(", text, re.M)
assert len(functions) > 50
for name in functions:
    assert f"### \x60{name}\x60\n" in page, name
    assert api.names(text)[name] == name'
}

@test "a site whose links all lead somewhere passes" {
    check '<a href="index.html#top">one</a> <a id="here" href="#here">here</a>
        <a href="https://example.org/">elsewhere</a>'
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "a link to a page that is not there is found" {
    check '<a href="three.html">three</a>'
    [ "$status" -eq 1 ]
    [[ "$output" == "two.html:1: a link to three.html: there is no such page" ]]
}

@test "a link to an id that is not there is found, on another page and on its own" {
    check '<a href="index.html#bottom">one</a>'
    [ "$status" -eq 1 ]
    check '<a href="#bottom">one</a>'
    [ "$status" -eq 1 ]
    [[ "$output" == "two.html:1: a link to #bottom: there is no such id on the page" ]]
}

@test "a link out of the site is found, and an id given twice" {
    check '<a href="../site/index.html">one</a>'
    [ "$status" -eq 1 ]
    check '<p id="a"><p id="a">'
    [ "$status" -eq 1 ]
    [[ "$output" == "two.html: the id a is given twice" ]]
}

@test "a page that fetches something from elsewhere is found" {
    for tag in '<script src="https://example.org/a.js"></script>' '<img src="//example.org/a.png">' \
        '<link rel="stylesheet" href="https://example.org/a.css">'; do
        check "$tag"
        [ "$status" -eq 1 ]
        [[ "$output" == *"is fetched from elsewhere" ]]
    done
    echo '@import "https://example.org/a.css";' > "$SITE/style.css"
    check ''
    [ "$status" -eq 1 ]
}

@test "a page that nothing leads to is found" {
    echo '' > "$SITE/three.html"
    check ''
    [ "$status" -eq 1 ]
    [[ "$output" == "three.html: no link leads to it" ]]
}
