"""Go that is nested deeply, broken or none at all: the rest of it is translated, and every unit is valid."""

from __future__ import annotations

import corpus
import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_memory import every_row, extract
from test_any_source import checked
from tree_sitter import Tree

from pliant.extractors.budget import TooMuch
from pliant.extractors.facts import FileFacts
from pliant.extractors.go.constraints import is_built
from pliant.extractors.go.context import imported_folders
from pliant.extractors.go.extract import translate
from pliant.extractors.go.parser import parser
from pliant.extractors.ir.verify import verify_unit
from pliant.extractors.lowering.parsing import Parser

_DEPTH = 3000
_SOUND = "func {name}(s *S) string {{\n\tif s == nil {{\n\t\treturn s.name\n\t}}\n\treturn s.next.name\n}}\n"


def _checked(source: str) -> FileFacts:
    verify_unit(translate(source.encode()))
    return checked(source.encode(), "a.go")


@pytest.mark.parametrize(
    "code",
    [
        "x := " + "(" * _DEPTH + "1" + ")" * _DEPTH,
        "x := " + "!" * _DEPTH + "y",
        "x := " + "-" * _DEPTH + "y",
        "x := " + "<-" * _DEPTH + "y",
        "x := " + " + ".join(["y"] * _DEPTH),
        "x := " + " && ".join(["y"] * _DEPTH),
        "x := " + " && ".join(["y.z == nil"] * _DEPTH),
        "x := y" + ".z" * _DEPTH,
        "y" + ".z()" * _DEPTH,
        "y" + "[0]" * _DEPTH + " = 1",
        "if a { } " + "else if c { } " * _DEPTH,
        "{" * _DEPTH + "}" * _DEPTH,
        "for " * 1000 + "{" * 1000 + "}" * 1000,
        "switch x {\n" + "".join(f"case {number}: y(); fallthrough\n" for number in range(2000)) + "default: }",
        "func() { " * 1000 + "}()\n" * 1000,
        "x := " + "[]any{" * _DEPTH + "}" * _DEPTH,
        "var x " + "*" * _DEPTH + "int",
        "var x " + "struct{ a " * _DEPTH + "int" + "}" * _DEPTH,
        "type T " + "map[int]" * _DEPTH + "int",
        "x := " + "9" * 5000,
        "a: a: a: goto a; goto b; break c; continue d; for { b: }",
    ],
    ids=lambda code: code[:24],
)
def test_deep_nesting_costs_its_function_alone(code: str) -> None:
    before, after = (_SOUND.format(name=name) for name in ("before", "after"))
    facts = _checked(f"package p\n{before}func deep() {{\n{code}\n}}\n{after}")
    mine = {row for row in every_row(extract("a.go", f"package p\n{before}")) if row[0] == "dereference"}
    assert len(mine) == 2
    assert mine <= every_row(facts)


@pytest.mark.parametrize(
    "code",
    [
        "type A = B\ntype B = A\nfunc f(a A) { a.b().c() }",
        "type A A\ntype B struct { B; *C }\ntype C struct { B; n int }\nfunc f(b B, a A) int { b.x(); return b.n }",
        "func f(int, ...) (_, _ T) { return }\nfunc (T) f() {}\nfunc (*T) f() {}\nfunc f() {}\nfunc init() {}",
        "func (m map[string]int) f() {}\nfunc () f() {}\nfunc (a, b T) f() {}",
        'var a, b, c = 1\nvar = 2\nconst ( d; e = iota )\nimport ""\nimport `x`\nvar f = func() { a, b := c }',
        "func f() { a, b, c := d; a, b = 1; x.(type); switch x := y.(type) { case nil, nil: x() } }",
        "func f() { _ = T{1, 2, a: 3, {4}}; _ = &_; *_ = 1; _.a = 2; _++ ; len(); append(); make(); new(); panic() }",
        "x := 1\nreturn x\nfor { }\nfunc",
    ],
    ids=lambda code: code[:24],
)
def test_what_no_compiler_takes_is_translated(code: str) -> None:
    _checked(f"package p\n{code}\n")


@given(
    path=st.sampled_from(sorted(corpus.go())),
    start=st.floats(0, 1),
    length=st.integers(1, 60),
    put=st.text("(){}[];:=.,*&x\n", max_size=5),
)
@corpus.examples(150)
def test_a_file_with_a_hole_is_translated(path: str, start: float, length: int, put: str) -> None:
    text = corpus.go()[path]
    at = int(start * len(text))
    _checked(text[:at] + put + text[at + length :])


@pytest.mark.parametrize(
    ("constraint", "built"),
    [
        ("//go:build linux", True),
        ("//go:build !linux", False),
        ("//go:build windows || linux && cgo", True),
        ("//go:build darwin || !(windows || linux)", False),
        ("//go:build (linux && amd64) || (darwin && arm64)", True),
        ("//go:build ignore", False),
        ("//go:build go1.21 && !go1.18", False),
        ("// +build linux,!amd64 darwin", False),
        ("// +build linux darwin\n// +build amd64", True),
        ("//go:build linux\n// +build windows", True),
        ("//go:build ((linux", True),
        ("//go:build " + "(" * 5000, True),
        ("// any comment", True),
    ],
)
def test_constraints_say_what_is_built_for_linux(constraint: str, built: bool) -> None:
    root = parser().parse(f"{constraint}\n\npackage p\n\n//go:build windows\nvar x int\n".encode()).root_node
    assert is_built(root) is built


def test_import_paths_name_folders() -> None:
    folders = ["", "util", "errors", "a/b", "http", "vendor/k8s.io/api", "x"]
    paths = ["e.com/app", "e.com/app/util", "e.com/app/errors", "e.com/app/a/b", "k8s.io/api", "net/http"]
    foreign = ["github.com/pkg/errors", "gopkg.in/x/util"]
    named = {"e.com/app": "", "e.com/app/util": "util", "e.com/app/errors": "errors", "e.com/app/a/b": "a/b"}
    assert imported_folders([*paths, *foreign], folders) == {**named, "k8s.io/api": "vendor/k8s.io/api"}
    assert imported_folders(["e.com/app/util"], ["web/util", "backend/util"]) == {}
    assert imported_folders(["e.com/app/util", "e.com/app/db"], ["web/util", "backend/util", "backend/db"]) == {
        "e.com/app/util": "backend/util",
        "e.com/app/db": "backend/db",
    }


@pytest.mark.parametrize(
    ("call", "is_value"),
    [
        *((f"new({kind})", False) for kind in ("int", "*T", "p.T", "[]int", "[4]int", "G[int, string]", "chan int")),
        *((f"new({kind})", False) for kind in ("struct{ a int }", "map[string]int", "func(int) int", "interface{}")),
        *((f"new({value})", True) for value in ("f(a)", "a + 1", '"text"', "xs[i+1]", "-1")),
        ("t.new(a + 1)", False),
    ],
)
def test_new_of_a_value_is_told_from_new_of_a_type(call: str, is_value: bool) -> None:
    """In a file that does not read without."""
    source = f"package p\nfunc f() {{ use(new(1 + 1)); use({call}) }}\n".encode()
    text = parser().parse(source).root_node.text or b""
    assert text.endswith(f"use({'&  ' + call[3:] if is_value else call}) }}\n".encode())


def test_a_file_whose_second_reading_takes_too_much_keeps_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Parser.parse

    def reads_once(self: Parser, source: bytes, /, old_tree: Tree | None = None) -> Tree:
        if b"&  (" in source:
            raise TooMuch("parsing")
        return read(self, source, old_tree)

    monkeypatch.setattr(Parser, "parse", reads_once)
    assert parser().parse(b"package p\nfunc f() { use(new(1 + 1)) }\n").root_node.has_error
