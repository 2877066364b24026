"""Java sources that could cost an extractor more than their size."""

from __future__ import annotations

from pathological import Generator, each_of_all, encoded, nested, parts, repeated

_METHOD = "class A {\n A x, y; A f(A a, A b, A c) {\n"
_END = "  return a;\n }\n}\n"
_FIELD = "class A { Object x = "
_ORDINARY = "class A{n} {\n String f(A{n} a) {\n  if (a == null) { return null; }\n  return a.toString();\n }\n}\n"


def _method(unit: str, before: str = "", after: str = "") -> Generator:
    return repeated(unit, _METHOD + before, after + _END)


def _parts(*units: str, before: str = "", after: str = "") -> Generator:
    return parts(units, _METHOD + before, after + _END)


def _inside(opening: str, closing: str, before: str = "", inside: str = "x", after: str = "") -> Generator:
    return nested(opening, closing, _METHOD + before, inside, after + _END)


GENERATORS: dict[str, Generator] = {
    "ordinary classes": repeated(_ORDINARY),
    # Methods of many statements.
    "lines": _method("a.x{n} = b.y.z(c);\n"),
    "calls": _method("g{n}(a);\n"),
    "calls of a small method": _method(
        "g(a, {n}); if (g(b, {n}) == null) b = a;\n", after="} A g(A p, int n) { if (n == 3) return p;"
    ),
    "ifs": _method("if (a.x == null) b = a.y{n};\n"),
    "tests": _method("if (a == B.b{n}) b = null;\n", after="b.f();"),
    "tests of numbers": _method("if (n == {n}) b = null; else n++;\n", "int n = 0;", "b.f();"),
    "loops": _method("for (A z : a.all{n}) b.x = z.x;\n"),
    "returns": _method("if (a.b()) return b.c{n};\n"),
    "assertions": _method("assert a.x{n} != null;\n"),
    "lambdas in a method": _method("g(() -> a.x{n});\n"),
    "anonymous classes": _method("g(new A() { A f() { return a.x{n}; } });\n"),
    "local classes": _method("class B{n} { A f() { return a.x; } }\n"),
    "catches": _method(" catch (E{n} e) { b = a.x; }\n", "try { a.f(); }"),
    "tries": _method("try { a.f(); } catch (E e) { b = a.x{n}; } finally { c.f(); }\n"),
    "tries with resources": _method("try (A r{n} = a.f()) { r{n}.f(); }\n"),
    "resources": _method("A r{n} = a.f(); ", "try (", ") { a.f(); }"),
    "switches": _method("switch (a.n()) { case 1: b = a.x{n}; break; default: b = null; }\n"),
    "cases": _method("case {n}: b = a.x; break;\n", "switch (a.n()) {", "}"),
    "cases that fall through": _method("case {n}: b = a.x;\n", "switch (a.n()) {", "}"),
    "cases with arrows": _method("case {n} -> a.x;\n", "b = switch (a.n()) {", "default -> null; };"),
    "cases of patterns": _method("case B{n}(A p, var q) -> p.x;\n", "b = switch (a) {", "default -> null; };"),
    "labels": _method("l{n}: while (a.f()) { if (b.f()) break l{n}; continue l{n}; }\n"),
    "joins behind joins": _method("if (a.f()) b = null; else b = b.x; if (b == null) b = a;\n"),
    "variables that go together": _method(
        "A b{n}; int c{n}; if (a.f()) { b{n} = null; c{n} = 1; } else { b{n} = a; c{n} = 2; }if (c{n} == 2) b{n}.f();\n"
    ),
    "tests by helpers": _method("if (a.has{n}()) a.get{n}().f();\n"),
    "tests of a field": _method("if (x != null) x.f{n}();\n"),
    "instance tests": _method("if (a instanceof B{n} b{n}) b{n}.f();\n"),
    "numbers of an array": _method("z[{n}] = z[{m}] + {n};\n", "int[] z = new int[9];"),
    "counters": _method("n{n} = n{m} + 1; if (n{n} < n{m}) b = null;\n", "int n0 = 0;", "b.f();"),
    "string appended": _method(".append(a{n})", "s", ";"),
    # Many variables, something between, and a use of each.
    "variables over ifs": _parts("A v{n} = a.x;\n", "if (a.f()) b = c;\n", "v{n}.f();\n"),
    "variables over loops": _parts("A v{n} = a.x;\n", "while (a.f()) b = c;\n", "v{n}.f();\n"),
    "variables over tries": _parts("A v{n} = a.x;\n", "try { a.f(); } catch (E e) { b = c; }\n", "v{n}.f();\n"),
    "variables in one try": _parts(
        "A v{n} = a.x;\n", "a.f();\n", "v{n}.f();\n", before="try {", after="} finally { a.f(); }"
    ),
    "variables in a loop": _parts(
        "A v{n} = a.x;\n", "if (a.f()) continue;\n", "v{n}.f();\n", before="while (a.f()) {", after="}"
    ),
    "variables over switches": _parts("A v{n} = a.x;\n", "switch (n) { case 1: b = c; }\n", "v{n}.f();\n"),
    "fields over calls": _parts("a.v{n} = null;\n", "b.f();\n", "a.v{n}.f();\n"),
    "fields over ifs": _parts("a.v{n} = null;\n", "if (b.f()) c.f();\n", "a.v{n}.f();\n"),
    "fields over loops": _parts("a.v{n} = null;\n", "while (b.f()) c.f();\n", "a.v{n}.f();\n"),
    "lambdas that use variables": _parts("A v{n} = a.x;\n", "g(() -> v{n}.x);\n"),
    # Expressions in each other.
    "parentheses": nested("(", ")", _FIELD, after="; }"),
    "parentheses in a method": _inside("(", ")", "b = ", "a", ";"),
    "negations": _inside("!", "", "boolean z = ", "a.f()", ";"),
    "negations in a condition": _inside("!", "", "if (", "a.f()", ") b = null;"),
    "signs": _inside("- ", "", "int z = ", "a.n", ";"),
    "casts": _inside("(A) ", "", "b = ", "a", ";"),
    "calls in calls": _inside("f(", ")", "b = ", "a", ";"),
    "new in new": _inside("new A(", ")", "b = ", "a", ";"),
    "arrays in arrays": _inside("{", "}", "Object[] z = ", "a", ";"),
    "lambdas": _inside("() -> ", "", "Object z = ", "a", ";"),
    "conditional expressions": _inside("a.f() ? b : ", "", "b = ", "c", ";"),
    "conditional expressions in conditions": _inside("(", ") ? a : b", "b = ", "c", ";"),
    "ands and ors": _inside("(a.f() && b == null || ", ")", "if (", "c == null", ") b.f();"),
    "equal tests": _inside("(a == null) == (", ")", "if (", "a == b", ") a.f();"),
    "sums in parentheses": _inside("(1 + ", ")", "int z = ", "a.n", ";"),
    "assignments in assignments": _inside("b = (", ")", "c = ", "a", ";"),
    "switches in switches": _inside("switch (a.n()) { case 1 -> ", "; default -> b; }", "b = ", "c", ";"),
    "types of a variable": _inside("B<", ">", "", "A", " z = null;"),
    "types of a parameter": nested("B<", ">", "class A { A f(", "A", " z) { return z.x; } }"),
    "dimensions": _method("[]", "A", " z = null;"),
    "annotations in annotations": nested("@B(", ")", "", "1", " class A { }"),
    "patterns": _inside("B(", ")", "if (a instanceof ", "A p", ") p.f();"),
    # Long expressions and lists.
    "sums": _method(" + a{n}", "String z = a"),
    "sums of texts": _method(' + "a{n}"', 'String z = "a"', ";"),
    "ands": _method(" && a.b{n}()", "boolean z = a.f()", ";"),
    "ands in a condition": _method(" && a.b{n} == null", "if (a == null", ") a.f();"),
    "attributes": _method(".a{n}", "b = a", ";"),
    "methods of results": _method(".f{n}()", "b = a", ";"),
    "elements of elements": _method("[{n}]", "b = z", ";"),
    "assignments in a row": _method("a{n} = ", "", "null;"),
    "declarators": _method("a{n} = null, ", "A ", "z = null;"),
    "parameters": repeated("A a{n}, ", "class A { A f(", "A z) { return z.x; } }"),
    "arguments": _method("a{n}, ", "f(", "a);"),
    "elements of an array": _method("a{n}, ", "Object[] z = {", "a};"),
    "numbers": _method("{n}, ", "int[] z = {", "0};"),
    "constants of an enum": repeated("A{n}, ", "enum E { ", "A }"),
    "constants with bodies": repeated("A{n}(1) { A f() { return null; } }, ", "enum E { ", "A; E(int n) { } }"),
    "alternatives of a catch": _method(" | E{n}", "try { a.f(); } catch (E", " e) { b = a; }"),
    "modifiers": repeated("@B{n} ", "", "class A { }"),
    "annotations of a method": repeated("@B{n} ", "class A { ", "A f() { return null; } }"),
    "type parameters": repeated("T{n}, ", "class A<", "T> { }"),
    "interfaces": repeated("B{n}, ", "class A implements ", "B { }"),
    "types behind throws": repeated("B{n}, ", "class A { void f() throws ", "B { } }"),
    "dictionary": _method('z.put("a{n}", a.x{n});\n'),
    # Statements in each other.
    "else ifs": _method(" else if (a.x{n} == null) b = a;\n", "if (a.f()) b = c;"),
    "ifs in ifs": _inside("if (a.f()) ", "", "", "b = null;"),
    "guards in guards": _inside("if (a != null) { ", "}", "", "a.f();"),
    "blocks": _inside("{", "}", "", "b = null;"),
    "loops in loops": _inside("while (a.f()) ", "", "", "b = null;"),
    "fors in fors": _inside("for (A z{n} : a.all()) ", "", "", "b = null;"),
    "dos in dos": _inside("do ", "while (a.f());", "", "b = null;"),
    "variables of loops in loops": _inside(
        "while (a.f()) { A v{n} = a; b.f();", "v{n}.f(); }".replace("{n}", "0"), "A v0 = a;", "b = null;"
    ),
    "tries in tries": _inside("try {", "} catch (E e) { b.f(); }", "", "b = null;"),
    "finallys": _inside("try {", "} finally { b.f(); }", "", "b = null;"),
    "finallys in finallys": _inside("try { a.f(); } finally {", "}", "", "b = null;"),
    "finallys of returns": _inside("try { if (a.f()) return b;", "} finally { c = a; }", "", "b = null;"),
    "synchronized": _inside("synchronized (a) {", "}", "", "b = null;"),
    "labels in labels": _inside("l{n}: ", "", "", "a.f();"),
    "switches in cases": _inside("switch (a.n()) { case 1: b = null; ", "}", "", "b = c;"),
    "anonymous classes in anonymous classes": nested("new A() { A f() { return ", "; } }", _FIELD, "null", "; }"),
    "classes in classes": nested("class A{n} { ", "}", "", "int x;"),
    "local classes in methods": nested("class A{n} { void f() { ", "} }", "", "int x;"),
    # Methods, classes, names.
    "all methods call each other": each_of_all("class A{n} { static void f() {\n", " A{m}.f();\n", "} }\n"),
    "methods in a chain": repeated("A f{n}(A a) { return f{m}(a); }\n", "class A { ", "}"),
    "methods that give what others give": repeated(
        "A f{n}() { return f{m}(); }\n", "class A { A f0() { return null; } ", "}"
    ),
    "methods of one name": repeated("A f(A a) { return a.x{n}; }\n", "class A { ", "}"),
    "methods of one name and other types": repeated("A f(B{n} a) { return a.x; }\n", "class A { ", "}"),
    "calls of methods of one name": parts(
        ("A f(B{n} a) { return a.x; }\n", "A g{n}(A a) { return f(a); }\n"), "class A { ", "}"
    ),
    "constructors": repeated("A(B{n} a) { x = a; }\n", "class A { A x; ", "}"),
    "getters": repeated(
        "A x{n}; A getX{n}() { return x{n}; } void f{n}() { if (getX{n}() != null) getX{n}().f0(); }\n",
        "class A { ",
        "}",
    ),
    "fields": repeated("A x{n} = null;\n", "class A { ", "}"),
    "fields that are not set": repeated("A x{n};\n", "class A { A() { } ", "}"),
    "fields and constructors": parts(("A x{n};\n", "A(B{n} b) { x{n} = null; }\n"), "class A { ", "}"),
    "fields and methods": parts(("A x{n};\n", "void f{n}() { x{n} = null; g(); x{n}.f1(); }\n"), "class A { ", "}"),
    "number fields": repeated("int x{n} = {n};\n", "class A { ", "}"),
    "initialisers": repeated("{ x{n} = null; }\n", "class A { ", "}"),
    "classes in a chain": repeated("class A{n} extends A{m} { A{n} x; A{n}() { x.f(); } }\n", "class A0 { }\n"),
    "classes of all before": each_of_all("interface A{n} extends ", "A{m}, ", "B { }\n", before=True),
    "classes that inherit from each other": repeated(
        "class A{n} extends B{n} { A{n}() { f(); } }\nclass B{n} extends A{n} { void f() { this.x.f(); } }\n"
    ),
    "classes of one name": repeated("class A { A x; A() { x.f(); } }\n"),
    "inner classes": repeated("class A{n} { A{m} x; A{n} f() { return x.x; } }\n", "class A { ", "}"),
    "records": repeated("record A{n}(A{m} x) { A{m} f() { return x().x; } }\n", "class A { ", "}"),
    "imports": repeated("import a.b{n}.C{n};\n"),
    "static imports": repeated("import static a.b.C{n}.d;\n", "", "class A { Object x = d; }"),
    "imports of everything": parts(("import a{n}.*;\n", "class C{n} { D{n} x; D{n} f() { return x.f(); } }\n")),
    "import of a long name": repeated(".a{n}", "import a", ";"),
    "names of packages": _method("java.util.a{n}.B.c();\n"),
    # Long words.
    "digits": repeated("9", "class A { int x = ", "; }"),
    "digits of a comparison": _method("9", "if (a.n == ", ") b = null;"),
    "digits of comparisons": _method(
        f"if (n == {'9' * 5000}) b = null; else n = n * {'9' * 5000};\n", "int n = 0;", "b.f();"
    ),
    "octal digits": _method("7", "int z = 0", "; if (z == 0) b.f();"),
    "hexadecimal digits": _method("f", "int z = 0x", "; if (z == 0) b.f();"),
    "digits of a case": _method("9", "switch (a.n) { case ", ": b = null; }"),
    "identifier": repeated("a", "class A { A ", "; }"),
    "text": repeated("a", 'class A { String x = "', '"; }'),
    "block of text": repeated("a\n", 'class A { String x = """\n', '"""; }'),
    "comment": repeated("a", "// ", "\nclass A { }"),
    "block comment": repeated("a\n", "/* ", "*/ class A { }"),
    "comments": repeated("// pliant: ignore[null] a{n}\n"),
    "comments in a method": _method("// a{n}\n", after="b.f();"),
    "comments behind code": _method("a.f{n}(); // pliant: ignore[null] a{n}\n"),
    "semicolons": _method(";"),
    # Lines and encodings.
    "empty lines": repeated("\n"),
    "one line": repeated("a.f{n}(); ", _METHOD.replace("\n", ""), _END.replace("\n", "")),
    "form feeds": _method("\fa.f{n}();\n"),
    "carriage returns and line feeds": repeated(_ORDINARY.replace("\n", "\r\n")),
    "byte order mark": repeated(_ORDINARY, "\ufeff"),
    "UTF-16": encoded(repeated(_ORDINARY), "utf-16-le", b"\xff\xfe"),
    "other encoding": encoded(_method('z = "é{n}";\n'), "latin-1"),
    "null characters": _method("\0"),
    "unicode escapes": _method("\\u0061.f();\n"),
    # What does not parse.
    "opening parentheses": repeated("("),
    "closing parentheses": repeated(")"),
    "opening braces": repeated("{"),
    "opening braces in a class": repeated("{", "class A "),
    "opening types": repeated("A<"),
    "quotes": repeated('"'),
    "broken classes": repeated("class {\n void (\n"),
    "broken methods": repeated("void f( {\n", "class A {"),
    "broken statements": _method("x = = {n};\n"),
    "words": repeated("a{n} "),
    "words in a method": _method("a{n} "),
    "keywords": repeated("if else for class while new "),
    "backslashes": repeated("\\"),
    "at signs": repeated("@"),
}
