# `make report` builds the example documents, `make test` runs every check. Both start from python3 and make alone.

PYTHON ?= python3
VENV ?= .venv
SCENARIO ?= scenarios/llama3-70b-8k.yaml
PYTEST ?= $(VENV)/bin/pytest
# loadgroup keeps the tests that share one LibreOffice on one worker.
WORKERS ?= 2
PARALLEL = -n $(WORKERS) --dist loadgroup

PIP_INSTALL = $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: report accuracy test lint format soak bench clean report-system test-system

report: report-system $(VENV)/.report-installed
	$(VENV)/bin/reportgen build $(SCENARIO)

# Measured peaks, each with its source, against what the estimator says of the same runs; the README's table with them.
accuracy: report-system $(VENV)/.report-installed
	$(VENV)/bin/reportgen accuracy memory tests/cases/measured_memory.csv --by set
	$(VENV)/bin/python -m tests.accuracy.readme_table

test: lint
	$(PYTEST) $(PARALLEL)

lint: test-system $(VENV)/.test-installed
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy

format: test-system $(VENV)/.test-installed
	$(VENV)/bin/ruff check --fix
	$(VENV)/bin/ruff format

soak: test-system $(VENV)/.test-installed
	$(PYTEST) $(PARALLEL) -m soak -rP # -rP prints what each run has counted

# One process: measuring two things at once measures neither.
bench: test-system $(VENV)/.test-installed
	$(PYTEST) -m bench

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find reportgen tests -name __pycache__ -type d -prune -exec rm -rf {} +
	find output -mindepth 1 ! -name .gitkeep -delete

report-system:
	@tools/install-system-packages.sh report $(PYTHON)

test-system:
	@tools/install-system-packages.sh test $(PYTHON)

# The stamps make a second run quick. The system check comes first (an order, not a reason to install again).
$(VENV)/.created: | report-system
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.report-installed: pyproject.toml constraints.txt $(VENV)/.created
	$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/.test-installed: pyproject.toml constraints.txt $(VENV)/.created
	$(PIP_INSTALL) --editable '.[test]'
	@touch $@ $(VENV)/.report-installed
