# make app     install what the app needs, once, and start it
# make test    install what the tests need, once, and run all checks
# make coverage the same, and how much of the code the tests reach
# make core    the tests of kernex_core alone, without the slow ones: on another Python, for example
#              make core VENV=.venv-3.13 PYTHON=python3.13
# make kernels the same as on other processors: OpenBLAS takes its code for Prescott, Haswell, Zen, SkylakeX, Sapphirerapids
# make numeric the part of them that rests on products of matrices, as on two other processors
# make science print large runs beside what is published (twenty minutes on two processors), and run the tests that are
#              long by nature; RUNS="tim_barrels" chooses among the runs
# make mutants plant mistakes in copies of the code, and print those that no test sees; MUTANTS="complete" chooses
# make bench   print the benchmarks; each is run small by a test
# make pictures take the README's pictures anew from the running app
# make house   print the figures of the code's layout
# make format  format the code
#
# PYTHON=/path/to/python chooses the interpreter; ARGS="tests/kernex_core/gram -k spectrum" goes to pytest, which then runs a part;
# ARGS="--dearest 40" adds the tests that use most processor time; ARGS="--server.port 8600" goes to the app;
# BENCHMARKS=benchmarks/subsequences.py runs one of them.

SHELL := /bin/sh
VENV := .venv
RUN := $(VENV)/bin/python
ARGS :=
RUNS :=
MUTANTS :=
LOOK :=
# what is never imported is never compiled to bytecode; what is, once, at its first import
INSTALL := $(RUN) -m pip install --quiet --disable-pip-version-check --no-compile
export PYTHONDONTWRITEBYTECODE :=
# one more than the processors that continuous integration has: browser tests mostly wait; with two more it took longer
WORKERS := 3
COVERAGE :=
# the tables of docs/string_kernels.md need data, whose paths are arguments
BENCHMARKS := $(filter-out benchmarks/string_kernel_tables.py,$(wildcard benchmarks/[a-z]*.py))

# the files with compiled loops
LOOPS := $(shell grep -rlE "^@jit" --include="*.py" kernex_core)

.PHONY: app test coverage lint types pytest core kernels numeric chromium science mutants bench pictures look house format clean
.DELETE_ON_ERROR:

app: $(VENV)/.loops
	$(RUN) -m streamlit run app.py $(ARGS)

# types are checked beside the tests, while one of the two processors would wait
test: lint
	@$(MAKE) --no-print-directory -j3 types pytest

coverage:
	@$(MAKE) --no-print-directory test COVERAGE="--cov --cov-report=term"

lint: $(VENV)/.test
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(VENV)/bin/lint-imports

types: $(VENV)/.test
	$(RUN) -m mypy

pytest: $(VENV)/.compiled chromium
	$(RUN) -m pytest -n $(WORKERS) --dist loadfile --max-worker-restart 0 --durations 20 $(COVERAGE) $(ARGS)

core: $(VENV)/.test
	$(RUN) -m pytest -n $(WORKERS) --dist loadfile --max-worker-restart 0 -m "not slow and not science" tests/kernex_core $(ARGS)

kernels: $(VENV)/.test
	$(RUN) -m tests.processors -- -q -n $(WORKERS) --dist loadfile --max-worker-restart 0 $(ARGS)

numeric: $(VENV)/.test
	$(RUN) -m tests.processors --numeric --most 2 -- -q -n $(WORKERS) --dist loadfile --max-worker-restart 0 $(ARGS)

chromium:
	@.ci/chromium

# tests that are long by nature come last, unless runs are chosen
science: $(VENV)/.test
	$(RUN) -m science $(RUNS)
	@[ -n "$(RUNS)" ] || $(RUN) -m pytest -n $(WORKERS) --dist loadfile --max-worker-restart 0 -m "science or hypothesis" --hypothesis-profile many $(ARGS)

mutants: $(VENV)/.test
	$(RUN) -m tests.mutants $(MUTANTS)

bench: $(VENV)/.test
	@set -e; for file in $(BENCHMARKS); do echo "$$file"; PYTHONPATH=. $(RUN) $$file; done

pictures: $(VENV)/.test chromium
	$(RUN) docs/take_pictures.py

look: $(VENV)/.test chromium
	$(RUN) -m tests.browser.look $(LOOK)

house: $(VENV)/.test
	@$(RUN) -m tests.house

format: $(VENV)/.test
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

clean:
	rm -rf $(VENV) .venv-* .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage

$(VENV)/.made:
	PYTHON="$(PYTHON)" .ci/make-venv $(VENV)
	@touch $@

$(VENV)/.app: requirements.txt .ci/put-on-path $(VENV)/.made
	$(INSTALL) -r requirements.txt
	@.ci/put-on-path $(VENV)
	@touch $@

# in one go with what the app needs, of which it is all
$(VENV)/.test: requirements-test.txt requirements.txt .ci/put-on-path $(VENV)/.made
	$(INSTALL) -r requirements-test.txt
	@.ci/put-on-path $(VENV)
	@touch $(VENV)/.app $@

# loops are compiled when they are installed, and after a change of theirs; later they are taken from the disk, as bytecode is
$(VENV)/.loops: $(VENV)/.app $(LOOPS)
	-@$(RUN) -m compileall -q app.py pages kernex_core
	-@$(RUN) -m kernex_core.studies.loops
	@touch $@

# what tests import is compiled by one process, while types are checked and Chromium comes, and not by each that runs tests
$(VENV)/.compiled: $(VENV)/.test
	-@$(RUN) -m pytest --collect-only -qq -p no:cacheprovider >/dev/null
	-@$(RUN) -m kernex_core.studies.loops
	@touch $@
