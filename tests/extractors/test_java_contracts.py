"""What the sources of a Java library say: the classes of results, which may be null, which arguments must not be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pliant.extractors.java.contracts import derive
from pliant.extractors.java.documentation import may_be_null, must_not_be_null
from pliant.extractors.java.library_models import asserting, load


def tables(**files: str) -> dict[str, dict[str, Any]]:
    """The models of files, by the last parts of their names."""
    return derived({f"{name.replace('__', '-')}.java": text for name, text in files.items()})


def derived(files: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    skipped: list[str] = []
    found = derive(files, lambda path: files[path].encode(), lambda path, why: skipped.append(f"{path}: {why}"))
    assert not skipped
    return found


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("@return the name, or {@code null} if there is none", True),
        ("@return the name or <code>null</code>\n@throws E if it is null", True),
        ("@return the name (may be null)", True),
        ("@return null if nothing is found", True),
        ("@return the result is null if there is none", True),
        ("{@return the name, or {@code null} if there is none}", True),
        ("If there is no such node, this returns {@code null}.\n@return the node", True),
        ("The value if there is one; otherwise, {@code null} is returned.", True),
        ("@return the name, not null", False),
        ("@return the name; never {@code null}", False),
        ("@return a non-null name", False),
        ("@return the name, which cannot be null", False),
        ("@return true if the name is null", False),
        ("@return the object after casting, or null if obj is null", False),
        ('@return "null" for a null argument', False),
        ("@return an element whose prefix is set to null", False),
        ("@return an array that is padded with null", False),
        ("@return the name", False),
        ("Returns the name.", None),
        ("@return {@inheritDoc}", None),
        ("", None),
    ],
)
def test_documentation_says_whether_a_result_may_be_null(said: str, expected: bool | None) -> None:
    assert may_be_null(said) is expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("@throws NullPointerException if {@code a} is {@code null}", {0}),
        ("@throws NullPointerException If the {@code a} argument is null.", {0}),
        ("@throws NullPointerException if {@code a} or {@code b} is null", {0, 1}),
        ("@throws NullPointerException if either argument is null", {0, 1}),
        ("@throws IOException if a is null\n@exception java.lang.NullPointerException if b is null", {1}),
        ("@throws NullPointerException if a is null and this map takes no null keys", set()),
        ("@throws NullPointerException if both a and b are null", set()),
        ("@throws NullPointerException if the specified key is null", set()),
        ("@throws NullPointerException if a.b is null", set()),
        ("@throws IllegalArgumentException if a is null", set()),
    ],
)
def test_documentation_says_which_arguments_must_not_be_null(said: str, expected: set[int]) -> None:
    assert must_not_be_null(said, ["a", "b"]) == expected


def test_members_have_the_classes_of_their_results() -> None:
    found = tables(
        A="""
            package p;
            import java.util.function.*;
            import q.Other;
            import r.*;
            public class A<T> extends Base implements Other.Inner {
                public Other other() { return null; }
                public Other.Inner inner(int i) { return null; }
                public Own own() { return null; }
                public Star star(Object... many) { return null; }
                public T generic() { return null; }
                public <Other> Other variable() { return null; }
                public Other[] array() { return null; }
                public Hidden hidden() { return null; }
                protected A<String> self() { return this; }
                String notSeen() { return null; }
                public static class Own { }
                private static class Hidden { public void notSeen() { } }
                public Other twice(int i) { return null; }
                public Own twice(String s) { return null; }
            }
            class Base { public Other fromBase() { return null; } }
            """,
        Other="package q; public class Other { public interface Inner { Other up(); } }",
        Star="package r; public enum Star { ONE; public Star next() { return this; } }",
        R="package r; public record R(Star star, int n) { }",
    )
    assert list(found) == ["p.A", "p.A.Own", "p.Base", "q.Other", "q.Other.Inner", "r.R", "r.Star"]
    assert found["p.A"]["bases"] == ["p.Base", "q.Other.Inner"]
    assert found["p.A"]["returns"] == {
        "other/0": "q.Other",
        "inner/1": "q.Other.Inner",
        "own/0": "p.A.Own",
        "self/0": "p.A",
        **{f"star/{count}": "r.Star" for count in range(6)},
    }
    assert found["p.A"]["members"] == ["array/0", "generic/0", "hidden/0", "twice/1", "variable/0"]
    assert found["p.Base"]["returns"] == {"fromBase/0": "q.Other"}
    assert found["q.Other.Inner"]["returns"] == {"up/0": "q.Other"}
    assert found["r.Star"] == {"returns": {"next/0": "r.Star", "valueOf/1": "r.Star"}, "members": ["values/0"]}
    assert found["r.R"] == {"returns": {"star/0": "r.Star"}, "members": ["n/0"]}


def test_code_that_is_not_valid_costs_itself() -> None:
    found = tables(
        A="package ; import ; public class { } public class A { public void () { } public A a() { return null; } }",
        B="class",
        C="package p public interface C { int c(; Object d(); }",
    )
    assert found["A"]["returns"] == {"a/0": "A"}


def test_what_a_module_does_not_export_is_not_told() -> None:
    files = {
        "m/module-info.java": "module m { exports p; exports q to other; /* exports r; */ }",
        "m/p/A.java": "package p; public class A extends q.B { }",
        "m/q/B.java": "package q; public class B { public int n() { return 1; } }",
        "m/q/C.java": "package q; public class C { }",
        "m/r/D.java": "package r; public class D { }",
        "m/p/package-info.java": "package p;",
    }
    assert list(derived(files)) == ["p.A", "q.B"]


def test_what_is_said_of_null_is_inherited() -> None:
    found = tables(
        A="""
            package p;
            public interface A {
                /** @return the name, or null */
                String name();
                /** @return the title, never null */
                String title();
                /** @return null */
                int number();
            }
            """,
        B="package p; public class B implements A { public String name() { return x; } }",
        C="package p; public class C extends B { @Nullable public String title() { return x; } }",
        D="package p; public class D extends B { /** @return the name */ public String name() { return x; } }",
    )
    assert {name: table.get("nullable", []) for name, table in found.items()} == {
        "p.A": ["name/0"],
        "p.B": ["name/0"],
        "p.C": ["title/0"],
        "p.D": [],
    }


_REQUIRES = """
    package p;
    public class A {
        private String kept;
        public A(String a) { this(a, 1); }
        public A(String a, int n) { if (a == null) throw new NullPointerException(); kept = a; }
        public void used(String a, String b) { if (b != null) b.trim(); a.trim(); }
        public void onSomeWay(String a, boolean b) { if (b) a.trim(); }
        public void onEveryWay(String a, boolean b) { if (b) a.trim(); else a.strip(); }
        public void inALoop(String a, int n) { for (int i = 0; i < n; i++) a.trim(); }
        public void inTheTest(String a) { for (int i = 0; i < a.length(); i++) i++; }
        public void handled(String a) { try { a.trim(); } catch (RuntimeException e) { } }
        public void written(String a) { a = "x"; a.trim(); }
        public void required(Object a, Object b) { Objects.requireNonNull(a, "a"); Objects.requireNonNull("b", b); }
        public void refused(Object a) { if (a == null) throw new IllegalArgumentException(); a.hashCode(); }
        public void bounded(Object a, int n) { if (n < 0) throw new IllegalArgumentException(); a.hashCode(); }
        public void passed(String a) { helper(1, a); }
        public void passedOn(String a) { replaced(a); }
        private static void helper(int n, String a) { a.trim(); }
        public void replaced(String a) { a.trim(); }
        public void overloaded(String a) { a.trim(); }
        public void overloaded(Integer a) { }
        public void many(String a, String... rest) { a.trim(); rest.clone(); }
        /** @throws NullPointerException if {@code b} is null */
        public native void documented(Object a, Object b);
    }
"""


def test_arguments_that_the_code_fails_for_must_not_be_null() -> None:
    assert tables(A=_REQUIRES)["p.A"]["requires"] == {
        "<init>/1": [0],
        "<init>/2": [0],
        "used/2": [0],
        "onEveryWay/2": [0],
        "inTheTest/1": [0],
        "required/2": [0],
        "bounded/2": [0],
        "passed/1": [0],
        "replaced/1": [0],
        **{f"many/{count}": [0] for count in range(1, 6)},
        "documented/2": [1],
    }


def test_models_that_are_written_are_of_members_that_the_sources_have() -> None:
    known = load()
    for name, table in known.written.items():
        if name not in known.sources:  # another library, or a class without a name of its own
            continue
        classes = [known.sources[each] for each in (name, *known.above(name)) if each in known.sources]
        members = {
            member.partition("/")[0]
            for each in classes
            for key in ("returns", "nullable", "members")
            for member in each.get(key, ())
        }
        said = {
            member.partition("/")[0]
            for key, value in table.items()
            if isinstance(value, list | dict) and key != "bases"
            for member in value
        }
        assert said - members == set(), name


def test_assertions_are_not_told_as_functions_that_fail() -> None:
    assert "requireNonNull" in asserting()
    assert load().sources["java.util.Objects"]["requires"]["requireNonNull/1"] == [0]
