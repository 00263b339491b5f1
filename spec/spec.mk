# The reference: the code blocks of the chapters, taken out of them (tangled)
# with #line directives that point back, then compiled. A block that opens with
# ```c FILE is appended to that file.
CHAPTERS := $(wildcard spec/[0-9][0-9]-*.md)
REF := $(B)/spec
REF_FILES := $(sort $(shell awk '$$1 == "```c" && $$2 { print $$2 }' $(CHAPTERS) /dev/null))
REF_SRC := $(addprefix $(REF)/,$(filter %.c,$(REF_FILES)))
REF_HDR := $(addprefix $(REF)/,$(filter %.h,$(REF_FILES)))

$(REF)/tangled: $(CHAPTERS) spec/tangle.awk
	@mkdir -p $(REF)
	$(call say,TANGLE,spec)
	@rm -f $(REF)/*.[ch]
	$(Q)awk -v dir=$(REF) -f spec/tangle.awk $(CHAPTERS)
	@touch $@
$(REF_SRC) $(REF_HDR): $(REF)/tangled ;

$(REF)/%.o: $(REF)/%.c $(REF)/tangled $(FLAGS)
	$(call say,CC,$<)
	$(Q)$(COMPILE) -Iengine/include -I$(REF) -c $< -o $@

$(B)/libref.a: $(REF_SRC:.c=.o)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)$(AR) rcs $@ $^

ALL += $(B)/libref.a
