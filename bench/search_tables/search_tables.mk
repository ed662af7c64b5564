# `make search-tables` builds $(BUILD)/search-tables. Included by the top Makefile.
$(BUILD)/search-tables: $(wildcard bench/search_tables/*.c) bench/search_tables/table.h $(call lib,engine) $(call lib,regraph) $(call lib,base)
	@mkdir -p $(dir $@); echo "  BENCH $@"
	$(Q)$(CC) $(CFLAGS_ALL) $(inc_base) -Ibench/search_tables $(filter %.c %.a,$^) $(libs_regraph) $(libs_base) -o $@
search-tables: $(BUILD)/search-tables
.PHONY: search-tables
# The worlds of bench/search_tables/worlds.txt, into WORLDS; those that are there are kept.
WORLDS ?= bench/search_tables/worlds
worlds: all $(BUILD)/search-tables
	@BIN=$(BUILD) bench/search_tables/worlds.sh $(WORLDS)
# Those of worlds_gpu.txt, on a GPU, one after the other.
worlds-gpu: all $(BUILD)/search-tables
	@BIN=$(BUILD) LIST=bench/search_tables/worlds_gpu.txt DEVICE=cuda:0 PRUNE=auto JOBS=1 TIME=30 bench/search_tables/worlds.sh $(WORLDS)
.PHONY: worlds worlds-gpu
# What searches need on the held families, as markdown (some minutes); the picture of their course beside the tables.
world-figures: $(BUILD)/search-tables
	@BIN=$(BUILD) bench/search_tables/world_figures.py --svg bench/search_tables/worlds.svg $(FIGURES)
.PHONY: world-figures
# A graph with the worlds' evidence, and that of JOURNALS, into TAUGHT; the shipped one stays as it is.
TAUGHT ?= $(BUILD)/taught.json
teach: all $(BUILD)/search-tables
	@BIN=$(BUILD) bench/search_tables/teach.sh $(TAUGHT) $(JOURNALS)
.PHONY: teach
