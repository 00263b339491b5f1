# The ledger of claims. What passed is taken from the reports of `make test`; a
# run of somebody else's engine, or one that a sanitizer slows and changes, leaves
# none: the first is no evidence for ours, the second tries the same tests again.
RESULTS := $(B)/results
LEDGER := python3 -B spec/ledger --results $(RESULTS) --ndl $(B)/ndl

ifeq ($(ENGINE)$(SAN),$(B)/libndl.a)
TEST_REPORT := --json=$(RESULTS)/test/criterion.json
BATS_REPORT := --report-formatter junit --output $(RESULTS)/test
test: ledger-begin-test
endif

# A run opens with this, so that it speaks for the sentences as they are now.
ledger-begin-%: deps-ledger
	@$(LEDGER) begin $*

ledger: deps-ledger $(B)/ndl ## record what passed for each claim, write docs/STATUS.md
	$(LEDGER) write

ledger-accept: deps-ledger ## CLAIM=id: take a sentence that was meant to change
	$(if $(CLAIM),,$(error say which: make ledger-accept CLAIM=KV_003))$(LEDGER) accept $(CLAIM)

.PHONY: ledger ledger-accept
