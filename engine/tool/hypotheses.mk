# Hypotheses: each known mistake of ports, a patch of the engine, as a shared object
# that `ndl diagnose` tries on a trace. A new patch is built without being listed.
#
#   make                what `ndl` finds beside itself: the patches, one by one
#   make pairs          patches two by two, of different files
HYP := $(B)/hypotheses
HYP_PATCHES := $(wildcard tests/mutants/*.patch)
HYP_NAMES := $(sort $(patsubst %.patch,%,$(notdir $(HYP_PATCHES))))
HYPOTHESES := $(HYP_NAMES:%=$(HYP)/%.so)

# They are to be right, not fast; a sanitizer would take some mistakes for its own.
HYP_COMPILE = $(CC) -std=c11 -O1 $(FLOAT) $(CFLAGS) $(CPPFLAGS) -DNDL_NO_CLONES -fPIC \
	-fno-semantic-interposition
HYP_BASE_OBJ := $(ENGINE_SRC:%.c=$(HYP)/base/%.o)

$(HYP)/base/%.o: %.c $(FLAGS)
	@mkdir -p $(@D)
	$(Q)$(HYP_COMPILE) -MMD -MP -Iengine/include -c $< -o $@

$(HYP)/api.map: engine/include/ndl.h engine/tool/hypotheses.mk
	@mkdir -p $(@D)
	$(Q){ echo '{ global: ndl_hypothesis;'; \
		sed -nE 's/^[a-z][a-z0-9_ ]*[ *](ndl_[a-z0-9_]+)\(.*/\1;/p' $<; echo 'local: *; };'; } > $@

define hypothesis
$(HYP)/objects/$(1)/text: $(2) engine/tool/hypothesis.sh tests/mutants/apply.sh tests/mutants/driver.c $(HYP_BASE_OBJ)
	$$(call say,PATCH,$(1))
	$$(Q)engine/tool/hypothesis.sh $(HYP) $(1) $(2) $(HYP)/base $$(HYP_COMPILE)
$(HYP)/$(1).so: $(HYP)/objects/$(1)/text engine/tool/hypothesis_link.sh $(HYP)/api.map
	$$(Q)engine/tool/hypothesis_link.sh $$@ $(HYP)/objects $(HYP)/base $(HYP)/api.map $(1) -- $$(HYP_COMPILE)
endef
$(foreach p,$(HYP_PATCHES),$(eval $(call hypothesis,$(notdir $(p:.patch=)),$p)))

# What is no longer a patch is no longer a hypothesis.
hypotheses: $(HYPOTHESES)
	@rm -rf $(filter-out $(HYPOTHESES),$(wildcard $(HYP)/*.so)) $(filter-out $(HYP_NAMES:%=$(HYP)/objects/%),$(wildcard $(HYP)/objects/*))

pairs: hypotheses ## build hypotheses of two mistakes at once, of different files
	@engine/tool/hypothesis_pairs.sh $(HYP) $(HYP) -- $(HYP_COMPILE)

#   make diagnose-experiment TRACES=100 EXPERIMENT='--seed 1 --jobs 2 half-to-even'
TRACES ?= 20
diagnose-experiment: core hypotheses ## how often ndl diagnose names a mistake, from traces drawn for it (TRACES=)
	@python3 -B tests/diagnose/experiment.py --traces $(TRACES) $(B)/ndl $(B)/experiment $(EXPERIMENT)

.PHONY: hypotheses pairs diagnose-experiment
