"""The invariants of a function, checked: what passes rely on, and languages have to keep.

* Blocks are numbered without gaps, the entry is the first one, no block is empty; the last instruction of a block and
  no other ends it; every block is reached from the entry.
* Instructions are numbered from 1 in the order of the blocks: a value has one definition.
* A value is used only where its definition dominates the use. What a handler needs of its blocks goes through
  variables.
* Operands are of the kinds that the table of instructions says; variables are declared; a predicate has as many
  operands as its operator takes; null stands in `const` and among declared types, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pliant.extractors.ir.graph import dominators, edges, intervals, leads_to
from pliant.extractors.ir.instructions import INSTRUCTIONS
from pliant.extractors.ir.operands import CONNECTIVES, QUESTIONS, TYPE_KINDS, Argument, Constant, Predicate, Type
from pliant.extractors.ir.unit import MODULE, Function, Instruction, Unit


class InvalidFunction(ValueError):
    """A function that breaks an invariant; the message names function, block and instruction."""


def verify_unit(unit: Unit) -> None:
    """Raises InvalidFunction."""
    names = [function.name for function in unit.functions]
    if names[:1] != [MODULE]:
        raise InvalidFunction(f"expected {MODULE} as the first function, found {names[:1]}")
    for kind, found in (("functions", names), ("classes", [class_.type.name for class_ in unit.classes])):
        if twice := sorted({name for name in found if found.count(name) > 1} if len(set(found)) < len(found) else ()):
            raise InvalidFunction(f"expected {kind} of different names, found twice: {', '.join(twice)}")
    known = set(names)
    for function in unit.functions:
        verify(function, known)


def verify(function: Function, functions: set[str] | None = None) -> None:
    """Raises InvalidFunction. functions: the names of all functions of the file, where they are known."""
    for complaint in _complaints(function, functions):
        raise InvalidFunction(f"{function.name}: {complaint}")


def _complaints(function: Function, functions: set[str] | None) -> Iterator[str]:
    blocks = function.blocks
    if not blocks:
        if "declared" not in function.flags:
            yield "expected a block, found none"
        return
    for formal in function.formals:
        if formal.variable not in function.variables:
            yield f"formal {formal.variable} is no variable of it"
    yield from _shape(function)
    immediate = dominators(edges(blocks))
    if len(immediate) < len(blocks):
        unreached = next(number for number in range(len(blocks)) if number not in immediate)
        yield f"b{unreached}: nothing leads to it"
    within = intervals(immediate)
    defined: dict[int, tuple[int, int]] = {}
    for number, block in enumerate(blocks):
        for index, instruction in enumerate(block.instructions):
            if instruction.gives:
                defined[instruction.number] = (number, index)
    for number, block in enumerate(blocks):
        for index, instruction in enumerate(block.instructions):
            for complaint in _operands(instruction, function, functions):
                yield f"{_where(number, instruction)}: {complaint}"
            for operand in instruction.uses():
                if isinstance(operand, Constant):
                    continue
                if operand not in defined:
                    yield f"{_where(number, instruction)}: %{operand} is no value"
                elif not _dominates(defined[operand], (number, index), within):
                    yield f"{_where(number, instruction)}: %{operand} is used where it may not be computed"


def _where(block: int, instruction: Instruction) -> str:
    return f"b{block}, {instruction.number}: {instruction.op}"


def _shape(function: Function) -> Iterator[str]:
    number = 0
    for block_number, block in enumerate(function.blocks):
        if not block.instructions:
            yield f"b{block_number}: it is empty"
            return
        for instruction in block.instructions:
            number += 1
            if instruction.number != number:
                yield f"b{block_number}: expected number {number}, found {instruction.number}"
            ends = INSTRUCTIONS[instruction.op].ends
            if ends != (instruction is block.instructions[-1]):
                yield f"b{block_number}, {number}: {instruction.op} {'ends' if ends else 'does not end'} a block"
        for target in leads_to(block):
            if not 0 <= target < len(function.blocks):
                yield f"b{block_number}: there is no b{target}"
                return


def _dominates(definition: tuple[int, int], use: tuple[int, int], within: dict[int, tuple[int, int]]) -> bool:
    if definition[0] == use[0]:
        return definition[1] < use[1]
    first, last = within[definition[0]]
    return first <= within[use[0]][0] < last


def _operands(instruction: Instruction, function: Function, functions: set[str] | None) -> Iterator[str]:
    wanted = INSTRUCTIONS[instruction.op].operands
    if len(wanted) != len(instruction.operands):
        yield f"expected {len(wanted)} operands, found {len(instruction.operands)}"
        return
    for (name, kind), operand in zip(wanted, instruction.operands, strict=True):
        if not _IS[kind](operand):
            yield f"expected a {kind} as {name}, found {operand!r}"
        elif kind == "variable" and operand not in function.variables:
            yield f"{operand} is no variable"
        elif kind == "function" and functions is not None and operand not in functions:
            yield f"there is no function {operand}"
    if instruction.op not in _WITH_NULL and any(
        isinstance(each, Constant) and each.kind == "null" for each in instruction.uses()
    ):
        yield "null has a const of its own"


_WITH_NULL = frozenset(("const", "declare", "signature", "annotate"))


def _is_value(operand: Any) -> bool:
    return operand > 0 if type(operand) is int else isinstance(operand, Constant)


def _are_values(operand: Any) -> bool:
    return isinstance(operand, tuple) and all(map(_is_value, operand))


def _are_arguments(operand: Any) -> bool:
    return isinstance(operand, tuple) and all(
        isinstance(each, Argument) and _is_value(each.value) and isinstance(each.name, str) for each in operand
    )


def _is_text(operand: Any) -> bool:
    return isinstance(operand, str)


def _is_constant(operand: Any) -> bool:
    return isinstance(operand, Constant)


def _is_type(operand: Any) -> bool:
    todo = [operand]  # a type may be nested deeper than calls may
    while todo:
        part = todo.pop()
        if not isinstance(part, Type) or part.kind not in TYPE_KINDS:
            return False
        todo.extend(part.of)
    return True


def _is_block(operand: Any) -> bool:
    return type(operand) is int and operand >= 0


def _are_cases(operand: Any) -> bool:
    return isinstance(operand, tuple) and all(
        isinstance(constant, Constant) and _is_block(target) for constant, target in operand
    )


def _is_predicate(predicate: Any) -> bool:
    todo = [predicate]
    while todo:
        part = todo.pop()
        if not isinstance(part, Predicate):
            return False
        if part.operator in CONNECTIVES:
            if len(part.operands) != CONNECTIVES[part.operator]:
                return False
            todo.extend(part.operands)
        elif QUESTIONS.get(part.operator) != len(part.operands):
            return False
        elif part.operator == "is":
            if not (_is_value(part.operands[0]) and _is_type(part.operands[1])):
                return False
        elif not all(map(_is_value, part.operands)):
            return False
    return True


_IS: dict[str, Callable[[Any], bool]] = {
    "value": _is_value,
    "values": _are_values,
    "arguments": _are_arguments,
    "variable": _is_text,
    "name": _is_text,
    "constant": _is_constant,
    "type": _is_type,
    "function": _is_text,
    "class": _is_text,
    "predicate": _is_predicate,
    "block": _is_block,
    "cases": _are_cases,
}
