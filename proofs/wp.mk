# Proofs of engine/src with Frama-C/WP: a unit is proofs/units/NAME.json.
#   make prove            every unit; the status is 1 if a required one fails
#   make prove U=ring     one of them (or several: U='ring span')
#   make prove-cold       without the committed cache
# ../proofs/prove.py says what counts as proved; results are committed.
U ?=

prove: deps-prove ledger-begin-proof ## prove the units (U=NAME: one), with smoke tests
	python3 -B proofs/prove.py $(U)

prove-cold: deps-prove ## the same without the committed cache
	python3 -B proofs/prove.py --cache none $(U)

.PHONY: prove prove-cold
