"""What takes too much is left out, by count, and said by name; the rest of the file stays."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import costs
import pytest
from budgets import Taken, counted
from in_memory import every_row, extract, findings
from test_any_source import checked

from pliant.extractors import budget
from pliant.extractors.facts import FileFacts
from pliant.extractors.java.translation import classes as java_classes
from pliant.extractors.java.translation import file as java_file
from pliant.extractors.lowering import translated
from pliant.extractors.lowering.source import span
from pliant.extractors.python import scopes

# A file, one of its functions of some lines, one line.
SHAPES = {
    "a.py": ("{functions}", "def {name}(a):\n{lines}    return a.b\n", "    a.b()\n"),
    "A.java": ("class A {{ {functions} }}", "A {name}(A a) {{ {lines} return a.b; }}\n", "a.b();\n"),
    "a.c": ("{functions}", "int {name}(struct s *a) {{ {lines} return a->b; }}\n", "use(a->b);\n"),
    "a.go": ("package p\n{functions}", "func {name}(a *S) int {{ {lines} return a.b }}\n", "a.c();\n"),
}
STEPS = 20_000


def _source(path: str, **lines: int) -> str:
    """Functions of so many lines, by name."""
    file, function, line = SHAPES[path]
    return file.format(functions="".join(function.format(name=name, lines=line * many) for name, many in lines.items()))


def _rows_of(facts: FileFacts, function: str) -> set[tuple[str | int, ...]]:
    """The rows that name a function, or something in it."""
    marks = (f"|{function}|", f".{function}|")
    return {row for row in every_row(facts) if any(mark in f"{entry}|" for entry in row[1:] for mark in marks)}


def _said(facts: FileFacts) -> list[tuple[str, str, str]]:
    return [(each.scope, each.function.replace(".", "|").split("|")[-1], each.reason) for each in facts.diagnostics]


@pytest.mark.parametrize(
    ("path", "functions"),
    [
        ("a.py", "def f{}(): 0\n"),
        ("a.c", "int f{}() {{ return 0; }}\n"),
        ("A.java", "class A{} {{ int f() {{ return 0; }} }}\n"),
    ],
)
def test_a_file_defines_a_bounded_number_of_functions(
    path: str, functions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translated, "FILE_FUNCTIONS", 30)
    monkeypatch.setattr(scopes, "FILE_FUNCTIONS", 30)
    several = ["".join(map(functions.format, range(count))) for count in (15, 61)]
    assert extract(path, several[0]).diagnostics == []
    assert "the file defines more than 30 functions" in {each.reason for each in extract(path, several[1]).diagnostics}


@pytest.mark.parametrize(
    ("path", "before", "line", "after"),
    [
        ("A.java", "class A { int x; void f(A a) {\n", "a.x = 1;\n", "} }\n"),
        ("a.py", "def f(a):\n", "  a.x = 1\n", ""),
    ],
)
def test_a_store_of_a_field_costs_more_than_its_instruction(path: str, before: str, line: str, after: str) -> None:
    passes = []
    for stores in (100, 200):
        taken = Taken()
        with counted(taken):
            extract(path, before + line * stores + after)
        passes.append(taken.passes)
    assert passes[1] - passes[0] >= 100 * (budget.NODE_STEPS + budget.STORE_STEPS)


def test_what_is_left_of_many_resources_is_not_copied_for_each() -> None:
    """The lists of those that are left, one for each resource that is open, took 350 MB."""
    _, _, megabytes, _, said = costs.measure("java", "resources", 500_000, 20)
    assert (int(megabytes) < 250, said) == (True, "nested too deeply")


def test_a_class_has_as_many_fields_as_a_class_file_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java_classes, "_MOST_FIELDS", 2)
    source = "enum E { A, B, C }\nenum F { A, B }\nclass G { int a, b; class H { int a, b, c; } }\nclass I { int a; }\n"
    facts = extract("A.java", source)
    reason = "it has more than the 2 fields that a class file may have"
    assert [(each.line, each.scope, each.reason) for each in facts.diagnostics] == [
        (1, "part", reason), (3, "part", reason),
    ]  # fmt: skip
    assert {row[1] for row in every_row(facts) if row[0] == "class_def"} == {"|F", "|I"}


@pytest.mark.parametrize("path", SHAPES)
def test_what_is_past_a_functions_budget_costs_that_function(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = extract(path, _source(path, before=2, heavy=2000, after=2))
    assert whole.diagnostics == []
    monkeypatch.setattr(budget, "FUNCTION_STEPS", STEPS)
    facts = checked(_source(path, before=2, heavy=2000, after=2).encode(), path)
    assert _said(facts) == [("function", "heavy", f"it takes more than {STEPS:,} steps")]
    assert len(_rows_of(facts, "heavy")) < 20 < len(_rows_of(whole, "heavy"))
    for name in ("before", "after"):
        assert len(_rows_of(whole, name)) > 5
        assert _rows_of(whole, name) == _rows_of(facts, name)


@pytest.mark.parametrize("path", SHAPES)
def test_past_the_budget_of_a_file_the_functions_at_its_end_are_left_out(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = _source(path, one=2, two=2000, three=2000, four=2)
    taken = Taken()
    with counted(taken):
        whole = extract(path, source)
    assert taken.passes > taken.lowered > 0
    left = taken.lowered
    monkeypatch.setattr(budget, "FILE_STEPS", taken.lowered + left)  # of which translation may take half
    monkeypatch.setattr(budget, "STEPS_OF_BYTE", 0.0)
    facts = checked(source.encode(), path)
    said = [each for each in _said(facts) if each[1] != "A"]  # a class of Java is lowered after its methods
    reason = f"the file takes more than {left:,} steps once it is translated"
    last = ("one", "two", "three", "four")[-len(said) :]
    assert said == [("function", name, reason) for name in last]
    assert "one" not in last
    for name in {"one", "two", "three", "four"}.difference(last):
        assert _rows_of(whole, name) == _rows_of(facts, name)


@pytest.mark.parametrize("path", SHAPES)
def test_translation_takes_a_part_of_the_budget_of_a_file(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = _source(path, one=2, two=2000, three=2)
    whole = extract(path, source)
    monkeypatch.setattr(budget, "FILE_STEPS", STEPS)
    monkeypatch.setattr(budget, "STEPS_OF_BYTE", 0.0)
    facts = checked(source.encode(), path)
    said = [each for each in _said(facts) if each[1] != "A"]
    assert said == [("function", "three", f"translating the file takes more than {STEPS * 3 // 4:,} steps")]
    for name in ("one", "two"):
        assert _rows_of(whole, name) == _rows_of(facts, name)


def test_past_the_budget_of_a_file_its_statements_are_left_out_together(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "def before(a):\n    return a.b\n" + "x = before(y).z\n" * 2000 + "def after(a):\n    return a.b\n"
    whole = extract("a.py", source)
    monkeypatch.setattr(budget, "FILE_STEPS", STEPS)
    monkeypatch.setattr(budget, "STEPS_OF_BYTE", 0.0)
    facts = checked(source.encode())
    [said, *functions] = facts.diagnostics
    assert (said.scope, said.function, said.reason) == ("part", "", f"it takes more than {STEPS // 3:,} steps")
    assert 2 < said.line < 1000
    assert said.last_line == 2004  # `after` is not defined either
    assert functions == []
    assert {row for row in every_row(whole) if row[1] == "|before"} <= every_row(facts)


@pytest.mark.parametrize("path", SHAPES)
def test_a_function_past_its_budget_while_its_facts_are_written_has_none(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Joined variables are counted when phis are written, after other facts."""
    functions: Any = import_module("pliant.extractors.ssa.function").Function
    facts_of = functions._facts

    def costly(self: Any) -> Any:
        found = facts_of(self)
        if self.symbol.endswith("heavy"):
            self.spend(budget.FUNCTION_STEPS)
        return found

    monkeypatch.setattr(functions, "_facts", costly)
    facts = checked(_source(path, before=2, heavy=3, after=2).encode(), path)
    assert _said(facts) == [("function", "heavy", f"it takes more than {budget.FUNCTION_STEPS:,} steps")]
    symbol = facts.diagnostics[0].function
    assert ("ends", symbol, symbol) in every_row(facts)
    assert not any(row[0] in ("load", "call", "dereference") for row in _rows_of(facts, "heavy"))


NAMED = {
    "a.py": "def {name}(a):\n{lines}    return None\n{name}(1).x\n",
    "A.java": "class A {{ A x; A {name}(A a) {{ {lines} return null; }} A g(A a) {{ return {name}(a).x; }} }}\n",
    "a.c": "struct s {{ int x; }};\nstruct s *{name}(void *a) {{ {lines} return 0; }}\n"
    "int g(void *a) {{ return {name}(a)->x; }}\n",
}


@pytest.mark.parametrize("path", NAMED)
def test_a_long_name_stands_for_what_a_short_one_does_and_does_not_fill_the_facts(path: str) -> None:
    line = "    h({name})\n" if path == "a.py" else "h({name}(a));\n"

    def source(name: str) -> str:
        return NAMED[path].format(name=name, lines=line.format(name=name) * 20)

    found = findings({path: source("f")})
    long = findings({path: source("f" * 3_000)})
    assert found
    assert [(each.line, each.rule) for each in long] == [(each.line, each.rule) for each in found]
    facts = extract(path, source("f" * 3_000))
    assert sum(map(len, facts.symbols)) < 20 * 3_000


def test_what_is_left_out_of_a_file_is_noted_in_time_that_grows_with_its_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(translated, "FILE_FUNCTIONS", 10)
    calls = 0

    def counted_span(node: Any) -> Any:
        nonlocal calls
        calls += 1
        return span(node)

    monkeypatch.setattr(java_file, "span", counted_span)
    taken = []
    for classes in (100, 200):
        calls = 0
        facts = extract("A.java", "".join(f"class A{n} {{ int f() {{ return 0; }} }}\n" for n in range(classes)))
        assert "the file defines more than 10 functions" in {each.reason for each in facts.diagnostics}
        taken.append(calls)
    assert taken[1] <= 2.5 * taken[0]
