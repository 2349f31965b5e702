# Kitchen Table: `make table` opens a table, `make test` proves the server. `make help` lists the rest.
# Every path is relative to this folder, so the folder's own name may contain spaces.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Arguments passed to `kitchentable serve`, for example: make table ARGS="--port 9000"
ARGS ?=
# Both names, because pip moved the pins of the build's own environment from one to the other.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
# A test calls make itself.
unexport SLOW_TESTS
# Compiled files are kept, wherever this is called: tests start Python dozens of times.
unexport PYTHONDONTWRITEBYTECODE

INSTALL_FROM := pyproject.toml constraints.txt frontend.toml hatch_build.py scripts/frontend.py scripts/fonts.py
TABLE_READY := $(VENV)/.ready-for-the-table
TESTS_READY := $(VENV)/.ready-for-the-tests
# The tools that list libraries have an environment of their own, and need nothing of ours.
SUPPLY := $(VENV)-supply
SUPPLY_READY := $(SUPPLY)/.ready
SUPPLY_TOOLS := cyclonedx-python-lib pip-tools

.DELETE_ON_ERROR:
.PHONY: help table test test-all lint types screenshots measure bench bench-table bench-cluster bench-toaster bench-fights rules soak format sbom requirements clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 21

table: $(TABLE_READY) ## open a table with an example campaign and print its link
	@exec $(BIN)/kitchentable serve --example toast $(ARGS)

# The tests are three parts that take about as long, each in a process of its own, so that nothing
# is collected twice; the type check takes the time that they leave.
test: lint ## linter, strict type check and all tests but the slow ones
	@echo "Each part of the tests says what it found when it is done, in some minutes."
	@$(MAKE) --no-print-directory --jobs --keep-going $(SYNC) test-games test-browser test-server types

test-all: ## the same with the slow tests: what a change must pass
	@$(MAKE) --no-print-directory test SLOW_TESTS=yes

.PHONY: test-games test-browser test-server
# Every page in every look takes a fifth of the browser's time, and goes with the shortest part.
LOOKS := tests/browser/test_every_page.py
GAMES := tests/dice tests/fights tests/rules tests/rulesets
PYTEST := $(BIN)/python -m pytest $(if $(SLOW_TESTS),-m "not soak")
# Older versions of make mix what the parts say.
SYNC := $(if $(filter output-sync,$(.FEATURES)),--output-sync)

test-games:
	@$(PYTEST) $(LOOKS) $(GAMES)

test-browser:
	@$(PYTEST) --ignore=$(LOOKS) tests/browser

test-server:
	@$(PYTEST) $(addprefix --ignore=,$(GAMES) tests/browser)

lint: $(TESTS_READY) ## format check and linter
	@$(BIN)/ruff format --check --quiet . || { \
	  echo "Some files are not formatted; 'make format' does it."; exit 1; }
	@$(BIN)/ruff check --quiet .

types: $(TESTS_READY) ## strict type check
	@nice $(BIN)/mypy --strict

format: $(TESTS_READY) ## format the code and apply the linter's safe fixes
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

screenshots: $(TESTS_READY) ## take the pictures of the documents anew: docs/pictures
	@$(BIN)/python scripts/screenshots.py

measure: $(TESTS_READY) ## taps, tabs and bytes that a roll and an evening cost, for every game
	@$(BIN)/python -m scripts.measure

bench: $(TESTS_READY) ## exact odds beside icepool and dyce, cold and warm
	@$(BIN)/python -m benchmarks.bench_dice $(ARGS)

bench-table: $(TESTS_READY) ## 50 tables with 5 viewers each beside a bare handler
	@$(BIN)/python -m benchmarks.bench_table $(ARGS)

bench-cluster: $(TESTS_READY) ## one, two and four workers on PostgreSQL beside one on SQLite
	@$(BIN)/python -m benchmarks.bench_cluster $(ARGS)

bench-toaster: $(TESTS_READY) ## attacks and contests of Toaster under every mix of its options
	@$(BIN)/python -m benchmarks.bench_toaster $(ARGS)

bench-fights: $(TESTS_READY) ## fights solved and counted, beside loops written by hand
	@$(BIN)/python -m benchmarks.bench_fights $(ARGS)

rules: $(TESTS_READY) ## which rules of each game are proven, by code that plays and tests that run it
	@$(BIN)/python scripts/rules.py $(ARGS)

soak: $(TESTS_READY) ## the long tests: kill the server five hundred times, long random sessions
	@$(BIN)/python -m pytest -m soak -o faulthandler_timeout=0 $(ARGS)

sbom: $(SUPPLY_READY) ## what the package is made of, as CycloneDX: dist/kitchentable.cdx.json
	@$(SUPPLY)/bin/python scripts/sbom.py dist/kitchentable.cdx.json

requirements: $(SUPPLY_READY) ## write requirements.txt anew: every library with its hashes
	@$(SUPPLY)/bin/pip-compile --quiet --generate-hashes --extra fast --extra fights --extra postgres --constraint constraints.txt \
	  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options --no-header \
	  --no-annotate --strip-extras --output-file requirements.txt pyproject.toml

clean: ## remove the environment and everything the build and the tools made
	rm -rf $(VENV) $(SUPPLY) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -rf src/kitchentable/web/static/vendor src/kitchentable/web/static/fonts tests/vendor
	find src tests scripts benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Kitchen Table needs Python 3.11 or later as '$(PYTHON)'; name another: make PYTHON=python3.12"; \
	  exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "This Python cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv"; \
	  exit 1; }
	@echo "Making a virtual environment in $(VENV) ..."
	@$(PYTHON) -m venv --clear $(VENV)

$(TABLE_READY): $(INSTALL_FROM) | $(BIN)/python
	@echo "Installing Kitchen Table into $(VENV) (half a minute the first time) ..."
	@$(PIP) --editable .
	@touch $@

$(TESTS_READY): $(INSTALL_FROM) | $(BIN)/python
	@echo "Installing Kitchen Table with its tests' tools into $(VENV) (a minute the first time) ..."
	@$(PIP) --editable '.[dev]'
	@touch $(TABLE_READY) $@

$(SUPPLY_READY): constraints.txt
	@$(PYTHON) -m venv --clear $(SUPPLY)
	@$(SUPPLY)/bin/python -m pip install --quiet --disable-pip-version-check $(SUPPLY_TOOLS)
	@touch $@
