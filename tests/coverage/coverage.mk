# Coverage of the engine and of the trace reader, by all that runs: the test
# program, the commands' tests, the corpora, the recordings.
COVERAGE := build/coverage
COVERAGE_FLAGS := -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc
COVERAGE_MAKE = $(MAKE) --no-print-directory B=$(COVERAGE) CC=clang-19 OPT=-O1 SAN= \
	CFLAGS='$(COVERAGE_FLAGS) -DNDL_NO_CLONES' LDFLAGS='$(COVERAGE_FLAGS)'
COVERAGE_READER := engine/tool/json.c engine/tool/reader.c engine/tool/values.c \
	engine/tool/trace.c engine/tool/bind.c engine/tool/base64.c engine/tool/utf8.c

coverage: deps-core deps-test deps-sanitize deps-coverage ## statements, branches and MC/DC of the engine, holes argued
	@$(COVERAGE_MAKE) $(COVERAGE)/ndl $(COVERAGE)/ndl-tests fuzz-programs
	@rm -rf $(COVERAGE)/profiles && mkdir $(COVERAGE)/profiles
	@LLVM_PROFILE_FILE=$(CURDIR)/$(COVERAGE)/profiles/%2m.profraw tests/coverage/run.sh $(COVERAGE)
	@llvm-profdata-19 merge -sparse $(COVERAGE)/profiles/*.profraw -o $(COVERAGE)/all.profdata
	@python3 -B tests/coverage/coverage.py --profile $(COVERAGE)/all.profdata --out $(COVERAGE) \
		--objects $(COVERAGE)/ndl-tests,$(COVERAGE)/ndl$(subst $() ,,$(FUZZ_TARGETS:%=,$(COVERAGE)/fuzz-%)) \
		engine/src $(COVERAGE_READER)

.PHONY: coverage
