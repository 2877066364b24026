"""The files of `go/` become the units beside them; PLIANT_REWRITE=1 writes those anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pliant.extractors.go.extract import translate
from pliant.extractors.ir.reading import read
from pliant.extractors.ir.text import print_unit
from pliant.extractors.ir.verify import verify_unit

REWRITE = bool(os.environ.get("PLIANT_REWRITE"))
SOURCES = sorted((Path(__file__).parent / "go").glob("*.go"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_file_becomes_the_unit_beside_it(path: Path) -> None:
    unit = translate(path.read_bytes())
    verify_unit(unit)
    text = print_unit(unit)
    assert read(text) == unit
    expected = path.with_suffix(".ir")
    if REWRITE:
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")
