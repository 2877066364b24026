"""Python in the intermediate representation: valid for every file, and it does what Python does."""

from __future__ import annotations

import corpus
import pytest
from hypothesis import given
from hypothesis import strategies as st
from python_runs import by_instructions, by_python, sources

from pliant.extractors.ir.reading import read
from pliant.extractors.ir.text import print_unit
from pliant.extractors.ir.verify import verify_unit
from pliant.extractors.languages import LANGUAGES

_PYTHON = LANGUAGES["python"]


@pytest.mark.parametrize("path", sorted(corpus.sources()))
def test_real_files(path: str) -> None:
    unit = _PYTHON.translate(corpus.sources()[path].encode())
    verify_unit(unit)
    assert read(print_unit(unit)) == unit


@given(source=sources(), answers=st.lists(st.booleans(), max_size=12))
@corpus.examples(400)
def test_instructions_do_what_python_does(source: str, answers: list[bool]) -> None:
    unit = _PYTHON.translate(source.encode())
    [function] = [each for each in unit.functions if each.name == "f"]
    assert by_instructions(function, answers) == by_python(source, answers), print_unit(unit)


@given(source=st.binary(max_size=300))
@corpus.examples(100)
def test_any_bytes(source: bytes) -> None:
    verify_unit(_PYTHON.translate(source))
