# What is installed: programs, libregraph, data, headers, manual pages, completions, documentation, examples. One list
# (packaging/install.sh) serves install and uninstall.
VERSION  := $(shell sed -n 's/.*RG_VERSION "\(.*\)".*/\1/p' include/rg/version.h)
SOVERSION := 0
LIBDIR   ?= $(PREFIX)/lib
SHARED   := $(BUILD)/libregraph.so.$(SOVERSION)

# A new PREFIX compiles base/places.c alone, and links.
$(BUILD)/prefix: FORCE
	@mkdir -p $(BUILD); echo '$(PREFIX)' | cmp -s - $@ || echo '$(PREFIX)' > $@
flags_places := -DRG_DATADIR='"$(PREFIX)/share/regraph"' -DRG_BINDIR='"$(PREFIX)/bin"'
$(BUILD)/base/places.o: $(BUILD)/prefix

$(BUILD)/libregraph.map: packaging/symbols.sh $(wildcard include/rg/*.h)
	@mkdir -p $(dir $@) && packaging/symbols.sh $(CC) >$@.new && mv $@.new $@
$(SHARED): $(LIBS_ALL) $(BUILD)/libregraph.map
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -shared -Wl,-soname,$(notdir $@) -Wl,--version-script=$(BUILD)/libregraph.map \
	    $(if $(SAN),,-Wl,-z,defs) -Wl,--whole-archive $(LIBS_ALL) -Wl,--no-whole-archive \
	    $(libs_regraph) $(libs_isl) $(libs_curl) $(libs_seccomp) $(libs_base) -o $@
	@ln -sf $(notdir $@) $(BUILD)/libregraph.so
lib: $(SHARED)

# Each program writes its own manual page and completions, from its table of options.
share := $(BUILD)/share
described := $(foreach p,$(PROGRAMS),$(share)/man/$(p).1 $(share)/bash/$(p) $(share)/zsh/_$(p) $(share)/fish/$(p).fish)
$(share)/man/%.1: $(BUILD)/%
	@mkdir -p $(dir $@) && $< --describe man >$@.new && mv $@.new $@
$(share)/bash/%: $(BUILD)/%
	@mkdir -p $(dir $@) && $< --describe bash >$@.new && mv $@.new $@
$(share)/zsh/_%: $(BUILD)/%
	@mkdir -p $(dir $@) && $< --describe zsh >$@.new && mv $@.new $@
$(share)/fish/%.fish: $(BUILD)/%
	@mkdir -p $(dir $@) && $< --describe fish >$@.new && mv $@.new $@
described: $(described)

installer = BUILD='$(BUILD)' DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' VERSION=$(VERSION) SOVERSION=$(SOVERSION) \
    PROGRAMS='$(PROGRAMS)' packaging/install.sh
install: all $(SHARED) described
	@$(installer) install
uninstall:
	@$(installer) uninstall
deb:
	@$(MAKE) --no-print-directory PREFIX=/usr all $(SHARED) described
	@BUILD='$(BUILD)' VERSION=$(VERSION) packaging/deb.sh '$(MAKE)'
API_DOCS := $(BUILD)/api-docs
api-docs:
	@command -v doxygen >/dev/null || { echo 'make api-docs needs doxygen (Debian, Ubuntu: apt install doxygen)' >&2; exit 4; }
	@mkdir -p $(API_DOCS) && { cat packaging/Doxyfile; echo 'OUTPUT_DIRECTORY = $(API_DOCS)'; echo 'PROJECT_NUMBER = $(VERSION)'; } | doxygen -
	@echo '$(API_DOCS)/html/index.html'
.PHONY: lib described install uninstall deb api-docs
