# The engine: libndl.a from engine/src, the part that is proved, and
# engine/src/trusted, the part that is exhausted.
ENGINE_SRC := $(wildcard engine/src/*.c engine/src/trusted/*.c)
ENGINE_OBJ := $(ENGINE_SRC:%.c=$(B)/%.o)
# Somebody else's implementation of ndl.h may stand in for ours.
ENGINE ?= $(B)/libndl.a

$(B)/engine/src/%.o: engine/src/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(COMPILE) -Iengine/include -c $< -o $@

$(B)/libndl.a: $(ENGINE_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

ALL += $(B)/libndl.a
