"""Go sources that could cost an extractor more than their size."""

from __future__ import annotations

from pathological import Generator, each_of_all, encoded, nested, parts, repeated

_PACKAGE = "package p\n"
_TYPES = "package p\ntype T struct { a, b *T; m map[string]*T; s []*T }\nfunc (t *T) f() *T { return t.a }\n"
_FUNCTION = f"{_TYPES}func f(x *T, y *T, z *T) *T {{\n"
_END = "return x\n}\n"
_ORDINARY = "func f{n}(x *T) *T {\n\tif x == nil {\n\t\treturn nil\n\t}\n\treturn x.a\n}\n"


def _body(unit: str, before: str = "", after: str = "") -> Generator:
    return repeated(unit, _FUNCTION + before, after + _END)


def _parts(*units: str, before: str = "", after: str = "") -> Generator:
    return parts(units, _FUNCTION + before, after + _END)


def _inside(opening: str, closing: str, before: str = "", inside: str = "x", after: str = "\n") -> Generator:
    return nested(opening, closing, _FUNCTION + before, inside, after + _END)


GENERATORS: dict[str, Generator] = {
    "ordinary functions": repeated(_ORDINARY, _TYPES),
    # Functions of many statements.
    "lines": _body("x.a = y.b.f()\n"),
    "calls": _body("g{n}(x)\n"),
    "ifs": _body("if x.a == nil { y = x.b }\n"),
    "guards": _body("if x != nil { x = g() }\n"),
    "guards of fields": _body("if x.a != nil { x.a.b = g() }\n"),
    "guards that return": _body("if x.a == nil { return y }\n"),
    "errors": _body("if z, err := g{n}(); err != nil { return z }\n"),
    "errors of one variable": _body("z, err = g{n}(); if err != nil { return z }\n", "var err error\n"),
    "tests": _body("if n == {n} { y = nil }\n", "n := 1\n", "y.f()\n"),
    "loops": _body("for _, y = range x.s { y.f() }\n"),
    "endless loops": _body("for { if x.f() == nil { break }; y = x.a }\n"),
    "returns": _body("if x.f() == y { return y.a }\n"),
    "defers": _body("defer func() { x.f() }()\n"),
    "deferred calls": _body("defer x.f()\n"),
    "goroutines": _body("go func() { x = y }()\n"),
    "closures": _body("g(func() *T { return x.a })\n"),
    "closures that write": _body("g(func() { x = nil })\n"),
    "switches": _body("switch x.f() { case nil: y = x; default: y = nil }\n"),
    "cases": _body("case {n}: y = x.a\n", "switch g() {\n", "}\n"),
    "cases that fall through": _body("case {n}: y = x.a; fallthrough\n", "switch g() {\n", "default: }\n"),
    "cases of types": _body("case *T{n}: v.f()\n", "switch v := g().(type) {\n", "}\n"),
    "cases of a select": _body("case y = <-c{n}: y.f()\n", "select {\n", "}\n"),
    "labels": _body("l{n}: x = y.a; if x == nil { goto l{m} }\n", "l0: x = y\n"),
    "gotos to the end": _parts("if x.f() == nil { goto l{n} }\n", "l{n}: x.f()\n"),
    "gotos to the begin": _parts("l{n}: x.f()\n", "if x.f() == nil { goto l{n} }\n"),
    "breaks of labels": _body("l{n}: for { if x.f() == nil { break l{n} }; continue l{n} }\n"),
    "joins behind joins": _body("if x.f() == nil { y = nil } else { y = x.b }; if y == nil { y = x }\n"),
    "variables that go together": _body(
        "var b{n} *T; c{n} := 1; if x.f() != nil { b{n} = x; c{n} = 2 }; if c{n} == 2 { b{n}.f() }\n"
    ),
    "results that go together": _body("v{n}, e{n} := g(); if e{n} == nil { v{n}.f() }\n"),
    "increments": _body("n++; n += {n}\n", "n := 0\n"),
    "pointers": _body("p{n} := &x; *p{n} = nil; x.f()\n"),
    "assertions": _body("x = g().(*T); if v, ok := g().(*T); ok { v.f() }\n"),
    # Many variables, something between, and a use of each.
    "variables over ifs": _parts("v{n} := x.a\n", "if y.f() == nil { x = y }\n", "v{n}.f()\n"),
    "variables over loops": _parts("v{n} := x.a\n", "for y.f() != nil { x = y }\n", "v{n}.f()\n"),
    "variables over switches": _parts("v{n} := x.a\n", "switch g() { case 1: x = y }\n", "v{n}.f()\n"),
    "variables in a loop": _parts(
        "v{n} := x.a\n", "if y.f() == nil { continue }\n", "v{n}.f()\n", before="for {\n", after="}\n"
    ),
    "variables that a loop writes": _parts(
        "var v{n} *T\n", "if y.f() == nil { v{n} = y }\n", "v{n}.f()\n", before="for {\n", after="}\n"
    ),
    "fields over calls": _parts("x.v{n} = nil\n", "g(y)\n", "x.v{n}.f()\n"),
    "fields over ifs": _parts("x.v{n} = nil\n", "if y.f() == nil { z = y }\n", "x.v{n}.f()\n"),
    "fields over loops": _parts("x.v{n} = nil\n", "for y.f() == nil { z = y }\n", "x.v{n}.f()\n"),
    "closures that use variables": _parts("v{n} := x.a\n", "g(func() *T { return v{n}.a })\n"),
    # Expressions in each other.
    "parentheses": _inside("(", ")", "y = "),
    "parentheses of the file": nested("(", ")", f"{_PACKAGE}var x = ", "1", "\n"),
    "negations": _inside("!", "", "b := ", "x.b"),
    "negations in a condition": _inside("!", "", "if ", "b", " { y = nil }\n"),
    "signs": _inside("- ", "", "n := ", "1"),
    "addresses": _inside("&", "", "p := ", "x"),
    "dereferences": _inside("*", "", "p := ", "x"),
    "calls in calls": _inside("f(", ")", "y = "),
    "literals in literals": _inside("T{a: &", "}", "y = &", "T{}"),
    "slices in slices": _inside("[]any{", "}", "var s any = "),
    "functions in functions": _inside("func() any { return ", "}", "y = "),
    "conversions": _inside("any(", ")", "y = "),
    "ands and ors": _inside("(x == nil && y == nil || ", ")", "if ", "x.f() == nil", " { x.f() }\n"),
    "sums in parentheses": _inside("(1 + ", ")", "n := ", "1"),
    "types of a variable": _inside("map[string]", "", "var v ", "*T"),
    "pointers of a type": nested("*", "", f"{_PACKAGE}var v ", "T", "\n"),
    "types of functions": nested("func(", ")", f"{_PACKAGE}var v ", "", "\n"),
    "structs in structs": nested("struct { a ", "}", f"{_PACKAGE}var v ", "int", "\n"),
    "type arguments": nested("T[", "]", f"{_PACKAGE}var v ", "int", "\n"),
    # Long expressions and lists.
    "sums": _body(" + a{n}", "n := 1", "\n"),
    "sums of texts": _body(' + "a{n}"', 's := "a"', "\n"),
    "ands": _body(" && x.a != nil", "b := x != nil", "\n"),
    "ands in a condition": _body(" && x.a{n} == nil", "if x == nil", " { x.f() }\n"),
    "attributes": _body(".a", "y = x", "\n"),
    "methods of results": _body(".f()", "y = x", "\n"),
    "elements of elements": _body("[{n}]", "y = s", "\n"),
    "calls of results": _body("()", "y = g", "\n"),
    "assignments of many": _parts("a{n}, ", "b{n}.c, ", before="z, ", after="z = z\n"),
    "names of a declaration": _body("a{n}, ", "var ", "a *T\n"),
    "parameters": repeated("a{n} *T, ", f"{_TYPES}func f(", "a *T) *T { return a.a }\n"),
    "results": repeated("a{n} *T, ", f"{_TYPES}func f() (", "a *T) { return }\n"),
    "arguments": _body("a{n}, ", "f(", "x)\n"),
    "dictionary": _body('"a{n}": x.a, ', "m := map[string]*T{", "}\n"),
    "dictionary of the file": repeated('"a{n}": {n},\n', f"{_PACKAGE}var m = map[string]int{{\n", "}\n"),
    "list": _body("x.a, ", "s := []*T{", "}\n"),
    "numbers": repeated("{n}, ", f"{_PACKAGE}var s = []int{{", "}\n"),
    "structs of a list": repeated('{a: nil, n: {n}, s: "a{n}"},\n', f"{_TYPES}var s = []T{{\n", "}\n"),
    "fields of a struct": repeated(
        "a{n} *T\n", f"{_PACKAGE}type T struct {{\n", "}\nfunc f(t T) { u := t; u.a1.f() }\n"
    ),
    "values of a large struct": parts(
        ("a{n} *T\n", "}\nvar v{n} T\ntype T{n} struct {\n"), f"{_PACKAGE}type T struct {{\n", "}\n"
    ),
    "methods of an interface": repeated("f{n}(*T) *T\n", f"{_PACKAGE}type T interface {{\n", "}\n"),
    "embedded types": repeated("T{n}\n", f"{_PACKAGE}type T struct {{\n", "}\nfunc f(t *T) { t.a.b() }\n"),
    "type parameters": repeated("T{n} any, ", f"{_PACKAGE}func f[", "T any](x T) {}\n"),
    "constants": repeated("c{n} = iota\n", f"{_PACKAGE}const (\n", ")\n"),
    # Statements in each other.
    "else ifs": _body(" else if x.a == y { y = x }", "if x == y { y = z }", "\n"),
    "ifs in ifs": _inside("if x != nil {\n", "}\n", "", "x.f()\n", ""),
    "blocks": _inside("{\n", "}\n", "", "x = nil\n", ""),
    "loops in loops": _inside("for y != nil {\n", "}\n", "", "x = nil\n", ""),
    "ranges in ranges": _inside("for _, v{n} := range x.s {\n", "}\n", "", "x = nil\n", ""),
    "variables of loops in loops": _inside(
        "for y.f() != nil {\nv{n} := x\ng(y)\n", "v0.f()\n}\n", "v0 := y\n", "x = nil\n", ""
    ),
    "switches in cases": _inside("switch x.f() {\ncase nil:\n", "}\n", "", "x = nil\n", ""),
    "labels in labels": _inside("l{n}:\n", "", "", "x.f()\n", ""),
    "closures in closures": _inside("func() {\n", "}()\n", "", "x = nil\n", ""),
    "closures with variables in closures": _inside("v{n} := x\nfunc() {\nv{n}.f()\n", "}()\n", "", "x = nil\n", ""),
    "defers in closures": _inside("defer func() {\n", "}()\n", "", "x = nil\n", ""),
    # Functions, types, names.
    "all functions call each other": each_of_all("func f{n}() {\n", " f{m}()\n", "}\n"),
    "functions in a chain": repeated("func f{n}(x *T) *T { return f{m}(x) }\n", _TYPES),
    "functions that return each other's nil": repeated(
        "func f{n}() *T { return f{m}() }\n", f"{_TYPES}func f0() *T {{ return nil }}\n"
    ),
    "functions of one name": repeated("func g(x *T) *T { return x.a }\n", _TYPES),
    "methods": repeated("func (t *T) f{n}() *T { return t.a.f{m}() }\n", _TYPES),
    "methods of one name": repeated("func (t *T) g() *T { return t.a }\n", _TYPES),
    "methods of types": repeated("type T{n} struct { a *T{m} }\nfunc (t *T{n}) f() *T{m} { return t.a.a }\n", _TYPES),
    "types in a chain": repeated("type T{n} struct { T{m}; a{n} int }\n", f"{_PACKAGE}type T0 struct {{ b *T0 }}\n"),
    "types in a chain that a method uses": repeated(
        "type T{n} struct { T{m} }\nfunc (t *T{n}) g() { t.b.c() }\n", f"{_PACKAGE}type T0 struct {{ b *T0 }}\n"
    ),
    "types of all before": each_of_all("type T{n} struct {\n", "T{m}\n", "}\n", before=True),
    "types that hold each other": repeated("type A{n} struct { B{n} }\ntype B{n} struct { A{n} }\n", _PACKAGE),
    "definitions in a chain": repeated("type T{n} T{m}\n", f"{_PACKAGE}type T0 struct {{ a *T0 }}\n", "var v T1\n"),
    "aliases in a circle": repeated("type T{n} = T{m}\n", f"{_PACKAGE}type T0 = T1\n"),
    "types of one name": repeated("type T struct { a{n} *T }\n", _PACKAGE),
    "imports": repeated('import "a{n}/b"\n', _PACKAGE),
    "imports of a group": repeated('"a{n}/b"\n', f"{_PACKAGE}import (\n", ")\n"),
    "import of a long path": repeated("/a{n}", f'{_PACKAGE}import "a', '"\n'),
    "variables of the file": repeated("var v{n} *T\n", _TYPES),
    "variables of the file in a chain": repeated("var v{n} = v{m}\n", f"{_TYPES}var v0 *T\n"),
    "variables of the file that functions use": _parts("g(v{n})\n", after=_END + "var v *T\nfunc h() *T {\n"),
    # Long words.
    "digits": repeated("9", f"{_PACKAGE}var x = ", "\n"),
    "digits of a comparison": _body("9", "if n == ", " { y = nil }\n"),
    "digits of a fraction": repeated("9", f"{_PACKAGE}var x = 0.", "\n"),
    "identifier": repeated("a", f"{_PACKAGE}var ", " int\n"),
    "identifier of a function": repeated("a", f"{_TYPES}func ", "(x *T) *T { x.f(); x.a.f(); return x.b }\n"),
    "text": repeated("a", f'{_PACKAGE}var x = "', '"\n'),
    "text of lines": repeated("a\n", f"{_PACKAGE}var x = `", "`\n"),
    "comment": repeated("a", f"{_PACKAGE}// ", "\n"),
    "block comment": repeated("a\n", f"{_PACKAGE}/* ", "*/\n"),
    "comments": repeated("// pliant: ignore[null] a{n}\n", _PACKAGE),
    "comments in a function": _body("// a{n}\n"),
    "comments behind code": _body("x.f() // pliant: ignore[null] a{n}\n"),
    "semicolons": _body(";"),
    "build constraints": repeated("a{n} || ", "//go:build ", f"b\n\n{_PACKAGE}"),
    # Lines and encodings.
    "empty lines": repeated("\n", _PACKAGE),
    "one line": repeated("f{n}(x); ", _FUNCTION.replace("\n", ";").replace("{;", "{"), _END.replace("\n", ";")),
    "form feeds": _body("\fx.f()\n"),
    "carriage returns and line feeds": repeated(_ORDINARY.replace("\n", "\r\n"), _TYPES.replace("\n", "\r\n")),
    "byte order mark": repeated(_ORDINARY, f"\ufeff{_TYPES}"),
    "UTF-16": encoded(repeated(_ORDINARY, _TYPES), "utf-16-le", b"\xff\xfe"),
    "other encoding": encoded(_body('s = "é{n}"\n'), "latin-1"),
    "null characters": _body("\0"),
    # What does not parse.
    "opening parentheses": repeated("("),
    "closing parentheses": repeated(")", _PACKAGE),
    "opening braces": repeated("{", _FUNCTION),
    "opening types": repeated("T[", f"{_PACKAGE}var x "),
    "quotes": repeated('"', _PACKAGE),
    "broken functions": repeated("func ( {\n", _PACKAGE),
    "broken statements": _body("x = = {n}\n"),
    "words": repeated("a{n} ", _PACKAGE),
    "words in a function": _body("a{n} "),
    "keywords": repeated("if else for func switch go ", _PACKAGE),
    "backslashes": repeated("\\", _PACKAGE),
    "arrows": repeated("<-", f"{_PACKAGE}var x = "),
}
