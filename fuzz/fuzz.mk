# Fuzzing. A target is fuzz/target_NAME.c, whose first comment is the property and
# its claims; a program is fuzz/main_NAME.c; the rest of fuzz/*.c they share, and
# with the tests. Those named *_internal link our own objects.
FUZZ_ALL := $(wildcard fuzz/*.c)
FUZZ_TARGETS := $(patsubst fuzz/target_%.c,%,$(filter fuzz/target_%,$(FUZZ_ALL)))
FUZZ_LIB := $(filter-out fuzz/target_% fuzz/main_% fuzz/mutate_%,$(FUZZ_ALL))

$(B)/fuzz/%.o: fuzz/%.c $(REF)/tangled $(FLAGS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -D_POSIX_C_SOURCE=200809L -Iengine/include -Iengine/src -Iengine/tool -I$(REF) -Ifuzz -c $< -o $@

# Programs: fuzz-NAME of a target runs it on files; fuzz-show and fuzz-from turn
# an input into a trace's script and back.
FUZZ_LIB_OBJ := $(FUZZ_LIB:%.c=$(B)/%.o)
FUZZ_REPLAYS := $(FUZZ_TARGETS:%=$(B)/fuzz-%)
# An engine of somebody else's has none of our internals.
FUZZ_PROGRAMS := $(if $(filter-out $(B)/libndl.a,$(ENGINE)),$(filter-out %_internal,$(FUZZ_REPLAYS)),$(FUZZ_REPLAYS)) \
	$(B)/fuzz-show $(B)/fuzz-from $(B)/fuzz-shrink
# Who links and with what: a fuzzing engine may be C++, and libraries static.
FUZZ_LD ?= $(CC)
FUZZ_LIBS ?= -lyajl -lz -lm
# The tool as a library; a build without it has no target for traces.
FUZZ_TOOL ?= $(B)/fuzz/libtool.a
FUZZ_LINK = $(FUZZ_LD) $(ALL_LDFLAGS) $(filter %.o,$^) $(FUZZ_TOOL) $(ENGINE) $(B)/libref.a $(FUZZ_LIBS) -o $@

# The tool as a library, of which a program takes what it uses; its main has
# another name there.
$(B)/fuzz/ndl_main.o: engine/tool/main.c $(REF)/tangled $(FLAGS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -Dmain=ndl_main -Wno-missing-prototypes -D_XOPEN_SOURCE=700 -Iengine/include -I$(REF) -c $< -o $@
$(B)/fuzz/libtool.a: $(filter-out $(B)/engine/tool/main.o,$(TOOL_OBJ)) $(B)/fuzz/ndl_main.o
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^
$(B)/fuzz-show $(B)/fuzz-from $(B)/fuzz-shrink: $(B)/fuzz-%: $(B)/fuzz/main_%.o $(FUZZ_LIB_OBJ) $(FUZZ_TOOL) $(ENGINE) $(B)/libref.a
	$(call say,LD,$@)
	$(Q)$(FUZZ_LINK)
$(FUZZ_REPLAYS): $(B)/fuzz-%: $(B)/fuzz/target_%.o $(B)/fuzz/main_replay.o $(FUZZ_LIB_OBJ) $(FUZZ_TOOL) $(ENGINE) $(B)/libref.a
	$(call say,LD,$@)
	$(Q)$(FUZZ_LINK)

fuzz-programs: deps-core $(FUZZ_PROGRAMS) ## the targets as programs that run files, fuzz-show, fuzz-from, fuzz-shrink

.PHONY: fuzz-programs

# The fuzzers' builds, each in a folder of its own: all that a target is made of
# is instrumented. NAME of FUZZ_BUILDS has its compiler and flags in FUZZ_NAME.
#   libfuzzer, msan   clang's, with address and undefined, or memory sanitizers
#   afl, cmplog       AFL++'s, persistent; cmplog for its -c
FUZZ_libfuzzer := CC=clang-19 SAN=asan CFLAGS='-fsanitize=fuzzer-no-link -DNDL_NO_CLONES' LIB_FUZZING_ENGINE=-fsanitize=fuzzer
FUZZ_msan := CC=clang-19 SAN=msan CFLAGS='-fsanitize=fuzzer-no-link -DNDL_NO_CLONES' LIB_FUZZING_ENGINE=-fsanitize=fuzzer
FUZZ_afl := CC=afl-clang-fast CFLAGS=-DNDL_NO_CLONES LIB_FUZZING_ENGINE=-fsanitize=fuzzer
FUZZ_cmplog := AFL_LLVM_CMPLOG=1 $(FUZZ_afl)
LIB_FUZZING_ENGINE ?=
# Targets whose inputs are sessions, which are mutated as such.
FUZZ_SESSIONS := $(patsubst fuzz/target_%.c,%,$(shell grep -l '"ops.h"' fuzz/target_*.c))
FUZZ_MUTATOR = $(if $(filter -fsanitize=fuzzer,$(LIB_FUZZING_ENGINE)),$(if $(findstring afl,$(CC)),,$(if $(filter $1,$(FUZZ_SESSIONS)),$(B)/fuzz/mutate_libfuzzer.o)))

$(foreach t,$(FUZZ_TARGETS),$(eval $(B)/target-$t: $(call FUZZ_MUTATOR,$t)))
$(FUZZ_TARGETS:%=$(B)/target-%): $(B)/target-%: $(B)/fuzz/target_%.o $(FUZZ_LIB_OBJ) $(FUZZ_TOOL) $(ENGINE) $(B)/libref.a
	$(call say,LD,$@)
	$(Q)$(FUZZ_LINK) $(LIB_FUZZING_ENGINE)
# A library of its own objects: others are not made to be shared.
FUZZ_MUTATE := $(addprefix fuzz/,mutate_afl.c mutate.c ops.c script.c payload.c base.c input.c) engine/src/geometry.c
$(B)/mutate_afl.so: $(FUZZ_MUTATE) $(REF)/tangled $(FLAGS)
	$(call say,LD,$@)
	$(Q)$(CC) $(ALL_CFLAGS) -fPIC -shared -Wl,-z,defs -D_POSIX_C_SOURCE=200809L -Iengine/include -I$(REF) -Ifuzz $(filter %.c,$^) -o $@

fuzz-targets: $(FUZZ_TARGETS:%=$(B)/target-%)
# FUZZ_GOAL: what of it, if not all.
FUZZ_GOAL ?= fuzz-targets
fuzz-build-%: deps-core deps-sanitize deps-fuzz
	@$(MAKE) --no-print-directory B=build/fuzz-$* $(FUZZ_$*) $(FUZZ_GOAL)

.PHONY: fuzz-targets

# A minute over all targets, and what the last long run reached.
FUZZ_RUN = python3 -B fuzz/run.py --fuzzer build/fuzz-libfuzzer --plain $(B) --results $(RESULTS)/fuzz
T ?=
fuzz: fuzz-programs fuzz-build-libfuzzer ledger-begin-fuzz ## a minute over all fuzz targets, held to fuzz/gates.json (T=NAME: one)
	@$(FUZZ_RUN) $(T)
fuzz-record: fuzz-programs fuzz-build-libfuzzer ## take this machine's edges and speed as what is held to
	@$(FUZZ_RUN) --record $(T)

.PHONY: fuzz fuzz-record

# The corpus on a 32-bit machine and on one that counts bytes from the other end,
# emulated. Traces are left out: the tool's libraries are not there.
FUZZ_CROSS_i386 := CC=i686-linux-gnu-gcc CFLAGS='-g0 -DNDL_NO_CLONES -msse2 -mfpmath=sse'
FUZZ_CROSS_s390x := CC=s390x-linux-gnu-gcc CFLAGS='-g0 -DNDL_NO_CLONES'
FUZZ_CROSS := i386 s390x
FUZZ_CROSS_TARGETS := $(filter-out trace,$(FUZZ_TARGETS))
fuzz-cross: $(FUZZ_CROSS:%=fuzz-cross-%) ## replay the corpus on emulated machines: i386, s390x
$(FUZZ_CROSS:%=fuzz-cross-%): fuzz-cross-%: deps-core deps-cross
	@$(MAKE) --no-print-directory B=build/fuzz-$* $(FUZZ_CROSS_$*) LDFLAGS=-static FUZZ_TOOL= FUZZ_LIBS=-lm \
		$(FUZZ_CROSS_TARGETS:%=build/fuzz-$*/fuzz-%)
	@for t in $(FUZZ_CROSS_TARGETS); do \
		printf '%-8s %-16s ' $* $$t; \
		qemu-$* build/fuzz-$*/fuzz-$$t $$(find corpus/seeds/$$t corpus/found/$$t -type f 2>/dev/null | sort); \
	done

.PHONY: fuzz-cross $(FUZZ_CROSS:%=fuzz-cross-%)

# Targets with a mutant of the engine, of which fuzz/negatives are those to be found
# from nothing.
define FUZZ_MUTANT
$(B)/mutants/%/target-$1: $(B)/mutants/%/libndl.a $(B)/fuzz/target_$1.o $(call FUZZ_MUTATOR,$1) $(FUZZ_LIB_OBJ) $(B)/fuzz/libtool.a $(B)/libref.a
	$$(call say,LD,$$@)
	$$(Q)$$(CC) $$(ALL_LDFLAGS) $$(filter %.o,$$^) $(B)/fuzz/libtool.a $$< $(B)/libref.a -lyajl -lz -lm $$(LIB_FUZZING_ENGINE) -o $$@
endef
$(foreach t,$(FUZZ_TARGETS),$(eval $(call FUZZ_MUTANT,$t)))
NEGATIVES := $(shell awk '!/^\#/ && NF { print "$(B)/mutants/" $$2 "/target-" $$1 }' fuzz/negatives)
fuzz-negative-targets: $(NEGATIVES)
fuzz-negatives: deps-core deps-sanitize deps-fuzz ## each oracle finds a bug that is planted in the engine
	@$(MAKE) --no-print-directory B=build/fuzz-libfuzzer $(FUZZ_libfuzzer) fuzz-negative-targets
	@fuzz/negatives.sh build/fuzz-libfuzzer libfuzzer
fuzz-negatives-afl: deps-core deps-sanitize deps-fuzz $(B)/mutate_afl.so ## the same with AFL++, which takes minutes
	@$(MAKE) --no-print-directory B=build/fuzz-afl $(FUZZ_afl) fuzz-negative-targets
	@fuzz/negatives.sh build/fuzz-afl afl

.PHONY: fuzz-negatives fuzz-negatives-afl fuzz-negative-targets
