"""What analyses cost of programs that are written to be large: rows that joins put out, which grow as the source."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from in_memory import evaluate


def _each_calls_all(count: int, before: str = "", call: str = "f{}(a)", after: str = "") -> Iterator[str]:
    for number in range(count):
        yield f"def f{number}(a):\n"
        yield before.replace("{}", str(number))
        yield from (f"    {call.format(other)}\n" for other in range(count))
        yield after.replace("{}", str(number))


def _lines(before: str, line: str, count: int, after: str = "") -> Iterator[str]:
    yield before
    yield from (line.replace("{}", str(number)) for number in range(count))
    yield after


_C = "struct s { struct s *v; };\n"

# By their names, makers of a source in Python, of a size that the argument is the square root of, or grows as.
SQUARE: dict[str, Callable[[int], Iterator[str]]] = {
    "functions that call each other": _each_calls_all,
    "with fields over the calls": lambda n: _each_calls_all(n, "    a.v{} = None\n", after="    a.v{}.x\n"),
    "with what they return": lambda n: _each_calls_all(n, call="a = f{}(a)", after="    return a\n"),
    "with null that they return": lambda n: _each_calls_all(
        n, call="a = f{}(a)", after="    if a:\n        return None\n    return a.x\n"
    ),
}
LINEAR: dict[str, Callable[[int], Iterator[str]]] = {
    "a chain of functions": lambda n: _lines("", "def f{}(a):\n    return g{}(a).x\ng{} = f{}\n", n),
    "methods of one name": lambda n: _lines(
        "", "class C{}:\n    def m(self, a):\n        self.x = None\n        return a\ndef u{}(b):\n    b.m(b).x\n", n
    ),
    "a field that all methods set": lambda n: _lines(
        "class C:\n    def __init__(self):\n        self.x = None\n",
        "    def s{}(self):\n        self.x = None\n    def u{}(self):\n        self.t()\n        return self.x.z\n", n,
    ),
    "a global that all functions set": lambda n: _lines(
        "X = None\n", "def s{}():\n    global X\n    X = None\ndef u{}():\n    return X.y\n", n
    ),
    "items of a dictionary": lambda n: _lines(
        "def f(a):\n    d = {}\n", "    d[a.k{}] = None\n    d[a.r{}].x\n", n
    ),
    "null that is passed on": lambda n: _lines(
        "", "def f{}(a):\n    a.u\n    g{}(a)\ndef h{}():\n    f{}(None)\n", n
    ),
    "overrides": lambda n: _lines(
        "class B:\n    def m(self, a): return None\n",
        "class D{}(B):\n    def m(self, a): return a\n    def u{}(self, b: B): b.m(self).x\n", n,
    ),
}  # fmt: skip
JAVA: dict[str, Callable[[int], Iterator[str]]] = {
    "returns behind tests": lambda n: _lines(
        "class A { A x; boolean b() { return x != null; } A f(A a, A b) {\n", "if (a.b()) return b.c{};\n", n,
        "return a; } }",
    ),
    "overloads": lambda n: _lines(
        "class A { A f(A a) { return a.m(1); }\n", "A m(B{} a, String b) { return null; }\n", n, "}"
    ),
}  # fmt: skip

C: dict[str, Callable[[int], Iterator[str]]] = {
    "a chain of functions": lambda n: _lines(
        _C, "struct s *f{}(struct s *p) { return g{}(p)->v; }\nstruct s *g{}(struct s *p) { return f{}(p); }\n", n
    ),
    "null that is passed on": lambda n: _lines(
        _C, "void f{}(struct s *p) { p->v = 0; g{}(p); }\nvoid h{}(void) { f{}(0); }\n", n
    ),
    "what the library gives is passed to it": lambda n: iter(
        (f"void f(char *p) {{ p = {'strchr(' * n}p{', 1)' * n}; }}\n",)
    ),
}  # fmt: skip


def _calls_all_in_c(count: int) -> Iterator[str]:
    yield _C
    for number in range(count):
        yield f"struct s *f{number}(struct s *p) {{\n"
        yield from (f"p = f{other}(p);\n" for other in range(count))
        yield "return p->v;\n}\n"


def _rows(path: str, source: Iterator[str]) -> int:
    evaluation, _ = evaluate({path: "".join(source)})
    return evaluation.work.rows


@pytest.mark.parametrize(
    ("path", "make", "once", "twice"),
    [
        *(pytest.param("a.py", make, 60, 85, id=name) for name, make in SQUARE.items()),
        *(pytest.param("a.py", make, 200, 400, id=name) for name, make in LINEAR.items()),
        *(pytest.param("A.java", make, 200, 400, id=f"{name}, Java") for name, make in JAVA.items()),
        *(pytest.param("a.c", make, 200, 400, id=f"{name}, C") for name, make in C.items()),
        pytest.param("a.c", _calls_all_in_c, 60, 85, id="functions that call each other, C"),
    ],
)
@pytest.mark.one_in(2)
def test_twice_the_source_takes_at_most_two_and_a_half_times_the_rows(
    path: str, make: Callable[[int], Iterator[str]], once: int, twice: int
) -> None:
    nothing = _rows(path, iter(()))  # what the library alone takes
    assert 0 < _rows(path, make(twice)) - nothing <= 2.5 * (_rows(path, make(once)) - nothing)
