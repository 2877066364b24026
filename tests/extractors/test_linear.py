"""Loops that call nothing, and lists that grow, which `test_pathological` does not count; bounds are those in use."""

from __future__ import annotations

import sys
import tracemalloc
from collections import Counter
from types import FrameType

import pathological
import pytest
from in_memory import extract

from pliant.extractors import budget
from pliant.extractors.c.translation import declarations
from pliant.extractors.python import scopes

SIZE = 6_000
FILES = {"python": "a.py", "go": "a.go", "c": "a.c", "java": "A.java"}
MOST = 2.5
LOOPS = [
    ("python", "inner functions"),
    ("python", "classes in a chain"),
    ("go", "closures that use variables"),
    ("java", "number fields"),
]
LISTS = [("go", "variables of the file in a chain"), ("python", "import of a long name")]
MEMBERS = 300  # in a row; of twice as many, all are still read


def opcodes(path: str, text: bytes) -> Counter[str]:
    """How many instructions of Python's own it takes to extract a source, by the module that they are in."""
    count: Counter[str] = Counter()

    def note(frame: FrameType, event: str, argument: object) -> object:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count[frame.f_code.co_filename] += event == "opcode"
        return note

    sys.settrace(note)
    try:
        extract(path, text)
    finally:
        sys.settrace(None)
    return count


def members(base: str) -> pathological.Generator:
    return lambda count: f"class A {{ A n; A f(A a) {{ return {base}{'.n' * count}; }} }}".encode()


def calls(path: str, text: bytes) -> Counter[str]:
    """How often it calls each function to extract a source."""
    count: Counter[str] = Counter()

    def note(frame: FrameType, event: str, argument: object) -> None:
        count[f"{frame.f_code.co_filename}:{frame.f_code.co_qualname}"] += event == "call"

    sys.setprofile(note)
    try:
        extract(path, text)
    finally:
        sys.setprofile(None)
    return count


def memory(path: str, text: bytes) -> int:
    """How many bytes Python's objects take at most while a source is extracted."""
    tracemalloc.start()
    try:
        extract(path, text)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("language", "name"), LOOPS, ids=[f"{language}-{name}" for language, name in LOOPS])
@pytest.mark.one_in(3)
def test_loops_that_call_nothing_cost_little_more_than_double(language: str, name: str) -> None:
    generate, path = pathological.table(language)[name], FILES[language]
    extract(path, b"")
    one, two = (opcodes(path, generate(size)) for size in (SIZE, 2 * SIZE))
    more = {module: (one[module], count) for module, count in two.items() if count > MOST * one[module] + 1000}
    assert not more, f"for {SIZE:,} bytes, and for {2 * SIZE:,}: {more}"


@pytest.mark.parametrize(
    ("path", "generate", "size"),
    [
        pytest.param("a.c", pathological.table("c")["calls"], SIZE, id="calls"),
        *(pytest.param("A.java", members(base), MEMBERS, id=base) for base in ("a", "n", "((A) a)", "f(a)")),
    ],
)
def test_no_function_is_called_much_more_than_twice_as_often(
    path: str, generate: pathological.Generator, size: int
) -> None:
    extract(path, b"")
    one, two = (calls(path, generate(each)) for each in (size, 2 * size))
    more = {function: (one[function], count) for function, count in two.items() if count > MOST * one[function] + 1000}
    assert not more, f"for {size:,}, and for {2 * size:,}: {more}"


@pytest.mark.parametrize(("language", "name"), LISTS, ids=[f"{language}-{name}" for language, name in LISTS])
def test_double_the_size_takes_little_more_than_double_the_memory(language: str, name: str) -> None:
    generate, path = pathological.table(language)[name], FILES[language]
    extract(path, b"")
    one, two = (memory(path, generate(size)) for size in (SIZE, 2 * SIZE))
    assert two <= MOST * one, f"{one:,} bytes for {SIZE:,}, {two:,} for {2 * SIZE:,}"


def test_the_fields_of_a_file_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[object] = []
    look = scopes.stored_fields
    monkeypatch.setattr(scopes, "stored_fields", lambda root: found.append(root) or look(root))
    monkeypatch.setattr(budget, "FILE_STEPS", 100)
    facts = extract("a.py", b"def f(a): a.x = 1\n" * 50)
    assert len([each for each in facts.diagnostics if each.scope == "function"]) > 5
    assert len(found) == 1


def test_a_declaration_is_searched_once_for_all_that_it_declares(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[bytes] = []

    class Pattern:
        def search(self, source: bytes) -> None:
            searched.append(source)

    monkeypatch.setattr(declarations, "_READ_OTHERWISE", Pattern())
    extract("a.c", b"void f(void) { int a = 1, b = a, *c = &b; }")
    assert searched == [b"int a = 1, b = a, *c = &b;"]


def test_searching_declarations_in_declarations_is_counted() -> None:
    source = b"void f(void) { " + b"int a = ({ " * 100 + b"/*" + b" " * 1_000_000 + b"*/ 1; " + b"}); " * 100 + b"}"
    [left_out] = extract("a.c", source).diagnostics
    assert (left_out.function, "steps" in left_out.reason) == ("|f", True)


def test_a_class_may_be_of_a_bounded_number_of_packages() -> None:
    imports = "".join(f"import a{number}.*;\n" for number in range(3000))
    facts = extract("A.java", f"{imports}class A {{ int f(B b) {{ return b.x; }} }}".encode())
    assert not facts.diagnostics
    assert "more than 64 packages that are imported whole" in facts.unmodelled
    members = [facts.symbols[member] for member in facts.rows["import_from"][2::3]]
    assert members.count("B") == 64 + 2  # and the package of the file, and java.lang
