# ReGraph. `make help` lists the targets; `make` needs no root.
MODULES  := base regraph ir frontend runtime poly llm engine
PROGRAMS := regraph-search regraph-worker regraph-graph regraph-replay regraph-verify regraph-doctor regraph-suite regraph-report
BUILD    ?= build
CC       ?= cc
OPT      ?= -O2 -g
SAN      ?=
PKG      ?= pkg-config
PREFIX   ?= /usr/local
V        ?=
Q        := $(if $(V),,@)

# CUDA's headers: CUDA_HOME, else what a loaded module or the usual place gives. Only declarations are used; libraries are dlopen'd.
CUDA_HOME ?= $(firstword $(wildcard $(CUDA_PATH) $(CUDA_ROOT) /usr/local/cuda /opt/cuda /usr/lib/cuda))
CLANG_INC ?= $(firstword $(wildcard $(foreach v,21 20 19 18 17 16 15 14,/usr/lib/llvm-$(v)/include)))

WARN   := -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes -Wshadow -Wno-unused-parameter
CFLAGS_ALL := -std=c11 -D_GNU_SOURCE $(OPT) $(WARN) $(SAN) -fPIC -pthread -Iinclude -I. \
              -DRG_CUDA_HOME='"$(CUDA_HOME)"' $(CFLAGS)

inc_base     := $(shell $(PKG) --cflags jansson libpcre2-8 libcrypto zlib 2>/dev/null)
inc_regraph  := $(shell $(PKG) --cflags jansson igraph 2>/dev/null)
inc_ir       := $(shell $(PKG) --cflags jansson 2>/dev/null)
inc_frontend := $(shell $(PKG) --cflags jansson isl 2>/dev/null) $(if $(CLANG_INC),-isystem $(CLANG_INC))
inc_runtime  := $(shell $(PKG) --cflags jansson libseccomp 2>/dev/null) -isystem $(CUDA_HOME)/include
inc_poly     := $(shell $(PKG) --cflags isl 2>/dev/null)
inc_llm      := $(shell $(PKG) --cflags jansson libcurl 2>/dev/null)
inc_engine   := $(shell $(PKG) --cflags jansson 2>/dev/null)
inc_cmd      := $(shell $(PKG) --cflags jansson 2>/dev/null)

libs_base    := $(shell $(PKG) --libs jansson libpcre2-8 libcrypto zlib 2>/dev/null) -ldl -lm
libs_regraph := $(shell $(PKG) --libs igraph 2>/dev/null)
libs_isl     := $(shell $(PKG) --libs isl gmp 2>/dev/null || $(PKG) --libs isl 2>/dev/null)
libs_curl    := $(shell $(PKG) --libs libcurl 2>/dev/null)
libs_seccomp := $(shell $(PKG) --libs libseccomp 2>/dev/null)

srcs = $(sort $(shell find $(1) -name '*.c'))
objs = $(patsubst %.c,$(BUILD)/%.o,$(call srcs,$(1)))
lib  = $(BUILD)/lib$(1).a
LIBS_ALL := $(foreach m,engine llm poly frontend ir regraph runtime base,$(call lib,$(m)))

all: $(addprefix $(BUILD)/,$(PROGRAMS))
include packaging/install.mk

# Everything is rebuilt when the flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(BUILD); echo '$(CC) $(CFLAGS_ALL) $(CUDA_HOME)' | cmp -s - $@ || echo '$(CC) $(CFLAGS_ALL) $(CUDA_HOME)' > $@
FORCE:
.PHONY: FORCE

# The schema of graph files is part of the program.
$(BUILD)/regraph/schema_json.o: docs/graph.schema.json

define module_rules
$(BUILD)/$(1)/%.o: $(1)/%.c $(BUILD)/flags
	@mkdir -p $$(dir $$@)
	@$(if $(V),,echo "  CC $$<")
	$(Q)$(CC) $(CFLAGS_ALL) $$(inc_$(1)) $$(flags_$$(subst /,_,$$*)) -MMD -MP -c $$< -o $$@
$(call lib,$(1)): $(call objs,$(1))
	@rm -f $$@
	$(Q)$(AR) rcs $$@ $$^
endef
$(foreach m,$(MODULES),$(eval $(call module_rules,$(m))))
$(BUILD)/cmd/%.o: cmd/%.c $(BUILD)/flags
	@mkdir -p $(dir $@)
	@$(if $(V),,echo "  CC $<")
	$(Q)$(CC) $(CFLAGS_ALL) $(inc_cmd) -MMD -MP -c $< -o $@

# The header that stands beside every exported kernel, as a string.
$(BUILD)/regraph_host.inc: runtime/export/regraph_host.h
	@mkdir -p $(dir $@) && sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' $< >$@.new && mv $@.new $@
flags_export_export = -I$(BUILD)
$(BUILD)/runtime/export/export.o: $(BUILD)/regraph_host.inc

# The interpreter's loops over lanes want unrolling, its one big function with computed gotos no common subexpressions across them.
interpreter := $(if $(filter -O2,$(OPT)),-O3 -fno-gcse -fno-strict-aliasing -Wno-ignored-optimization-argument)
$(foreach i,base avx2 avx512,$(eval flags_sim_exec_exec_$(i) := $(interpreter)))

# Pages: `make web` bundles web/NAME/main.js with what npm brings (pinned by web/package-lock.json) to NAME.js and NAME.css. The programs embed
# those that are there, and the plain files of web/static always: without npm the pages have tables and curves of their own.
WEB_BUNDLES := $(patsubst web/%/main.js,%,$(wildcard web/*/main.js))
web:
	@tools/web.sh bundle $(BUILD) $(WEB_BUNDLES)
# For tests: with npm, where it is there and reaches its registry.
web-if-npm:
	@! command -v npm >/dev/null || $(MAKE) --no-print-directory web || echo 'built without the bundles of npm'
.PHONY: web web-if-npm
$(BUILD)/web/assets.c: FORCE tools/embed.sh
	@mkdir -p $(dir $@)
	@tools/web.sh stale $(BUILD) $(WEB_BUNDLES) | sed 's/$$/ was made of other files than those in web: make web/' >&2
	@tools/embed.sh $@ $(foreach f,$(wildcard web/static/*),$(f)=$(notdir $f)) $$(for f in $(WEB_BUNDLES:%=$(BUILD)/web/%.js) $(WEB_BUNDLES:%=$(BUILD)/web/%.css); do [ ! -f $$f ] || echo $$f=$${f##*/}; done)
$(BUILD)/web/assets.o: $(BUILD)/web/assets.c $(BUILD)/flags
	$(Q)$(CC) $(CFLAGS_ALL) -c $< -o $@

# $ORIGIN: the programs find what `make bundle` puts beside them
LINK = $(CC) $(CFLAGS_ALL) $(LDFLAGS) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' -o $@
report := $(patsubst cmd/%.c,$(BUILD)/cmd/%.o,$(filter-out cmd/report.c,$(wildcard cmd/report*.c))) $(BUILD)/web/assets.o
# options, their --help, manual page and completions
cmd_common := $(BUILD)/cmd/common.o $(BUILD)/cmd/describe.o
# What each program links is what it may know: the worker has neither igraph nor curl nor isl.
$(BUILD)/regraph-search: $(patsubst cmd/%.c,$(BUILD)/cmd/%.o,$(wildcard cmd/search*.c) cmd/machine.c) $(cmd_common) $(report) $(LIBS_ALL)
	$(Q)$(LINK) $^ $(libs_regraph) $(libs_isl) $(libs_curl) $(libs_seccomp) $(libs_base)
$(BUILD)/regraph-worker: $(BUILD)/cmd/worker.o $(cmd_common) $(call lib,runtime) $(call lib,base)
	$(Q)$(LINK) $^ $(libs_seccomp) $(libs_base)
# The editor's server wants libmicrohttpd; without it `regraph-graph serve` says so.
HAS_MICROHTTPD := $(shell $(PKG) --exists libmicrohttpd 2>/dev/null && echo yes)
libs_microhttpd := $(if $(HAS_MICROHTTPD),$(shell $(PKG) --libs libmicrohttpd))
graph_sources := $(filter-out cmd/graph_serve$(if $(HAS_MICROHTTPD),_none,).c,$(wildcard cmd/graph*.c))
$(BUILD)/regraph-graph: $(patsubst cmd/%.c,$(BUILD)/cmd/%.o,$(graph_sources)) $(cmd_common) $(BUILD)/web/assets.o $(call lib,engine) $(call lib,poly) $(call lib,ir) $(call lib,regraph) $(call lib,base)
	$(Q)$(LINK) $^ $(libs_regraph) $(libs_microhttpd) $(libs_base)
$(BUILD)/regraph-replay: $(patsubst cmd/%.c,$(BUILD)/cmd/%.o,$(wildcard cmd/replay*.c)) $(cmd_common) $(call lib,engine) $(call lib,regraph) $(call lib,base)
	$(Q)$(LINK) $^ $(libs_regraph) $(libs_base)

$(BUILD)/regraph-report: $(BUILD)/cmd/report.o $(report) $(cmd_common) $(call lib,engine) $(call lib,regraph) $(call lib,base)
	$(Q)$(LINK) $^ $(libs_regraph) $(libs_base)

$(BUILD)/regraph-verify: $(patsubst cmd/%.c,$(BUILD)/cmd/%.o,$(wildcard cmd/verify*.c) cmd/machine.c) $(cmd_common) $(call lib,runtime) $(call lib,base)
	$(Q)$(LINK) $^ $(libs_seccomp) $(libs_base)
$(BUILD)/regraph-doctor: $(BUILD)/cmd/doctor.o $(cmd_common) $(BUILD)/cmd/machine.o $(call lib,frontend) $(call lib,ir) $(call lib,llm) $(call lib,runtime) $(call lib,base)
	$(Q)$(LINK) $^ $(libs_isl) $(libs_curl) $(libs_seccomp) $(libs_base)

# TOML comes by a library of C++ that is headers alone; without it suites are JSON.
HAS_TOML := $(shell $(PKG) --exists tomlplusplus 2>/dev/null && command -v $(CXX) 2>/dev/null)
suite_toml := $(BUILD)/cmd/$(if $(HAS_TOML),suite_toml,suite_toml_none).o
$(BUILD)/cmd/suite_toml.o: cmd/suite_toml.cc $(BUILD)/flags
	@mkdir -p $(dir $@)
	@$(if $(V),,echo "  CXX $<")
	$(Q)$(CXX) -std=c++17 -O1 -Wall -Wextra -Werror $(SAN) -fPIC -MMD -MP -c $< -o $@
$(BUILD)/regraph-suite: $(patsubst cmd/%.c,$(BUILD)/cmd/%.o,$(filter-out cmd/suite_toml_none.c,$(wildcard cmd/suite*.c)) cmd/search_options.c cmd/search_graph.c) $(cmd_common) $(suite_toml) $(report) \
    $(call lib,engine) $(call lib,regraph) $(call lib,runtime) $(call lib,base)
	$(Q)$(LINK) $^ $(libs_regraph) $(libs_seccomp) $(libs_base) $(if $(HAS_TOML),-lstdc++)

# Tests: one program a file, cmocka; shell tests for the programs.
TEST_SRCS := $(sort $(wildcard tests/*/test_*.c))
with_cmd_test_report := $(filter-out %/assets.o,$(report))
$(BUILD)/tests/cmd/test_report: $(with_cmd_test_report)
TESTS     := $(patsubst %.c,$(BUILD)/%,$(TEST_SRCS)) $(BUILD)/tests/llm/make_record
$(BUILD)/tests/%: tests/%.c $(LIBS_ALL) $(BUILD)/flags
	@mkdir -p $(dir $@)
	@$(if $(V),,echo "  TEST $<")
	$(Q)$(CC) $(CFLAGS_ALL) -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' $(inc_base) $(inc_$(firstword $(subst /, ,$*))) -MMD -MP -MF $@.d $< \
	    $(with_$(subst /,_,$*)) $(LIBS_ALL) -lcmocka $(libs_regraph) $(libs_isl) $(libs_curl) $(libs_seccomp) $(libs_base) -o $@

JOBS ?= $(shell nproc)
SHARE ?= 6
test: deps
	@$(MAKE) --no-print-directory web-if-npm
	@$(MAKE) --no-print-directory -j$(JOBS) test-only
include bench/search_tables/search_tables.mk
test-only: all lib described $(TESTS) $(BUILD)/search-tables check-layers check-headers
	@SHARE=$(SHARE) BUILD=$(BUILD) tests/run.sh
test-all:
	@$(MAKE) --no-print-directory test SHARE=1
check-layers:
	@tests/check-layers.sh
asan:
	@SLOW=4 $(MAKE) --no-print-directory -j$(JOBS) SHARE=1 BUILD=build-asan OPT='-O1 -g' SAN='-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined' CFLAGS=-Wno-error test-only
deps:
	@tools/deps.sh
demo: deps
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@tools/demo.sh $(BUILD)
bundle: all $(TESTS)
	@tools/bundle.sh $(BUILD)
clean:
	rm -rf build build-*

-include $(shell find $(BUILD) -type f -name '*.d' 2>/dev/null)
FUZZ_SECONDS ?= 60
FUZZ_ONLY    ?=
fuzz:
	@$(MAKE) --no-print-directory -f tests/fuzz/fuzz.mk $(if $(FUZZ_ONLY),$(addprefix fuzz-run-,$(FUZZ_ONLY)),run) SECONDS=$(FUZZ_SECONDS)
	@$(if $(FUZZ_ONLY),,$(MAKE) --no-print-directory fuzz-nests)
# random C functions through the whole line on the simulated device; `make test` runs 60 of them
FUZZ_NESTS ?= 1000
FUZZ_SEED  ?= 1001
fuzz-nests: all
	@BUILD=$(BUILD) RG_NESTS=$(FUZZ_NESTS) RG_SEED=$(FUZZ_SEED) tests/cmd/random_nests.sh
# What the front end makes of every C file in the tree, and what the built-in coder prints for every chain of its tests, by hash: compared;
# after a change that is meant, written anew; both texts of the coder.
GOLDEN := $(BUILD)/tests/poly/test_golden
GOLDEN_TREES := $(BUILD)/tests/frontend/test_golden
golden-check: $(GOLDEN) $(GOLDEN_TREES)
	@$(GOLDEN_TREES) --all $(GOLDEN_ONLY)
	@$(GOLDEN) --all $(GOLDEN_ONLY)
golden: $(GOLDEN) $(GOLDEN_TREES)
	@$(GOLDEN_TREES) --write
	@$(GOLDEN) --write
golden-diff: $(GOLDEN)
	@BUILD=$(BUILD) CC='$(CC)' tests/poly/golden-diff.sh '$(or $(GOLDEN_BASE),HEAD)' $(GOLDEN_ONLY)
.PHONY: golden golden-check golden-diff
test-polybench: all
	@BUILD=$(BUILD) tests/polybench.sh
# Counts and figures, nothing asserted: evaluations a second on the simulated device, then search policies on the recorded tables.
BENCH_EVALS ?= 60
bench: all
	@BIN=$(BUILD) bench/cpu.sh $(BENCH_EVALS)
	@$(MAKE) --no-print-directory search-tables
	@for set in tune held; do echo; echo "tables/$$set"; $(BUILD)/search-tables --graph graphs/cuda.json bench/search_tables/tables/$$set/*.json || exit 1; done
# Searches whose workers are killed and stopped, that are interrupted and run out of disk; each is resumed and compared.
TORTURE_SECONDS ?= 180
torture: all
	@BUILD=$(BUILD) tests/torture.sh $(if $(TORTURE_KILLS),kills $(TORTURE_KILLS),$(TORTURE_SECONDS))
test-gpu: all $(TESTS)
	@BUILD=$(BUILD) ONLY=tests/gpu/ JOBS=1 tests/run.sh
# URL= and MODEL= of a server; CALLS= a loop and example, EXAMPLES= files, DEVICE=, ARGS= further options
bench-llm: all
	@test -n '$(URL)' -a -n '$(MODEL)' || { echo 'make bench-llm URL=http://localhost:8000/v1 MODEL=NAME'; exit 2; }
	@BIN=$(BUILD) $(if $(CALLS),CALLS=$(CALLS)) $(if $(DEVICE),DEVICE=$(DEVICE)) EXAMPLES='$(or $(EXAMPLES),examples/*.c)' \
	    bench/llm.sh --llm-url '$(URL)' --llm-model '$(MODEL)' $(ARGS)
bench-model: all
	bench/model/proof.sh $(or $(OUT),build/bench-model)
.PHONY: bench-llm bench-model
bench-gpu: all
	@BIN=$(BUILD) bench/gpu.sh
# Default searches on problems of all classes on one GPU, in six minutes: writes bench/headlines.json; fails where a kernel is 3 % slower than it says
bench-headlines: all $(BUILD)/tests/llm/make_record
	@BIN=$(BUILD) bench/headlines/headlines.py $(ARGS)
bench-scale: $(BUILD)/bench/scale
	$<
$(BUILD)/bench/scale: bench/scale.c $(call lib,engine) $(call lib,regraph) $(call lib,base)
	@mkdir -p $(dir $@); echo "  BENCH $@"
	$(Q)$(CC) $(CFLAGS_ALL) $(inc_base) $(filter %.c %.a,$^) $(libs_regraph) $(libs_base) -o $@
.PHONY: bench-scale
.PHONY: fuzz fuzz-nests test-polybench bench torture test-gpu bench-gpu bench-headlines
help:
	@echo 'make            build the programs into $(BUILD)/ (no root)'
	@echo 'make demo       bring missing packages, build, search examples/sgemm.c'
	@echo 'make test       bring missing packages, build, run the tests; ONLY=REGEX for some'
	@echo 'make test-all   the same with all of the C programs, of which make test runs a third'
	@echo 'make test-gpu   the tests that need a GPU'
	@echo 'make asan       every test under AddressSanitizer and UBSan'
	@echo 'make fuzz       fuzz every parser, FUZZ_SECONDS each (60), then FUZZ_NESTS random C functions (1000); FUZZ_ONLY=ptx: that one alone'
	@echo 'make torture    searches killed, interrupted, out of disk, then resumed; TORTURE_SECONDS (180); TORTURE_KILLS=300: workers killed alone, so many'
	@echo 'make test-polybench  the 30 computations of PolyBench, float and double, on the simulated device'
	@echo 'make golden-check  every tree and kernel of the golden lists (tests/frontend/golden.txt, tests/poly/golden.txt); GOLDEN_ONLY="gemm jacobi": of those functions'
	@echo 'make golden     write that list anew; make golden-diff: both texts where they differ from GOLDEN_BASE (HEAD);'
	@echo '                   tests/poly/same-code.sh COMMIT: whether their machine code differs, too'
	@echo 'make bench      benchmarks that need no GPU: evaluations a second, search policies'
	@echo 'make bench-gpu  benchmarks on a GPU'
	@echo 'make bench-headlines  the headline figures on a GPU, compared with bench/headlines.json (6 minutes)'
	@echo 'make worlds     records the search spaces of bench/search_tables/worlds.txt that are not there yet (WORLDS=FOLDER); make worlds-gpu: those of worlds_gpu.txt, on a GPU'
	@echo 'make teach      a graph with the evidence of the worlds and of JOURNALS, into build/taught.json; the shipped one stays as it is'
	@echo 'make world-figures  what searches need on the held worlds, as markdown, and bench/search_tables/worlds.svg (minutes)'
	@echo 'make bench-scale  the search and the reasoning graph at scale: fails where a bound is missed'
	@echo 'make bench-model  a scripted model of three strengths over 12 problems, in the background; OUT= (bench/model/proof.sh)'
	@echo 'make bench-llm  loops of the model coder at equal calls; URL= MODEL= (docs/loops.md)'
	@echo 'make web        bundle what draws the pages (node and npm; before make, which embeds it); without it pages have tables and plain curves'
	@echo 'make bundle     programs and missing libraries in .bundle, for a machine without -dev packages'
	@echo 'make install    into PREFIX ($(PREFIX)), below DESTDIR where that is given; make uninstall'
	@echo 'make deb        a Debian package in $(BUILD); make api-docs: the reference of libregraph (docs/embed.md), by Doxygen'
	@echo 'make check-layers check-headers format clean'
check-headers:
	@for h in include/rg/*.h; do $(CC) -std=c11 -D_GNU_SOURCE $(WARN) -Wno-unused-function -Iinclude -fsyntax-only -x c $$h || exit 1; \
	    $(CXX) -std=c++11 -Wall -Wextra -Werror -Iinclude -fsyntax-only -x c++ $$h || exit 1; done
format:
	@tools/format.sh
.PHONY: bundle check-headers format
.PHONY: all test test-all test-only check-layers asan deps demo clean help
.SECONDARY:
