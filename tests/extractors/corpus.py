"""Python sources to try the extractor on: the files of the findings suite and the project's own."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from examples import share
from hypothesis import settings

ROOT = Path(__file__).parents[2]
SUITE = "tests/analyses/python"
FOLDERS = (SUITE, "extractors", "analyses", "engine", "ci", "tests/engine")


def examples(ordinary: int) -> settings:
    return settings(max_examples=share(ordinary))


@cache
def sources() -> dict[str, str]:
    """Path -> text. Of the project's own files it has one in ten, at night all of them."""
    own = sorted(path for folder in FOLDERS[1:] for path in (ROOT / folder).rglob("*.py"))
    paths = sorted((ROOT / SUITE).rglob("*.py")) + own[:: max(1, 240 // settings().max_examples)]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@cache
def java() -> dict[str, str]:
    """Java sources of the findings and call graph suites, path -> text."""
    paths = sorted(path for name in ("java", "java_graph") for path in (ROOT / "tests/analyses" / name).rglob("*.java"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@cache
def c() -> dict[str, str]:
    """C sources of the findings and call graph suites, path -> text."""
    paths = sorted(
        path for name in ("c", "c_graph", "off_by_default") for path in (ROOT / "tests/analyses" / name).rglob("*.[ch]")
    )
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@cache
def go() -> dict[str, str]:
    """Go sources of the findings suite, path -> text."""
    paths = sorted((ROOT / "tests/analyses/go").rglob("*.go"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


@cache
def everything() -> dict[str, str]:
    """The sources of all languages."""
    return {**sources(), **java(), **c(), **go()}


@cache
def small() -> dict[str, str]:
    """Those that a property test can go over many times, and that the Python it runs on can parse."""
    return {path: text for path, text in sources().items() if 0 < len(text) < 12_000 and _parses(text)}


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def first_line(statement: ast.stmt) -> int:
    return min([statement.lineno, *(decorator.lineno for decorator in getattr(statement, "decorator_list", ()))])


@cache
def boundaries(text: str) -> list[tuple[int, int]]:
    """(line, indentation) of each statement that begins a line; lines from 1."""
    lines = text.split("\n")
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            line = first_line(node)
            indentation = len(lines[line - 1]) - len(lines[line - 1].lstrip())
            if indentation == node.col_offset or line != node.lineno:
                found.add((line, indentation))
    return sorted(found)
