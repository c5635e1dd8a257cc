# The short list of commands; the same ones run in CI.
PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python -m generator

.PHONY: site test serve check refresh bench format lock clean
.DELETE_ON_ERROR:

site: .venv/site
	$(RUN) build

test: .venv/dev tests/browser/node_modules/.package-lock.json
	$(BIN)/python -m pytest

serve: .venv/site
	$(RUN) serve

check: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(BIN)/zizmor --offline --quiet .github/workflows
	$(RUN) check

refresh: .venv/site
	$(RUN) refresh

bench: .venv/dev tests/browser/node_modules/.package-lock.json
	$(BIN)/python tests/bench.py
	PYTHONPATH=. $(BIN)/python tests/scale_bench.py
	PYTHONPATH=. $(BIN)/python tests/history_bench.py
	$(BIN)/python -m tests.browser.bench

format: .venv/dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Needs uv; without index addresses, so that any mirror serves.
lock:
	uv pip compile pyproject.toml --group build --universal --python-version 3.11 --generate-hashes --no-header \
		--no-annotate -q -o requirements/site.txt
	uv pip compile pyproject.toml --group build --group dev --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate -q -c requirements/site.txt -o requirements/dev.txt

clean:
	rm -rf site .cache

# axe, html-validate and Lighthouse, for tests and benchmarks only; without npm those tests skip, and fail in CI.
tests/browser/node_modules/.package-lock.json: tests/browser/package-lock.json
	@if command -v npm >/dev/null; then npm ci --prefix tests/browser --ignore-scripts --no-audit --no-fund && touch $@; \
	else echo "npm not found: the tests that need axe, html-validate and Lighthouse will be skipped"; fi

# One environment, two depths: what the site needs, and what working on it needs on top.
.venv/site: requirements/site.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed: make PYTHON=…")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/site.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

.venv/dev: requirements/dev.txt .venv/site
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	touch $@
