"""Comments that silence findings: what they say, which line they speak of, and that no fact depends on them."""

from __future__ import annotations

import pytest
from in_memory import every_row, extract

from pliant.extractors.facts import Suppression


def read(path: str, source: str) -> list[Suppression]:
    return extract(path, source).suppressions


def test_a_comment_behind_code_speaks_of_its_line() -> None:
    source = "import re\nre.match('a', 'b').group()  # pliant: ignore[null.attribute]  it   matches\n"
    assert read("a.py", source) == [Suppression(2, 2, ("null.attribute",), "it matches")]


def test_a_comment_alone_speaks_of_the_next_line_of_code() -> None:
    source = "# pliant: ignore[null, alias.exposed-internal] why\n\n# more\n\nx = 1\n"
    assert read("a.py", source) == [Suppression(1, 5, ("null", "alias.exposed-internal"), "why")]


def test_a_comment_at_the_end_of_a_file_speaks_of_itself() -> None:
    assert read("a.py", "x = 1\n# pliant: ignore[null]") == [Suppression(2, 2, ("null",), "")]


@pytest.mark.parametrize("path", ["A.java", "a.c"])
def test_forms_of_java_and_c(path: str) -> None:
    inside = {"A.java": "class A { void f() {\n%s\n} }", "a.c": "void f(void) {\n%s\n}"}[path]
    assert read(path, inside % "g(); // pliant: ignore[null] why") == [Suppression(2, 2, ("null",), "why")]
    assert read(path, inside % "g(); /* pliant: ignore[null] why */") == [Suppression(2, 2, ("null",), "why")]
    assert read(path, inside % "/* pliant: ignore[null] why */ g();") == [Suppression(2, 2, ("null",), "why")]
    assert read(path, inside % "/* pliant: ignore[null]\n * for long\n */\ng();") == [
        Suppression(2, 5, ("null",), "* for long")
    ]


def test_text_and_prose_are_no_comments_of_this_kind() -> None:
    assert read("a.py", 's = "# pliant: ignore[null] no"\n') == []
    assert read("a.py", "# write `pliant: ignore[null]` to silence it\nx = 1\n") == []
    assert read("a.c", 'char *s = "/* pliant: ignore[null] */";\n') == []


def test_a_comment_that_names_no_rule_is_read_as_one() -> None:
    assert read("a.py", "x = 1  # pliant: ignore") == [Suppression(1, 1, (), "")]
    assert read("a.py", "x = 1  # pliant: ignore[ , ] why") == [Suppression(1, 1, (), "why")]


@pytest.mark.parametrize(
    ("path", "plain"),
    [("a.py", "def f(x):\n    return x.y%s\n"), ("A.java", "class A {\n int f(A x) { return x.f(x);%s\n } }\n")],
)
def test_no_fact_depends_on_a_comment(path: str, plain: str) -> None:
    mark = "#" if path == "a.py" else "//"
    with_comment = extract(path, plain % f"  {mark} pliant: ignore[null] why")
    without = extract(path, plain % "")
    assert with_comment.suppressions and not without.suppressions
    assert every_row(with_comment) == every_row(without)
    assert with_comment.symbols == without.symbols


def test_comments_to_other_tools_speak_of_the_rules_that_their_codes_mean() -> None:
    source = "x.y  # type: ignore[attr-defined, union-attr]  # pyright: ignore [reportOptionalSubscript]\n"
    assert read("a.py", source) == [
        Suppression(1, 1, ("null.attribute", "null.iteration", "null.context"), "", "mypy"),
        Suppression(1, 1, ("null.subscript",), "", "pyright"),
    ]
    source = "int f(int *p) {\n  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference)\n  return *p; }\n"
    assert read("a.c", source) == [Suppression(2, 3, ("null",), "", "clang-tidy")]
    source = "int f(int *p) {\n  return *p; // cppcheck-suppress [unread, nullPointer]\n}\n"
    assert read("a.c", source) == [Suppression(2, 2, ("null",), "", "cppcheck")]


def test_comments_to_other_tools_about_other_errors_say_nothing() -> None:
    assert read("a.py", "x.y  # type: ignore\nx.y  # type: ignore[attr-defined]\nx.y  # noqa: E501\n") == []
    assert read("a.py", 's = "# type: ignore[union-attr]"\n') == []
    assert read("a.c", "int f(int *p) { return *p; } // NOLINT\n") == []
