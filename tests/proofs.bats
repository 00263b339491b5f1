#!/usr/bin/env bats
# What is said of the proofs is what is there; no prover runs here.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_DIRNAME/.." || return
}

@test "chapter 10 has the tables of what the units assume" {
    python3 -B proofs/assumptions.py --check
}

@test "a unit more, or an axiom, is missed in chapter 10" {
    tree=$BATS_TEST_TMPDIR/tree
    mkdir -p "$tree"
    cp -r --parents engine/src engine/include engine/logic proofs/units proofs/laws \
        proofs/*.py proofs/*.driver proofs/trusted.json spec/10-assumptions.md "$tree"
    cd "$tree"
    python3 -B proofs/assumptions.py --check
    sed -i '/add_def/s/: "/: "perhaps a /' proofs/trusted.json
    run -1 python3 -B proofs/assumptions.py --check
    [ "$output" = "spec/10-assumptions.md is not what the units assume: run \`make assumptions\`" ]
    python3 -B proofs/assumptions.py
    python3 -B proofs/assumptions.py --check
    printf '{"what": "w", "files": ["engine/src/span.c"], "model": "Typed", "required": true}\n' \
        >proofs/units/more.json
    run -1 python3 -B proofs/assumptions.py --check
}

@test "every axiom and every trusted header is declared with a reason" {
    python3 -B - <<'PY'
import json, sys
sys.path.insert(0, "proofs")
from unit import PROOFS, Unit
trusted = json.loads((PROOFS / "trusted.json").read_text())
units = [Unit(path) for path in sorted((PROOFS / "units").glob("*.json"))]
missing = {name for unit in units for name in [*unit.axioms, *unit.trusts]} - set(trusted)
assert units and not missing, missing
assert not [unit.name for unit in units if unit.admits]
assert all(len(why) > 20 for why in trusted.values())
PY
}

@test "every required unit has a committed result, without an open goal" {
    python3 -B - <<'PY'
import json
from pathlib import Path
units = [path for path in sorted(Path("proofs/units").glob("*.json"))
         if json.loads(path.read_text())["required"]]
assert units
for path in units:
    result = json.loads(Path("proofs/results", path.name).read_text())
    assert result["finished"] and result["goals"] and not result["smoke_failed"], path
    assert all(goal["prover"] for goal in result["goals"]), path
PY
}
