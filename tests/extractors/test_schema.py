"""The page on facts is the schema's own."""

from __future__ import annotations

from pathlib import Path

from pliant.extractors.schema import RELATIONS, markdown

PAGE = Path(__file__).parents[2] / "docs" / "facts.md"


def test_the_page_on_facts_is_what_the_schema_prints() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown(), "run: python -m pliant.extractors.schema > docs/facts.md"


def test_every_relation_is_a_sentence() -> None:
    for relation in RELATIONS.values():
        assert relation.doc.endswith("."), relation.name
        assert relation.arity == len({name for name, _ in relation.columns}), relation.name
