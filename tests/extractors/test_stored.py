"""The stored form of instructions: the same functions come back, one at a time, and nothing else is believed."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Iterator
from typing import Any

import corpus
import pytest
from in_memory import extract

from pliant.extractors.ir import stored
from pliant.extractors.ir.outline import Outline
from pliant.extractors.ir.reading import read
from pliant.extractors.ir.stored import Damaged, Stored, digest, packed
from pliant.extractors.ir.unit import Function, Unit
from pliant.extractors.ir.verify import verify
from pliant.extractors.languages import language_of
from pliant.extractors.lowering.source import deep
from pliant.extractors.passes.index import Index
from pliant.extractors.passes.outline import outline_of

SMALL = """
unit python "a"
class class("Store") class
  field "items" map(any, class("Item", "shop"))
function "<module>" any
  flags kept
  variable $Store any module
b0:
  %1 = closure "Store.find", [3, true, "x", float("0.5"), bytes("b")]
  set $Store, %1
  exit []

function "Store.find" pointer(class("Item"))
  owner class("Store")
  flags generator static
  formal $self any receiver
  formal $key number one default
  variable $self any local
  variable $key number shared
  variable $"a b" any captured "outer"
b0: handler b3
  %1 = get $self
  %2 = load %1, "items" in "inner"
  %3 = get $key
  %4 = element %2, %3
  branch and(not(null(%4)), or(is(%4, class("Item")), <(%3, 7))), b1, b2
b1:
  %6 = call %4, [%3, "name": %4, "*": 1]
  switch %6, [1: b2, "s": b3], b2
b2:
  exit [%4]
b3:
  exit []
"""


def unit_of(path: str, text: str) -> Unit:
    language = language_of(path)
    assert language is not None
    return language.translate(text.encode())


def stored_of(unit: Unit) -> stored.Packed:
    found = packed(unit, outline_of(unit, [Index(each) for each in unit.functions]))
    assert found is not None
    return found


def small() -> Unit:
    unit = read(SMALL)
    for function in unit.functions:
        function.spans = {each.number: (each.number, 0, each.number, 9) for each in function.instructions()}
        function.span, function.extent = (1, 4, 1, 8), (1, 0, 20, 1)
    return unit


def check_same(functions: Stored, unit: Unit) -> None:
    for expected in unit.functions:
        found = functions.function(expected.name)
        assert found == expected
        assert found is not None  # what equality leaves out
        assert (found.spans, found.span, found.extent) == (expected.spans, expected.span, expected.extent)
        assert found.variables == expected.variables and list(found.variables) == list(expected.variables)
        assert functions.digest(expected.name) == digest(expected)


@pytest.mark.parametrize("suffix", [".py", ".java", ".c", ".h", ".go"])
def test_extraction_stores_what_a_translation_gives(suffix: str) -> None:
    files = {path: text for path, text in corpus.everything().items() if path.endswith(suffix)}
    stored_files = 0
    for path, text in files.items():
        unit, instructions = unit_of(path, text), extract(path, text).instructions
        assert (instructions is None) == bool(unit.left_out), path
        if instructions is not None:
            functions = Stored(instructions)
            assert functions.outline == outline_of(unit, [Index(each) for each in unit.functions])
            check_same(functions, unit)
            stored_files += 1
    assert stored_files > 0.9 * len(files) > 0


def test_all_that_a_function_consists_of_comes_back() -> None:
    unit = small()
    functions = Stored(stored_of(unit))
    check_same(functions, unit)
    assert functions.function("nowhere") is functions.digest("nowhere") is None
    assert functions.outline.classes == {"Store": ("class", unit.classes[0].fields)}


def test_a_digest_does_not_depend_on_where_a_function_stands() -> None:
    unit, moved = small(), small()
    moved.functions[1].spans = {1: (70, 0, 70, 4)}
    moved.functions[1].extent = (70, 0, 90, 0)
    assert stored_of(unit) != stored_of(moved)
    assert Stored(stored_of(unit)).digest("Store.find") == Stored(stored_of(moved)).digest("Store.find")


def test_a_file_that_is_too_large_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "def f(x):\n    return x\n"
    assert extract("a.py", source).instructions is not None
    monkeypatch.setattr("pliant.extractors.ir.stored.MOST_BYTES", 10)
    assert extract("a.py", source).instructions is None


def test_an_incomplete_file_is_not_stored() -> None:
    unit = small()
    assert packed(unit, Outline(incomplete=True)) is None


def test_deep_conditions_are_stored_as_far_as_frames_go() -> None:
    source = f"def f(x):\n    return {'(' * 300}x{' and x)' * 300}\n"
    unit = unit_of("a.py", source)
    with deep():
        check_same(Stored(stored_of(unit)), unit)


def test_of_types_without_end_nothing_is_stored() -> None:
    unit = small()
    kind = unit.functions[1].result
    for _ in range(100_000):
        kind = type(kind)("pointer", of=(kind,))
    unit.functions[1].result = kind
    with deep():
        assert packed(unit, Outline()) is None


# Hostile forms


def told(content: bytes) -> Any:
    return json.loads(zlib.decompress(content))


def forged(outline: object, functions: bytes) -> stored.Packed:
    return zlib.compress(json.dumps(outline).encode()), zlib.compress(functions)


def parts(unit: Unit) -> tuple[list[Any], list[bytes]]:
    """The outline, and what is told of each function: in turn its body and its spans."""
    outline, functions = stored_of(unit)
    whole, found, at = zlib.decompress(functions), [], 0
    for row in told(outline)[0]:
        for length in row[3:]:
            found.append(whole[at : at + length])
            at += length
    return told(outline), found


def joined(outline: list[Any], functions: list[bytes]) -> stored.Packed:
    for number, row in enumerate(outline[0]):
        row[3:] = [len(functions[2 * number]), len(functions[2 * number + 1])]
    return forged(outline, b"".join(functions))


def places(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each part of a tree."""
    if path:
        yield path
    if isinstance(tree, list | dict):
        for key, part in enumerate(tree) if isinstance(tree, list) else tree.items():
            yield from places(part, (*path, key))


def changed(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    tree = json.loads(json.dumps(tree))
    inner = tree
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return tree


ODD = [None, -1, 3, 1 << 70, 0.5, True, "", "nowhere", "\ud800", [], [[]], [1, 2], {}, {"a": 1}, ["null", "text"]]


def sound(function: Function | None, unit: Unit) -> None:
    """Whatever is read can be used."""
    assert function is not None
    verify(function, {each.name for each in unit.functions})
    digest(function)
    Index(function).users()
    assert all(type(each) is int for span in function.spans.values() for each in span)


def test_a_forged_function_is_refused_or_sound() -> None:
    unit = small()
    outline, functions = parts(unit)
    refused = 0
    for number in range(len(functions)):
        tree = json.loads(functions[number])
        for path in places(tree):
            for value in ODD:
                some = list(functions)
                some[number] = json.dumps(changed(tree, path, value)).encode()
                reader = Stored(joined(outline, some))
                name = unit.functions[number // 2].name
                try:
                    function = reader.function(name)
                except Damaged:
                    refused += 1
                else:
                    sound(function, unit)
                    other = unit.functions[1 - number // 2]
                    assert reader.function(other.name) == other  # which is read without this one
    assert refused > 1000


def test_a_forged_outline_is_refused_or_sound() -> None:
    unit = small()
    outline, functions = parts(unit)
    refused = 0
    for path in places(outline):
        for value in ODD:
            try:
                reader = Stored(forged(changed(outline, path, value), b"".join(functions)))
                for name in reader.outline.extents:
                    sound(reader.function(name), unit)
                    assert isinstance(reader.outline.defaults_of(name), dict)
                    assert reader.outline.decorators.get(name, 0) >= 0
            except Damaged:
                refused += 1
    assert refused > 200


def test_bytes_of_any_kind_are_damage() -> None:
    outline, functions = stored_of(small())
    chosen = random.Random(1)
    for _ in range(300):
        some = [bytearray(outline), bytearray(functions)]
        part = chosen.choice(some)
        part[chosen.randrange(len(part))] ^= 1 << chosen.randrange(8)
        del part[chosen.randrange(len(part)) if chosen.random() < 0.5 else len(part) :]
        try:
            reader = Stored((bytes(some[0]), bytes(some[1])))
            for name in reader.outline.extents:
                reader.function(name)
        except Damaged:
            pass
    deep_ones = [b"[" * 100_000, b"9" * 5000, b"null", b"{}", b"\xff", b""]
    for content in deep_ones:
        with pytest.raises(Damaged):
            Stored((zlib.compress(content), functions))
        with pytest.raises(Damaged):
            outer, some_bodies = parts(small())
            Stored(joined(outer, [content, *some_bodies[1:]])).function("<module>")


def test_what_unpacks_to_more_than_a_file_has_is_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    outline, functions = stored_of(small())
    monkeypatch.setattr("pliant.extractors.ir.stored.MOST_BYTES", 10_000)
    bomb = zlib.compress(bytes(1 << 20))
    with pytest.raises(Damaged, match="does not end"):
        Stored((bomb, functions))
    with pytest.raises(Damaged, match="does not end"):
        Stored((outline, bomb)).function("Store.find")


# Outlines


def test_a_function_escapes_where_it_is_used_otherwise_than_by_calling_it() -> None:
    """As by looking at each function of the file for each."""
    found = set[bool]()
    for path, text in corpus.everything().items():
        unit = unit_of(path, text)
        outline = outline_of(unit, [Index(each) for each in unit.functions])
        for function in unit.functions:
            escapes = bool(unit.left_out) or _escapes(unit, function)
            assert outline.escapes(function) == escapes, (path, function.name)
            found.add(escapes)
    assert found == {True, False}


def _escapes(unit: Unit, function: Function) -> bool:
    name = function.name.partition("#")[0].rpartition(".")[2]
    for around in unit.functions:
        values = {}
        for each in around.instructions():
            if (each.op == "closure" and each.operands[0] == function.name) or (
                each.op == "get" and each.operands[0] == name
            ):
                values[each.number] = each.op
        for each in around.instructions():
            used = [operand for operand in each.uses() if operand in values]
            if not used or each.op == "set" or (each.op == "call" and used == [each.operands[0]]):
                continue
            if each.op == "store" and function.owner is not None and values[used[-1]] == "closure":
                continue  # a class gets its methods where it is made
            return True
    return False
