"""docs/STATUS.md: what is known of each claim, from committed files alone.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

from claims import slug
from found import KINDS
from proofs import proved

HEAD = """# Status of the claims

Written by `make ledger` from the chapters, `spec/claims.lock`, `spec/exceptions.json`
and the committed results of proofs, exhaustion and mutants; `make ledger-check` holds it
against them.

- **Proved**: goals whose label is the claim, by prover, in functions and laws of which
  no goal is open; and the axioms they assume. *stated, unproved*: a contract says it, no proof
  of it is recorded; that is no evidence.
- **Exhausted**: a program compared every input there is, so many comparisons, and none
  differed; `make exhaust`.
- **Tested**, **fuzzed**, **vectors**: how many passed in the recorded run. *not run*: in
  the tree, without a recorded pass; no evidence either.
- **Mutants killed**: of the planted mistakes that the claim should exclude, how many
  something noticed.
- *stale*: the sentence was changed since. *excused*: see the exceptions below.

"""
COLUMNS = {
    "proof": "proved",
    "exhaust": "exhausted",
    "test": "tested",
    "fuzz": "fuzzed",
    "vector": "vectors",
    "mutant": "mutants killed",
}
NONE = "–"


def render(chapters, found, entries, exceptions, runs):
    proofs = runs["proof"]

    def section(claims, title):
        return [total(title, claims, entries)] if claims else []

    def cells(claim):
        entry = entries.get(claim.id)
        for kind in KINDS:
            named = found.items[kind][claim.id]
            text = proved(named, proofs) if kind == "proof" else counted(kind, named, entry)
            if kind == "exhaust":
                text = compared(named, entry, runs["exhaust"])
            if (claim.id, kind) in exceptions.reasons:
                text = "excused"
            elif entry and kind in entry.stale:
                text += ", stale"
            yield text or NONE

    claims = {title: [] for title in chapters.titles}
    for claim in chapters.claims.values():
        claims[claim.chapter].append(claim)

    out = [HEAD, row(["", "claims", *COLUMNS.values()]), row(["---", *["--:"] * (len(KINDS) + 1)])]
    for chapter, title in chapters.titles.items():
        out += section(claims[chapter], f"[{title}](#{slug(title)})")
    out += section(list(chapters.claims.values()), "**all**")
    for chapter, title in chapters.titles.items():
        if claims[chapter]:
            out.append(f"\n## {title}\n\n")
            out += [row(["claim", "sentence", *COLUMNS.values()]), row(["---"] * (len(KINDS) + 2))]
        for claim in claims[chapter]:
            link = f"[{claim.id}](../{chapter}#{claim.anchor})"
            out.append(row([link, claim.sentence.replace("|", "\\|"), *cells(claim)]))
    if assumed := set().union(*proofs.assumed.values()):
        out.append("\n## Assumptions of the proofs\n\n")
        out += [f"- `{axiom}`: {proofs.trusted.get(axiom, '?')}\n" for axiom in sorted(assumed)]
    if exceptions.reasons:
        out.append("\n## Exceptions\n\n")
        out += [f"- {line}\n" for line in excused(exceptions)]
    return "".join(out)


def excused(exceptions):
    """A line for each reason: the claims, the evidence they lack, and why."""
    given = {}
    for (claim, kind), reason in exceptions.reasons.items():
        claims, kinds = given.setdefault(reason, (set(), set()))
        claims.add(claim)
        kinds.add(kind)
    for reason, (claims, kinds) in given.items():
        lacks = ", not ".join(COLUMNS[kind] for kind in KINDS if kind in kinds)
        yield f"{', '.join(sorted(claims))}: not {lacks}. {reason}"


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def total(title, claims, entries):
    """How many claims have fresh evidence of each kind."""
    known = [entries[claim.id] for claim in claims if claim.id in entries]
    return row([title, str(len(claims))] + [str(sum(e.good(k) for e in known)) for k in KINDS])


def counted(kind, named, entry):
    passed = len(named & entry.names(kind)) if entry else 0
    rest = len(named) - passed
    if kind == "mutant":
        return f"{passed} of {len(named)}" if named else ""
    return ", ".join([str(passed)] * (passed > 0) + [f"{rest} not run"] * (rest > 0))


def compared(named, entry, run):
    done = sorted(named & entry.names("exhaust")) if entry else []
    said = [f"{program}: {run.compared.get(program, 0):,}" for program in done]
    return ", ".join(said + ["not run"] * (len(done) < len(named)))
