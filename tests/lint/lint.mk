# The checks of what is written, not of what it does. Each is a script that
# prints what it objects to; `make lint` runs all and keeps a log of each.
#
#   make lint                  all of them, a line each
#   make lint CHECK="tidy"     these
LINT := $(B)/lint
LINT_CHECKS := format tidy cppcheck shell rooms engine paths docstrings man self
CHECK ?= $(LINT_CHECKS)

lint: deps-core deps-test deps-lint $(LINT)/compile_commands.json ## formatting, clang-tidy, cppcheck, shellcheck, rooms and the like (CHECK=)
	@tests/lint/lint.sh $(LINT) $(CHECK)

# How each C file is compiled, from make itself. It is asked for clang, whose
# flags clang-tidy takes, and for a folder of its own.
$(LINT)/compile_commands.json: force
	@mkdir -p $(LINT)
	@$(MAKE) -s --no-print-directory B=$(LINT) CC=clang-14 SAN= ENGINE=$(LINT)/libndl.a $(LINT)/spec/tangled
	@$(MAKE) -nB --no-print-directory B=$(LINT) CC=clang-14 SAN= ENGINE=$(LINT)/libndl.a \
		core $(LINT)/ndl-tests $(LINT)/cross/player $(LINT)/bench/{main,commands,lockstep} \
		$(FUZZ_ALL:%.c=$(LINT)/%.o) | tests/lint/commands.sh > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

.PHONY: lint
