"""What a parser takes is bounded, by count."""

from __future__ import annotations

import pytest
from in_memory import extract

from pliant.extractors.facts import Diagnostic
from pliant.extractors.lowering import parsing

FILES = {"a.py": "def f(:\n", "A.java": "class A { void f( {\n", "a.c": "int f( {\n", "a.go": "package p\nfunc f( {\n"}


@pytest.mark.parametrize("path", FILES)
def test_a_source_that_costs_its_parser_too_much_is_left_out(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = FILES[path] * 2000
    assert extract(path, source).diagnostics[0].scope == "part"
    monkeypatch.setattr(parsing, "PARSER_STEPS", 20)
    monkeypatch.setattr(parsing, "PARSER_STEPS_OF_PART", 0)
    facts = extract(path, source)
    assert facts.diagnostics == [Diagnostic(1, "parsing it takes more than 20 steps")]
    assert facts.lines == source.count("\n")
    assert not facts.rows
    assert extract(path, "").diagnostics == []  # the parser has forgotten it


@pytest.mark.parametrize(("most", "read"), [(5, False), (6, True)])
@pytest.mark.parametrize("path", ["A.java", "a.c"])
def test_a_source_of_errors_is_left_out(path: str, most: int, read: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the three errors has one part, a parenthesis."""
    function = "class A { int f(A p) { return p.x; } }" if path == "A.java" else "int f(int *p) { return *p; }"
    source = f"{function}\n" + "int x = ) 3;\n" * 3 + "int y;\n" * 200
    monkeypatch.setattr(parsing, "MOST_ERRORS", most)
    facts = extract(path, source)
    assert bool(facts.rows) == read
    if not read:
        assert facts.diagnostics == [Diagnostic(1, "more than 5 places of it are not valid")]


def test_an_error_that_a_parser_finds_much_in_is_left_out() -> None:
    """In Java, 250 KB of quotes are one error, which has 55,000 parts. The parser would go through it once more."""
    facts = extract("A.java", '"' * 250_000)
    assert facts.diagnostics == [Diagnostic(1, "more than 50,000 places of it are not valid")]
    assert extract("A.java", '"' * 200_000).diagnostics[0].scope == "part"


def test_a_tree_that_was_parsed_in_parts_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """And has the source, also where a character stands in two parts."""
    monkeypatch.setattr(parsing, "_PART", 3)
    for source in ("x = 'é€𝄞'\ny.z\n" * 9, "x = 'é\n€'\ny.z\n" * 9, "def f(:\r\n é\r\n"):
        parts, whole = extract("a.py", source), None
        with monkeypatch.context() as patch:
            patch.setattr(parsing, "_PART", len(source) * 4)
            whole = extract("a.py", source)
        assert parts == whole


@pytest.mark.parametrize("before", ["", "class A { void f() { "])
def test_types_that_java_opens_and_does_not_close(before: str) -> None:
    """Of 60,000 bytes, the grammar's parser takes more than 4 GB."""
    facts = extract("A.java", before + "A<" * 30_000)
    assert facts.diagnostics == [Diagnostic(1, "too many < are open in it at once")]
    assert extract("A.java", before + "A<" * 30).diagnostics[0].scope == "part"


def test_comparisons_and_type_arguments_of_java_are_parsed() -> None:
    """Ordinary code, as much as a file may have, is not near that bound."""
    line = "boolean f{n}(Map<String, List<A<B>>> m) {{ return m.a < m.b && m.c < m.d || m.e < 1; }} // <<<<<<<<<<\n"
    facts = extract("A.java", "class A {\n" + "".join(line.format(n=number) for number in range(1000)) + "}\n")
    assert facts.diagnostics == []
