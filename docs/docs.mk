# The site: chapters, guides, man pages, API reference and what is known of each
# claim, as static HTML that needs neither network nor scripts.
DOCS := $(B)/docs

docs: deps-docs ## weave the specification, the guides and the API reference into HTML
	@rm -rf $(DOCS)
	@python3 -B docs/site/weave.py $(DOCS)
	@python3 -B docs/site/check.py $(DOCS)

.PHONY: docs
