# Tests: every tests/unit_*.c and prop_*.c joins one Criterion program, every
# tests/*.bats runs against the built command. *_internal tests link our own
# objects and are left out when ENGINE names somebody else's.
#   CRITERION='--filter kv/*'   options of the test program
#   NDL_SEED=n NDL_CASES=n      what the properties run on; a failure says which
#   JOBS=1                      files of tests/*.bats at a time
TEST_ALL := $(wildcard tests/unit_*.c tests/prop_*.c)
FOREIGN := $(filter-out $(B)/libndl.a,$(ENGINE))
INTERNAL := $(filter %_internal.c,$(TEST_ALL))
TEST_SRC := $(if $(FOREIGN),$(filter-out $(INTERNAL),$(TEST_ALL)),$(TEST_ALL))
# Of somebody else's engine the command is tried on traces, and no more of the house.
BATS_FILES := $(if $(FOREIGN),$(wildcard tests/tool_*.bats) $(addprefix tests/,chapters.bats fuzz.bats recorders.bats safe.bats save.bats),tests)
JOBS ?= $(shell nproc)
TEST_LIB := $(filter-out $(TEST_ALL),$(wildcard tests/*.c)) $(FUZZ_LIB)
TEST_OBJ := $(TEST_SRC:%.c=$(B)/%.o) $(TEST_LIB:%.c=$(B)/%.o) $(B)/engine/tool/footprint.o
# Criterion's own runner cannot be had under a thread sanitizer.
RUNNER := $(if $(filter tsan,$(SAN)),$(B)/tests/tsan/runner.o,-lcriterion)
# A leak is reported when a test's process has ended, too late for Criterion.
LEAKS := $(if $(filter asan,$(SAN)),2>&1 | tee $(B)/tests.log && ! grep -q 'ERROR: LeakSanitizer' $(B)/tests.log)
TEST_LIBS := -lmpfr -lgmp -lm -lpthread

$(B)/tests/%.o: tests/%.c $(REF)/tangled $(FLAGS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -D_POSIX_C_SOURCE=200809L -Iengine/include -Iengine/src -Iengine/tool -I$(REF) -Itests -Ifuzz -c $< -o $@

# The engine once more for each instruction set: one archive's clones cannot be
# told which of them is to run.
LEVELS := default $(if $(filter x86_64%,$(shell $(CC) $(CFLAGS) -dumpmachine 2>/dev/null)),x86-64-v3 x86-64-v4)
LEVEL_LIBS := $(LEVELS:%=$(B)/levels/libndl-%.so)
$(LEVEL_LIBS): $(B)/levels/libndl-%.so: $(ENGINE_SRC) $(wildcard engine/src/*.h engine/src/trusted/*.h engine/include/*.h) $(FLAGS)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(CPPFLAGS) $(ENGINE_FLAGS) $(if $(filter default,$*),,-march=$*) -DNDL_NO_CLONES \
		-Iengine/include -fPIC -shared $(ALL_LDFLAGS) $(ENGINE_SRC) -o $@
$(B)/tests/unit_levels_internal.o: CPPFLAGS += -DLEVELS='"$(B)/levels"'
ifeq ($(FOREIGN),)
$(B)/ndl-tests: | $(LEVEL_LIBS)
endif

# Changes when another archive is named, which may be older than what it is for.
LINKED := $(B)/linked
$(shell echo '$(ENGINE)' | cmp -s - $(LINKED) || echo '$(ENGINE)' > $(LINKED))
$(B)/ndl: $(LINKED)

$(B)/ndl-tests: $(TEST_OBJ) $(filter %.o,$(RUNNER)) $(ENGINE) $(B)/libref.a $(LINKED)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) $(TEST_OBJ) $(ENGINE) $(B)/libref.a $(RUNNER) $(TEST_LIBS) -o $@

test: deps-core deps-test $(ALL) $(B)/ndl-tests $(FUZZ_PROGRAMS) $(if $(FOREIGN),,hypotheses $(if $(SAN),,mutants-quick)) ## unit, property, lock-step and command tests
	$(if $(FOREIGN),@echo '$(words $(INTERNAL)) files of tests are skipped because $(ENGINE) is another engine: $(INTERNAL)')
	status=0; NDL=$(B)/ndl bats --jobs $(JOBS) --no-parallelize-within-files $(BATS_REPORT) $(BATS_FILES) || status=1; \
	{ $(B)/ndl-tests $(TEST_REPORT) $(CRITERION) $(LEAKS); } && exit $$status

test-program: deps-core deps-test $(B)/ndl-tests ## the same without those of the command, and without mutants
	$(B)/ndl-tests $(CRITERION) $(LEAKS)

# Mutants: each patch of tests/mutants is put on a copy of the engine, which must then
# fail on the recordings and in lock-step. The copy without a patch must pass both, and
# so must the one whose prefills are the driver's.
MUTANTS := $(patsubst tests/mutants/%.patch,%,$(wildcard tests/mutants/*.patch))
MUTANT_COPY := tests/mutants/copy.sh tests/mutants/apply.sh tests/mutants/driver.c $(B)/libndl.a

$(B)/mutants/%/libndl.a: tests/mutants/%.patch $(MUTANT_COPY)
	@tests/mutants/copy.sh $(@D) $< $(B) $(COMPILE)
$(B)/mutants/none/libndl.a: $(MUTANT_COPY)
	@tests/mutants/copy.sh $(@D) none $(B) $(COMPILE)
$(B)/mutants/driver/libndl.a: $(MUTANT_COPY)
	@tests/mutants/copy.sh $(@D) tests/mutants/driver.c $(B) $(COMPILE)
$(B)/mutants/%/ndl: $(B)/mutants/%/libndl.a $(TOOL_OBJ) $(B)/libref.a
	@$(CC) $(ALL_LDFLAGS) $(TOOL_OBJ) $< $(B)/libref.a -lyajl -lz -lm -o $@
$(B)/mutants/%/ndl-tests: $(B)/mutants/%/libndl.a $(TEST_OBJ) $(B)/libref.a
	@$(CC) $(ALL_LDFLAGS) $(TEST_OBJ) $< $(B)/libref.a -lcriterion $(TEST_LIBS) -o $@
.PRECIOUS: $(B)/mutants/%/libndl.a $(B)/mutants/%/ndl $(B)/mutants/%/ndl-tests

mutants-quick: deps-core deps-test mutants-check $(MUTANTS:%=mutant-%) mutant-none mutant-driver ## mutants of the engine are found by recordings and lock-step
	@echo '$(words $(MUTANTS)) mutants, each found'
mutants: deps-core deps-test deps-fuzz deps-sanitize mutants-check ## all that kills each mutant: tests, fuzzers, recordings, proofs (P=NAME: these)
	@python3 -B tests/mutants/hand.py --build $(B) $(P)
mutants-mechanical: deps-core deps-test deps-mutants $(TOOL_OBJ) $(TEST_OBJ) $(B)/libref.a ## every small change of the engine, and what kills it first (P=FILE: of these)
	@python3 -B tests/mutants/mechanical.py --cc '$(CC) -std=c11 -O1 $(FLOAT)' --sanitize='$(SAN_asan)' --tool '$(TOOL_OBJ)' --tests '$(TEST_OBJ)' \
		--reference $(B)/libref.a $(MECHANICAL) $(P)
mutants-check:
	@python3 -B tests/mutants/header.py
$(MUTANTS:%=mutant-%): mutant-%: $(B)/mutants/%/ndl $(B)/mutants/%/ndl-tests
	@tests/mutants/found.sh $(B)/mutants/$* tests/mutants/$*.patch
mutant-none mutant-driver: mutant-%: $(B)/mutants/%/ndl $(B)/mutants/%/ndl-tests
	@tests/mutants/found.sh $(B)/mutants/$*

# The tests of an engine, with the copy standing in for somebody else's.
test-foreign: $(B)/mutants/none/libndl.a ## the tests that an engine given by ENGINE has to pass
	@$(MAKE) --no-print-directory B=$(B)/foreign ENGINE=$< test

.PHONY: test test-program mutants mutants-mechanical mutants-quick mutants-check test-foreign mutant-none mutant-driver $(MUTANTS:%=mutant-%)
include tests/crossarch/crossarch.mk
