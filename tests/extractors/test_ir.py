"""The intermediate representation: what the builder makes is valid, and its text form says all of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import corpus
import pytest
from hypothesis import given
from ir_functions import units

from pliant.extractors.ir import Block, Unit
from pliant.extractors.ir.graph import dominators, edges, leads_to, loops, reverse_postorder
from pliant.extractors.ir.instructions import INSTRUCTIONS, markdown
from pliant.extractors.ir.operands import ANY, Predicate, Type
from pliant.extractors.ir.reading import ReadingError, read
from pliant.extractors.ir.stored import digest
from pliant.extractors.ir.text import print_function, print_unit
from pliant.extractors.ir.verify import InvalidFunction, verify, verify_unit
from pliant.extractors.languages import LANGUAGES

PAGE = Path(__file__).parents[2] / "docs" / "ir.md"


def test_the_page_is_what_the_table_prints() -> None:
    assert PAGE.read_text(encoding="utf-8") == markdown(), "run: python -m pliant.extractors.ir > docs/ir.md"


def test_the_table_names_the_languages_that_make_an_instruction() -> None:
    go = {**corpus.go(), "field.go": _ADDRESS_OF_A_FIELD}
    java = {**corpus.java(), "Record.java": _PARTS_OF_A_RECORD}
    sources = {"Python": corpus.sources(), "Java": java, "Go": go, "C": corpus.c()}
    made: dict[str, set[str]] = {name: set() for name in INSTRUCTIONS}
    for language, files in sources.items():
        for text in files.values():
            unit = LANGUAGES[language.lower()].translate(text.encode())
            for function in unit.functions:
                for instruction in function.instructions():
                    made[instruction.op].add(language)
    assert {name: ", ".join(sorted(languages)) for name, languages in made.items()} == {
        name: opcode.languages for name, opcode in INSTRUCTIONS.items()
    }


_ADDRESS_OF_A_FIELD = """
package p

type T struct{ count int }

func f(t *T) *int { return &t.count }
"""

_PARTS_OF_A_RECORD = "class A { Object f(Object o) { return o instanceof B(Object x, int y) ? x : o; } }"


@given(unit=units())
@corpus.examples(300)
def test_what_is_built_is_valid_and_reads_back_as_it_was(unit: Unit) -> None:
    verify_unit(unit)
    text = print_unit(unit)
    again = read(text)
    assert again == unit
    assert print_unit(again) == text


@given(unit=units())
@corpus.examples(200)
def test_dominators_are_what_every_way_passes(unit: Unit) -> None:
    for function in unit.functions:
        graph = edges(function.blocks)
        immediate = dominators(graph)
        for block in reverse_postorder(graph.__getitem__)[1:]:
            without = immediate[block]
            assert block in _reached(function.blocks, -1)
            assert without == 0 or block not in _reached(function.blocks, without)
            between = [each for each, before in immediate.items() if before == without and each not in (block, 0)]
            assert all(block in _reached(function.blocks, each) for each in between)


def test_each_block_of_each_loop_is_a_step() -> None:
    count = 40  # blocks; each leads to the next one, and back to that before it
    before = [[each for each in (number - 1, number + 1) if 0 <= each < count] for number in range(count)]
    before[0] += range(2, count)
    spent: list[int] = []
    found = loops(before, {number: max(number - 1, 0) for number in range(count)}, spent.append)
    assert len(found) == count - 1 and sum(spent) == sum(map(len, found.values())) > count * count // 3


def _reached(blocks: Sequence[Block], barred: int) -> set[int]:
    seen: set[int] = set()
    todo = [0]
    while todo:
        block = todo.pop()
        if block not in seen and block != barred:
            seen.add(block)
            todo += leads_to(blocks[block])
    return seen


_SMALL = """\
function "f" any
  variable $x any local
b0:
  %1 = get $x
  branch null(%1), b1, b2
b1:
  exit []
b2:
  %4 = load %1, "name"
  exit [%4]
"""


def test_a_type_may_be_nested_deeper_than_calls() -> None:
    deep = ANY
    for _ in range(5_000):
        deep = Type("pointer", of=(deep,))
    for kind, valid in ((deep, True), (Type("pointer", of=(Type("star"),)), False)):
        [function] = read(_SMALL).functions
        branch = function.blocks[0].instructions[-1]
        branch.operands = Predicate("is", (1, kind)), *branch.operands[1:]
        if valid:
            verify(function)
        else:
            with pytest.raises(InvalidFunction, match="expected a predicate"):
                verify(function)


def test_a_digest_is_one_of_what_a_function_does() -> None:
    [function] = read(_SMALL).functions
    [other] = read(_SMALL.replace('"name"', '"title"')).functions
    moved = read(_SMALL).functions[0]
    moved.spans = {1: (7, 0, 7, 4)}
    assert digest(function) == digest(moved) != digest(other)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("exit []", "jump b9", "there is no b9"),
        ("  exit []", "", "b1: it is empty"),
        ("exit [%4]", "exit [%1, %3]", "%3 is no value"),
        ("exit []", "exit [%4]", "%4 is used where it may not be computed"),
        ("  exit []", "  exit []\n  exit []", "does not end a block|ends a block"),
        ("get $x", "get $y", "y is no variable"),
        ("b1, b2", "b1, b1", "b2: nothing leads to it"),
        ('load %1, "name"', 'load null, "name"', "null has a const of its own"),
        ("null(%1)", "and(null(%1))", "expected a predicate"),
        ("null(%1)", "is(%1, %1)", "expected a predicate"),
        ('load %1, "name"', 'closure "g", []', "there is no function g"),
    ],
)
def test_what_breaks_an_invariant_is_refused(old: str, new: str, complaint: str) -> None:
    verify(read(_SMALL).functions[0], {"f"})
    text = _SMALL.replace(old, new)
    assert text != _SMALL
    renumbered = _renumbered(text)
    with pytest.raises(InvalidFunction, match=complaint):
        verify(read(renumbered).functions[0], {"f"})


def _renumbered(text: str) -> str:
    """The text with the numbers that its instructions have."""
    lines, number = [], 0
    for line in text.split("\n"):
        if line.startswith("  ") and not line.startswith("  variable"):
            number += 1
            if line.startswith("  %"):
                line = f"  %{number} ={line.partition('=')[2]}"
        lines.append(line)
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("b0:\n  frob %1", "line 3: expected an instruction, found 'frob'"),
        ("b0:\n  exit", r"line 3: expected '\[', found 'the end of the line'"),
        ("b0:\n  %7 = get $x", "line 3: expected '1', found '7'"),
        ("b0:\n  exit [] []", "line 3: expected a end"),
        ("b0:\n  exit [@]", "line 3, column 9: expected an operand, found"),
        ("  formal $x nothing one", "line 2: expected a type, found 'nothing'"),
        ("b0:\n  branch perhaps(%1), b0, b0", "line 3: expected a predicate, found 'perhaps'"),
    ],
)
def test_a_text_that_is_no_unit_is_one_line(text: str, complaint: str) -> None:
    with pytest.raises(ReadingError, match=complaint):
        read(f'function "f" any\n{text}\n')


def test_a_function_prints_alone() -> None:
    [function] = read(_SMALL).functions
    assert print_function(function) == _SMALL
