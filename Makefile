# Every target needs only Python 3.11, make and a package index; .venv holds all that is installed.
PYTHON ?= python3
PORT ?= 8080
DATA_DIR ?= .dbdiag
BIN = .venv/bin

.PHONY: setup run test check proto bench
setup: .venv/.ready

.venv/.ready: pyproject.toml constraints.txt
	@echo "Setting up .venv (a minute on the first run)"
	@if command -v uv >/dev/null 2>&1; then uv venv -q --allow-existing .venv && uv pip install -q -p .venv -c constraints.txt -e '.[dev]'; \
	else $(PYTHON) -m venv .venv && $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'; fi
	@touch $@

run: setup
	$(BIN)/dbdiag up --port $(PORT) --data-dir $(DATA_DIR)

test: setup
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

proto: setup
	$(BIN)/python protos/generate.py

bench: setup
	$(BIN)/python -m tests.benchmarks $(BENCH)
