"""Fields and functions of a file that give one number for good (true is 1), as far as the file shows."""

from __future__ import annotations

from collections.abc import Sequence

from pliant.extractors.ir.operands import Constant, Operand
from pliant.extractors.ir.unit import Function, Unit
from pliant.extractors.passes import names
from pliant.extractors.passes.index import Index
from pliant.extractors.writer import FactWriter

_LARGEST = 2**31
Field = tuple[str, str]  # class and name


def number_of(operand: Operand) -> int | None:
    """A number or a truth that is written."""
    if not isinstance(operand, Constant) or operand.kind not in ("integer", "boolean"):
        return None
    number = int(operand.content or 0)
    return number if -_LARGEST <= number < _LARGEST else None


def fields(
    functions: Sequence[Function], indices: Sequence[Index], stored: frozenset[str]
) -> dict[tuple[str, str], int]:
    """The numbers that fields have by their initialisers, by class and field, where nothing else in the file writes a
    field of that name. stored: names of those that something else writes."""
    found: dict[Field, int] = {}
    several: set[Field] = set()
    for function, index in zip(functions, indices, strict=True):
        if function.owner is None or not names.is_initialiser(function):
            continue
        for each in index.of("store"):
            key, number = (function.owner.name, each.operands[1]), number_of(each.operands[2])
            if key in found or number is None or each.operands[1] in stored:
                several.add(key)
            else:
                found[key] = number
    return {key: number for key, number in found.items() if key not in several}


def results(functions: Sequence[Function]) -> dict[str, int]:
    """The numbers that functions give whose bodies are no more than that, and which nothing overrides, by name."""
    found: dict[str, int] = {}
    for function in functions:
        if len(function.blocks) != 1 or function.flags.isdisjoint(("static", "private")):
            continue
        [*before, last] = function.blocks[0].instructions
        if not before and last.op == "exit" and len(last.operands[0]) == 1:
            number = number_of(last.operands[0][0])
            if number is not None:
                found[function.name] = number
    return found


def write(unit: Unit, fields_of: dict[Field, int], results_of: dict[str, int], writer: FactWriter) -> None:
    """Write the numbers of the file."""
    classes = {each.type.name: names.class_symbol(each.type) for each in unit.classes}
    for (owner, field), number in fields_of.items():
        if owner in classes:
            writer.row("scalar_field", writer.symbol(classes[owner]), writer.symbol(field), number)
    for name, number in results_of.items():
        writer.row("scalar_result", writer.symbol(names.function_symbol(name)), number)
