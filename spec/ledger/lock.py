"""spec/claims.lock: per claim the hash of its sentence and the evidence that it
has, by kind and name; and the kinds that were not run since the sentence was
accepted (stale). Kept by `make ledger` and `make ledger-accept`, read by all.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import json
from dataclasses import dataclass, field

from found import KINDS
from results import Unreadable


@dataclass
class Entry:
    sentence: str
    evidence: dict = field(default_factory=dict)  # kind -> names
    stale: list = field(default_factory=list)  # kinds

    def names(self, kind):
        return set(self.evidence.get(kind, ()))

    def record(self, kind, names):
        self.evidence[kind] = sorted(names)
        if not names:
            del self.evidence[kind]

    def good(self, kind):
        return bool(self.evidence.get(kind)) and kind not in self.stale


def read(path):
    if not path.exists():
        return {}
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return {claim: Entry(**entry) for claim, entry in entries.items()}
    except (ValueError, TypeError, AttributeError) as error:
        raise Unreadable(f"{path}: not a lock: {error}") from error


def write(path, entries):
    """Write only what changes: the file's time tells which runs are newer."""
    out = {}
    for claim, entry in sorted(entries.items()):
        out[claim] = {"sentence": entry.sentence}
        out[claim]["evidence"] = {k: entry.evidence[k] for k in KINDS if k in entry.evidence}
        if entry.stale:
            out[claim]["stale"] = [k for k in KINDS if k in entry.stale]
    text = json.dumps(out, indent=1, ensure_ascii=False) + "\n"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
