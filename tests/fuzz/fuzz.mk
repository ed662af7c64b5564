# `make -f tests/fuzz/fuzz.mk fuzz-build` builds every tests/fuzz/fuzz_*.c with clang's libFuzzer, ASan and UBSan;
# `make -f tests/fuzz/fuzz.mk run SECONDS=60` runs each for that long, over the seeds in tests/fuzz/seeds/NAME/ where there are any.
# It can also be included from the Makefile behind its module rules: `include tests/fuzz/fuzz.mk` (targets fuzz-build, fuzz-run).
FUZZ_CC    ?= clang
FUZZ_BUILD ?= build-fuzz
SECONDS    ?= 60
FUZZ_SRCS  := $(sort $(wildcard tests/fuzz/fuzz_*.c))
FUZZERS    := $(patsubst tests/fuzz/%.c,$(FUZZ_BUILD)/bin/%,$(FUZZ_SRCS))

fuzz-build:
	@$(MAKE) --no-print-directory -f Makefile -f tests/fuzz/fuzz.mk CC=$(FUZZ_CC) BUILD=$(FUZZ_BUILD) OPT='-O1 -g' \
	    CFLAGS=-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION \
	    SAN='-fsanitize=address,undefined,fuzzer-no-link -fno-omit-frame-pointer -fno-sanitize-recover=undefined' fuzz-programs
fuzz-run run: fuzz-build
	@for f in $(FUZZERS); do n=$${f##*/fuzz_}; d=$(FUZZ_BUILD)/corpus/$$n; mkdir -p $$d; s=; [ -d tests/fuzz/seeds/$$n ] && s=tests/fuzz/seeds/$$n; \
	    echo "fuzz $$n for $(SECONDS) s"; \
	    $$f -max_total_time=$(SECONDS) -rss_limit_mb=2048 -timeout=10 -artifact_prefix=$(FUZZ_BUILD)/ -verbosity=0 $$d $$s || exit 1; done
fuzz-programs: $(FUZZERS)
$(FUZZ_BUILD)/bin/%: tests/fuzz/%.c $(LIBS_ALL)
	@mkdir -p $(dir $@); echo "  FUZZ $<"
	@$(FUZZ_CC) $(CFLAGS_ALL) -fsanitize=fuzzer $(inc_base) $(inc_runtime) $(inc_regraph) $(inc_frontend) $(inc_llm) -Wno-missing-prototypes -Wno-error $< \
	    -Wl,--start-group $(LIBS_ALL) -Wl,--end-group $(libs_regraph) $(libs_isl) $(libs_curl) $(libs_seccomp) $(libs_base) -o $@
.PHONY: run fuzz-build fuzz-run fuzz-programs
