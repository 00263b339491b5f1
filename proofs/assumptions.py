"""The tables of spec/10-assumptions.md: what each unit of proofs assumes and trusts.

    assumptions.py          writes them into the chapter
    assumptions.py --check  says whether the chapter has them as they are

They follow from the units' files and from proofs/trusted.json; no prover runs.

Copyright the ndl authors. SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import sys
from pathlib import Path

from unit import AXIOM, PROOFS, Unit

CHAPTER = Path("spec/10-assumptions.md")
PART = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def row(*cells):
    return "| " + " | ".join(cells) + " |"


def listed(names):
    return ", ".join(f"`{name}`" for name in names) or "–"


def sources(unit):
    """The unit's files that have axioms, with those."""
    return {path: found for path, text in unit.texts.items() if (found := AXIOM.findall(text))}


def units_table(units, _):
    yield row("unit", "what it proves", "floats are", "axioms in", "contracts trusted")
    yield row(*["---"] * 5)
    for unit in units:
        yield row(
            unit.name,
            unit.what,
            "binary32" if unit.model == "Typed" else "moved only",
            listed(path.name for path in sources(unit)),
            listed(sorted(Path(path).name for path in unit.trusts)),
        )


def trusted_table(units, trusted):
    files = {path: found for unit in units for path, found in sources(unit).items()}
    where = {axiom: path for path, found in files.items() for axiom in found}
    yield row("trusted", "in", "why")
    yield row(*["---"] * 3)
    for name, why in sorted(trusted.items()):
        path = Path(where.get(name, name))
        yield row("its contracts" if path == Path(name) else f"`{name}`", f"`{path.name}`", why)


def main():
    units = [Unit(path) for path in sorted((PROOFS / "units").glob("*.json"))]
    trusted = json.loads((PROOFS / "trusted.json").read_text(encoding="utf-8"))
    makers = {"units": units_table, "trusted": trusted_table}
    text = CHAPTER.read_text(encoding="utf-8")

    def table(part):
        return "\n".join([part[1], *makers[part[2]](units, trusted), "", part[3]])

    made = PART.sub(table, text)
    if "--check" not in sys.argv[1:]:
        CHAPTER.write_text(made, encoding="utf-8")
    elif made != text:
        sys.exit(f"{CHAPTER} is not what the units assume: run `make assumptions`")
    return 0


if __name__ == "__main__":
    sys.exit(main())
