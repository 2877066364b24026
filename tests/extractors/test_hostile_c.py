"""C that is odd or hostile: no part of it costs the facts of another, and none costs more than its size."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from test_any_source import checked

from pliant.extractors import budget
from pliant.extractors.c.integers import integer


@pytest.mark.parametrize(
    "source",
    [
        "#define NOTHING\nint f(int x, int *q) { if (x == q[0] NOTHING) return 1; return *q; }",
        "int f(int a) { if (0 == 04o(a)) return 1; return a; }",
        "int f(int *p) { int x; if (&x == p NOTHING || p != NOTHING &x) return 1; return *p; }",
    ],
)
def test_a_comparison_with_something_behind_it(source: str) -> None:
    facts = checked(source.encode(), "a.c")
    assert "function" in facts.rows


@pytest.mark.parametrize(
    "jump", ["if (a < 1) goto out;", "if (a < 1) { goto out; goto out; }", "while (a < 0) goto out;"]
)
def test_a_label_to_which_no_jump_is_reached(jump: str) -> None:
    source = f"void *f(int a) {{ void *found; a = 1; {jump} return 0; out: return found; }}"
    assert not checked(source.encode(), "a.c").diagnostics


_DIGITS = 5000


@pytest.mark.parametrize(
    "number", ["0" + "7" * _DIGITS, "0x" + "f" * _DIGITS, "9" * _DIGITS, "1" * 11], ids=lambda n: n[:3]
)
@pytest.mark.parametrize(
    "source",
    [
        "int f(int x, int *p) { if (x == %s) return *p; return x < %s ? 1 : %s; }",
        "int f(int *p) { int all[%s]; all[%s] = *p; return sizeof all / sizeof *all > 4 ? all[2] : 0; }",
        "enum e { A = %s, B, C = B + %s }; int f(int x, int *p) { if (x == B || x == C) return *p; return A; }",
        "int f(int x, int *p) { switch (x) { case %s: return *p; case 1: return %s; } return 0; }",
        "#define N %s\n#define M (N + 1)\nint f(int x, int *p) { return x == N || x == M ? *p : N; }",
        "#if %s\nint f(int *p) { return *p; }\n#endif\nint g(int *p) {\n#if %s > 2\nreturn *p;\n#endif\nreturn 0; }",
        "int f(int *p) __attribute__((nonnull(%s))); int g(int *p) { f(p); return *p; }",
        "static const int all[] = { 1, %s }, b = %s;\nint f(int *p) { if (all[1] == b) return *p; return all[%s]; }",
        "struct s { int a : %s; }; int f(struct s *p, int n) { n <<= %s; n -= %s; if (n > 1 << %s) return p->a; }",
        "int f(int *p, int n) { while (n++ < %s) p += %s; p = malloc(%s); for (n = %s; n; n--) return *p; }",
    ],
    ids=lambda source: source[:24],
)
def test_numbers_of_any_length(source: str, number: str) -> None:
    facts = checked(source.replace("%s", number).encode(), "a.c")
    assert not facts.diagnostics
    assert "dereference" in facts.rows


def test_a_number_is_read_as_c_writes_it() -> None:
    read = {text: integer(text) for text in ("10", "010", "0x10", "-1", "(7UL)", "0", "08", "1.5", "x", "")}
    assert read == {
        "10": 10, "010": 8, "0x10": 16, "-1": -1, "(7UL)": 7, "0": 0, "08": None, "1.5": None, "x": None, "": None
    }  # fmt: skip
    assert integer("0" * 5000 + "1") == 1
    assert [integer(str(2**64 - 1)), integer(str(2**64)), integer(hex(2**64))] == [2**64 - 1, None, None]


def _lines(source: str) -> int:
    """How many lines of Python run to extract a source."""
    count = 0

    def note(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        checked(source.encode(), "a.c")
    finally:
        sys.settrace(before)
    return count


def _members(count: int) -> str:
    return f"int f(int k) {{ if (p->v{'.x' * count} == k) return 1; return 0; }}"


def _halves(count: int) -> str:
    """Lists of arguments that are in each other, with an error in each."""
    split = "\n#ifndef A\nint\n#else\nchar\n#endif\n x),\n"
    return "struct x *f(struct r *" * count + split * count + ";"


def _labels(count: int) -> str:
    jumps = "".join(f"return x;\n{{ x++; }}\nl{n}: x--;\n" for n in range(8 * count))
    return f"int f(int x) {{\n{jumps}return x; }}"


@pytest.mark.parametrize("source", [_members, _halves, _labels])
def test_double_the_size_takes_little_more_than_double_the_work(source: Callable[[int], str]) -> None:
    for count in (8, 32):
        _lines(source(1))
        one, two = _lines(source(count)), _lines(source(2 * count))
        assert two < 2.5 * one, f"{one} lines of Python for {count}, {two} for {2 * count}"


_TENFOLD = {
    "statements": ("M0(x) if (x) g(x)", "M{n}(x)", "; ", "M8(p);"),
    "numbers": ("M0 (x + 1)", "M{n}", " + ", "if (M8 > 3) x = M8;"),
    "conditions": ("M0 (p && q)", "M{n}", " && ", "if (M8) x = 1;"),
}


@pytest.mark.parametrize("name", _TENFOLD)
def test_macros_that_each_use_the_one_before_ten_times_cost_their_function(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "FUNCTION_STEPS", 30_000)
    monkeypatch.setattr(budget, "FILE_STEPS", 100_000)
    first, use, joint, body = _TENFOLD[name]
    defined = "".join(
        f"#define {use.replace('{n}', str(level))} {joint.join([use.replace('{n}', str(level - 1))] * 10)}\n"
        for level in range(1, 9)
    )
    heavy = f"int heavy(struct s *p, struct s *q, int x) {{ {body} return x; }}\n"
    facts = checked(f"#define {first}\n{defined}{heavy}".encode(), "a.c")
    left_out = {each.function: each.reason for each in facts.diagnostics if each.scope == "function"}
    assert left_out.keys() - {f"|M{level}" for level in range(9)} == {"|heavy"}
    assert all("steps" in reason for reason in left_out.values())


def test_each_macro_that_an_argument_is_handed_through_is_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parameter of the innermost macro stands for that of the next one, and so on, up to the argument."""
    monkeypatch.setattr(budget, "FUNCTION_STEPS", 5_000)
    innermost = f"#define M0(x) ({' + '.join('x' * 100)})\n"
    handed = "".join(f"#define M{level}(x) M{level - 1}(x)\n" for level in range(1, 9))
    source = f"{innermost}{handed}int few(int a) {{ return M0(a); }}\nint many(int a) {{ return M8(a); }}\n"
    facts = checked(source.encode(), "a.c")
    left_out = {each.function for each in facts.diagnostics if "steps" in each.reason}
    assert left_out & {"|few", "|many"} == {"|many"}


def test_macros_of_themselves_and_of_each_other_end() -> None:
    macros = "#define A(x) B(x) + A(x)\n#define B(x) (A(x))\n#define C (C + 1)\n"
    assert not checked(f"{macros}int f(int x) {{ if (A(x) > C) return B(C); return C; }}".encode(), "a.c").diagnostics


def test_conditionals_nested_thousands_deep_are_read() -> None:
    after = "int f(int *p) { return *p; }\n"
    facts = checked(("#if A\n" * 4000 + "int x;\n" + "#endif\n" * 4000 + after).encode(), "a.c")
    assert facts.diagnostics == []
    assert any(symbol.startswith("|f|") for symbol in facts.symbols)
    nested = "#if A\n" * 4000 + "x();\n" + "#endif\n" * 4000
    inside = checked(f"void g(void) {{\n{nested}}}\n{after}".encode(), "a.c")
    assert [(each.function, each.reason) for each in inside.diagnostics] == [("|g", "nested too deeply")]
    assert any(symbol.startswith("|f|") for symbol in inside.symbols)


def test_macros_cost_no_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "FILE_STEPS", 20_000)
    macros = "".join(f"#define M{n}(x) (M{(n + 1) % 300}(x) + M{(n + 7) % 300}(x))\n" for n in range(300))
    facts = checked(f"{macros}int f(int *p) {{ return *p; }}\n".encode(), "a.c")
    left_out = [each.function for each in facts.diagnostics if each.scope == "function"]
    assert left_out and "|f" not in left_out
    assert len(facts.rows["dereference"]) > 0
