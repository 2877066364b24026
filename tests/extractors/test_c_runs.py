"""Random C functions do as instructions what gcc's programs of them do."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import corpus
import pytest
from c_functions import source
from c_runs import PRELUDE, Given, by_gcc, by_instructions

from pliant.extractors.ir.verify import verify_unit
from pliant.extractors.languages import LANGUAGES

_FUNCTIONS = corpus.share(100)
_RUNS = 8  # of each
GCC = shutil.which("gcc")


@pytest.mark.skipif(GCC is None, reason="gcc is not installed: nothing to compare with")
def test_random_functions_run_as_gcc_has_them_run(tmp_path: Path) -> None:
    assert GCC is not None
    random = Random(1)
    functions = [source(random, number) for number in range(_FUNCTIONS)]
    runs: list[tuple[int, Given]] = [
        (number, (random.randint(-2, 6), random.randint(-2, 6), random.randint(-1, 2), random.randint(-1, 2)))
        for number in range(_FUNCTIONS)
        for _ in range(_RUNS)
    ]
    expected = by_gcc(GCC, functions, runs, tmp_path)
    units = [LANGUAGES["c"].translate((PRELUDE + text).encode()) for text in functions]
    for unit in units:
        verify_unit(unit)
    assert len(expected) == len(runs)
    failed = sum(line.endswith("null") for line in expected)
    assert 0.1 < failed / len(runs) < 0.9
    for (number, given), line in zip(runs, expected, strict=True):
        assert by_instructions(units[number], f"f{number}", given) == line, f"{given}\n{functions[number]}"
