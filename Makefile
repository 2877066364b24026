# Needs Python 3.11 or newer, git and make; everything else is installed into .venv.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
# Strict: a tree of links that type checkers can read. It is made anew when a folder gets or loses a file.
INSTALL ?= --config-settings editable_mode=strict --editable .[dev]
SOURCES := $(shell find engine -name '*.pyx' -o -name '*.pxi')
FOLDERS := $(shell find extractors analyses engine ci -type d -not -name __pycache__)
WORKERS ?= auto

.PHONY: demo test lint clean

demo: $(VENV)/installed
	@$(VENV)/bin/python -P -m pliant.ci.demo

test: $(VENV)/installed
	$(VENV)/bin/python -P -m pytest -n $(WORKERS)

lint: $(VENV)/installed
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/python -P -m mypy -p pliant.engine -p pliant.extractors -p pliant.analyses -p pliant.ci

$(VENV)/installed: pyproject.toml $(FOLDERS) $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, found " + sys.version.split()[0] + ": make PYTHON=/path/to/python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --no-compile --disable-pip-version-check $(INSTALL)
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find extractors -name '*.so' -delete
