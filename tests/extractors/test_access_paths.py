"""By which access paths functions test and use what they read."""

from __future__ import annotations

import pytest
from in_memory import extract


def _paths(relation: str, columns: int, source: str, file: str = "a.py") -> list[str]:
    facts = extract(file, source)
    return [facts.symbols[number] for number in facts.rows.get(relation, ())[1::columns]]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("a.task", "a.task"),
        ("a.find(1)", "a.find()"),
        ("b(a)", "b()"),
        ("a.rows[0].head", "a.rows[0].head"),
        ("a['k']", "a['k']"),
        ("a[b]", "a[]"),
        ("a['\\n|\\t\\0']", "a['\\n|\\t\\x00']"),
        ("a[b'k']", "a[]"),
        ("a[1:].x", None),
        ("a" + ".b" * 15, "a" + ".b" * 15),
        ("a" + ".b" * 16, None),
    ],
)
def test_what_is_tested_is_named_by_its_path(value: str, path: str | None) -> None:
    asked = _paths("asks_path", 2, f"def f(a, b):\n    return {value} is None\n")
    assert asked == ([] if path is None else [path])


def test_a_variable_is_named_by_what_it_was_given() -> None:
    source = "def f(a):\n    task = a.task\n    if task is None:\n        return\n    a.task.x\n    a.other.y\n"
    assert _paths("asks_path", 2, source) == ["a.task"]
    assert _paths("uses_path", 3, source) == ["a.other"]


def test_a_variable_that_has_several_values_is_named_by_itself() -> None:
    source = "def f(a):\n    part = a.part\n    while part.kind:\n        part = part.part\n"
    assert _paths("uses_path", 3, source) == ["part"]


def test_parameters_that_are_declared_not_to_be_null() -> None:
    source = "def f(a: int, b: int | None, c: int = None, d: 'Shop' = 1, e=None, g: object = 1, *h: int): pass\n"
    facts = extract("a.py", source)
    names = [facts.symbols[number].split("|")[2] for number in facts.rows["required_formal"]]
    assert names == ["a", "d"]
