"""Names of models that mean the same in all languages: the facts that they become, and that the names exist."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from in_memory import table

from pliant.extractors import model_names, repository
from pliant.extractors.blobs import Summary
from pliant.extractors.c.models import models
from pliant.extractors.languages import LANGUAGES
from pliant.extractors.model_files import ModelError, ModelFile

NOTHING = Summary((), (), 1, {})
FILES = {"python": "a.py", "java": "A.java", "c": "a.c", "go": "a.go"}


def _facts(language: str, text: str = "") -> dict[str, set[tuple[str | int, ...]]]:
    files = [ModelFile("own", language, text)] if text else []
    facts = repository.context_facts({FILES[language]: NOTHING}, models=files)
    return {name: set(table(facts, name)) for name in ("lib_owner", *model_names.TABLES.values())}


@pytest.mark.parametrize(
    ("language", "relation", "row"),
    [
        ("python", "lib_opens", ("pathlib.Path", "open", "close")),
        ("python", "lib_owner", ("pathlib", "Path", "pathlib.Path")),
        ("java", "lib_opens", ("java.nio.file.Files", "lines/1", "close/0")),
        ("java", "lib_wraps", ("java.io", "BufferedReader")),
        ("c", "lib_opens", ("C", "fopen", "fclose")),
        ("go", "lib_views", ("compress/gzip", "NewReader")),
    ],
)
def test_built_in_names_become_facts(language: str, relation: str, row: tuple[str, ...]) -> None:
    assert row in _facts(language)[relation]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_of_ones_own_adds_names_in_every_language(language: str) -> None:
    facts = _facts(language, 'borrows = ["shop.read"]\n[opens]\n"shop.Till" = ["release"]\n')
    assert ("shop", "Till", "release") in facts["lib_opens"] - _facts(language)["lib_opens"]
    assert ("shop", "read") in facts["lib_borrows"]


@pytest.mark.parametrize(
    ("language", "text", "message"),
    [
        ("python", "opens = 1\n", "own: opens: expected a table of names and lists of names, found 1"),
        ("java", "wraps = { a = 1 }\n", "own: wraps: expected a list of names"),
        ("go", '[opens]\n"shop.Till" = "release"\n', "own: opens: expected a table of names and lists of names"),
        ("c", "[closes]\nx = 1\n", "own: unknown table 'closes'; expected one of borrows, opens, views, wraps"),
        ("c", "[[[", "own: not valid TOML"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(language: str, text: str, message: str) -> None:
    with pytest.raises(ModelError, match=re.escape(message)):
        _facts(language, text)


def _names(language: str) -> list[str]:
    return sorted({name for _, name, _ in model_names.rows(language)})


@pytest.mark.parametrize("name", _names("python"))
def test_names_of_python_exist(name: str) -> None:
    parts = name.split(".")
    if find_spec(parts[0]) is None:
        pytest.skip(f"{parts[0]} is not installed")
    length = next(n for n in range(len(parts) - 1, 0, -1) if _is_module(".".join(parts[:n])))
    found: object = import_module(".".join(parts[:length]))
    for part in parts[length:]:
        found = getattr(found, part)
    assert callable(found)


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


HEADERS = [Path("/usr/include") / name for name in ("stdio.h", "dirent.h", "wchar.h", "mntent.h")]


@pytest.mark.skipif(not all(header.exists() for header in HEADERS), reason="the C library's headers are not installed")
def test_names_of_c_are_declared() -> None:
    text = " ".join(header.read_text(errors="replace") for header in HEADERS)
    declared = set(re.findall(r"\b(\w+)\s*\(", text))
    closers = {closer for _, _, closers in model_names.rows("c") for closer in closers}
    assert {*_names("c"), *closers} - declared == set()


QUEUES = next(iter(Path("/usr/include").glob("**/sys/queue.h")), None)


@pytest.mark.skipif(QUEUES is None, reason="the C library's headers are not installed")
def test_loops_of_c_are_defined() -> None:
    assert QUEUES is not None
    defined = re.findall(rb"^#define\s+(\w+)\(.*\\\n\s*for\s*\(", QUEUES.read_bytes(), re.M)
    assert models().loops <= set(defined)
