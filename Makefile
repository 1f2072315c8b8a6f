# Two commands do all the set-up on a machine that has only Python and make: `make leaderboard` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: leaderboard test lint types imports unit wheel bench clean

leaderboard: $(VENV)/.installed
	$(BIN)/bakeoff leaderboard

test: lint types imports unit wheel

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

imports: $(VENV)/.installed-dev
	$(BIN)/lint-imports

unit: $(VENV)/.installed-dev
	$(BIN)/pytest -n auto

# The wheel as a user gets it: built, installed in an environment of its own, tried in an empty folder.
wheel: $(VENV)/.installed-dev
	sh tests/try_wheel.sh $(BIN)/python

bench: $(VENV)/.installed-dev
	for script in tests/benchmarks/bench_*.py; do $(BIN)/python $$script || exit 1; done

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist runs leaderboard .bench .mypy_cache .ruff_cache .pytest_cache .hypothesis
