# The bench: the engine as it is installed, in turns with a straightforward port
# (baseline.c) and with what the machine allows (limit_internal.c).
#
#   make bench                              all of it, some minutes; tables and plots
#   make bench-quick                        under a minute, one line
#   make bench BENCH='--json --rounds 11'   options of tests/bench/bench.sh
BENCH ?=
MEASURE := $(B)/bench
BENCH_COMPILERS := gcc clang-19
BENCH_LEVELS := default $(if $(findstring x86_64,$(shell $(CC) -dumpmachine)),x86-64-v3 x86-64-v4)

$(B)/tests/bench/%.o: tests/bench/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -D_POSIX_C_SOURCE=200809L -Iengine/include -Iengine/tool -I$(REF) -Ifuzz -c $< -o $@

# What has a main of its own, and what is a library to be measured.
BENCH_APART := $(addprefix tests/bench/,main.c commands.c lockstep.c limit_internal.c)
BENCH_BASE := $(wildcard tests/bench/baseline*.c)
BENCH_OBJ := $(patsubst %.c,$(B)/%.o,$(filter-out $(BENCH_APART) $(BENCH_BASE),$(wildcard tests/bench/*.c)))
BENCH_SUPPORT := $(B)/tests/bench/measure.o $(B)/tests/bench/out.o

# The tool's geometries, and whatever of it they need.
$(MEASURE)/tool.a: $(filter-out %/main.o,$(TOOL_OBJ))
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^

$(MEASURE)/main: $(B)/tests/bench/main.o $(BENCH_OBJ) $(MEASURE)/tool.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -lyajl -lm -ldl -o $@
$(MEASURE)/commands: $(B)/tests/bench/commands.o $(BENCH_SUPPORT)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -lyajl -o $@
$(MEASURE)/lockstep: $(B)/tests/bench/lockstep.o $(BENCH_SUPPORT) $(TEST_LIB:%.c=$(B)/%.o) $(ENGINE) $(B)/libref.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -lyajl -lcriterion $(TEST_LIBS) -o $@

# Both compilers' best without leave to change a bit.
BENCH_BEST = -std=c11 -O3 $(WARN) -ffp-contract=off -fPIC -shared -Iengine/include
BENCH_BASELINES := $(BENCH_COMPILERS:%=$(MEASURE)/baseline-%.so)
$(BENCH_BASELINES): $(MEASURE)/baseline-%.so: $(BENCH_BASE) tests/bench/baseline.h engine/include/ndl.h tests/bench/bench.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$* $(BENCH_BEST) $(BENCH_BASE) -lm -o $@

$(MEASURE)/baseline-clang-19.so: | deps-bench

# What an instruction set allows. The engine's row of exponentials is compiled with it.
BENCH_LIMITS := $(BENCH_LEVELS:%=$(MEASURE)/limits-%.so)
$(BENCH_LIMITS): $(MEASURE)/limits-%.so: tests/bench/limit_internal.c engine/src/trusted/expf.c $(wildcard engine/src/*.h engine/src/trusted/*.h) tests/bench/bench.mk
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)gcc $(BENCH_BEST) $(if $(filter default,$*),,-march=$*) -DNDL_NO_CLONES -Iengine/src $(filter %.c,$^) -lm -o $@

# The engine once more, without its clones for newer instruction sets.
BENCH_PLAIN := $(MEASURE)/no-clones/install/$(SO)
$(BENCH_PLAIN): force
	@$(MAKE) --no-print-directory B=$(MEASURE)/no-clones CPPFLAGS='$(CPPFLAGS) -DNDL_NO_CLONES' $@

BENCH_LIBRARIES := --engine installed=$(I)/$(SO) --engine no-clones=$(BENCH_PLAIN) \
	$(foreach c,$(BENCH_COMPILERS),--baseline $c=$(MEASURE)/baseline-$c.so) \
	$(foreach l,$(BENCH_LEVELS),--limits $l=$(MEASURE)/limits-$l.so)
BENCH_BUILT := $(MEASURE)/main $(BENCH_BASELINES) $(BENCH_LIMITS) $(I)/$(SO) $(BENCH_PLAIN)

BENCH_LOOPS := $(MEASURE)/loops tests/bench/vectorised.txt $(BENCH_COMPILERS)

bench: deps-core deps-test deps-bench $(B)/ndl $(BENCH_BUILT) $(MEASURE)/commands $(MEASURE)/lockstep ## speed against a straightforward port and the machine's limits
	@tests/bench/bench.sh $(BENCH) $(B) $(BENCH_LIBRARIES)
	@tests/bench/loops.sh $(BENCH_LOOPS)

bench-quick: deps-core deps-bench $(BENCH_BUILT) ## a step's ratio to the straightforward port, in under a minute
	@tests/bench/bench.sh --quick $(BENCH) $(B) $(BENCH_LIBRARIES)

bench-loops: deps-core deps-bench ## what the compilers say of the loops that must be vectorised
	@tests/bench/loops.sh $(BENCH_LOOPS)

bench-keep: deps-bench ## keep the last full run on docs/speed.md
	@tests/bench/keep.sh $(B)

.PHONY: bench bench-quick bench-loops bench-keep

# tests/bench.bats runs the measuring program with one baseline.
test verify: $(MEASURE)/main $(MEASURE)/baseline-gcc.so $(MEASURE)/limits-default.so $(I)/$(SO)
