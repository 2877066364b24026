"""Invariants of facts, evaluated over real files: `sanity.dl` says what holds, and no row may break it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import corpus
import pytest
from in_memory import batch, extract, table

from pliant.engine import Evaluation, Program
from pliant.extractors.schema import RELATIONS, declarations

# Relations whose first column is a place that findings and their paths are told at.
PLACED = ("dereference", "write", "call", "null", "function", "class_def")
# What is read from a value of which nothing is known, or joins such values, is not defined by a row either.
_FROM_THE_UNKNOWN = re.compile(r"\|(?:item|\[\]|\.\w+|[^|]* joined)\|\d+$")


@cache
def _program() -> Program:
    rules = (Path(__file__).parent / "sanity.dl").read_text(encoding="utf-8")
    return Program.parse({"schema.dl": declarations(), "sanity.dl": rules})


def _violations(files: dict[str, str]) -> list[tuple[str, ...]]:
    evaluation = Evaluation.bootstrap(_program(), batch({path: extract(path, text) for path, text in files.items()}))
    rows = evaluation.rows("violation")
    texts = evaluation.strings(rows.reshape(-1))
    found = sorted(zip(texts[::2], texts[1::2], strict=True))
    return [row for row in found if row[0] != "used and not defined" or not _FROM_THE_UNKNOWN.search(row[1])]


@pytest.mark.parametrize("folder", corpus.FOLDERS)
def test_no_invariant_is_broken(folder: str) -> None:
    assert _violations({path: text for path, text in corpus.sources().items() if path.startswith(folder)}) == []


def test_no_invariant_is_broken_where_what_is_changed_in_a_loop_is_no_object() -> None:
    source = """
def f(rows, x, y):
    for r in rows:
        found = y * r.make()
        found[: len(x)] += x
        del found[0]
"""
    assert _violations({"a.py": source}) == []


def test_no_invariant_is_broken_by_java() -> None:
    assert _violations(corpus.java()) == []


def test_no_invariant_is_broken_by_c() -> None:
    assert _violations(corpus.c()) == []


def test_no_invariant_is_broken_by_go() -> None:
    assert _violations(corpus.go()) == []


def test_invariants_hold_of_the_parts_of_broken_files() -> None:
    files = corpus.everything()
    broken = {path: text[: len(text) * 2 // 3] + "\n)" for path, text in files.items()}
    assert _violations(broken) == []


def test_a_yield_outside_of_functions_makes_no_generator() -> None:
    assert (
        _violations({"a.py": "yield 1\n", "b.py": "class A:\n    yield None\n\nx = [(yield each) for each in y]\n"})
        == []
    )


def test_a_broken_invariant_is_seen() -> None:
    facts = extract("a.py", "def f(x):\n    return x.y\n")
    del facts.rows["formal"], facts.rows["formal_name"]
    evaluation = Evaluation.bootstrap(_program(), batch({"a.py": facts}))
    assert len(evaluation.rows("violation"))


@pytest.mark.parametrize("path", sorted(corpus.everything()))
@pytest.mark.one_in(4)
def test_what_is_told_has_a_place(path: str) -> None:
    facts = extract(path, corpus.everything()[path])
    placed = {facts.symbols[index] for index in facts.places[::5]}
    missing = {row[0] for relation in PLACED for row in table(facts, relation) if row[0] not in placed}
    assert {str(symbol) for symbol in missing} == set()
    assert len(facts.places[::5]) == len(placed), "an entity with two places"


def test_every_relation_of_files_is_met() -> None:
    """A relation that no file of the corpus has is not tested at all; one is about the set of files."""
    files = corpus.everything()
    met = {relation for path, text in files.items() for relation in extract(path, text).rows}
    never = {name for name in RELATIONS if not name.startswith("lib_")} - met - {"test_file"}
    assert never == set()
