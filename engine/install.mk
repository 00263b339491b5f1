# Installing, and the tarball. Both libraries export the functions of ndl.h and
# nothing else: the list is read from the header.
#
#   make install DESTDIR=stage PREFIX=/usr LIBDIR='$(PREFIX)/lib64'
#
# DESTDIR goes in front of every path and is remembered nowhere.
VERSION := $(shell sed -n 's/^.define NDL_VERSION "\(.*\)"/\1/p' engine/include/ndl.h)
# A binary fits the library of the same major version; before 1.0, of the same minor.
version_part = $(word $(1),$(subst ., ,$(VERSION)))
SOVERSION := $(call version_part,1)$(if $(filter 0,$(call version_part,1)),.$(call version_part,2))

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DESTDIR ?=
INSTALL ?= install
OBJCOPY ?= $(shell $(CC) -print-prog-name=objcopy)

I := $(B)/install
SONAME := libndl.so.$(SOVERSION)
SO := libndl.so.$(VERSION)
PIC_OBJ := $(ENGINE_SRC:%.c=$(I)/%.o)
MAN := $(sort $(wildcard docs/man/*.[1-8]))

# What is installed: mode, file, and where to. Links: name, and what it points to.
INSTALLED = 755|$(I)/ndl|$(BINDIR)/ndl \
	644|engine/include/ndl.h|$(INCLUDEDIR)/ndl.h \
	644|engine/record/ndl_record.h|$(INCLUDEDIR)/ndl_record.h \
	644|engine/record/ndl_record.py|$(DATADIR)/ndl/ndl_record.py \
	644|$(I)/libndl.a|$(LIBDIR)/libndl.a \
	644|$(I)/$(SO)|$(LIBDIR)/$(SO) \
	644|$(I)/ndl.pc|$(LIBDIR)/pkgconfig/ndl.pc \
	$(foreach h,$(HYPOTHESES),644|$h|$(LIBDIR)/ndl/hypotheses/$(notdir $h)) \
	$(foreach m,$(MAN),644|$m|$(MANDIR)/man$(subst .,,$(suffix $m))/$(notdir $m))
INSTALLED_LINKS = $(LIBDIR)/$(SONAME)|$(SO) $(LIBDIR)/libndl.so|$(SONAME)
field = $(word $(1),$(subst |, ,$(2)))

$(I)/api: engine/include/ndl.h engine/install.mk
	@mkdir -p $(@D)
	$(Q)sed -nE 's/^[a-z][a-z0-9_ ]*[ *](ndl_[a-z0-9_]+)\(.*/\1/p' $< | sort > $@

$(I)/api.map: $(I)/api
	$(Q){ echo 'NDL_$(SOVERSION) { global:'; sed 's/$$/;/' $<; echo 'local: *; };'; } > $@

# Position-independent, so that the static library may go into somebody's shared
# one; calls of one's own functions need not allow for their replacement.
$(I)/engine/src/%.o: engine/src/%.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(COMPILE) $(ENGINE_FLAGS) -fPIC -fno-semantic-interposition -Iengine/include -c $< -o $@

$(I)/$(SO): $(PIC_OBJ) $(I)/api.map
	$(call say,LINK,$@)
	$(Q)$(CC) $(ALL_CFLAGS) $(ALL_LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs \
		-Wl,-Bsymbolic-functions -Wl,--version-script,$(I)/api.map $(PIC_OBJ) -o $@

# One object in which only the interface is global.
$(I)/libndl.a: $(PIC_OBJ) $(I)/api
	$(call say,AR,$@)
	$(Q)$(CC) $(ALL_CFLAGS) -r -nostdlib $(PIC_OBJ) -o $(I)/ndl.o
	$(Q)$(OBJCOPY) --keep-global-symbols=$(I)/api $(I)/ndl.o
	@rm -f $@
	$(Q)$(AR) rcsD $@ $(I)/ndl.o

# Folders under the prefix are written relative to it.
pc_path = $(patsubst $(PREFIX)/%,$${prefix}/%,$(1))
$(I)/ndl.pc: engine/ndl.pc.in engine/include/ndl.h $(I)/where
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(call pc_path,$(LIBDIR))|' \
		-e 's|@INCLUDEDIR@|$(call pc_path,$(INCLUDEDIR))|' -e 's|@VERSION@|$(VERSION)|' $< > $@

# Changes when a folder does.
$(I)/where: force
	@mkdir -p $(@D)
	@echo '$(PREFIX) $(BINDIR) $(LIBDIR) $(INCLUDEDIR)' | cmp -s - $@ || echo '$(PREFIX) $(BINDIR) $(LIBDIR) $(INCLUDEDIR)' > $@

# The command knows the way to its hypotheses from its own folder, wherever that is.
$(I)/ndl: engine/tool/where.c $(B)/ndl $(HYPOTHESES) $(I)/where
	$(call say,LINK,$@)
	$(Q)$(COMPILE) -Iengine/include -c $< -o $(I)/where.o \
		-DNDL_HYPOTHESES_FROM_HERE='"$(shell realpath -m --relative-to='$(BINDIR)' '$(LIBDIR)/ndl/hypotheses')"'
	$(Q)$(call link_tool,$(patsubst %/where.o,$(I)/where.o,$(TOOL_OBJ))) -o $@

# What cannot be installed is refused before anything is built.
ifneq ($(filter install,$(MAKECMDGOALS)),)
ifneq ($(words $(PREFIX) $(BINDIR) $(LIBDIR) $(INCLUDEDIR) $(DATADIR) $(MANDIR)),6)
$(error install: PREFIX and the folders under it may hold no space and not be empty)
endif
ifneq ($(SAN)$(filter-out $(B)/libndl.a,$(ENGINE)),)
$(error install: what SAN and ENGINE build is for testing)
endif
endif

install: $(I)/ndl $(I)/libndl.a $(I)/$(SO) $(I)/ndl.pc ## install under PREFIX (/usr/local), DESTDIR in front
	@echo 'installing under $(DESTDIR)$(PREFIX)'
	@$(foreach i,$(INSTALLED),$(INSTALL) -D -m $(call field,1,$i) $(call field,2,$i) '$(DESTDIR)$(call field,3,$i)';)
	@$(foreach l,$(INSTALLED_LINKS),ln -sf $(call field,2,$l) '$(DESTDIR)$(call field,1,$l)';)

uninstall: ## remove what install put there
	rm -f $(foreach i,$(INSTALLED),'$(DESTDIR)$(call field,3,$i)') \
		$(foreach l,$(INSTALLED_LINKS),'$(DESTDIR)$(call field,1,$l)')
	@rmdir '$(DESTDIR)$(DATADIR)/ndl' '$(DESTDIR)$(LIBDIR)/ndl/hypotheses' '$(DESTDIR)$(LIBDIR)/ndl' 2> /dev/null || true

# The committed tree, the same bytes from every clone of a commit.
TARBALL := $(B)/ndl-$(VERSION).tar.gz
dist: ## a reproducible tarball of the committed tree, under build/
	@[ "$$(git rev-parse --show-prefix 2> /dev/null || echo none)" = '' ] || { \
		echo 'dist: only a git clone knows what is committed' >&2; exit 2; }
	@git diff --quiet HEAD || echo 'dist: what is changed but not committed is not in it' >&2
	git -c tar.umask=0022 archive --format=tar --prefix=ndl-$(VERSION)/ HEAD | gzip -9n > $(TARBALL)
	sha256sum $(TARBALL)

# What a packager does, with the tarball alone.
DIST := $(B)/dist/ndl-$(VERSION)
dist-check: dist ## unpack the tarball, run the main job in it, install and uninstall
	@rm -rf $(B)/dist
	@mkdir -p $(B)/dist
	tar -xzf $(TARBALL) -C $(B)/dist
	@$(MAKE) -s -C $(DIST) B=build verify
	@$(MAKE) -s -C $(DIST) B=build DESTDIR=build/root install
	@$(MAKE) -s -C $(DIST) B=build DESTDIR=build/root uninstall
	@[ -z "$$(find $(DIST)/build/root ! -type d)" ]
	@rm -rf $(B)/dist

# tests/install.bats builds programs against what is installed.
test verify: deps-install

force:
.PHONY: install uninstall dist dist-check force
