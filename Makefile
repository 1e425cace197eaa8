# Two commands do everything: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TEST_STAMP := $(VENV)/.installed-for-tests
SYSTEM_STAMP := $(VENV)/.system-for-tests
FRAMEWORKS := $(VENV)/frameworks

WEB_SOURCES := $(shell find web -type f -not -path 'web/node_modules/*' 2>/dev/null)
# npm comes with a Python package; what it runs finds node there too.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web --loglevel=error

# Each part of the tests says which of them took longest.
PYTEST := $(BIN)/pytest --durations=20

# Hundreds of servers are started in the tests: none of them shall compile what another has compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test lint lint-python lint-web unit e2e backend web fuzz flaky frameworks soak bench docs clean

run: $(STAMP)
	$(BIN)/danlu up $(ARGS)

# What is installed from elsewhere comes side by side.
test:
	$(MAKE) -j 2 $(TEST_STAMP) $(FRAMEWORKS)/.installed
	$(MAKE) lint backend web fuzz
	@echo "All checks passed."

lint: $(TEST_STAMP)
	$(MAKE) -j 2 --output-sync lint-python lint-web

lint-python:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

lint-web:
	$(NPM) run check

# Everything runs side by side, more of it than there are cores, since much of it waits: each test has its own server,
# folders and ports. Tests that share a server stay together (tests/conftest.py). What is left out is not even loaded:
# each worker would spend seconds on it.
WORKERS := $(shell cores=$$(nproc); echo $$((cores < 4 ? 3 * cores : 12)))
SIDE_BY_SIDE := -n $(WORKERS) --dist loadfile
BACKEND := tests --ignore tests/web --ignore tests/frameworks --ignore tests/api/test_api_fuzz.py $(SIDE_BY_SIDE)

unit: $(TEST_STAMP)
	$(PYTEST) $(BACKEND) -m "not e2e"
	$(NPM) run test

e2e: $(TEST_STAMP) $(FRAMEWORKS)/.installed
	$(PYTEST) $(BACKEND) -m "e2e"

# Both in one run: they are collected once, and while servers are waited for the others use the cores.
backend: $(TEST_STAMP) $(FRAMEWORKS)/.installed
	$(PYTEST) $(BACKEND)
	$(NPM) run test

# In a real browser. Apart from the others: Playwright and asyncio do not share a process.
web: $(TEST_STAMP)
	$(PYTEST) tests/web -m "web" -n 4 --dist loadfile

fuzz: $(TEST_STAMP)
	$(PYTEST) tests/api -m "fuzz" -n 2 --dist load

# Repeats the tests of what differs from main: TIMES=5, BASE=main; BUSY=1 with two busy loops beside them.
flaky: $(TEST_STAMP)
	$(BIN)/python -m tests.support.flaky

# The long form of the tests that kill things at random.
soak: $(TEST_STAMP)
	DANLU_SOAK_JOBS=3000 $(BIN)/pytest tests/e2e/test_soak.py --timeout 3600
	DANLU_SOAK_JOBS=2000 $(BIN)/pytest tests/e2e/test_cluster_soak.py --timeout 3600
	DANLU_FAILOVER_ROUNDS=50 $(BIN)/pytest tests/e2e/test_failover.py --timeout 3600

bench: $(TEST_STAMP)
	$(BIN)/python bench/all.py $(ARGS)

docs: $(TEST_STAMP)
	$(BIN)/python docs/generate.py
	$(NPM) run types

# Installing builds the web app too, if it has changed.
$(STAMP): pyproject.toml constraints.txt hatch_build.py $(WEB_SOURCES)
	$(PYTHON) -c 'import sys; sys.exit("Danlu needs Python 3.11 or newer; set PYTHON=..." if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	  apt-get install -y -qq python3-venv >/dev/null && $(PYTHON) -m venv $(VENV); } || { \
	  rm -rf $(VENV); echo "Python cannot make a virtual environment: install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[cluster]'
	touch $@

# What the tests need beyond Python: a C compiler for the fake GPU driver, curl for the guides' examples.
$(SYSTEM_STAMP): $(STAMP)
	@if ! command -v cc >/dev/null || ! command -v curl >/dev/null || ! command -v git >/dev/null; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq gcc libc6-dev curl git >/dev/null; \
	  else echo "The tests need cc, curl and git: install gcc libc6-dev curl git"; exit 1; fi; fi
	@# A proxy and other machines are real in the tests, where they can be; nginx and sshd are installed, never started.
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  ! { command -v nginx && command -v ip && command -v nsenter && command -v sshd; } >/dev/null; then \
	    policy=/usr/sbin/policy-rc.d; [ -e $$policy ] && policy= || { printf '#!/bin/sh\nexit 101\n' >$$policy; chmod +x $$policy; }; \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	      nginx-light iproute2 util-linux openssh-client openssh-server >/dev/null; code=$$?; [ -z "$$policy" ] || rm -f $$policy; exit $$code; fi
	@# The web app is tried in a real browser, in Chinese too.
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! command -v chromium >/dev/null; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	      chromium fonts-noto-cjk >/dev/null; fi
	@# The tests start a PostgreSQL of their own; the package shall make none.
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; then \
	    mkdir -p /etc/postgresql-common; conf=/etc/postgresql-common/createcluster.conf; \
	    [ -e $$conf ] || echo "create_main_cluster = false" >$$conf; \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	      -o Dpkg::Options::=--force-confold postgresql >/dev/null; fi
	touch $@

$(TEST_STAMP): $(STAMP) $(SYSTEM_STAMP) test-requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --requirement test-requirements.txt
	$(BIN)/python hatch_build.py packages
	touch $@

# PyTorch for the trainings over several nodes, apart from Danlu's own packages.
$(FRAMEWORKS)/.installed: tests/frameworks/requirements.txt | $(STAMP)
	test -x $(FRAMEWORKS)/bin/pip || $(PYTHON) -m venv $(FRAMEWORKS)
	$(FRAMEWORKS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

# What tasks are prepared for, tried with the frameworks themselves: PyTorch, JAX, MPI, Ray.
frameworks: $(TEST_STAMP) $(FRAMEWORKS)/.installed-more
	$(BIN)/pytest tests/frameworks -m "frameworks"

$(FRAMEWORKS)/.installed-more: $(FRAMEWORKS)/.installed tests/frameworks/requirements-more.txt
	$(FRAMEWORKS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement tests/frameworks/requirements-more.txt
	touch $@

clean:
	rm -rf $(VENV) web/node_modules src/danlu/static .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
