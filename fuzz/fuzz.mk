# Fuzzing. A target is fuzz/target_NAME.c, whose first comment is the property and
# its claims; a program is fuzz/main_NAME.c; the rest of fuzz/*.c they share, and
# with the tests. Those named *_internal link our own objects.
FUZZ_ALL := $(wildcard fuzz/*.c)
FUZZ_TARGETS := $(patsubst fuzz/target_%.c,%,$(filter fuzz/target_%,$(FUZZ_ALL)))
FUZZ_LIB := $(filter-out fuzz/target_% fuzz/main_%,$(FUZZ_ALL))

$(B)/fuzz/%.o: fuzz/%.c $(REF)/tangled $(FLAGS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -D_POSIX_C_SOURCE=200809L -Iengine/include -Iengine/src -Iengine/tool -I$(REF) -Ifuzz -c $< -o $@
