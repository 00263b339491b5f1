"""What `make ledger-check` holds the tree to.

spec/exceptions.json says which evidence every claim needs, as data:

    required            groups of kinds; each group needs one of its kinds
    without_exception   kind -> families of claims that may not be excused
    exceptions          {"claim": ID..., "lacks": KIND..., "reason": TEXT}

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import json

from found import KINDS
from results import COMMITTED, Unreadable


class Exceptions:
    def __init__(self, path, chapters):
        self.problems = []
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            self.required, self.strict = data["required"], data["without_exception"]
            exceptions = data["exceptions"]
            if not self.required or not all(self.required):
                raise ValueError("something is required of every claim")
            for kind in {k for group in self.required for k in group} | set(self.strict):
                if kind not in KINDS:
                    raise ValueError(f"'{kind}' is no kind of evidence")
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise Unreadable(f"{path}: {error!r}") from error
        self.reasons = {}  # (claim, kind) -> reason
        for number, item in enumerate(exceptions, 1):
            where = f"{path.name}: exception {number}"
            reason = " ".join(str(item.get("reason", "")).split())
            for claim in str(item.get("claim")).split() or [""]:
                for kind in str(item.get("lacks")).split() or [""]:
                    self._take(where, claim, kind, reason, chapters)

    def _take(self, where, claim, kind, reason, chapters):
        family = claim.partition("_")[0]
        if claim not in chapters.claims:
            self.problems.append(f"{where}: nobody declared {claim}")
        elif kind not in KINDS:
            self.problems.append(f"{where}: '{kind}' is no kind of evidence")
        elif len(reason.split()) < 4:
            self.problems.append(f"{where}: {claim} lacks {kind} without a reason")
        elif family in self.strict.get(kind, ()):
            self.problems.append(f"{where}: {family} admits no exception for {kind}")
        elif (claim, kind) in self.reasons:
            self.problems.append(f"{where}: {claim} lacks {kind} twice")
        else:
            self.reasons[claim, kind] = reason


def problems(chapters, found, entries, exceptions, runs, locked_at):
    """Every breach of a rule, a line each; none if the ledger holds."""
    out = chapters.problems + found.problems + exceptions.problems
    out += undeclared(chapters, found)
    out += unargued(runs["proof"])
    out += uncompared(found, runs)
    for claim_id, entry in sorted(entries.items()):
        if claim_id not in chapters.claims:
            out.append(
                f"spec/claims.lock: {claim_id} has no sentence any more;"
                f" to drop it, `make ledger-accept CLAIM={claim_id}`"
            )
    for claim in chapters.claims.values():
        entry = entries.get(claim.id)
        where = f"{claim.chapter}:{claim.line}: {claim.id}"
        if entry and entry.sentence != claim.hash:
            out.append(
                f"{where}: the sentence changed; if that is meant,"
                f" `make ledger-accept CLAIM={claim.id}`, then run its evidence again"
            )
        elif entry:
            out += [f"{where}: {text}" for text in broken(claim, entry, found, runs, locked_at)]
        out += [f"{where}: {text}" for text in missing(claim, entry, exceptions, found)]
    return out


def undeclared(chapters, found):
    """Ids in the tree that no chapter declares, and what is nearly one."""
    out = []
    for claim_id, places in sorted(found.where.items()):
        if claim_id not in chapters.claims:
            more = f" and {len(places) - 1} more" if len(places) > 1 else ""
            out.append(f"{places[0]}{more}: nobody declared {claim_id}")
    families = {claim_id.partition("_")[0] for claim_id in chapters.claims}
    for where, family, word in found.misshapen:
        if family in families:
            out.append(f"{where}: {word} is no id: those have three digits")
    return out


def unargued(proofs):
    """Axioms that a proof of a claim rests on and that nobody argued for."""
    for axiom in sorted(set().union(*proofs.assumed.values()) - set(proofs.trusted)):
        yield f"proofs/trusted.json: proofs rest on the axiom {axiom}, which it does not argue"


def uncompared(found, runs):
    """Axioms that a program compares for every input, without a record of it as it is."""
    assumed = set().union(*runs["proof"].assumed.values())
    for axiom, program in sorted(found.axioms.items()):
        if axiom in assumed and program not in runs["exhaust"].passed:
            yield (
                f"proofs/exhaust/{program}.c: proofs rest on the axiom {axiom}, and no record"
                " compares it, as the code is now, for every input"
            )


def broken(claim, entry, found, runs, locked_at):
    """What is recorded and does not hold any more."""
    for kind in entry.evidence:
        gone = entry.names(kind) - found.items[kind][claim.id]
        for name in sorted(gone):
            yield f"evidence vanished: {kind} {name}"
        run = runs.get(kind)
        if not run:
            continue
        if kind in COMMITTED:
            for name in sorted(entry.names(kind) - gone - run.passed):
                yield f"evidence vanished: {kind} {name} is not in the committed results"
        elif run.written > locked_at:
            for name in sorted(entry.names(kind) & run.failed):
                yield f"recorded as passed, failed since: {kind} {name}"
    for kind in entry.stale:
        yield f"stale: its {kind} evidence was not run since the sentence was accepted"


def missing(claim, entry, exceptions, found):
    """Groups of evidence of which the claim has nothing, and needless excuses."""
    for group in exceptions.required:
        if entry and any(entry.evidence.get(kind) for kind in group):
            continue
        if all((claim.id, kind) in exceptions.reasons for kind in group):
            continue
        stated = [k for k in group if found.items[k][claim.id]]
        text = f"without evidence: it has no {' and no '.join(group)}"
        if stated:
            text += f" that passed in a recorded run ({' and '.join(stated)} stated)"
        yield text
    for kind in KINDS:
        if entry and entry.good(kind) and (claim.id, kind) in exceptions.reasons:
            yield f"excused for lacking {kind}, which it does not lack"
