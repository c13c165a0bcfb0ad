# Every target does its own set-up in .venv; running one twice is quick.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

.PHONY: demo test lint types unit browser slow mutants golden pages docs reproduce release clean

demo: .venv/ready
	$(BIN)/ludisect demo
	@echo
	@echo "All of this in your browser: $(BIN)/ludisect web"

test: lint types unit

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/ready
	$(BIN)/mypy

# a browser for the tests of the page; without one they are skipped, and say so
browser:
	@sh tests/web/get_chromium

# the kernels ahead: several test processes would wait for the same ones; tests that follow each other in a file stay with
# one process, which has made what they share, until another one is idle; one process more than there are processors, since
# some wait for a browser or a server
unit: export PYTHONDONTWRITEBYTECODE =
unit: .venv/ready browser
	$(BIN)/python -m ludisect.kernels
	$(BIN)/pytest -m "not slow" -n $(WORKERS) --maxprocesses 4 --dist worksteal

# sweeps that take long, run by hand
slow: .venv/ready
	$(BIN)/pytest -m slow

# small changes of meaning in the modules that guard soundness, a hundred drawn at random: docs/mutation.md
mutants: .venv/ready
	$(BIN)/python -m tests.mutate --most 100

# the golden files, after a change that is meant to show in them
golden: .venv/ready
	$(BIN)/python -m tests.regold

# what is written from the code: the list of modules, the reference
pages: .venv/ready
	$(BIN)/python -m tests.architecture_page
	$(BIN)/python -m tests.reference_pages

# every table of the papers, theirs and ours: docs/reproduction.md; GAMES and LABELS name public rule sheets, if there are
# some; interrupted, it goes on where it was
reproduce: .venv/ready
	$(BIN)/python benchmarks/reproduce.py $(if $(GAMES),--games $(GAMES)) $(if $(LABELS),--labels $(LABELS))

# the documents as a site in build/site, to be read from there
docs: .venv/docs-ready
	$(BIN)/mkdocs build --strict
	@echo "open build/site/tutorial.html"

# all that a release needs: a clean tree, its changelog, the tests, and the wheel, installed where little can be written;
# run by hand
release: .venv/ready
	$(BIN)/python tests/release/ready.py
	$(MAKE) test
	$(BIN)/python tests/release/check.py

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/python -m compileall -q src
	touch .venv/ready

.venv/docs-ready: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch .venv/docs-ready

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
