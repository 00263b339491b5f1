# Proofs of engine/src with Frama-C/WP: a unit is proofs/units/NAME.json.
#   make prove                every unit; the status is 1 if a required one fails
#   make prove U=span         one of them (or several: U='span tokens')
#   make prove U=ring         a group: rings, both stores' writes, the session's write
#                             call and the law of histories over it
#   make prove CLAIM=KV_003   the goals of one claim, in all units that state it
#   make prove CACHE=offline  from the committed cache alone: what it lacks is a failure
#   make prove ACCEPT=1       the same although goals went, or are called otherwise
#   make prove-cold           without the committed cache
#   make assumptions          the tables of spec/10-assumptions.md
#   make prove-mutants        each patch of tests/mutants breaks the goal it names
# ../proofs/prove.py says what counts as proved; results are committed.
include proofs/exhaust/exhaust.mk

U ?=
CLAIM ?=
ACCEPT ?=
CACHE ?= update
PROVE := python3 -B proofs/prove.py $(if $(ACCEPT),--accept)

prove: deps-prove ledger-begin-proof ## prove the units (U=NAME: one, CLAIM=ID: one claim), with smoke tests
	$(PROVE) --cache $(CACHE) $(if $(CLAIM),--claim $(CLAIM)) $(U)

prove-cold: deps-prove ## the same without the committed cache
	$(PROVE) --cache none $(U)

prove-mutants: deps-prove ## patches that name a goal must break it (P=PATCH: one)
	python3 -B proofs/mutants.py $(P)

assumptions: ## write what each unit of proofs assumes into the specification
	python3 -B proofs/assumptions.py

.PHONY: prove prove-cold prove-mutants assumptions
