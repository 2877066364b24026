"""A number of more digits than are read is one that is not known."""

from __future__ import annotations

import sys

import pytest
from in_memory import every_row
from test_any_source import checked

from pliant.extractors.lowering.literals import MOST_DIGITS, integer

BIG = "9" * 5000
PYTHON = [
    "def f(T):\n    x = T[{zeros}]\n    return x.y\n",
    "def f(T):\n    for x in range({big}): y = x\n    return y.z\n",
    "def f(x, y):\n    x = 3 if y else {big}\n    if x == {big}: return y.z\n    if x < -{big}: return y.z\n",
    "def f(x={big}):\n    return '%d' % {big} + f'{{x:{big}}}'\n",
    "def f(x):\n    match x:\n        case {big}: return x.y\n",
]
JAVA = [
    "int m = {big}; if (n == {big}) a.f(n, a); if (m == n) a.f(m, a);",
    "n = n * {big} + {big}; if (n > -{big}) a.f(n, a);",
    "switch (n) {{ case {big}: a.f(n, a); default: n = {zeros}; }}",
    "int[] m = {{ {big} }}; if (m[{big}] == 0{zeros}) a.f(n, a);",
    "if (a.g({big}) == null) a.f(n, a);",
]
_CLASS = "class A {{ A g(int n) {{ if (n == {big}) return null; return this; }} void f(int n, A a) {{"


@pytest.mark.parametrize(
    ("path", "source"),
    [
        *(("a.py", source) for source in PYTHON),
        *(("A.java", f"{_CLASS} {code} }}}} }}}}") for code in JAVA),
    ],
)
def test_a_number_of_any_length_fails_nowhere(path: str, source: str) -> None:
    facts = checked(source.format(big=BIG, zeros="0" * 5000).encode(), path)
    assert not facts.diagnostics
    assert {row[0] for row in every_row(facts)} > {"function", "ends"}


def test_an_index_of_many_digits_is_not_known() -> None:
    relations = {
        digits: {row[0] for row in every_row(checked(f"def f(T):\n    return T[{digits}]\n".encode()))}
        for digits in ("7", "9" * MOST_DIGITS, "9" * (MOST_DIGITS + 1))
    }
    assert ["element" in found for found in relations.values()] == [True, True, False]
    assert "subscript" in relations["9" * (MOST_DIGITS + 1)]


def test_every_python_reads_so_many_digits() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(sys.int_info.str_digits_check_threshold)
    try:
        assert integer("9" * MOST_DIGITS) == 10**MOST_DIGITS - 1
        assert integer("9" * (MOST_DIGITS + 1)) is integer("-1") is integer("²") is integer("") is None
    finally:
        sys.set_int_max_str_digits(before)
