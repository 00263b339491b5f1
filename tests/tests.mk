# Tests: every tests/unit_*.c and prop_*.c joins one Criterion program, every
# tests/*.bats runs against the built command. *_internal tests link our own
# objects and are left out when ENGINE names somebody else's.
TEST_ALL := $(wildcard tests/unit_*.c tests/prop_*.c)
TEST_SRC := $(if $(filter-out $(B)/libndl.a,$(ENGINE)),$(filter-out %_internal.c,$(TEST_ALL)),$(TEST_ALL))
TEST_LIB := $(filter-out $(TEST_ALL),$(wildcard tests/*.c))
TEST_OBJ := $(TEST_SRC:%.c=$(B)/%.o) $(TEST_LIB:%.c=$(B)/%.o)

$(B)/tests/%.o: tests/%.c $(REF)/tangled $(FLAGS)
	@mkdir -p $(@D)
	$(COMPILE) -D_POSIX_C_SOURCE=200809L -Iengine/include -Iengine/src -I$(REF) -Itests -c $< -o $@

$(B)/ndl-tests: $(TEST_OBJ) $(ENGINE) $(B)/libref.a
	$(CC) $(ALL_LDFLAGS) $(TEST_OBJ) $(ENGINE) $(B)/libref.a -lcriterion -lmpfr -lgmp -lm -lpthread -o $@

test: deps-core deps-test $(ALL) $(B)/ndl-tests ## unit, property, lock-step and command tests
	$(B)/ndl-tests $(TEST_REPORT)
	NDL=$(B)/ndl bats $(BATS_REPORT) tests

.PHONY: test
include tests/crossarch/crossarch.mk
