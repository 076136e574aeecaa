# `make wiki` and `make test` do everything on a fresh machine; `make help` lists the rest.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: wiki test help install serve check lint extract record bench lock clean

wiki: $(STAMP) ## install, verify every page on this machine, build the site
	wiki verify
	wiki build
	@echo
	@echo "The site is in site/. To read it: make serve, then open http://127.0.0.1:8000/"

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

record: $(STAMP) ## measure docs/ on this machine into the committed evidence/
	wiki verify --record

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

# The lock is a constraint and not a requirement: on a machine with a card pip adds CUDA's wheels.
$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable '.[torch,jax,site,zensical,ray,dev]'
	@touch $@
