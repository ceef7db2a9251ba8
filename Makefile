# `make demo` and `make test` need nothing but Python 3.11 or newer and make.
# Another Python: make PYTHON=python3.13 test

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOWEST := .venv-lowest

# Added to pytest's command line: make test PYTEST_FLAGS="-k redaction"
PYTEST_FLAGS ?=

# Where the question sets are, and more options of the evaluation
FOLDER ?= ../shared/eval
EVAL_FLAGS ?=

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
unexport PYTHONPATH
unexport PYTHONHOME

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-lowest lint style types imports docs wheel bench eval clean check-python

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(READY) ## Search an invented history, in a folder of its own
	$(BIN)/quoth demo

test: $(READY) ## Run every test
	$(BIN)/python -m pytest --numprocesses auto $(PYTEST_FLAGS)

test-lowest: $(LOWEST)/.ready ## Run every test on the oldest releases quoth works with
	$(LOWEST)/bin/python -m pytest --numprocesses auto -p no:cacheprovider $(PYTEST_FLAGS)

lint: style types imports ## Check style, types and which module imports which

style: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports --no-logo

docs: $(READY) ## Write docs/commands.md from the help of every command
	$(BIN)/python tools/command_reference.py

wheel: $(READY) ## Build the wheel and the source archive into dist/
	rm -rf dist
	$(BIN)/hatchling build

bench: $(READY) ## Measure speed on this machine
	$(BIN)/python benchmarks/smoke.py

eval: $(READY) ## Measure how good the answers are: make eval FOLDER=../shared/eval
	$(BIN)/python -m evaluation $(FOLDER) $(EVAL_FLAGS)

clean: ## Remove everything that was made here
	rm -rf $(VENV) $(LOWEST) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	    .import_linter_cache .coverage .coverage.* benchmarks/out
	find src tests benchmarks tools -name __pycache__ -type d -prune -exec rm -rf {} +

# The project itself is installed as a link to src/, so a change there needs no new install.
$(READY): requirements.lock pyproject.toml $(wildcard hatch_build.py) | check-python
	@echo "Making $(VENV) (once; about a minute) ..."
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# Wheels alone: building an old release from source takes minutes and a compiler.
$(LOWEST)/.ready: requirements-lowest.lock pyproject.toml $(wildcard hatch_build.py) | check-python
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --only-binary :all: --require-hashes \
	    --requirement requirements-lowest.lock
	$(LOWEST)/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

check-python:
	@command -v $(PYTHON) > /dev/null || { \
	    echo "There is no '$(PYTHON)'. Install Python 3.11 or newer, or name one:" \
	        "make PYTHON=/path/to/python3 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "quoth needs Python 3.11 or newer; $(PYTHON) is" \
	        "$$($(PYTHON) --version 2>&1). Name another: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || { \
	    echo "$(PYTHON) cannot make virtual environments (venv or ensurepip is missing)." \
	        "On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
