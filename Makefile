# `make wiki` and `make test` do everything on a fresh machine; `make help` lists the rest.
PYTHON ?= python3
OWN    := $(shell command -v $(PYTHON))
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
export PATH := $(abspath $(BIN)):$(PATH)

.PHONY: wiki test help install serve check lint extract snippets record gpu card bench lock clean

wiki: $(STAMP) ## install, verify every page on this machine, build the site
	@wiki verify; status=$$?; \
	test $$status -le 1 && wiki build || exit $$status; \
	echo; echo "The site is in site/. To read it: make serve, then open http://127.0.0.1:8000/"; \
	test $$status -eq 0 || { echo "What this machine found wrong stands above, and on the pages." >&2; exit $$status; }

test: $(STAMP) lint ## everything that decides whether a change lands
	wiki check --strict
	wiki extract --check
	pytest --numprocesses auto --dist loadfile

install: $(STAMP) ## what the other targets need, into .venv/

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1|/' | column -t -s '|'

serve: $(STAMP) ## the site at http://127.0.0.1:8000/, rebuilt when a page changes
	wiki serve

check: $(STAMP) ## links, front matter, fences and claims of docs/, without running anything
	wiki check --strict

lint: $(STAMP) ## ruff and mypy
	ruff check .
	ruff format --check .
	mypy

extract: $(STAMP) ## write snippets/ anew from docs/
	wiki extract

snippets: $(STAMP) ## run every file of snippets/ by itself; SNIPPETS=HEAD^1 only what changed since
	SNIPPETS=$(or $(SNIPPETS),all) pytest --numprocesses auto tests/test_extracted.py

record: $(STAMP) ## measure docs/ on this machine into the committed evidence/
	wiki verify --record

gpu: $(VENV)/.gpu ## on a machine with a card: install what it needs, test the card, measure docs/ on it
	pytest tests/gpu
	@wiki verify --device cuda --record $(OPTIONS); status=$$?; \
	echo; echo "What the card showed lies in evidence/; to keep it: git add evidence && git commit"; \
	exit $$status

bench: $(STAMP) ## the product against its peers
	python -m benchmarks

lock: ## pin today's newest dependencies in requirements.lock
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[torch,jax,site,zensical,ray,dev]'
	{ sed -n '/^#/p' requirements.lock; $(BIN)/python -m pip freeze --exclude-editable | sed 's/+cpu$$//'; } > requirements.new
	mv requirements.new requirements.lock

clean: ## remove what make built, but not what was measured
	rm -rf $(VENV) site .wiki

card:
	@nvidia-smi -L 2>/dev/null | grep '^GPU' || { echo "make gpu: nvidia-smi finds no card, so nothing was installed. Without a card: make wiki" >&2; exit 1; }

# A torch of the machine's own that knows CUDA is taken as it is; else ours comes, some gigabytes.
# WHEELS=DIR: nothing is fetched, all wheels lie there.
$(VENV)/.gpu: requirements.lock pyproject.toml | card
	test -x $(BIN)/python || $(OWN) -m venv $(VENV)
	@site="$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"; \
	own="$$($(OWN) -c 'import os, torch; print(os.path.dirname(os.path.dirname(torch.__file__)) if torch.version.cuda else "")' 2>/dev/null)"; \
	extra='[torch]'; \
	if [ -n "$$own" ] && [ "$$own" != "$$site" ]; then echo "$$own" >"$$site/own-torch.pth"; extra=; fi; \
	echo "installing .$$extra into $(VENV)"; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(if $(WHEELS),--no-index --find-links '$(abspath $(WHEELS))') --constraint requirements.lock --editable ".$$extra" pytest
	@touch $@

# The lock is a constraint and not a requirement: on a machine with a card pip adds CUDA's wheels.
$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable '.[torch,jax,site,zensical,ray,dev]'
	@touch $@
