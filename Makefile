# The newcomer's commands. A Python from 3.11 to 3.13 is all that has to be there; on Linux with an
# ARM processor a Redis too.
# `PYTHON=... make setup` chooses the interpreter; PORT, HOST and STATE_DIR are for `make demo`.

VENV := .venv
RUN := $(VENV)/bin/python
PYTHONS := python3.11 python3.12 python3.13 python3
.DEFAULT_GOAL := help
.PHONY: help setup runtime lock schema demo test lab-test browser stop lint bench page-speed soak

help:
	@echo "make demo | test | lab-test | setup | stop | lint | bench | page-speed | soak   (README.md says what each does)"

setup: $(VENV)/.dev
	@:

runtime: $(VENV)/.runtime
	@:

# A stamp is written last, so that an interrupted installation is done again.
$(VENV)/.runtime: requirements.txt
	@found=; for python in $${PYTHON:-$(RUN) python3.11 python3.12 python3}; do \
		"$$python" -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
			2>/dev/null && found="$$python" && break; \
	done; \
	if [ -z "$$found" ]; then \
		echo "This needs a Python from 3.11 to 3.13 with its venv module (Debian: apt-get install python3-venv);" \
			"install one, or name it: PYTHON=/path/to/python3.11 make setup"; \
		exit 1; \
	fi; \
	if [ "$$found" != "$(RUN)" ] || ! $(RUN) -m pip --version >/dev/null 2>&1; then \
		echo "Making $(VENV) with $$found"; \
		"$$found" -m venv --clear $(VENV) || exit 1; \
	fi; \
	echo "Installing requirements.txt"; \
	$(RUN) -m pip install -q --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.runtime
	@echo "Installing requirements-dev.txt"
	@$(RUN) -m pip install -q --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# After editing requirements.in or requirements-dev.in. Needs the network.
LOCK := $(VENV)/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header
lock: setup
	@$(LOCK) requirements.in -o requirements.txt
	@$(LOCK) requirements-dev.in -o requirements-dev.txt

# What the API's readers get; a test says when it is due.
schema: runtime
	@$(RUN) manage.py spectacular --lang en --format openapi-json --file zol/schema/staff.json
	@$(RUN) manage.py spectacular --lang en --format openapi-json --urlconf chat.channels.urls --file zol/schema/public.json

demo: runtime
	@$(RUN) manage.py demo $(if $(HOST),--host $(HOST))

# As many tests at a time as there are processors, four at most. Each process has services of its own;
# where they are given (TEST_DATABASE_URL, TEST_REDIS_URL), all tests run in one.
test: browser setup
	@$(RUN) -m pytest --dist loadfile --no-loadscope-reorder -n $(if $(TEST_DATABASE_URL)$(TEST_REDIS_URL),0,logical) --maxprocesses 4 --max-worker-restart 0

# The laboratory's own, which are quick: training, benchmarks, floors.
lab-test: setup
	@$(RUN) -m pytest -c lab/pyproject.toml lab/tests -n $(if $(TEST_DATABASE_URL)$(TEST_REDIS_URL),0,logical) --maxprocesses 4 --max-worker-restart 0

# Better said at once than by failures after ten minutes. Any Python will do: nothing is installed yet.
browser:
	@for python in $(RUN) $(PYTHON) $(PYTHONS); do \
		if command -v $$python >/dev/null; then exec $$python -m tests.browsers; fi; \
	done

# Without an environment nothing can be running.
stop:
	@if [ -x $(RUN) ]; then $(RUN) manage.py stop_services; else echo "Nothing was running."; fi

# What `check --deploy` sees is production: every variable it reads is set, nothing is embedded.
PRODUCTION := DEBUG=off HTTPS=on TRUSTED_PROXIES=10.0.0.5 ALLOWED_HOSTS=chat.example SECRET_KEY=lint-0123456789-abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJ \
	DATABASE_URL=postgresql://owner:secret@db.example/zol REDIS_URL=redis://redis.example/0

lint: setup
	@echo "ruff check";            $(RUN) -m ruff check .
	@echo "ruff format";           $(RUN) -m ruff format --check -q .
	@echo "contracts";             $(VENV)/bin/lint-imports
	@echo "mypy";                  $(RUN) -m mypy
	@echo "migrations";            $(PRODUCTION) $(RUN) -W ignore manage.py makemigrations --check --dry-run
	@echo "production settings";   $(PRODUCTION) $(RUN) manage.py check --deploy --fail-level WARNING

bench: runtime
	@$(RUN) -m lab benchmark

# A first visit on a throttled phone: kilobytes, first paint, ready for a question.
page-speed: browser setup
	@SOAK=1 $(RUN) -m pytest tests/chat/page/test_speed.py

soak: setup
	@SOAK=1 $(RUN) -m pytest -m "soak or hypothesis"
