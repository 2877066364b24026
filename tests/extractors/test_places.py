"""Places are found by whole symbols, and by no others."""

import numpy as np
import pytest

from pliant.extractors.blobs import Location, Places
from pliant.extractors.facts import FOLDER, escape_path, in_path

SYMBOLS = ["|", "|f", "|f|x@1", f"{FOLDER}f", "C", "builtins.len"]


@pytest.mark.parametrize("path", ["a.py", "sub/a.py", "sub/odd|na%me\n.py"])
def test_a_symbol_with_its_path_has_its_place(path: str) -> None:
    rows = np.arange(4 * len(SYMBOLS)).reshape(-1, 4)
    places = Places(path, SYMBOLS, rows)
    names = [in_path(symbol, escape_path(path)) for symbol in SYMBOLS]
    whole = {name: Location(path, *row) for name, row in zip(names, rows.tolist(), strict=True)}
    assert dict(places) == whole and len(places) == len(whole)
    for other in ("|f", f"{FOLDER}f", "other.py|f", f"{escape_path(path)}|g", "D"):
        assert other not in places
