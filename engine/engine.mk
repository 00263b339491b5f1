# The engine: libndl.a from engine/src, the part that is proved, and
# engine/src/trusted, the part that is exhausted.
ENGINE_SRC := $(wildcard engine/src/*.c engine/src/trusted/*.c)
ENGINE_OBJ := $(ENGINE_SRC:%.c=$(B)/%.o)
# What kernels get beside everybody's flags: -O3, where compilers make vectors of
# loops, unless OPT is given; and no wider vectors than pay on x86-64.
ENGINE_FLAGS := $(if $(filter file,$(origin OPT)),-O3) \
	$(if $(filter x86_64%,$(shell $(CC) $(CFLAGS) -dumpmachine 2>/dev/null)),-mprefer-vector-width=256)
# Somebody else's implementation of ndl.h may stand in for ours.
ENGINE ?= $(B)/libndl.a

$(B)/engine/src/%.o: engine/src/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) $(ENGINE_FLAGS) -Iengine/include -c $< -o $@

$(B)/libndl.a: $(ENGINE_OBJ)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^

ALL += $(B)/libndl.a
