# The ndl command. It sees the engine through ndl.h and the reference through
# its own header, and nothing else of either.
TOOL_SRC := $(wildcard engine/tool/*.c)
TOOL_OBJ := $(TOOL_SRC:%.c=$(B)/%.o)

$(B)/engine/tool/%.o: engine/tool/%.c $(REF)/tangled $(FLAGS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -D_XOPEN_SOURCE=700 -Iengine/include -I$(REF) -c $< -o $@

$(B)/ndl: $(TOOL_OBJ) $(ENGINE) $(B)/libref.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_LDFLAGS) $(TOOL_OBJ) $(ENGINE) $(B)/libref.a -lyajl -lz -lm -o $@

ifneq ($(TOOL_SRC),)
ALL += $(B)/ndl
endif
