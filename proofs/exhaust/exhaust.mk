# What a proof cannot decide is compared for every input.
#   make exhaust               everything; its figures go to proofs/results/exhaust
#   make exhaust STRIDE=1009   every 1009th input
#   make exhaust E=quant       one program
STRIDE ?= 1
E ?= zeros round quant special expf words
EXHAUST := expf round quant special zeros
EXHAUST_LIBS_expf := -lmpfr -lgmp

# The C library's functions are what is compared with, not the compiler's.
$(EXHAUST:%=$(B)/exhaust-%): $(B)/exhaust-%: proofs/exhaust/%.c $(B)/libndl.a $(FLAGS) | deps-test
	$(COMPILE) -fno-builtin -Iengine/include -Iengine/src $< $(B)/libndl.a $(ALL_LDFLAGS) $(EXHAUST_LIBS_$*) -lm -lpthread -o $@

# Words run in lock-step, as the fuzzers' sessions do.
$(B)/exhaust-words: $(B)/fuzz/main_words.o $(FUZZ_LIB_OBJ) $(B)/fuzz/libtool.a $(B)/libndl.a $(B)/libref.a
	$(call say,LD,$@)
	$(Q)$(FUZZ_LINK) -lpthread

# tests/exhaust.bats takes a sample.
test: $(EXHAUST:%=$(B)/exhaust-%)

exhaust: $(E:%=$(B)/exhaust-%) ledger-begin-exhaust ## compare rounding, exponential, quantiser and small sessions for all inputs (STRIDE=, E=)
	@nice python3 -B proofs/exhaust/exhaust.py $(B) $(STRIDE) $(E)

.PHONY: exhaust
