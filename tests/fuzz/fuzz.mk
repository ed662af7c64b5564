# `make -f tests/fuzz/fuzz.mk fuzz-build` builds every tests/fuzz/fuzz_*.c with clang's libFuzzer, ASan and UBSan;
# `make -f tests/fuzz/fuzz.mk run SECONDS=60` runs each for that long, over the seeds in tests/fuzz/seeds/NAME/ where there are any.
# It can also be included from the Makefile behind its module rules: `include tests/fuzz/fuzz.mk` (targets fuzz-build, fuzz-run).
FUZZ_CC    ?= clang
FUZZ_BUILD ?= build-fuzz
SECONDS    ?= 60
FUZZ_SRCS  := $(sort $(wildcard tests/fuzz/fuzz_*.c))
# Seeds that the tree holds anyway; the rest are in tests/fuzz/seeds/NAME.
SEEDS_graph  := graphs tests/regraph/invalid
SEEDS_ptx    := tests/runtime/kernels
SEEDS_reply  := tests/data/replies
SEEDS_device := runtime/devices
SEEDS_device_c := tests/whole
# Objects of programs that a target needs beside the libraries.
EXTRA_fuzz_http := $(patsubst %,$(FUZZ_BUILD)/cmd/%.o,graph_http_json graph_view graph_show_json common describe)
FUZZERS    := $(patsubst tests/fuzz/%.c,$(FUZZ_BUILD)/bin/%,$(FUZZ_SRCS))

fuzz-build:
	@$(MAKE) --no-print-directory -f Makefile -f tests/fuzz/fuzz.mk CC=$(FUZZ_CC) BUILD=$(FUZZ_BUILD) OPT='-O1 -g' \
	    CFLAGS=-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION \
	    SAN='-fsanitize=address,undefined,fuzzer-no-link -fno-omit-frame-pointer -fno-sanitize-recover=undefined' fuzz-programs
fuzz-run run: $(patsubst tests/fuzz/fuzz_%.c,fuzz-run-%,$(FUZZ_SRCS))
fuzz-run-%: fuzz-build
	@mkdir -p $(FUZZ_BUILD)/corpus/$*; echo "fuzz $* for $(SECONDS) s"; \
	    $(FUZZ_BUILD)/bin/fuzz_$* -max_total_time=$(SECONDS) -rss_limit_mb=2048 -timeout=10 -artifact_prefix=$(FUZZ_BUILD)/$*- -verbosity=0 \
	    -print_final_stats=1 $(FUZZ_BUILD)/corpus/$* $(wildcard tests/fuzz/seeds/$*) $(SEEDS_$*) 2>$(FUZZ_BUILD)/$*.log || { tail -n 60 $(FUZZ_BUILD)/$*.log; exit 1; }; \
	    awk -v n="$*" '/number_of_executed_units/ { u = $$2 } /peak_rss/ { r = $$2 } END { printf "%s: %d inputs, %d MB at most\n", n, u, r }' $(FUZZ_BUILD)/$*.log
fuzz-programs: $(FUZZERS)
$(FUZZ_BUILD)/bin/fuzz_http: $(EXTRA_fuzz_http)
$(FUZZ_BUILD)/bin/%: tests/fuzz/%.c $(LIBS_ALL)
	@mkdir -p $(dir $@); echo "  FUZZ $<"
	@$(FUZZ_CC) $(CFLAGS_ALL) -fsanitize=fuzzer $(inc_base) $(inc_runtime) $(inc_regraph) $(inc_frontend) $(inc_llm) -Wno-missing-prototypes -Wno-error $< $(EXTRA_$*) \
	    -Wl,--start-group $(LIBS_ALL) -Wl,--end-group $(libs_regraph) $(libs_isl) $(libs_curl) $(libs_seccomp) $(libs_base) -o $@
.PHONY: run fuzz-build fuzz-run fuzz-programs
