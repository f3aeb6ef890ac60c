# The task runner of people and .ci/run. `make` alone prints the list; `python -m benchmarks` lists the measurements.

PYTHON ?= python3
VENV := .venv
# The site has its own environment: what builds it has nothing to do with the package.
SITE := .venv-site
# So has training, which alone needs torch.
TRAIN := .venv-train
# Draws the diagrams. The hash of its archive is in requirements/mermaid.sha512: change both together.
MERMAID := 11.17.2
RUN := PYTHONPATH=src:. $(VENV)/bin/python
# Tests start hundreds of commands and services: each would compile our modules again where this is set.
export PYTHONDONTWRITEBYTECODE :=
# Releases younger than this are not taken: a cool-down that stops most poisoned ones.
NEWEST := 2026-11-01
COMPILE := UV_PYTHON_DOWNLOADS=never $(VENV)/bin/uv pip compile pyproject.toml --universal --generate-hashes \
	--no-emit-index-url --strip-extras --exclude-newer $(NEWEST) --custom-compile-command "make lock" --python-version 3.11 --quiet


.DEFAULT_GOAL := help
.PHONY: $(shell awk -F ':' '/^[a-z-]+:/ {print $$1}' $(MAKEFILE_LIST))

help:  ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## make .venv from the hashed lock and install sayso into it, editable
	test -x $(VENV)/bin/pip || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements/uv.txt
	$(VENV)/bin/uv pip install --quiet --python $(VENV)/bin/python --require-hashes --no-deps --compile-bytecode -r requirements/dev.txt
	$(VENV)/bin/uv pip install --quiet --python $(VENV)/bin/python --no-deps --no-build-isolation -e .

check:  ## format, lint, types, import directions and wording, changing nothing
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	PYTHONPATH=src $(VENV)/bin/lint-imports
	$(RUN) -m docsite.prose

prose:  ## phrases that a reader has to translate, in docs, messages and docstrings: docs/contributing/writing.md
	$(RUN) -m docsite.prose

spelling:  ## spelling of the documentation, of the page and of replies, English and Italian (installs hunspell)
	@command -v hunspell > /dev/null && hunspell -D < /dev/null 2>&1 | grep -q it_IT \
		|| { apt-get update -qq && apt-get install -y -qq hunspell hunspell-en-gb hunspell-it; }
	$(RUN) -m docsite.spelling

fix:  ## format, and fix what ruff can fix
	$(VENV)/bin/ruff format .
	$(VENV)/bin/ruff check --fix .

test:  ## all tests except the long ones, warnings as errors, three at a time
	$(RUN) -m pytest -n 3 --dist loadfile -m "not long"

test-again:  ## the tests that failed last time, one at a time; stops at the third that fails again
	$(RUN) -m pytest -n 0 --last-failed --last-failed-no-failures none --maxfail 3 -m "not long"

web: web/node_modules/.package-lock.json  ## build the page into src/sayso/chat/page (needs Node and npm)
	cd web && npm run --silent build

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --no-audit --no-fund --loglevel=error
	touch $@

web-test: web  ## types, lint and tests of the page, and the page in Chromium against the real service (installs Chromium)
	@command -v chromium > /dev/null || { apt-get update -qq && apt-get install -y -qq chromium fonts-inter; }
	cd web && npm run --silent types && npm run --silent lint && npm run --silent test && npm run --silent e2e

try: web  ## the assistant on a page, on this machine (needs PostgreSQL and Node)
	$(RUN) -m sayso.cli serve --try

site: $(SITE)/.installed build/mermaid/mermaid.min.js  ## build the documentation site, strictly, into build/site (needs npm)
	NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs build --strict

$(SITE)/.installed: requirements/docs.txt
	$(VENV)/bin/uv venv --quiet --clear --python $(VENV)/bin/python $(SITE)
	$(VENV)/bin/uv pip install --quiet --python $(SITE)/bin/python --require-hashes --no-deps -r requirements/docs.txt
	touch $@

build/mermaid/mermaid.min.js: requirements/mermaid.sha512
	mkdir -p $(@D)
	cd $(@D) && npm pack --silent mermaid@$(MERMAID) > /dev/null && sha512sum --quiet -c ../../$<
	tar -xz -C $(@D) --strip-components=2 -f $(@D)/mermaid-$(MERMAID).tgz package/dist/mermaid.min.js && touch $@

reference:  ## write the JSON Schemas and the reference of the documentation from the code
	$(RUN) -m sayso.schemas.generate
	$(RUN) -m docsite.reference.gateway_schema
	$(RUN) -m docsite.reference

evals:  ## score the rounds and conversations that the reader is not trained on; fails where they fall
	$(RUN) -m benchmarks evals

promises:  ## the promised figures on the decision benchmark; fails when one is missed
	$(RUN) -m benchmarks promises

reader: $(TRAIN)/.installed  ## train the learned reader and write its weights into the packs (half an hour on two cores)
	PYTHONPATH=src:. $(TRAIN)/bin/python -m training.train tasks
	PYTHONPATH=src:. $(TRAIN)/bin/python -m training.train devices

$(TRAIN)/.installed: pyproject.toml
	test -x $(TRAIN)/bin/pip || $(PYTHON) -m venv $(TRAIN)
	$(TRAIN)/bin/pip install --quiet --require-hashes --no-deps -r requirements/core.txt
	$(TRAIN)/bin/pip install --quiet "torch==2.13.0" "numpy>=2.4,<2.5"
	touch $@

lock:  ## write the hashed locks
	$(COMPILE) -o requirements/core.txt
	$(COMPILE) --extra agent --extra devices --extra gateway --extra reminders --extra server -c requirements/core.txt -o requirements/all.txt
	$(subst pyproject.toml,requirements/fastmcp.in,$(COMPILE)) -o requirements/fastmcp.txt
	$(subst pyproject.toml,requirements/git-server.in,$(COMPILE)) -o requirements/git-server.txt
	$(subst pyproject.toml,requirements/sqlite-server.in,$(COMPILE)) -o requirements/sqlite-server.txt
	$(subst pyproject.toml,requirements/pydantic-ai.in,$(COMPILE)) -o requirements/pydantic-ai.txt
	$(subst pyproject.toml,requirements/schemathesis.in,$(COMPILE)) -o requirements/schemathesis.txt
	$(subst pyproject.toml,requirements/docs.in,$(COMPILE)) -o requirements/docs.txt
	$(COMPILE) --extra agent --extra devices --extra gateway --extra reminders --extra server --group dev -c requirements/all.txt \
		$$(sed -n 's/^\([a-z0-9._-]*\)==.*/--no-emit-package \1/p' requirements/all.txt) -o requirements/dev.txt
	sed -i '1i -r all.txt' requirements/dev.txt  # which has the packages of the services
	$(subst pyproject.toml,requirements/kubernetes.in,$(COMPILE)) -o requirements/kubernetes.txt
	$(subst pyproject.toml,requirements/sbom.in,$(COMPILE)) -o requirements/sbom.txt
	$(subst pyproject.toml,requirements/build.in,$(COMPILE)) -c requirements/dev.txt -o requirements/build.txt
	$(subst pyproject.toml,requirements/uv.in,$(COMPILE)) -c requirements/dev.txt -o requirements/uv.txt
	$(subst pyproject.toml,requirements/peers.in,$(COMPILE)) -c requirements/all.txt -o requirements/peers.txt

wheel:  ## build the wheel into dist/
	$(VENV)/bin/python -m build --wheel --no-isolation --outdir dist .

release-check: web  ## sdist, the wheel from it, and tests against what is installed from that, not the tree
	$(RUN) release/check.py
