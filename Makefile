# ndl: the reference for the decode state of Needle 3. `make help` lists what
# there is to do; each room's rules stand in its own .mk file.
.DEFAULT_GOAL := all
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

# What may be set on the command line:
#   CC=clang-19  OPT=-O3  SAN=asan|tsan|msan  ENGINE=other.a  B=directory  V=1
SAN ?=
OPT ?= -O2
ifeq ($(origin CC),default)
CC := $(if $(filter msan,$(SAN)),clang-19,gcc)
endif
B ?= build$(if $(SAN),/$(SAN))
AR ?= ar

SAN_asan := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SAN_tsan := -fsanitize=thread
SAN_msan := -fsanitize=memory -fno-omit-frame-pointer -fsanitize-memory-track-origins
ifneq ($(SAN),)
ifeq ($(SAN_$(SAN)),)
$(error SAN is asan, tsan or msan, not "$(SAN)")
endif
endif

WARN := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes
# One rounding after each operation, nothing fused, nothing kept wider.
FLOAT := -ffp-contract=off
ifneq ($(findstring gcc,$(notdir $(CC))),)
# s390x computes float expressions in double without it; clang rejects it.
FLOAT += -fexcess-precision=fast
endif
ALL_CFLAGS = -std=c11 $(OPT) -g $(WARN) $(FLOAT) $(SAN_$(SAN)) $(CFLAGS)
ALL_LDFLAGS = $(SAN_$(SAN)) $(LDFLAGS)
COMPILE = $(CC) $(ALL_CFLAGS) $(CPPFLAGS) -MMD -MP

# A short line for each file that is made; V=1 shows the commands themselves, and
# make -s nothing.
Q := $(if $(V),,@)
say = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,@printf '  %-6s %s\n' '$(1)' '$(2)')

# Objects depend on this file: it changes when the compiler or a flag does.
FLAGS := $(B)/flags
$(shell mkdir -p $(B); printf '%s\n' '$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) $(CPPFLAGS)' > $(FLAGS).new; \
	cmp -s $(FLAGS).new $(FLAGS) && rm -f $(FLAGS).new || mv $(FLAGS).new $(FLAGS))

# Every object waits, by way of this file, until the packages are there.
$(FLAGS): | deps-core $(if $(findstring clang-19,$(CC)),deps-sanitize) ;

# What `make` builds; the rooms add to it.
ALL :=

include engine/engine.mk
include engine/tool/hypotheses.mk
include engine/install.mk
include spec/spec.mk
include engine/tool/tool.mk
include fuzz/fuzz.mk
include fuzz/campaign.mk
include tests/tests.mk
include tests/coverage/coverage.mk
include tests/lint/lint.mk
include tests/bench/bench.mk
include proofs/wp.mk
include spec/ledger.mk
include docs/docs.mk

all: core hypotheses ## build the library, the reference, the ndl command and its hypotheses

core: deps-core $(ALL)

# Packages, in groups; nothing is said when nothing is missing.
DEPS_GROUPS := core test install prove ledger lint docs bench fuzz mutants coverage
deps: $(DEPS_GROUPS:%=deps-%) ## install what is missing from Debian's packages
deps-%:
	@.ci/deps $*

RECORDINGS := $(wildcard tests/conformance/*.jsonl tests/conformance/scripts/*.jsonl)

try: deps-core $(ALL) ## from nothing to a first checked trace
	$(B)/ndl check tests/conformance/tiny-step-int8-1.jsonl

verify: deps-core deps-test $(ALL) ## the main job: replay every recording, run all tests, print a table
	tests/verify.sh $(B) $(ENGINE)

replay: deps-core $(if $(SAN),deps-sanitize) $(ALL) ## replay every recording with engine and reference
	$(B)/ndl check --quiet $(RECORDINGS)
	$(B)/ndl check --quiet --reference $(RECORDINGS)

# Same bits whatever compiles them.
REPLAYS := $(foreach cc,gcc clang-19,$(foreach opt,0 1 2 3,$(cc)-O$(opt)))
replay-all: $(REPLAYS:%=replay-%) ## the same with gcc and clang-19, from -O0 to -O3
$(REPLAYS:%=replay-%): replay-%: deps-sanitize
	@echo 'replay with $(subst -O, -O,$*)'
	@$(MAKE) -s --no-print-directory replay B=build/replay/$* CC=$(firstword $(subst -O, ,$*)) OPT=-O$(lastword $(subst -O, ,$*))

ledger-check: deps-ledger ## each claim has evidence, and nothing recorded of it changed
	@$(LEDGER) check

clean: ## remove build/
	rm -rf build

help: ## this list
	@printf 'usage: make [TARGET] [CC=clang-19] [OPT=-O3] [SAN=asan|tsan|msan] [ENGINE=other.a] [V=1]\n\n'
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  %-20s %s\n", $$1, $$2 }' $(filter-out %.d,$(MAKEFILE_LIST))

.PHONY: all core try verify replay replay-all $(REPLAYS:%=replay-%) ledger-check deps clean help
-include $(shell [ -d $(B) ] && find $(B) -name '*.d')
