"""What holds of the facts of any file."""

from __future__ import annotations

from pliant.extractors.facts import FileFacts
from pliant.extractors.schema import RELATIONS


def check_facts(facts: FileFacts) -> None:
    """The facts fit the schema, and places and diagnostics lie in the file."""
    assert len(facts.symbols) == len(set(facts.symbols))
    for relation, flat in facts.rows.items():
        columns = RELATIONS[relation].columns
        assert len(flat) % len(columns) == 0, relation
        for position, (column, kind) in enumerate(columns):
            entries = flat[position :: len(columns)]
            if kind == "symbol":
                assert all(0 <= entry < len(facts.symbols) for entry in entries), (relation, column)
    places = [tuple(facts.places[start : start + 5]) for start in range(0, len(facts.places), 5)]
    assert len(facts.places) % 5 == 0
    for symbol, first, first_column, last, last_column in places:
        assert 0 <= symbol < len(facts.symbols)
        assert facts.symbols[symbol].startswith("|")
        assert 1 <= first <= last <= facts.lines + 1
        assert first_column >= 0 and last_column >= 0
        assert (first, first_column) <= (last, last_column)
    assert all(1 <= diagnostic.line <= facts.lines + 1 and diagnostic.reason for diagnostic in facts.diagnostics)


def check_same(facts: FileFacts, again: FileFacts) -> None:
    """Two extractions of the same bytes."""
    assert (again.symbols, again.rows, again.places, again.library) == (
        facts.symbols,
        facts.rows,
        facts.places,
        facts.library,
    )
