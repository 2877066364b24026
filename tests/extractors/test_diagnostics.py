"""What a diagnostic of a file says was left out, and of which function."""

from __future__ import annotations

import pytest

from pliant.extractors.facts import Diagnostic
from pliant.extractors.languages import LANGUAGES
from pliant.extractors.lowering.source import _around
from pliant.extractors.workers import MAX_BYTES, extract
from pliant.extractors.writer import FactWriter

PYTHON = """
class A:
    def f(self):
        y = = 3
        return y
    def g(self):
        def inner():
            z = (1,, 2)
        return inner
    w = = 3
def h():
    return 1
"""
JAVA = """
class A {
    int n;
    void f() {
        int x = = 3;
    }
    int q q;
    void g() {
        Runnable r = () -> {
            use(1,,
            2);
        };
    }
}
"""
C = """
int f(int *p) {
    if (p {
        return *p;
    }
}
struct s { int a int b; };
#define TWICE(x) (x) + (x)
int h(void) { return 2; }
"""


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("python", PYTHON, [(4, "|A.f"), (8, "|A.g.inner"), (10, "")]),
        ("java", JAVA, [(5, "|A.f"), (7, ""), (10, "|A.g.<lambda>")]),
        ("c", C, [(3, "|f"), (7, "")]),
    ],
)
def test_a_part_that_does_not_parse_is_of_the_innermost_function(
    language: str, source: str, expected: list[tuple[int, str]]
) -> None:
    told = extract(LANGUAGES[language], source.encode()).diagnostics
    assert [(each.line, each.function) for each in told] == expected
    assert all(each.scope == "part" and each.reason.startswith("not valid") for each in told)


def test_several_lines_that_do_not_parse_are_told_with_their_last() -> None:
    [told] = extract(LANGUAGES["python"], b"def f():\n    return [1,, 2, (\n\n3 4\n").diagnostics
    assert (told.line, told.last_line) == (2, 4)


def test_each_method_of_a_writer_has_a_scope() -> None:
    writer = FactWriter()
    writer.extents["|A.f"] = (3, 0, 9, 4)
    writer.file_left_out("too large")
    writer.function_left_out("|A.f", 3, "too many instructions")
    writer.function_left_out("|B.f", 12, "nested too deeply")
    writer.part_left_out(4, "nested too deeply", "|A.f", 6)
    writer.remark(5, "not UTF-8")
    assert writer.finish().diagnostics == [
        Diagnostic(1, "too large", "file"),
        Diagnostic(3, "too many instructions", "function", "|A.f", 9),
        Diagnostic(12, "nested too deeply", "function", "|B.f"),
        Diagnostic(4, "nested too deeply", "part", "|A.f", 6),
        Diagnostic(5, "not UTF-8", "remark"),
    ]


def test_spans_are_placed_in_functions_that_end_before_others_begin() -> None:
    extents = {"a": (1, 0, 9, 0), "a.b": (2, 0, 4, 0), "a.b.c": (3, 0, 3, 9), "d": (9, 0, 12, 0)}
    spans = [(1, 0, 1, 1), (3, 1, 3, 2), (3, 9, 4, 0), (4, 5, 4, 6), (8, 0, 10, 0), (10, 0, 10, 1), (13, 0, 13, 0)]
    assert _around(spans, extents) == ["a", "a.b.c", "a.b", "a", "", "d", ""]


def test_a_file_that_is_left_out_is_told_whole() -> None:
    [told] = extract(LANGUAGES["c"], b" " * (MAX_BYTES + 1)).diagnostics
    assert (told.line, told.scope, told.function) == (1, "file", "")
