# Long runs: fuzzers on all targets for as long as they are given (fuzz/campaign),
# what OSS-Fuzz builds, and the corpus with contracts checked while it runs.
#
#   make campaign CORES=2 TIME=8h [TARGETS="session conv"] [OUT=dir]
CORES ?= $(shell nproc)
TIME ?= 10m
TARGETS ?=
OUT ?= $(B)/campaign
FUZZ_aflasan := SAN=asan $(FUZZ_afl)
CAMPAIGN_BUILDS := libfuzzer msan afl aflasan cmplog
CAMPAIGN_READY := fuzz-programs $(B)/mutate_afl.so $(CAMPAIGN_BUILDS:%=fuzz-build-%)
CAMPAIGN = exec python3 -B fuzz/campaign --cores '$(CORES)' --time '$(TIME)' --out '$(OUT)' \
	$(foreach b,$(CAMPAIGN_BUILDS),--build $b=build/fuzz-$b) --plain $(B) \
	--seeds corpus/seeds --seeds corpus/found

campaign: $(CAMPAIGN_READY) ## fuzz for long: CORES=2 TIME=8h TARGETS="session conv" OUT=dir; goes on where it stopped
	@$(CAMPAIGN) $(TARGETS)
campaign-report: $(CAMPAIGN_READY) ## the report of a campaign that was stopped: OUT=dir
	@$(CAMPAIGN) --report $(TARGETS)

.PHONY: campaign campaign-report

# The engine with the part of its contracts that a program can compute, and run-time
# errors, checked in every call; harness, tool and reference under the address
# sanitizer, whose knowledge of memory the checks use (fuzz/eacsl/runtime.c). The
# allocator, which needs stdlib.h, is as it is.
EACSL := build/eacsl
EACSL_SECONDS ?= 30
EACSL_SOURCES := $(filter-out %/alloc.c,$(wildcard engine/src/*.c engine/src/trusted/*.c))
$(EACSL)/engine.c: $(wildcard engine/src/*.[ch] engine/src/trusted/*.[ch] engine/include/ndl.h engine/logic/*.acsl fuzz/eacsl/*)
	@mkdir -p $(@D)
	$(call say,EACSL,$@)
	$(Q)fuzz/eacsl/translate.sh engine $(EACSL) $(EACSL_SOURCES:engine/%=%)
$(EACSL)/libndl.a: $(EACSL)/engine.c fuzz/eacsl/build.sh fuzz/eacsl/runtime.c
	$(call say,CC,$<)
	$(Q)fuzz/eacsl/build.sh $(EACSL)

fuzz-eacsl-programs: deps-core deps-prove deps-fuzz $(EACSL)/libndl.a
	@$(MAKE) --no-print-directory SAN=asan fuzz-programs build/asan/ndl
	@fuzz/eacsl/link.sh $(EACSL) build/asan $(FUZZ_TARGETS)
fuzz-eacsl: fuzz-eacsl-programs ## replay the corpus with the contracts that can be computed checked in every call
	@fuzz/eacsl/planted.sh $(EACSL)
	@fuzz/eacsl/replay.sh $(EACSL_SECONDS) $(EACSL) corpus/seeds corpus/found

.PHONY: fuzz-eacsl fuzz-eacsl-programs

oss-fuzz-check: deps-core deps-fuzz ## run fuzz/oss-fuzz/build.sh as OSS-Fuzz does, and check what it leaves
	@fuzz/oss-fuzz/check.sh build/oss-fuzz

.PHONY: oss-fuzz-check

campaign-test: deps-core deps-test deps-sanitize deps-fuzz $(ALL) ## a campaign stops, goes on and reports, and a planted bug is found
	NDL=$(B)/ndl bats fuzz/campaign

.PHONY: campaign-test
