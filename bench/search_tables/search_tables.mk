# `make search-tables` builds $(BUILD)/search-tables. Included by the top Makefile.
$(BUILD)/search-tables: $(wildcard bench/search_tables/*.c) bench/search_tables/table.h $(call lib,engine) $(call lib,regraph) $(call lib,base)
	@mkdir -p $(dir $@); echo "  BENCH $@"
	$(Q)$(CC) $(CFLAGS_ALL) $(inc_base) -Ibench/search_tables $(filter %.c %.a,$^) $(libs_regraph) $(libs_base) -o $@
search-tables: $(BUILD)/search-tables
.PHONY: search-tables
# The worlds of bench/search_tables/worlds.txt, in as many shards side by side as WORLD_SHARDS says (the CPUs / 2), into WORLDS.
WORLDS ?= $(BUILD)/worlds
WORLD_SHARDS ?= $(shell echo $$(( ($$(nproc) + 1) / 2 )))
worlds: all $(BUILD)/search-tables
	@seq $(WORLD_SHARDS) | BIN=$(BUILD) xargs -P $(WORLD_SHARDS) -I{} bench/search_tables/worlds.sh $(WORLDS) {}/$(WORLD_SHARDS)
.PHONY: worlds
