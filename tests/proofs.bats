#!/usr/bin/env bats
# What is said of the proofs is what is there; no prover runs here but Gappa, which takes
# half a second.

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

@test "error bounds are proved, and neither smaller ones nor with another rounding" {
    cp -r --parents proofs/gappa proofs/gappa.py "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR"
    unproved() { # unproved STATEMENTS FILE SED-SCRIPT
        cp "$2" before
        sed -i "$3" "$2"
        run ! cmp -s before "$2"
        cp "$2" after
        run -0 python3 -B -c '
import sys
sys.path.insert(0, "proofs")
from gappa import Gappa
all = Gappa()
all.run()
print(sum(prover is None for _, prover in all.goals), len(all.goals), len(all.faults))'
        [ "$output" = "$1 10 $1" ]
        cp before "$2"
    }
    unproved 0 proofs/gappa/upstream.g 's|^# Claims|\n&|'
    unproved 1 proofs/gappa/needle_core.g '/(q - x)/s/<= 0.500023/<= 0.500015/'
    unproved 1 proofs/gappa/upstream.g '/(q - x)/s/<= 0.500016/<= 0.500007/'
    unproved 1 proofs/gappa/upstream.g 's/fixed<0, ne>/fixed<0, dn>/'
    unproved 1 proofs/gappa/needle_core.g 's/0x1.fc0008p-122/0x1p-124/'
}

@test "a statement of an error bound that is gone" {
    cp -r --parents proofs/gappa proofs/{gappa,prove,unit}.py proofs/{results/gappa,trusted}.json "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR"
    run -0 python3 -B proofs/prove.py
    sed -i '/^# if it is that small/,/}$/d' proofs/gappa/upstream.g
    run -1 python3 -B proofs/prove.py
    [[ $output == *'lost: statement_QNT_008_upstream_5 is proved in the committed result and no longer a statement'* ]]
    run -0 python3 -B proofs/prove.py --accept
}

@test "every lemma is a goal of a unit, proved: those of units that leave functions out are none" {
    python3 -B - <<'PY'
import json, re
from pathlib import Path
goals = [goal for path in Path("proofs/results").glob("*.json")
         for goal in json.loads(path.read_text())["goals"]]
proved = {goal["goal"] for goal in goals if goal["function"] == "lemma" and goal["prover"]}
files = [*Path("engine").rglob("*.[ch]"), *Path("engine/logic").glob("*.acsl"), *Path("proofs/laws").glob("*.[ch]")]
stated = {name for path in files for name in re.findall(r"\blemma\s+(\w+)", path.read_text())}
assert len(stated) > 50 and not stated - proved, stated - proved
PY
}
