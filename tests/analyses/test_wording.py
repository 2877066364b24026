"""What entities are called in messages."""

from __future__ import annotations

import pytest

from pliant.analyses.wording import value_name


@pytest.mark.parametrize(
    ("entity", "name"),
    [
        ("a.c|f|p|1", "`p`"),
        ("a.c|f|choice. joined|1", "the value"),
        ("A.java|A.f/0|chosen joined|2", "the value"),
        ("a.c|f|* of &p after calls|1", "`p`"),
        ("a.c|f|* of out joined|1", "what `out` points to"),
        ("a.c|f|next of p after calls|1", "`p.next`"),
        ("a.c|<module>|import C root|1", "`root`"),
    ],
)
def test_values_are_called_what_a_reader_knows_them_as(entity: str, name: str) -> None:
    assert value_name(entity) == name
