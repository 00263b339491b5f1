# One engine, the same bits on every machine. The engine alone plays recorded
# sessions, built for each machine by both compilers, and prints digests that
# must be those of the recordings. Machines that are not at hand are emulated.
#
#   make -j2 crossarch                all of it
#   make crossarch ARCH="s390x i386"  these machines
#   make crossarch QUICK=1            a build a machine and compiler
CROSS := tests/crossarch
CROSS_SRC := $(wildcard $(CROSS)/*.c)
CROSS_OBJ := $(CROSS_SRC:%.c=$(B)/%.o)

$(B)/$(CROSS)/%.o: $(CROSS)/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -Iengine/include -c $< -o $@

$(B)/cross/player: $(CROSS_OBJ) $(ENGINE)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) $^ -o $@

# Together they have both precisions and profiles, every kind of output, no
# window and wide ones, prefills, rings that grow, wrap and saturate, writes out
# of order, subnormal and special values, and the widths of the shipped model.
CROSS_SESSIONS := kernels-1 scripts/quant-special scripts/quant-upstream \
	scripts/int8-scale-per-head scripts/ring-first-write-far \
	$(foreach p,f32 int8,tiny-step-$p-1 tiny-prefill-$p-1 tiny-saturate-$p-1 tiny-special-$p-1 \
	random-$p-004-1 random-$p-006-1 random-$p-010-1 shipped-2layers-$p-1)
CROSS_RECORDINGS := $(CROSS_SESSIONS:%=tests/conformance/%.jsonl)

$(B)/cross/digests: $(CROSS_RECORDINGS) $(wildcard $(CROSS)/*.py) $(CROSS)/names.h $(CROSS)/crossarch.mk
	@mkdir -p $(@D)
	@python3 -B $(CROSS)/pack.py $(B)/cross/pack $@ $(CROSS_RECORDINGS) > $(B)/cross/packed

# Rows: machine/compiler/level, or /variant after it. row.sh knows what they
# mean; `fused` and `flushed` must give other digests, `refused` must not compile.
CROSS_ARCHS := x86_64 i386 arm64 armv7 riscv64 ppc64le s390x
CROSS_BAD := $(foreach a,x86_64 arm64 armv7 riscv64 ppc64le s390x,$a/gcc/O2/fused) \
	arm64/clang-19/O2/fused x86_64/gcc/O2/flushed armv7/gcc/O3/flushed \
	x86_64/gcc/O2/refused i386/gcc/O2/refused s390x/gcc/O2/refused
CROSS_QUICK := $(foreach a,$(CROSS_ARCHS),$a/gcc/O2 $a/clang-19/O3) $(CROSS_BAD)
CROSS_ALL := $(foreach a,$(CROSS_ARCHS),$(foreach o,O0 O1 O2 O3,$a/gcc/$o $a/clang-19/$o)) \
	$(foreach a,x86_64 arm64 armv7 ppc64le s390x,$a/gcc/O3/vector $a/clang-19/O3/vector) $(CROSS_BAD)
CROSS_ROWS := $(foreach a,$(or $(ARCH),$(CROSS_ARCHS)),$(filter $a/%,$(if $(QUICK),$(CROSS_QUICK),$(CROSS_ALL))))

crossarch: cross-recordings $(CROSS_ROWS:%=cross-row/%) ## the same digests from every machine, compiler and level (ARCH=, QUICK=1)
	@cd $(B)/cross/rows; failed=$$(cat $(foreach r,$(CROSS_ROWS),$(subst /,-,$r).row) | grep -c FAILED || true); \
	echo "$$(($(words $(CROSS_ROWS)) - failed)) passed, $$failed failed"; [ $$failed -eq 0 ]

crossarch-quick: ## what of crossarch fits in five minutes
	@$(MAKE) --no-print-directory crossarch QUICK=1

$(CROSS_ROWS:%=cross-row/%): cross-row/%: cross-recordings
	@MAKE='$(MAKE)' $(CROSS)/row.sh $(B)/cross $*

# The committed digests are those of the recordings, before anything is built.
cross-recordings: deps-cross $(B)/cross/digests
	$(if $(filter-out $(CROSS_ARCHS),$(ARCH)),@echo 'crossarch: ARCH is among: $(CROSS_ARCHS)' >&2; exit 2)
	@rm -rf $(B)/cross/rows/*.row
	@grep -v '^#' $(CROSS)/digests.txt | diff - $(B)/cross/digests || { \
		echo 'crossarch: $(CROSS)/digests.txt (<) is not what the recordings give (>)' >&2; exit 1; }
	@cat $(B)/cross/packed
	@printf '%-8s %-9s %-4s %-8s %-7s %6s %6s\n' machine compiler '' '' result build run

crossarch-accept: $(B)/cross/digests ## write the digests of the recordings anew
	{ sed -n '/^#/p' $(CROSS)/digests.txt; cat $<; } > $(B)/cross/accepted
	cp $(B)/cross/accepted $(CROSS)/digests.txt

.PHONY: crossarch crossarch-quick crossarch-accept cross-recordings $(CROSS_ROWS:%=cross-row/%)
