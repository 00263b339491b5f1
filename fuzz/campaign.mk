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

oss-fuzz-check: deps-core deps-fuzz ## run fuzz/oss-fuzz/build.sh as OSS-Fuzz does, and check what it leaves
	@fuzz/oss-fuzz/check.sh build/oss-fuzz

.PHONY: oss-fuzz-check
