# The ndl command. It sees the engine through ndl.h and the reference through
# its own header, and nothing else of either.
TOOL_SRC := $(wildcard engine/tool/*.c)
TOOL_OBJ := $(TOOL_SRC:%.c=$(B)/%.o)

$(B)/engine/tool/%.o: engine/tool/%.c $(REF)/tangled $(FLAGS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -Iengine/include -I$(REF) -c $< -o $@

link_tool = $(CC) $(ALL_LDFLAGS) $(1) $(ENGINE) $(B)/libref.a -lyajl -lz -lm -ldl
$(B)/ndl: $(TOOL_OBJ) $(ENGINE) $(B)/libref.a
	$(call say,LINK,$@)
	$(Q)$(call link_tool,$(TOOL_OBJ)) -o $@

ifneq ($(TOOL_SRC),)
ALL += $(B)/ndl
endif
