"""Sources that could cost more than their size do not: one of double the size costs at most 2.5 times as much.

Work is counted in calls of functions, of Python and of C, so that each machine counts the same. Sizes and bounds are a
hundredth of those that count in use. tests/extractors/costs.py measures processor time and memory at full size.
"""

from __future__ import annotations

import sys
from types import FrameType

import pathological
import pytest
from in_memory import extract

from pliant.extractors import budget
from pliant.extractors.lowering import parsing

SMALLER = 100
SIZE = 1_000_000 // SMALLER
FILES = {"python": "a.py", "java": "A.java", "c": "a.c", "go": "a.go"}
MOST = 2.5
ATTEMPTS = 2  # to lower a file: where something is past a bound, it is lowered anew without that
CASES = [(language, name) for language in pathological.LANGUAGES for name in pathological.table(language)]


@pytest.fixture(autouse=True)
def smaller_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "FUNCTION_STEPS", budget.FUNCTION_STEPS // SMALLER)
    monkeypatch.setattr(budget, "FILE_STEPS", budget.FILE_STEPS // SMALLER)
    monkeypatch.setattr(parsing, "PARSER_STEPS", parsing.PARSER_STEPS // SMALLER)


def work(path: str, text: bytes) -> tuple[int, bool]:
    """How many functions are called to extract a source, and whether something of it is past a bound."""
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(note)
    try:
        facts = extract(path, text)
    finally:
        sys.setprofile(None)
    return count, any("more than" in each.reason for each in facts.diagnostics)


@pytest.mark.parametrize(("language", "name"), CASES, ids=[f"{language}-{name}" for language, name in CASES])
@pytest.mark.one_in(6)
def test_double_the_size_costs_little_more_than_double(language: str, name: str) -> None:
    generate, path = pathological.table(language)[name], FILES[language]
    extract(path, b"")  # what is read once for all files
    (one, less), (two, past) = (work(path, generate(size)) for size in (SIZE // 2, SIZE))
    most = MOST * one * (ATTEMPTS if past and not less else 1)
    assert two <= most + 1000, f"{one:,} calls for {SIZE // 2:,} bytes, {two:,} for {SIZE:,}"
